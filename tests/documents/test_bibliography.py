"""Papers are read strictly: an entry that says something else than the reader knows is a mistake of the file."""

from __future__ import annotations

import pytest

from docs.site.reference.bibliography import read_bibliography
from docs.site.reference.sources import paper_line

ENTRY = """% What it is.

@article{gustavson1978,
  shorthand = {Gustavson 1978},
  author = {Fred G. Gustavson and Nobody Else},
  title = {Two Fast Algorithms for Sparse Matrices: Multiplication and
    Permuted Transposition},
  journal = {ACM Trans. Math. Softw.},
  volume = {4},
  number = {3},
  pages = {250--269},
  year = {1978},
  doi = {10.1145/355791.355796},
  note = {Two phases.},
}
"""


def test_a_paper_is_a_line_of_the_page() -> None:
    (paper,) = read_bibliography(ENTRY)
    assert (paper.kind, paper.key, paper.is_foundation) == ("article", "gustavson1978", False)
    assert paper_line(paper) == (
        "- **Gustavson 1978.** Fred G. Gustavson, Nobody Else: *Two Fast Algorithms for Sparse Matrices: "
        "Multiplication and Permuted Transposition*. ACM Trans. Math. Softw. 4(3), pp. 250–269. "
        "[doi:10.1145/355791.355796](https://doi.org/10.1145/355791.355796). Two phases."
    )


@pytest.mark.parametrize(
    ("kind", "fields", "shown"),
    [
        (
            "inproceedings",
            "  booktitle = {SC},\n  volume = {3},\n  eprint = {1},\n",
            "SC 2022, vol. 3. [arXiv:1](https://",
        ),
        ("article", "  journal = {J},\n  volume = {2},\n  eid = {158},\n", "*T*. J 2, article 158."),
        ("book", "  publisher = {Springer},\n  edition = {second},\n", "*T*, second edition. Springer."),
        ("misc", "  url = {https://jfly.org/color/},\n", "*T*. [jfly.org/color](https://jfly.org/color/)."),
    ],
)
def test_each_kind_names_its_venue(kind: str, fields: str, shown: str) -> None:
    of_all = "  shorthand = {A 2022},\n  author = {A},\n  title = {T},\n  year = {2022},\n"
    (paper,) = read_bibliography(f"@{kind}{{a,\n{of_all}{fields}}}\n")
    assert shown in paper_line(paper)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@article{gus", "article{gus", "line 3 does not begin an entry: article{gustavson1978,"),
        ("  year = {1978}", "  year = 1978", "line 3 does not begin an entry: @article{gustavson1978,"),
        ("Two phases", "{Two} phases", "line 3 does not begin an entry: @article{gustavson1978,"),
        ("@article", "@online", "line 3: online is none of article, inproceedings, book, misc"),
        ("  year = {1978},\n", "", "line 3: gustavson1978 lacks year"),
        ("  journal = ", "  booktitle = ", "line 3: gustavson1978 lacks journal"),
        ("  note = ", "  annote = ", "line 3: gustavson1978 has the unknown annote"),
        ("  number = ", "  volume = ", "line 3: gustavson1978 has a field twice"),
    ],
)
def test_what_is_no_entry_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^line") as refusal:
        read_bibliography(ENTRY.replace(old, new))
    assert str(refusal.value) == message


def test_a_key_stands_once() -> None:
    with pytest.raises(ValueError, match=r"^line 17: gustavson1978 is there already$"):
        read_bibliography(f"{ENTRY}\n{ENTRY.partition(chr(10) * 2)[2]}")
