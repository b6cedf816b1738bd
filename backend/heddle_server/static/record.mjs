// node record.mjs PYODIDE PYTHON OUT: starts the Python of a folder from its files in PYTHON, imports all modules of Heddle in
// it, and writes what dataclasses compile meanwhile into OUT: the code of methods by their text.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

methods = {}

def record(text, names, namespace):
    methods[text] = code = compile(text, "<string>", "exec", dont_inherit=True)
    exec(code, names, namespace)

def import_all():
    modules = (path.removeprefix("/heddle/").removesuffix(".pyc") for path in sys.meta_path[0].archive.modules)
    for name in sorted(path.removesuffix("/__init__").replace("/", ".") for path in modules):
        if name.startswith("heddle"):
            with contextlib.suppress(ImportError):  # it is for a library that no browser has
                importlib.import_module(name)

setattr(dataclasses, "exec", record)
import_all()
marshal.dumps({text: marshal.dumps(code) for text, code in sorted(methods.items())})
`);
writeFileSync(out, recorded.toJs());
