"""How long runs and uploads are kept, and what is kept forever."""

from __future__ import annotations

import base64
import json
import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text

from heddle_server.engine.children.outcome import Outcome
from heddle_server.services.classrooms.verdicts import new_work
from heddle_server.services.data.uploads import UploadStore
from heddle_server.services.decompositions.models import YOUNG_SECONDS, Models
from heddle_server.services.retention import Retention
from heddle_server.settings import Settings
from heddle_server.store import runs
from heddle_server.store.database import Database, now
from heddle_server.store.tables import Classroom, Dataset, Link, Run, RunEvent, Student, Work

OLD, YOUNG = timedelta(days=11), timedelta(days=9)


def run(identity: str, age: timedelta, *, state: str = "done", plan: str = "p", upload: str | None = None) -> Run:
    inputs = {"inputs": {"A": {"upload": upload}}} if upload is not None else {}
    ended = now() - age
    return Run(
        id=identity, state=state, plan=inputs, plan_hash=plan, content_key=identity, visitor="", attempts=1,
        created=ended, finished=None if state in ("queued", "running") else ended,
    )  # fmt: skip


def upload(letter: str, age: timedelta) -> Dataset:
    return Dataset(
        id=named(letter), name="a.mtx", kind="mtx", shape=[1], nnz=1, bytes=1, created=now() - age
    )  # fmt: skip


def named(letter: str) -> str:
    return f"sha256:{letter * 64}"


async def left(
    tmp_path: Path, *rows: object, run_days: float = 10, run_rows: int = 0, upload_days: float = 10
) -> set[str]:
    """The ids that are there after a sweep, and the names of the files."""
    settings = Settings(data_directory=tmp_path, run_days=run_days, run_rows=run_rows, upload_days=upload_days)
    kept = settings.uploads_directory / "sha256"
    kept.mkdir(parents=True)
    database = Database(settings.database)
    try:
        await database.migrate()
        async with database.write() as session:
            for row in rows:
                session.add(row)
                await session.flush()
                if isinstance(row, Dataset):
                    (kept / f"{row.id.removeprefix('sha256:')}.mtx").write_text("x")
        await Retention(settings, database, Models(settings, database)).sweep()
        async with database.read() as session:
            found = {str(identity) for table in (Run, Dataset) for identity in await session.scalars(select(table.id))}
            events = set(await session.scalars(select(RunEvent.run_id)))
    finally:
        await database.close()
    assert events <= found
    assert {f"sha256:{path.stem}" for path in kept.iterdir()} == {one for one in found if one.startswith("sha256:")}
    return found


async def test_the_oldest_runs_go_once_there_are_too_many(tmp_path: Path) -> None:
    """But for those that a link names, and those that have not ended."""
    day = timedelta(days=1)
    rows = [run(str(age), age * day, plan=str(age)) for age in range(6)]
    rows += [run("linked", 8 * day, plan="linked"), run("queued", 9 * day, state="queued")]
    link = Link(id="l", plan={}, plan_hash="linked", created=now())
    assert await left(tmp_path, *rows, link, run_rows=3) == {"0", "1", "linked", "queued"}


async def test_a_result_is_stored_once_and_told_whole(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path)
    database = Database(settings.database)
    samples = [float(100 + number) for number in range(500)]
    result = {"entries": [{"id": "heddle", "samples_ns": samples}], "date": "-"}
    try:
        await database.migrate()
        async with database.write() as session:
            session.add(begun := run("r", YOUNG, state="running"))
            await session.flush()
            await runs.finish(session, begun, "done", result=result)
        async with database.read() as session:
            told = {event.event: event.data for event in await runs.events_after(session, "r", 0)}
            stored = await session.scalars(text("select data from run_events union all select result from runs"))
            sizes = [len(each) for each in stored]
    finally:
        await database.close()
    assert told["result"] == result
    assert sum(sizes) < 2500 < len(json.dumps(samples))


async def test_ended_runs_go_after_their_days_with_their_events(tmp_path: Path) -> None:
    rows = [run("old", OLD), run("failed", OLD, state="failed"), run("young", YOUNG)]
    waiting = [run("queued", OLD, state="queued"), run("running", OLD, state="running")]
    events = [RunEvent(run_id=name, sequence=1, event="state", data={}) for name in ("old", "young")]
    assert await left(tmp_path, *rows, *waiting, *events) == {"young", "queued", "running"}


async def test_the_results_of_a_linked_plan_stay_for_ever(tmp_path: Path) -> None:
    link = Link(id="l", plan={}, plan_hash="linked", run_id=None, created=now() - OLD)
    rows = [run("result", OLD, plan="linked"), run("failed", OLD, plan="linked", state="failed"), run("other", OLD)]
    assert await left(tmp_path, *rows, link) == {"result"}


async def test_uploads_stay_while_a_run_or_link_names_them(tmp_path: Path) -> None:
    plan = {"inputs": {"A": {"upload": named("c")}}}
    link = Link(id="l", plan=plan, plan_hash="linked", run_id=None, created=now() - OLD)
    rows = [upload(letter, OLD) for letter in "abc"] + [upload("d", YOUNG)]
    runs = [run("young", YOUNG, upload=named("b")), run("old", OLD, upload=named("a"))]
    assert await left(tmp_path, *rows, *runs, link) == {"young", named("b"), named("c"), named("d")}


@pytest.mark.parametrize("age", [OLD, timedelta(days=10_000)])
async def test_zero_days_keep_everything(tmp_path: Path, age: timedelta) -> None:
    rows = [run("run", age), upload("a", age)]
    assert await left(tmp_path, *rows, run_days=0, upload_days=0) == {"run", named("a")}


async def test_a_file_that_cannot_be_deleted_is_told_and_the_others_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    remove = UploadStore.remove

    def refused(store: UploadStore, identity: str, kind: str) -> None:
        remove(store, identity, kind)
        if identity == named("a"):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(UploadStore, "remove", refused)
    assert await left(tmp_path, upload("a", OLD), upload("b", OLD)) == set()
    assert f"the file of {named('a')} is left behind: [Errno 5]" in caplog.text


async def test_the_model_of_a_run_that_is_recorded_in_a_moment_stays(tmp_path: Path) -> None:
    """Its file is there before the row that names it, and a sweep may come between the two."""
    settings = Settings(data_directory=tmp_path, run_days=10)
    database = Database(settings.database)
    models = Models(settings, database)
    try:
        await database.migrate()

        def taken(content: bytes) -> Path:
            model = models.taken(Outcome("done", {"model": {"data": base64.b64encode(content).decode()}})).result
            assert model is not None
            return settings.models_directory / f"{model['model']['artifact'].removeprefix('sha256:')}.npz"

        def aged(path: Path) -> None:
            before = time.time() - YOUNG_SECONDS - 1
            os.utime(path, (before, before))

        named, again, unnamed = taken(b"named"), taken(b"again"), taken(b"unnamed")
        for path in (named, again, unnamed):
            aged(path)
        assert taken(b"again") == again, "the same model of another run, which nobody names yet"
        new = taken(b"new")
        row = run("row", YOUNG)
        row.result = {"model": {"artifact": f"sha256:{named.stem}"}}
        async with database.write() as session:
            session.add(row)
        await Retention(settings, database, models).sweep()
        assert set(settings.models_directory.iterdir()) == {named, again, new}
    finally:
        await database.close()


async def test_classes_in_which_nothing_happens_go_with_all_that_is_in_them(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path, class_days=10)
    settings.uploads_directory.mkdir(parents=True)
    database = Database(settings.database)
    try:
        await database.migrate()
        async with database.write() as session:
            for number, age in enumerate((OLD, YOUNG), 1):
                at, code = now() - age, f"AAAA-222{number}"
                session.add(Classroom(code=code, title="x", key_hash="", revision=0, created=now() - OLD, used=at))
                await session.flush()
                session.add(
                    Student(number=number, classroom=code, nickname="a", folded="a", key_hash="", seed=1, joined=at)
                )
                await session.flush()
                session.add(new_work(number, "lesson", "task", at))
                await session.flush()
        await Retention(settings, database, Models(settings, database)).sweep()
        async with database.read() as session:
            assert [*await session.scalars(select(Classroom.code))] == ["AAAA-2222"]
            assert [*await session.scalars(select(Student.number))] == [2]
            assert [*await session.scalars(select(Work.student))] == [2]
    finally:
        await database.close()
