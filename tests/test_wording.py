"""Plain English: phrases that readers stumbled over, each with what to say in its place, so that they do not come back.

Comments and docstrings are texts as well. A name in code is not: write the pattern so that it needs a space.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Regular expressions, whatever their case, and what to say instead.
INSTEAD = {
    r"speed-up": "speedup",
    r"sooner than the": "rather than",
    r"put out all lights": "clear highlights",
    r"may not come next[:`]": "cannot be applied here",
    r"for emulated gathers": "since, because",
    r"for a request\b": "per request",
    r"lies? in two tiles": "split across tiles",
    r"\bin the mean\b": "on average",
    r"\b(?:share|shares) 1 points?\b": "computes 1 point",
    r"first mend\b": "fix",
    r"mend what": "fix",
    r"this is a defect of heddle": "a defect in Heddle",
    r"for want of (?:memory|disk)": "because memory ran out",
    r"will do\.\"": "use …",
    r"(?<!there) is no (?:file|link|plan|backup|program|preset|format|order of|sum of|kind of)\b": "is not a",
    r"(?<!there) is no index variable": "is not an",
    r"of unlike (?:length|structure|lengths|sizes)": "of different …",
    r"so many for each\b": "this many for each",
    r"added up behind the": "after the",
    r"known in front of the": "known before the",
    r"one a line\b": "one per line",
    r"one command a line": "one command per line",
    r"gets as many stored entries": "the same number of",
    r"where the entries of \S+ say": "by the entries of",
    r"what each part makes of coordinates": "how each part maps coordinates",
    r"behind commas": "separated by commas",
    r"\bas many (?:entries|products) of a tensor each\b": "equally many",
    r"how seldom": "how rarely",
    r"further up is better": "higher is better",
    r"measure anew": "measure again",
    r"go on measuring": "continue measuring",
    r"nothing of this kind": "no … of this kind",
    r"nothing has this name": "nothing matches",
    r"no example has these": "no example matches",
    r"the program changed meanwhile": "has changed since",
    r"copy the embedding": "copy embed code",
    r"at the (?:latest|earliest) at\b": "no later than, no earlier than",
    r"nothing is known of\b": "about",
    r"expected (?:is|are) (?:a|whole|\{)": "expected …",
    r"a mistake of heddle": "a defect in Heddle",
    r"was timed yet": "has been timed yet",
    r"to go on there": "to continue there",
    r"a difference that cannot be\b": "an impossible difference",
    r"is not a whole gzip": "not a complete gzip file",
    r"the service goes on\b": "keeps running",
    r"(?<!there) is no (?:parameter|step|length|type|tensor|number|integer|option|assignment|receipt|code)"
    r" ?(?:of\b|here\b|nor\b|that\b|\.|,|:)": "is not a",
    r"(?<!there) are no (?:data|parts of)\b": "are not",
    r"what was there is kept": "is kept",
    r"is not there any more": "is gone",
    r"come right behind": "directly follow",
    r"one behind the other": "one after the other",
    r"what (?:lies|stands) behind the": "what comes after the",
    r"no statement in front": "no earlier statement",
    r"assigned in front\b": "assigned earlier",
    r"on the right alone": "only on the right",
    r"to the same bits as": "with the same bits as",
    r"way to measure\.": "way of measuring",
    r"stands twice in a row": "two neighbours are equal",
    r"your matrix is your own": "everyone gets a different matrix",
    r"have entries of their own": "everyone gets different …",
    r"(?:read|see) what the (?:compiler|page) says to (?:it|that)": "says, answers",
    r"what does the compiler say to\b": "do with",
    r"as much work as (?:before|with)\b": "the same amount of work",
    r"so that nobody meets": "no two … meet",
    r"gives everybody the same": "gives each … the same",
    r"nobody is done before": "… ends only when",
    r"share the work out to\b": "share out the work among",
    r"there is a way between": "a middle way",
    r"belongs? into the\b": "in the",
    r"is worked off": "is processed",
    r"lanes\*? in step\b": "in lockstep",
    r"which is no answer": "which does not count",
    r"behind a colon": "after a colon",
    r"each range behind its": "after its",
    r"a row begins behind\b": "after",
    r"a usual core": "a typical core",
    r"\b(?:ms|milliseconds|once) a sweep": "per sweep",
    r"\bthe view (?:cuts|workers|order|writes)\b": "the … view",
    r"stays? inside of the\b": "inside the",
    r"while no page looked": "while no page was open",
    r"lines on one another": "on top of each other",
    r"nothing that heddle has a rule for": "none of Heddle’s rules found anything",
    r"\bdata go from\b": "flow from",
    r"what an arrow says": "each arrow shows",
    r"of these lengths with few": "with rows of these lengths",
    r"the lengths in front are": "… in the rows before it",
    r"as arrays of their own (?:its|their)\b": "stored as separate arrays",
    r"(?:ranges|tree|graph|picture) (?:follow|follows) once\b": "appears once",
    r"write to places of their own\.": "write to separate places",
    r"beside the fastest found": "relative to the fastest found",
    r"\bfor anybody\b": "which anyone can open",
    r"work is kernels of": "kernels do the work",
    r"\bbelow stand\b": "below it are",
    r"whoever has this key": "anyone who has this key",
    r"students met most": "ran into most",
    r"delete what the \S+ has of me": "delete my data",
    r"that must move are \{": "that must move: … per byte",
    r"so much else passes": "so much else is loaded",
    r"misses \S+ times, all together": "all tensors together miss",
    r"nearly each\b": "nearly every",
    r"(?:updates|iterations) are left\b": "remain",
    r"right for little data": "small data",
    r"threads that are done wait": "that have finished",
    r"half of the rows holds \{": "hold",
}
# Said by libraries and papers, or by this table.
NOT_OURS = (
    "tests/test_wording.py",
    "frontend/package-lock.json",
    "frontend/src/api/schema.gen.ts",
    "benchmarks/results/",
    "proofs/results/",
)
TEXTS = (".py", ".ts", ".tsx", ".md", ".json", ".html")
# The texts are wrapped: between two words may be the end of a line, with the quotes of a string around it.
LINE_END = re.compile(r"""[ ]?["'`]?\s*\n\s*(?:[#*/]+[ ])?(?:[rf]?["'`])?""")

# Each with words that every text has in which it is found: most texts lack them, and need no search.
PATTERNS = [
    (max(re.findall(r"[a-z -]+", re.sub(r"\(.*?\)|\[.*?\]|\\.|.\?", "|", phrase)), key=len), re.compile(phrase), say)
    for phrase, say in INSTEAD.items()
]


def texts() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listed.splitlines() if name.endswith(TEXTS) and not name.startswith(NOT_OURS)]


def stumbles(text: str) -> list[str]:
    """What of the table a text says, each as ``line: what it says (say …)``."""
    text = text.lower()
    unwrapped = LINE_END.sub(" ", text)
    return [
        f"{_line_of(match.start(), text)}: {match[0].strip()} (say: {say})"
        for words, pattern, say in PATTERNS
        if words in unwrapped
        for match in pattern.finditer(unwrapped)
    ]


def _line_of(place: int, text: str) -> int:
    """The line of what stands at a ``place`` of the unwrapped text."""
    for end in LINE_END.finditer(text):
        if place < end.start():
            return text.count("\n", 0, end.start()) + 1
        place += len(end[0]) - 1
    return text.count("\n", 0, place) + 1


def test_no_text_says_what_readers_stumbled_over() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{said}"
        for path in texts()
        if path.is_file()
        for said in stumbles(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The Speed-up of it", 1),
        ('x = (\n    "scalar code, for "\n    f"emulated gathers"\n)', 2),
        ("// compare ratios, sooner\n// than the medians", 1),
        ("3 tiles, 1.5 nonzeros in the\n      mean", 1),
    ],
)
def test_a_phrase_is_found_whatever_its_case_and_wherever_the_line_ends(text: str, line: int) -> None:
    assert [said.split(":")[0] for said in stumbles(text)] == [str(line)]


def test_what_is_said_in_their_place_is_not_found() -> None:
    assert stumbles("The speedup is 2; compare ratios rather than medians. 11 results, 1 result, on average.") == []
