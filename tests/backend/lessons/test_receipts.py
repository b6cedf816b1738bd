"""Receipts are read as the page makes them, and each that is none is named with what was expected."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from heddle_server.lessons import receipts
from heddle_server.lessons.receipts import BadReceipt, plan_in, read_receipt, read_receipts

# As an address of the page has a plan (frontend/src/state/address/url-codec.ts).
MADE_BY_THE_PAGE = (
    "https://host/?lesson=what-a-format-stores&task=no-empty-rows&seed=3&answers=%7B%22row%22%3A%224+%26+"
    "%5C%225%5C%22%22%7D#z1.q1ZKrSgoSi0uzszPU7JSqtTI1FSwVXDUyNTJ0lTQUqjQyNJU0lEqSc0rzi8qVrKqVnIEEWn5RbmJJ"
    "UD1KcnFRUq1tTpKZalFECOMagE"
)
PLAN = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "dcsr"}}}


def packed(text: str) -> str:
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    content = packing.compress(text.encode()) + packing.flush()
    return "z1." + base64.urlsafe_b64encode(content).decode().rstrip("=")


def link(fragment: str | None = None, **changed: str) -> str:
    query = {"lesson": "what-a-format-stores", "task": "no-empty-rows", "seed": "3", **changed}
    return f"https://host/?{urlencode(query)}#{packed(json.dumps(PLAN)) if fragment is None else fragment}"


def test_a_receipt_that_the_page_made() -> None:
    receipt = read_receipt(MADE_BY_THE_PAGE)
    assert (receipt.lesson, receipt.task) == ("what-a-format-stores", "no-empty-rows")
    assert (receipt.submission.seed, receipt.submission.answers) == (3, {"row": '4 & "5"'})
    assert receipt.plan.tensors["A"].format == "dcsr"


def test_a_readable_plan_with_a_command_that_is_switched_off() -> None:
    document = {
        **PLAN,
        "schedule": ["# split(i, i0, i1, 4)", "parallelize(i, CPUThread, NoRaces)"],
        "view": {"code": "c"},
    }
    receipt = read_receipt(link("j1." + quote(json.dumps(document))))
    assert receipt.plan.schedule == ("parallelize(i, CPUThread, NoRaces)",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no receipt: expected a link with lesson, task, seed and plan"),
        ("https://host/s/abc", "this link is not a receipt: it lacks lesson, task, seed"),
        ("http://[", "expected a link, found 'http://['"),
        (link(lesson="none"), "there is no lesson 'none'"),
        (link(task="zero"), "the lesson what-a-format-stores has no task 'zero'; it has which-row, no-empty-rows"),
        (link(seed="-1"), "its seed or its answers are broken: Input should be greater than or equal to 0"),
        (link(seed="x"), "its seed or its answers are broken: Input should be a valid integer"),
        (link(answers="{"), "its seed or its answers are broken: Expecting property name"),
        (link(answers='{"row": NaN}'), "its seed or its answers are broken: Input should be a finite number"),
        (link(answers="[" * 50_000), "its answers are nested too deeply"),
        (link(""), "this link has no plan in it: expected #z1"),
        (link("z9.abc"), "this link has no plan in it: expected #z1"),
        (link("z1.abc"), "its plan is broken"),
        (link("z1.ü"), "its plan is broken: part of the link is missing or was changed"),
        (link(packed("[]")), "its plan is broken: expected a map"),
        (link(packed('{"expression": 3}')), "its plan is none: expression must be"),
        (link(packed("[" * 50_000)), "its plan is broken"),
        (link(packed(" " * 1_000_001)), "its plan is broken, or has more than 1,000,000 bytes"),
        (MADE_BY_THE_PAGE[:-9], "its plan is broken"),
    ],
    ids=range(19),
)
def test_what_is_no_receipt(text: str, message: str) -> None:
    with pytest.raises(BadReceipt) as found:
        read_receipt(text)
    assert str(found.value).startswith(message)


def table(tmp_path: Path, content: str | bytes) -> Path:
    file = tmp_path / "receipts.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a first line with the columns student and receipt, found an empty file"),
        (b"name,link\na,b\n", "expected a first line with the columns student and receipt, found name, link"),
        (b"student,receipt\n\xff,x\n", "expected text in UTF-8, found the byte 0xff"),
        (b'student,receipt\n"a"b,c\n', "line 2 is not CSV: "),
        (b"student,receipt\n" + b"a,b\n" * 4, "expected at most 3 receipts, found more"),
        (b"student,receipt\n" + b"a" * 2000, "expected at most 1,000 bytes of receipts, found 2,016"),
    ],
    ids=range(6),
)
def test_what_is_no_table(content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_ROWS", 3)
    monkeypatch.setattr(receipts, "LARGEST_FILE", 1000)
    with pytest.raises(BadReceipt) as found:
        read_receipts(table(tmp_path, content))
    assert str(found.value).startswith(message)


def test_tables_of_spreadsheets_and_names_with_anything_in_them(tmp_path: Path) -> None:
    content = '\ufeffReceipt;Student;Group\r\n;"Zoë ""Z""\r\n Ω\u2028";1\r\nx;"<b>&amp;"\r\n'
    rows = read_receipts(table(tmp_path, content))
    assert [(row.student, isinstance(row.receipt, BadReceipt)) for row in rows] == [
        ('Zoë "Z" Ω', True),
        ("<b>&amp;", True),
    ]


def test_the_address_of_a_folder_without_a_server_is_read_as_well() -> None:
    coded = f"j1.{quote(json.dumps({'expression': 'y(i) = x(i)'}))}"
    assert plan_in(f"plan={coded}") == plan_in(coded)
