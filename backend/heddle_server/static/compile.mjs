// node compile.mjs PYODIDE IN.tar.gz OUT: compiles the modules of an archive with the Python that will run them, so that no
// visitor's browser has to, and without docstrings. Writes the bytecode of each module into the folder OUT. The first folder of
// a path is the archive that the module is for.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [pyodide, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')).href);
const python = await loadPyodide({ indexURL: pyodide, args: ['-X', 'no_debug_ranges'] });
python.unpackArchive(new Uint8Array(readFileSync(archive)), 'gztar', { extractDir: '/modules' });
const compiled = python.runPython(`
import ast
import re
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from pathlib import Path

# Facts are described to people by their docstrings; NumPy hands those of functions to its own C.
DESCRIBED = re.compile("/lessons/predicates/|/numpy/_core/multiarray.py$")

# What a dataclass without a docstring gets in its place is its signature, which takes longer than all else about it.
def is_dataclass(node):
    return isinstance(node, ast.ClassDef) and any("dataclass" in ast.dump(by) for by in node.decorator_list)

def without_docstrings(tree):
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                match node.body:
                    case [ast.Expr(ast.Constant(str()) as text), *rest]:
                        node.body = rest or [ast.copy_location(ast.Pass(), text)]
        if is_dataclass(node):
            node.body = [ast.copy_location(ast.Expr(ast.Constant(" ")), node), *node.body]
    return ast.fix_missing_locations(tree)

def compiled():
    root = Path("/modules")
    for path in sorted(root.rglob("*.py")):
        source = path.read_bytes()
        tree = ast.parse(source)
        if not DESCRIBED.search(str(path)):
            tree = without_docstrings(tree)
        name = "/" + str(Path(*path.relative_to(root).parts[1:]))
        code = compile(tree, name, "exec", dont_inherit=True)
        yield path.relative_to(root).as_posix() + "c", bytes(_code_to_hash_pyc(code, source_hash(source), False))

compiled()
`);
for (const pair of compiled) {
  const name = pair.get(0);
  const code = pair.get(1);
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code.toJs());
  code.destroy();
  pair.destroy();
}
