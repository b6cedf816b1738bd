"""All services of one application, made and ended together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from heddle_server.datasets.collections import read_collections
from heddle_server.services.catalogue import Catalogue
from heddle_server.services.classrooms.classrooms import ClassroomService
from heddle_server.services.classrooms.code_guesses import CodeGuesses
from heddle_server.services.classrooms.homework import HomeworkService
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.data.downloads import DownloadService
from heddle_server.services.decompositions.models import Models
from heddle_server.services.experiments import ExperimentService
from heddle_server.services.lessons import LessonService
from heddle_server.services.links import LinkService
from heddle_server.services.machine import MachineService
from heddle_server.services.retention import Retention
from heddle_server.services.runs.dispatch import Dispatcher
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.queue_places import QueuePlaces
from heddle_server.services.runs.run_events import RunEvents
from heddle_server.services.runs.runs import RunService
from heddle_server.services.runs.searches import SearchService
from heddle_server.settings import Settings
from heddle_server.store.database import Database
from heddle_server.store.private_files import make_contents_private, make_private
from heddle_server.store.server_lock import server_lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The database, and what is deleted from it in time."""

    database: Database
    retention: Retention


@dataclass(frozen=True, slots=True, kw_only=True)
class DataServices:
    """What plans are run on: built in, uploaded, or fetched from a collection."""

    datasets: DatasetService
    downloads: DownloadService


@dataclass(frozen=True, slots=True, kw_only=True)
class RunServices:
    """Runs from their request to their end: the queue, who works it off, and what is told meanwhile."""

    runs: RunService
    searches: SearchService
    experiments: ExperimentService
    dispatcher: Dispatcher
    machine: MachineService
    models: Models
    notices: Notices
    events: RunEvents


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachingServices:
    lessons: LessonService
    classrooms: ClassroomService


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    settings: Settings
    catalogue: Catalogue
    compiles: CompileService
    links: LinkService
    store: Storage
    data: DataServices
    running: RunServices
    teaching: TeachingServices

    @property
    def stops(self) -> tuple[Callable[[], Awaitable[None]], ...]:
        """What ends each of them, in the reverse of the order in which it is called."""
        store, dispatcher = self.store, self.running.dispatcher
        return (
            store.database.close,
            self.compiles.stop,
            dispatcher.stop,
            store.retention.stop,
            self.data.downloads.stop,
        )

    def end_streams(self) -> None:
        """Called when the server is told to stop: open event streams would keep it alive."""
        self.running.notices.stop()


@asynccontextmanager
async def running_services(settings: Settings) -> AsyncIterator[Services]:
    """Start everything in order, and stop it in the reverse order whatever happens."""
    make_private(settings.data_directory)
    make_contents_private(settings.data_directory, settings.database_file)
    with server_lock(settings.data_directory):
        services = build(settings)
        async with AsyncExitStack() as stopping:
            for stop in services.stops:
                stopping.push_async_callback(stop)
            stopping.callback(services.end_streams)
            await services.store.database.migrate()
            services.data.datasets.prepare()
            # This process has nothing to do while those that compile begin, and reads the examples meanwhile. What
            # times runs would compete with both, and comes behind them.
            await asyncio.gather(services.compiles.start(), asyncio.to_thread(lambda: services.catalogue.examples))
            await services.running.dispatcher.start()
            services.store.retention.start()
            yield services


def build(settings: Settings) -> Services:
    database = Database(settings.database)
    compiles = CompileService(settings)
    datasets = DatasetService(settings, database)
    downloads = DownloadService(settings, datasets, read_collections(settings.collections))
    machine = MachineService(settings.data_directory, elsewhere=settings.scheduler is not None)
    notices = Notices()
    models = Models(settings, database)
    dispatcher = Dispatcher(settings, database, datasets, machine, notices, models)
    runs = RunService(settings, database, compiles, datasets, notices, dispatcher, machine, models)
    guesses = CodeGuesses(settings.quota_factor)
    homework = HomeworkService(database, compiles, guesses)
    lessons = LessonService(compiles, runs, homework)
    classrooms = ClassroomService(settings, database, lessons, homework, guesses)
    return Services(
        settings=settings,
        catalogue=Catalogue(),
        compiles=compiles,
        links=LinkService(settings, database, compiles),
        store=Storage(database=database, retention=Retention(settings, database, models)),
        data=DataServices(datasets=datasets, downloads=downloads),
        running=RunServices(
            runs=runs,
            searches=SearchService(settings, database, runs, compiles),
            experiments=ExperimentService(runs, dispatcher.pool, dispatcher.expected),
            dispatcher=dispatcher,
            machine=machine,
            models=models,
            notices=notices,
            events=RunEvents(database, notices, dispatcher, QueuePlaces(database, notices)),
        ),
        teaching=TeachingServices(lessons=lessons, classrooms=classrooms),
    )
