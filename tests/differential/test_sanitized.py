"""Generated C reads and writes nothing that is not its own, and no thread what another writes at the same time: gcc's
sanitizers over the programs of the suite, in processes of their own."""

from __future__ import annotations

import pytest

from tests.compiler.codegen.sanitizers import needs_gcc, under

PARTS = 8


@pytest.mark.takes_turns(8, among="sanitizers")
@pytest.mark.combinations(4)
@needs_gcc
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_code_is_clean_under_sanitizers(part: int) -> None:
    done = under("address", "tests.differential.sanitized", str(part), str(PARTS), "address")
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split()[-1] == "clean"
    assert int(done.stdout.split()[0]) > 40


@pytest.mark.takes_turns(8, among="sanitizers")
@needs_gcc
def test_threads_of_generated_code_are_clean_under_the_thread_sanitizer() -> None:
    done = under("thread", "tests.differential.sanitized", "0", "1", "thread", threads=3)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split()[-1] == "clean"
    assert int(done.stdout.split()[0]) > 50


@pytest.mark.takes_turns(8, among="sanitizers")
@needs_gcc
def test_an_update_that_is_not_atomic_is_found() -> None:
    done = under("thread", "tests.differential.sanitized", "0", "1", "thread", "unatomic", threads=3)
    assert done.returncode == 66
    assert "WARNING: ThreadSanitizer: data race" in done.stderr
