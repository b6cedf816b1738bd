"""The shape of the page's sources: imports point down only, panels do not know each other, names follow one habit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layering import ROOT, Graph, circles

SOURCES = ROOT / "frontend/src"

# Every row may import from the rows above it and from itself. A name is a folder or a file of frontend/src/.
LAYERS = (
    ("text", "theme"),
    ("schedule",),
    ("plan",),
    ("api",),
    ("viz",),
    ("state",),
    ("components",),
    ("editor",),
    ("panels",),
    ("panes",),
    ("overlays",),
    ("layout",),
    ("App", "embed", "algorithm"),
    ("main",),
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}

IMPORT = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bnew URL\(|\bvi\.mock\()\s*['"](\.{1,2}/[^'"]+)['"]""")
COMPONENT = re.compile(r"[A-Z][A-Za-z0-9]*(\.test)?\.tsx")
OTHER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.test\.tsx?|\.(worker|d|gen)\.ts|\.ts|\.css)|main\.tsx")


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.suffix in {".ts", ".tsx", ".css"})


def imported_files(path: Path) -> Iterator[Path]:
    """What a file imports of the page, types and what is loaded later included.

    Raises
    ------
    FileNotFoundError
        an import leads nowhere.
    """
    if path.suffix == ".css":
        return
    for target in IMPORT.findall(path.read_text(encoding="utf-8")):
        base = (path.parent / target.partition("?")[0]).resolve()
        candidates = [base, *(base.with_name(base.name + suffix) for suffix in (".ts", ".tsx"))]
        file = next((candidate for candidate in candidates if candidate.is_file()), None)
        if file is None:
            raise FileNotFoundError(f"{path} imports {target}")
        yield file


def file_graph(root: Path) -> Graph:
    """Each source file by its path below ``root`` to those that it imports."""
    files = files_of(root)
    return {
        str(path.relative_to(root)): {str(file.relative_to(root)) for file in imported_files(path) if file in files}
        for path in files
    }


def layer_of(file: str) -> str:
    return Path(file).parts[0].split(".")[0]


def panel_of(file: str) -> str | None:
    parts = Path(file).parts
    return parts[1] if parts[0] == "panels" and len(parts) > 2 else None


def upward_imports(files: Graph) -> list[str]:
    return [
        f"{name} imports {other}"
        for name, imported in files.items()
        for other in sorted(imported)
        if RANK[layer_of(other)] > RANK[layer_of(name)]
    ]


def imports_between_panels(files: Graph) -> list[str]:
    return [
        f"{name} imports {other}"
        for name, imported in files.items()
        for other in sorted(imported)
        if panel_of(name) is not None and panel_of(other) not in {None, panel_of(name)}
    ]


def rooms(files: Graph) -> Graph:
    """The same between folders of two levels; a file that stands next to such folders is its own room."""

    def room(file: str) -> str:
        return "/".join(file.split("/")[:2])

    graph: Graph = {room(name): set() for name in files}
    for name, imported in files.items():
        if ".test." not in name:
            graph[room(name)] |= {room(other) for other in imported} - {room(name)}
    return graph


def unusual_names(names: list[str]) -> list[str]:
    return [name for name in names if not COMPONENT.fullmatch(name) and not OTHER.fullmatch(name)]


def test_every_part_of_the_page_has_a_layer() -> None:
    parts = {layer_of(name) for name in file_graph(SOURCES)} - {"plotly"}  # declares the types of a package
    assert parts == set(RANK), "give the new part its place in LAYERS"


def test_imports_inside_the_page_point_down() -> None:
    assert upward_imports(file_graph(SOURCES)) == []


def test_panels_do_not_import_one_another() -> None:
    assert imports_between_panels(file_graph(SOURCES)) == [], "what two panels share stands in components/ or below"


def test_no_files_of_the_page_import_each_other() -> None:
    assert circles(file_graph(SOURCES)) == []


def test_no_rooms_of_the_page_import_each_other() -> None:
    assert circles(rooms(file_graph(SOURCES))) == []


def test_what_points_up_or_in_a_circle_would_be_seen(tmp_path: Path) -> None:
    texts = {
        "state/store.ts": "import type { Comparison } from './comparison';\n",
        "state/comparison.ts": "import type {\n  Store,\n} from './store';\nimport { place } from '../editor/rows';\n",
        "editor/rows.ts": "export const later = () => import('../panels/code/Panel');\n",
        "panels/code/Panel.tsx": "import './panel.css';\nexport * from '../../text/words';\n",
        "panels/code/panel.css": "",
        "panels/stages/Panel.tsx": 'import "../code/panel.css";\nimport { Row } from "./Row";\n',
        "panels/stages/Row.tsx": "",
        "text/words.ts": "",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    files = file_graph(tmp_path)
    assert upward_imports(files) == [
        "editor/rows.ts imports panels/code/Panel.tsx",
        "state/comparison.ts imports editor/rows.ts",
    ]
    assert circles(files) == [["state/comparison.ts", "state/store.ts"]]
    assert imports_between_panels(files) == ["panels/stages/Panel.tsx imports panels/code/panel.css"]
    (tmp_path / "text/words.ts").write_text("import './nothing';\n")
    with pytest.raises(FileNotFoundError, match=r"words\.ts imports \./nothing"):
        file_graph(tmp_path)


def test_files_are_named_by_one_habit() -> None:
    """``Component.tsx``, everything else ``in-words.ts``; a file of a hook begins with ``use-``."""
    assert unusual_names([path.name for path in files_of(SOURCES)]) == []


def test_a_component_has_the_name_of_its_file() -> None:
    others = [
        str(path.relative_to(SOURCES))
        for path in files_of(SOURCES)
        if COMPONENT.fullmatch(path.name) and ".test." not in path.name and not defines(path)
    ]
    assert others == []


def defines(component: Path) -> bool:
    export = rf"\bexport (?:default )?(?:const|function|class) {component.stem}\b"
    return re.search(export, component.read_text(encoding="utf-8")) is not None


def test_an_unusual_name_would_be_seen() -> None:
    usual = ["App.tsx", "App.test.tsx", "use-layout.ts", "links.test.tsx", "layout.worker.ts", "main.tsx"]
    assert unusual_names([*usual, "useLayout.ts", "textWidth.ts", "icons.tsx", "Store.ts", "panel_a.css"]) == [
        "useLayout.ts",
        "textWidth.ts",
        "icons.tsx",
        "Store.ts",
        "panel_a.css",
    ]
