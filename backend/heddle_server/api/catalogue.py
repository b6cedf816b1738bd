"""GET /catalogue, /languages, /commands, /formats, /quantities, /targets, /examples, …: what a plan can be made of."""

from __future__ import annotations

from heddle.explorer.views.commands_schema import CommandSpecView, FormatPresetView, QuantityView
from heddle_server.api.dependencies import FromServices
from heddle_server.api.machine import worker_views
from heddle_server.api.part import part_of_api
from heddle_server.schema.catalogue import CatalogueView
from heddle_server.schema.dataset import GeneratorView
from heddle_server.schema.decomposition import MethodView
from heddle_server.schema.plan import BaselineView, ExampleView
from heddle_server.schema.target import LanguageView, TargetView

router = part_of_api("catalogue")


@router.get("/catalogue", response_model=CatalogueView)
async def show_catalogue(services: FromServices) -> CatalogueView:
    """All that a page offers at first, in one answer; `/examples` has the plans to start from."""
    datasets = await services.data.datasets.everything()
    collections = services.data.downloads.collections()
    machines = worker_views(services.running.dispatcher.pool)
    return services.catalogue.everything(datasets, collections, await services.running.machine.facts(), machines)


@router.get("/languages", response_model=list[LanguageView])
async def list_languages(services: FromServices) -> list[LanguageView]:
    """What an expression can be written in."""
    return services.catalogue.languages


@router.get("/targets", response_model=list[TargetView])
async def list_targets(services: FromServices) -> list[TargetView]:
    """What kernels can be made for, whether or not a machine here runs them."""
    return services.catalogue.targets


@router.get("/commands", response_model=list[CommandSpecView])
async def list_commands(services: FromServices) -> list[CommandSpecView]:
    """The schedule commands with their arguments, as the registry knows them."""
    return services.catalogue.commands


@router.get("/formats", response_model=list[FormatPresetView])
async def list_formats(services: FromServices) -> list[FormatPresetView]:
    """The formats that have a name."""
    return services.catalogue.formats


@router.get("/quantities", response_model=list[QuantityView])
async def list_quantities(services: FromServices) -> list[QuantityView]:
    """What the tests of formats that are sums of parts may ask of an entry."""
    return services.catalogue.quantities


@router.get("/examples", response_model=list[ExampleView])
async def list_examples(services: FromServices) -> list[ExampleView]:
    """Plans to start from."""
    return services.catalogue.examples


@router.get("/generators", response_model=list[GeneratorView])
async def list_generators(services: FromServices) -> list[GeneratorView]:
    """Ways to make an input up, each with its parameters."""
    return services.catalogue.generators


@router.get("/baselines", response_model=list[BaselineView])
async def list_baselines(services: FromServices) -> list[BaselineView]:
    """The libraries that a run can be compared with."""
    return services.catalogue.baselines


@router.get("/methods", response_model=list[MethodView])
async def list_methods(services: FromServices) -> list[MethodView]:
    """The ways in which a decomposition can compute the product of a mode."""
    return services.catalogue.methods
