"""One table of terms: what the page explains, the document lists, with whose word it is and where it lives."""

from __future__ import annotations

import json
from pathlib import Path

from docs.make_glossary import FILE, TABLE, glossary

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = json.loads(TABLE.read_text(encoding="utf-8"))


def test_the_document_is_made_from_the_table() -> None:
    assert FILE.read_text(encoding="utf-8") == glossary(), "python -m docs.make_glossary writes it"


def test_each_term_has_a_user_in_the_field_and_a_place_in_the_code() -> None:
    assert [entry["term"] for entry in ENTRIES if not entry["source"] or "|" in entry["source"] + entry["text"]] == []
    assert [entry["code"] for entry in ENTRIES if not (ROOT / entry["code"]).exists()] == []
    folders = [entry["code"] for entry in ENTRIES if (ROOT / entry["code"]).is_dir()]
    assert [code for code in folders if not code.endswith("/")] == []
