"""Files of tuned schedules: joined, kept, read for ever, and never offered where they do not compile."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.plan import Plan, TensorSpec
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.entry import Tuned, read_known
from heddle.tuning.known.imported import check
from heddle.tuning.known.key import key_of
from heddle.tuning.known.offers import NEARNESS, known_of, offers_for
from heddle.tuning.known.store import Store
from tests.errors.expect import refusal

FIXTURES = Path(__file__).parent / "fixtures"
SPMV = Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("csr", shape=(40, 30))})
OTHER = Plan("r(p) = M(p,q) * v(q)", {"M": TensorSpec("csr", shape=(40, 30))})
THREADS = ("split(i, i0, i1, 8)", "parallelize(i0, CPUThread, NoRaces)")


def tuned(median: float, low: float | None = None, high: float | None = None, date: str = "2026-01-02") -> Tuned:
    return Tuned((), median, low or median - 1, high or median + 1, 2.0, 30, 1.5, date, "a machine", "genetic", 7)


def keep(store: Store, plan: Plan, median: float, schedule: tuple[str, ...] = THREADS, **other: str) -> None:
    canonical = canonical_of(plan)
    formats = {**plan.tensors, **{name: TensorSpec(one, shape=(40, 30)) for name, one in other.items()}}
    measured = Plan(plan.expression, formats, schedule)
    store.join(known_of(plan, key_of(plan, canonical), canonical, ((measured, tuned(median)),)))


def test_a_renamed_program_gets_the_schedule_in_its_own_names(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0)
    found = offers_for(OTHER, store)
    (offer,) = found.offers
    assert offer.plan.schedule == ("split(p, p0, p1, 8)", "parallelize(p0, CPUThread, NoRaces)")
    assert offer.exact
    assert offer.tied


LAYER = Plan(
    """def layer(float(B,I) A, float(O,I) W, float(O) c) -> (y) {
        t(b,o) +=! A(b,i) * W(o,i)
        y(b,o) = fmaxf(t(b,o) + c(o), 0) }""",
    language="comprehension",
)
RENAMED = Plan(
    "def g(float(n,m) X, float(k,m) Y, float(k) z) -> (res) { q(r,s) +=! X(r,t) * Y(s,t) "
    "res(r,s) = fmaxf(q(r,s) + z(s), 0) }",
    language="comprehension",
)


def test_a_comprehension_gets_its_schedule_back_under_other_names_and_from_a_file(tmp_path: Path) -> None:
    store, fused = Store(tmp_path), ("together(b, b2)", "parallelize(b, CPUThread, NoRaces)")
    canonical = canonical_of(LAYER)
    measured = replace(LAYER, schedule=fused)
    store.join(known_of(LAYER, key_of(LAYER, canonical), canonical, ((measured, tuned(100.0)),)))
    (offer,) = offers_for(RENAMED, store).offers
    assert offer.plan.schedule == ("together(r, r2)", "parallelize(r, CPUThread, NoRaces)")
    assert offer.exact
    known = store.find(canonical.digest)
    assert known is not None
    assert known.language == "comprehension"
    again, kept_out = check(read_known(json.loads(json.dumps(known.document()))))
    assert (again, kept_out) == (known, ())


def test_formats_are_part_of_what_was_found(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0, (), A="csc")
    (offer,) = offers_for(OTHER, store).offers
    assert offer.plan.tensors["M"].format == "csc"
    assert offer.plan.tensors["M"].shape == (40, 30)


def test_other_sizes_and_machines_are_said_to_be_others(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0)
    larger = Plan(SPMV.expression, {"A": TensorSpec("csr", shape=(80, 30))})
    (offer,) = offers_for(larger, store).offers
    assert not offer.exact
    assert NEARNESS[offer.nearness] == "other sizes"
    assert not offers_for(Plan("y(i) = A(i,j) + x(j)"), store).offers


SGEMM = (
    "def sgemm(float a, float(N,M) A, float(M,K) B, float(N,K) C0) -> (C) "
    "{ C(i,j) = C0(i,j)  C(i,j) += a*A(i,k)*B(k,j) }"
)


def test_sizes_that_other_operands_tell_are_the_same_sizes(tmp_path: Path) -> None:
    """C0 has no data of its own: its sizes are those of A and B, so that the case is the very same."""
    store = Store(tmp_path)
    shapes = dict.fromkeys(("A", "B", "C0"), (200, 200))
    whole = Plan(SGEMM, language="comprehension")
    canonical = canonical_of(whole)
    store.join(known_of(whole, key_of(whole, canonical, {}, shapes), canonical, ((whole, tuned(100.0)),)))

    def nearness(**sizes: int) -> str:
        inputs = {name: {"generator": "dense", "shape": [size, size]} for name, size in sizes.items()}
        (offer,) = offers_for(replace(whole, inputs=inputs), store).offers
        return NEARNESS[offer.nearness]

    assert nearness(A=200, B=200, C0=200) == "this very case"
    assert nearness(A=200, B=200) == "this very case"
    assert nearness(A=200) == "sizes that are not all known"
    assert nearness() == "sizes that are not all known"
    assert nearness(A=300, B=300) == "other sizes"


def test_the_fastest_is_a_set_where_intervals_overlap(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for median, size in ((100.0, 8), (100.5, 16), (200.0, 32)):
        keep(store, SPMV, median, (f"split(i, i0, i1, {size})", "parallelize(i0, CPUThread, NoRaces)"))
    assert [offer.tied for offer in offers_for(SPMV, store).offers] == [True, True, False]


def test_a_schedule_that_does_not_compile_here_is_kept_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0, ("parallelize(j, CPUThread, NoRaces)",))
    found = offers_for(SPMV, store)
    assert not found.offers
    (out,) = found.kept_out
    assert "j" in out.reason
    assert out.tuned.schedule == ("parallelize(v1, CPUThread, NoRaces)",)


def add_one(folder: str, size: int) -> None:
    keep(Store(Path(folder)), SPMV, 100.0 + size, (f"split(i, i0, i1, {size})",))


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(add_one, [str(tmp_path)] * 8, range(2, 10)))
    (known,) = Store(tmp_path).all()
    assert len(known.entries[0].schedules) == 8


def test_ten_schedules_are_kept_each_as_it_was_measured_last(tmp_path: Path) -> None:
    for size in range(2, 16):
        add_one(str(tmp_path), size)
    keep(Store(tmp_path), SPMV, 1.0, ("split(i, i0, i1, 2)",))
    (known,) = Store(tmp_path).all()
    (entry,) = known.entries
    assert [one.median for one in entry.schedules] == [1.0, *(100.0 + size for size in range(3, 12))]


def test_forgetting(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0)
    (known,) = store.all()
    assert store.forget(known.program, "ffff") == 0
    assert store.forget(known.program) == 1
    assert list(store.all()) == []


def test_seeds_are_read_and_never_written(tmp_path: Path) -> None:
    keep(Store(tmp_path / "seeds"), SPMV, 100.0)
    store = Store(tmp_path / "own", tmp_path / "seeds")
    keep(store, SPMV, 50.0, ())
    assert [offer.tuned.median for offer in offers_for(SPMV, store).offers] == [50.0, 100.0]
    (known,) = store.all()
    assert store.forget(known.program) == 1
    assert [offer.tuned.median for offer in offers_for(SPMV, store).offers] == [100.0]


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_old_files_are_read_for_ever(path: Path, tmp_path: Path) -> None:
    known, kept_out = check(read_known(json.loads(path.read_text())))
    assert not kept_out
    store = Store(tmp_path)
    store.join(known)
    found = offers_for(OTHER, store)
    assert found.offers[0].plan.schedule == ("split(p, p0, p1, 8)", "parallelize(p0, CPUThread, NoRaces)")


def test_a_damaged_file_is_left_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, SPMV, 100.0)
    (path,) = tmp_path.glob("*.json")
    path.write_text(path.read_text()[:50])
    assert list(store.all()) == []
    keep(store, SPMV, 100.0)
    assert len(list(store.all())) == 1


def test_an_imported_schedule_that_does_not_compile_is_kept_out_with_its_reason(tmp_path: Path) -> None:
    document = json.loads((FIXTURES / "v1.json").read_text())
    document["entries"][0]["schedules"][0]["schedule"] = ["split(v7, n0, n1, 8)"]
    known, (out,) = check(read_known(document))
    assert known.entries == ()
    assert "w0" in out.reason or "v7" in out.reason


def test_a_file_about_another_program_is_refused() -> None:
    document = json.loads((FIXTURES / "v1.json").read_text())
    document["expression"] = "o0(v0) = p0(v0,v1) + p1(v1)"
    diagnostic = refusal(lambda: check(read_known(document)))
    assert diagnostic.code == "tuned/program"
    assert "but o0(v0) = p0(v0,v1) + p1(v1) is " in diagnostic.message


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        ({"version": 9}, "tuned/version", "the file should be version 1 or 2, and is version 9."),
        ({"entries": {}}, "tuned/file", "the file, entries should be a list, and is a dict."),
        ({"program": 3}, "tuned/file", "the file, program should be a text, and is an int."),
        ({"entries": [3]}, "tuned/file", "entries[0] should be an object, and is an int."),
    ],
)
def test_what_is_no_such_file_is_said_with_its_place(change: dict[str, object], code: str, text: str) -> None:
    document = {**json.loads((FIXTURES / "v1.json").read_text()), **change}
    diagnostic = refusal(lambda: read_known(document))
    assert diagnostic.code == code
    assert diagnostic.message == f"This is not a file of tuned schedules: {text}"
    with pytest.raises(CompileError):
        read_known([document])


def test_a_gain_that_its_search_did_not_tell_is_not_remembered() -> None:
    """Files of before have "10.88 times as fast as the rules' schedule" of a median that is as wide."""
    document = json.loads((FIXTURES / "v1.json").read_text())
    (first, *_) = document["entries"][0]["schedules"]

    def read(**numbers: object) -> float | None:
        first.update(numbers)
        document["entries"][0]["schedules"] = [first]
        return read_known(document).entries[0].schedules[0].gain

    assert read(low=2.0, median=2.1, high=2.2, gain=10.88) == 10.88
    assert read(low=0.2, median=2.1, high=2.2, gain=10.88) is None
    assert read(low=2.0, median=2.1, high=2.2, gain=1.0) == 1.0
    document["version"] = 2
    assert read(gain=None) is None
    assert read_known(read_known(document).document()) == read_known(document)
    del first["gain"]
    assert refusal(read).message.endswith(
        "entries[0].schedules[0], gain should be a number that is not negative, and is None."
    )
