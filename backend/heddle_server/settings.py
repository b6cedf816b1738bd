"""Everything about the service that can be set, from ``HEDDLE_*`` environment variables or the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, IPvAnyNetwork, SecretStr, StringConstraints
from pydantic_settings import BaseSettings, SettingsConfigDict

from heddle_server.datasets.collections import COLLECTIONS
from heddle_server.places import DOCUMENTS, PAGE, default_data_directory

ClassName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
ClassCode = Annotated[SecretStr, Field(min_length=8)]

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


class Settings(BaseSettings):
    """Sizes are in bytes, times in seconds."""

    model_config = SettingsConfigDict(env_prefix="HEDDLE_", extra="ignore", frozen=True)

    data_directory: Path = Field(default_factory=default_data_directory)
    database_url: str | None = Field(
        default=None,
        description="An async SQLAlchemy URL such as postgresql+asyncpg://…, one server for each database; SQLite in "
        "data_directory when unset.",
    )
    frontend_directory: Path = PAGE
    documents_directory: Path = DOCUMENTS
    allowed_hosts: tuple[str, ...] = Field(default=(), description="Accepted Host names; empty accepts every name.")

    access_token: SecretStr | None = Field(default=None, description="Needed for runs, uploads and links when set.")
    class_codes: dict[ClassName, ClassCode] = Field(
        default={},
        description="Codes that are as good as the access token, by the names of classes. The page asks for one once, "
        "scripts send it as Authorization: Bearer.",
    )
    operator_token: SecretStr | None = Field(
        default=None, description="Sent as a code is: cancels every run, and opens what is closed."
    )
    closed: tuple[Literal["metrics", "machines"], ...] = Field(
        default=(), description="What only answers to the operator token, and to nobody without one: metrics, machines."
    )
    quota_factor: float = Field(default=1.0, ge=0, description="Scales the quotas of visitors and addresses; 0: none.")
    json_log: bool = Field(
        default=False,
        description="Log every request and message as a JSON line, and each write also as a line of heddle.audit.",
    )

    connections: int = Field(default=2000, ge=16, description="Connections at a time.")
    address_connections: int = Field(default=800, ge=1, description="Connections of one address at a time.")
    header_seconds: float = Field(default=10.0, gt=0, description="The headers of a request must come within this.")
    body_seconds: float = Field(
        default=20.0, gt=0, description="A body must come within this, and a second more for each 500 bytes of it."
    )
    trusted_proxies: tuple[IPvAnyNetwork, ...] = Field(
        default=(),
        description="Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed. Without them all "
        "visitors behind a proxy count as one address.",
    )

    compile_processes: int = Field(default=2, ge=1, le=64)
    compile_seconds: float = Field(default=10.0, gt=0)
    compile_memory_bytes: int = Field(default=2 * GIBIBYTE, ge=256 * MEBIBYTE)
    compile_cache_bytes: int = Field(default=24 * MEBIBYTE, ge=0, description="Of answers that are kept, as gzip.")
    compile_queue_limit: int = Field(default=256, ge=1)

    json_body_bytes: int = Field(default=MEBIBYTE, ge=1024)
    upload_bytes: int = Field(default=512 * MEBIBYTE, ge=1)
    unpacked_bytes: int = Field(default=GIBIBYTE, ge=1, description="What an upload may unpack to.")
    upload_total_bytes: int = Field(default=4 * GIBIBYTE, ge=1)
    visitor_upload_bytes: int = Field(default=GIBIBYTE, ge=1, description="Of all uploads of one visitor together.")
    upload_check_seconds: float = Field(default=60.0, gt=0)
    upload_check_memory_bytes: int = Field(default=8 * GIBIBYTE, ge=256 * MEBIBYTE)
    link_bytes: int = Field(default=32 * 1024, ge=1, description="A link's plan as JSON.")
    draft_bytes: int = Field(default=4096, ge=1, description="The same, of a plan that does not compile.")
    model_total_bytes: int = Field(default=GIBIBYTE, ge=0, description="Of the results of all decompositions.")
    link_total_bytes: int = Field(default=GIBIBYTE, ge=1)
    download_seconds: float = Field(
        default=900.0, ge=0, description="A download from a collection must end within this, as others wait behind it."
    )
    collections: Path = Field(
        default=COLLECTIONS, description="A JSON file that describes the collections to fetch data from."
    )
    upload_days: float = Field(
        default=90, ge=0, description="Uploads that no run or link names are deleted after this time; 0 keeps them."
    )
    run_rows: int = Field(
        default=20_000,
        ge=0,
        description="Of more ended runs the oldest are deleted, except results of linked plans; 0 keeps them.",
    )
    run_days: float = Field(
        default=365,
        ge=0,
        description="Ended runs are deleted after this time, except results of linked plans; 0 keeps them.",
    )
    class_days: float = Field(
        default=200, ge=0, description="Classes in which nothing has happened for this time are deleted; 0 keeps them."
    )
    class_students: int = Field(default=300, ge=1, description="Students of one class.")
    class_lessons: int = Field(default=40, ge=1, description="Lessons that a teacher may write for one class.")
    class_total: int = Field(default=10_000, ge=1, description="Classes at a time.")
    class_bytes: int = Field(default=16 * MEBIBYTE, ge=1, description="Of what the students of one class submitted.")
    class_total_bytes: int = Field(default=256 * MEBIBYTE, ge=1, description="Of what all classes have submitted.")
    free_disk_bytes: int = Field(
        default=64 * MEBIBYTE, ge=0, description="Below this much free disk the service is not ready."
    )

    scheduler: str | None = Field(
        default=None, description="Address of a scheduler (heddle scheduler); an embedded cluster when unset."
    )
    certificates: Path | None = Field(
        default=None, description="Folder of this machine's certificates, for mutual TLS with scheduler and workers."
    )
    timing_lock: Path = Path(tempfile.gettempdir()) / "heddle-timing.lock"
    run_seconds: float = Field(default=120.0, gt=0)
    run_memory_bytes: int = Field(default=8 * GIBIBYTE, ge=256 * MEBIBYTE)
    run_output_bytes: int = Field(default=32 * MEBIBYTE, ge=1024)
    run_attempts: int = Field(
        default=2, ge=1, description="How often a run is started before a lost worker ends it as lost."
    )
    checkpoint_seconds: float = Field(default=10.0, ge=0, description="Between two checkpoints of a decomposition.")
    run_lease_seconds: float = Field(
        default=30.0, ge=3, description="A run whose worker is silent for this long is given to another."
    )
    run_unplaced_seconds: float = Field(
        default=600.0, gt=0, description="A queued run that no connected worker can do is refused after this time."
    )
    run_queue_limit: int = Field(default=1000, ge=1)
    visitor_queued: int = Field(default=2, ge=1, description="Runs of one visitor that may wait at a time.")
    address_queued: int = Field(default=150, ge=1, description="Runs of one address that may wait at a time.")
    visitor_running: int = Field(default=1, ge=1, description="Runs of one visitor that may be under way at a time.")
    run_child_module: str = Field(default="heddle_server.worker.child", pattern=r"^[A-Za-z_][\w.]*$")
    waiting_child: bool = Field(
        default=True, description="A process waits for the next run: 100 MB, and runs begin a second sooner."
    )
    search_child_module: str = Field(default="heddle_server.tuning.child", pattern=r"^[A-Za-z_][\w.]*$")
    search_slice_seconds: float = Field(
        default=15.0, gt=0, le=60, description="How long a search for schedules has the machine before others come."
    )
    search_seconds: float = Field(default=600.0, gt=0, description="How long a search for schedules may take in all.")
    stop_seconds: float = Field(
        default=5.0, gt=0, description="How long open requests may take to end when the server stops."
    )

    @property
    def assets_directory(self) -> Path:
        return self.data_directory.resolve() / "page-assets"

    @property
    def checkpoints_directory(self) -> Path:
        return self.data_directory.resolve() / "checkpoints"

    @property
    def models_directory(self) -> Path:
        return self.uploads_directory / "models"

    @property
    def uploads_directory(self) -> Path:
        return self.data_directory.resolve() / "uploads"

    @property
    def database_file(self) -> Path | None:
        """Of SQLite; None for a server of databases."""
        scheme, _, path = self.database.partition(":///")
        return Path(path.partition("?")[0]) if scheme.startswith("sqlite") else None

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{self.data_directory.resolve() / 'heddle.sqlite3'}"
