// node record.mjs PYODIDE PYTHON OUT: starts the Python of a folder from its files in PYTHON, imports all modules of Heddle in
// it, and writes into the folder OUT what is compiled meanwhile, by its place in the archive: the methods that dataclasses
// write, by their text, and the tables of grammars.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [pyodide, place, out] = process.argv.slice(2);
const bytesOf = (name) => new Uint8Array(readFileSync(join(place, name)));
const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')).href);
const listing = JSON.parse(readFileSync(join(place, 'index.json'), 'utf8'));
const python = await loadPyodide({ indexURL: place, args: ['-X', 'no_debug_ranges'] });
python.runPython(readFileSync(join(place, listing.start), 'utf8'));
for (const archive of listing.archives) {
  python.FS.writeFile(`/${archive}`, new Uint8Array(gunzipSync(bytesOf(archive))));
  python.globals.get('start')(`/${archive}`, '/heddle');
}
const recorded = python.runPython(`
import contextlib
import importlib
import marshal
import pickle
from pathlib import Path

HEDDLE = Path("/heddle")
OF_NOTHING = b"no digest\\n" + pickle.dumps({})
methods = {}

def record(text, names, namespace):
    methods[text] = code = compile(text, "<string>", "exec", dont_inherit=True)
    exec(code, names, namespace)

def import_all():
    paths = [path for finder in sys.meta_path if isinstance(finder, ArchiveFinder) for path in finder.archive.modules]
    modules = (path.removeprefix("/heddle/").removesuffix(".pyc") for path in paths)
    for name in sorted(path.removesuffix("/__init__").replace("/", ".") for path in modules):
        if name.startswith("heddle"):
            with contextlib.suppress(ImportError):  # it is for a library that no browser has
                importlib.import_module(name)

# Where tables do not fit, lark stores those that do.
def tables():
    from heddle.notation.grammar import GRAMMAR, TABLES

    for text in sorted(HEDDLE.glob(f"heddle/**/{GRAMMAR}")):
        place = text.with_name(TABLES)
        place.write_bytes(OF_NOTHING)
        package = ".".join(text.relative_to(HEDDLE).parent.parts)
        importlib.import_module(f"{package}.grammar").load_grammar.__wrapped__()
        yield place.relative_to(HEDDLE).as_posix(), place.read_bytes()

setattr(dataclasses, "exec", record)
import_all()
compiled_methods = marshal.dumps({text: marshal.dumps(code) for text, code in sorted(methods.items())})
[(METHODS, compiled_methods), *tables()]
`);
for (const pair of recorded) {
  const place = join(out, pair.get(0));
  const content = pair.get(1);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content.toJs());
  content.destroy();
  pair.destroy();
}
