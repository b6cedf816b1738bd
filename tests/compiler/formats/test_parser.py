from __future__ import annotations

import pytest

from heddle.formats.format import Format, Level
from heddle.formats.parser import parse_format

DENSE, COMPRESSED, SINGLETON = Level("dense"), Level("compressed"), Level("singleton")
REPEATED = Level("compressed", unique=False)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["dense", "d"], Format((DENSE,), (0,))),
        (["sparse", "s", "compressed", "csf"], Format((COMPRESSED,), (0,))),
        (
            ["csr", "ds", "CSR", " csr ", "dense, compressed", "ds:0,1", "csc : 0,1"],
            Format((DENSE, COMPRESSED), (0, 1)),
        ),
        (["csc", "ds:1,0", "dense,compressed:1,0", "csr : 1,0"], Format((DENSE, COMPRESSED), (1, 0))),
        (["dcsr", "ss", "csf"], Format((COMPRESSED, COMPRESSED), (0, 1))),
        (["dcsc", "ss:1,0"], Format((COMPRESSED, COMPRESSED), (1, 0))),
        (["sd"], Format((COMPRESSED, DENSE), (0, 1))),
        (["dense : 1,0", "dd:1,0"], Format((DENSE, DENSE), (1, 0))),
        (["csf", "sss"], Format((COMPRESSED,) * 3, (0, 1, 2))),
        (["dss:2,0,1"], Format((DENSE, COMPRESSED, COMPRESSED), (2, 0, 1))),
        (
            ["uq", "compressed(nonunique), singleton"],
            Format((REPEATED, SINGLETON), (0, 1)),
        ),
        (
            ["ucq"],
            Format(
                (Level("compressed", unique=False), Level("singleton", unique=False), Level("singleton")), (0, 1, 2)
            ),
        ),
        (["ddp"], Format((DENSE, DENSE, Level("padded")), (0, 1, 2))),
        (["z", "zeroless"], Format((Level("zeroless"),), (0,))),
        (
            ["compressed(unordered, nonunique)", "compressed( NonUnique ,unordered )"],
            Format((Level("compressed", ordered=False, unique=False),), (0,)),
        ),
        (["compressed(unique,ordered)"], Format((COMPRESSED,), (0,))),
    ],
)
def test_texts_that_spell_the_same_format(texts: list[str], expected: Format) -> None:
    for text in texts:
        assert parse_format(text, len(expected.levels), "A") == expected


def test_a_scalar_has_no_levels() -> None:
    assert parse_format("dense", 0, "alpha") == Format((), ())
