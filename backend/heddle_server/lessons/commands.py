"""./heddle lesson: check [FILE] says whether lessons hold what they promise, facts lists what checks may ask."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from heddle_server.lessons.course import FOLDER, between, files
from heddle_server.lessons.lesson import Lesson
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.predicates.table import TABLE
from heddle_server.lessons.prove import SEEDS, problems_of, prove_mutants
from heddle_server.lessons.reader import read_lesson


def check(wanted: Sequence[Path], seeds: int = SEEDS, folder: Path = FOLDER, *, as_json: bool = False) -> int:
    """0 where every lesson holds: those of ``wanted``, or all of the folder."""
    lessons: dict[Path, Lesson] = {}
    bad, held = 0, list[dict[str, object]]()
    lesson_files = files(folder)
    for file in [
        *lesson_files,
        *(each for each in wanted if each.resolve() not in {path.resolve() for path in lesson_files}),
    ]:
        try:
            lessons[file] = read_lesson(file)
        except (OSError, LessonError) as error:
            if not wanted or _among(file, wanted):
                bad += _report(file, error)
    chosen = {file: lesson for file, lesson in lessons.items() if not wanted or _among(file, wanted)}
    for file, problem in between(lessons):
        if file in chosen:
            bad += _report(file, problem)
    known = frozenset(lesson.id for lesson in lessons.values())
    for file, lesson in chosen.items():
        began = time.monotonic()
        problems, mutants = problems_of(lesson, known, seeds), 0
        if not problems:
            mutants, problems = prove_mutants(lesson)
        if problems:
            bad += _report(file, LessonError(*problems))
        else:
            hold = "1 task holds" if len(lesson.tasks) == 1 else f"{len(lesson.tasks)} tasks hold"
            took = time.monotonic() - began
            if as_json:
                held.append({"file": str(file), "tasks": len(lesson.tasks), "mutants": mutants, "seconds": took})
            else:
                print(f"{file.name}: {hold}, {mutants} mutants of the solutions are refused ({took:.1f} s)")
    if as_json:
        print(json.dumps({"lessons": held, "problems": bad}, indent=2))
    if not chosen and not bad:
        print(f"heddle: there are no lessons in {folder}", file=sys.stderr)
        return 1
    return 1 if bad else 0


def _among(file: Path, wanted: Sequence[Path]) -> bool:
    return file.resolve() in {each.resolve() for each in wanted}


def _report(file: Path, error: OSError | LessonError) -> int:
    if isinstance(error, OSError):
        reason = (
            "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror or error}"
        )
        print(f"heddle: {file} {reason}", file=sys.stderr)
        return 1
    problems = error.problems
    for line, text in problems:
        print(f"heddle: {file}:{line}: {text}", file=sys.stderr)
    return len(problems)


def list_facts(*, as_json: bool = False) -> int:
    """Every fact with its unit and what it means."""
    if as_json:
        facts = [{"fact": each.spelled, "unit": each.unit, "summary": each.summary} for each in TABLE.values()]
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return 0
    for predicate in TABLE.values():
        print(f"{predicate.spelled}  [{predicate.unit}]\n    {predicate.summary}")
    return 0
