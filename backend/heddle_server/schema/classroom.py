"""Classes of the course: who is in one, what they submit, and what the teacher sees."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from heddle_server.schema.lesson import Submitted
from heddle_server.schema.lesson_views import LONGEST_TEXT

LONGEST_TITLE = 80
LONGEST_NICKNAME = 40


class ClassroomRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, StringConstraints(max_length=LONGEST_TITLE)] = ""


class JoinRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    nickname: Annotated[str, StringConstraints(max_length=200)]


class ClassLessonRequest(BaseModel):
    """``text`` is a lesson's file: Markdown with tasks, as ``heddle lesson check`` takes it."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]


class ClassSubmission(Submitted):
    """A plan for one task. Whose it is, and on which data it is checked, follows from the student's key."""

    lesson: Annotated[str, StringConstraints(max_length=48)]
    task: Annotated[str, StringConstraints(max_length=48)]


class ClassroomCreated(TypedDict):
    """``key`` makes whoever has it the teacher. It is shown once: the service keeps only its hash."""

    code: str
    title: str
    key: str


class StudentCreated(TypedDict):
    """``key`` goes with each submission of this student; ``seed`` is that of their data in the tasks."""

    code: str
    title: str
    number: int
    nickname: str
    key: str
    seed: int


class ClassTaskView(TypedDict):
    """A column of the table."""

    lesson: str
    task: str
    title: str
    number: int
    place: int


class ClassStudentView(TypedDict):
    """A row of the table. ``number`` names the student to this class."""

    number: int
    nickname: str
    joined: str


class StudentWorkView(TypedDict):
    """What a student did at a task. ``minutes`` from the first check to the first that passed, null before that."""

    student: int
    lesson: str
    task: str
    tries: int
    solved: bool
    minutes: float | None
    medals: list[Literal["bronze", "silver", "gold"]]


class ObstacleView(TypedDict):
    """What students met: a refusal with its code and the words of the latest one, or a check of a task (then ``code``
    is its text). ``students`` counts each once, ``times`` each meeting."""

    kind: Literal["refusal", "check"]
    code: str
    says: str
    lesson: str | None
    task: str | None
    students: int
    times: int


class ClassLessonView(TypedDict):
    """``lesson`` is what other routes call it, ``link`` the address of the page at it, below that of the server."""

    name: str
    lesson: str
    title: str
    tasks: list[str]
    link: str
    replaced: bool


class DeletedLessonView(TypedDict):
    """How many lessons were deleted, with all that students did in them."""

    lessons: int


class ClassroomView(TypedDict):
    """What the teacher sees. ``until`` is when the class is deleted if nothing happens in it; null for never."""

    code: str
    title: str
    created: str
    until: str | None
    revision: int
    students: list[ClassStudentView]
    tasks: list[ClassTaskView]
    work: list[StudentWorkView]
    obstacles: list[ObstacleView]


class SolutionView(TypedDict):
    """Students whose plans are the same once their data are left out; ``plan`` is one of them, on that student's
    data."""

    solution: str
    plan: dict[str, object]
    students: list[str]
    medals: list[Literal["bronze", "silver", "gold"]]


class DeletedView(TypedDict):
    """How many students were deleted, with all that was kept of them."""

    students: int


Known = Annotated[int, Field(ge=0, le=2**53)]
