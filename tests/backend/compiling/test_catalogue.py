"""Commands, formats, examples, generators, and the small facts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heddle.explorer.views.compile_schema import CompileView
from heddle.formats.parser import parse_format
from heddle.targets import TARGET_NAMES
from heddle_server.schema.run import MachineFacts
from heddle_server.services.catalogue import EXAMPLES, WORDS, read_example, read_examples
from heddle_server.version import VERSION
from tests.backend.fake_child import MACHINE
from tests.backend.serving import Server, plan

VIEW = TypeAdapter(CompileView)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_example_compiles(server: Server, path: Path) -> None:
    answer = server.client.post("/api/v1/compile", json=read_example(path)["plan"])
    assert answer.status_code == 200, answer.text
    view = VIEW.validate_python(answer.json())
    assert view["diagnostics"] == []
    assert view["ok"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_data_of_every_example_is_here(server: Server, path: Path) -> None:
    datasets = {dataset["id"]: dataset for dataset in server.client.get("/api/v1/datasets").json()}
    generators = {generator["name"] for generator in server.client.get("/api/v1/generators").json()}
    for given in read_example(path)["plan"].get("inputs", {}).values():
        assert given.get("dataset", "bcsstk13") in datasets
        assert given.get("generator", "uniform") in generators


def test_examples_have_unlike_names_and_plans() -> None:
    examples = read_examples()
    assert len({example["id"] for example in examples}) == len(examples) >= 8
    assert len({json.dumps(example["plan"]) for example in examples}) == len(examples)


def test_every_example_is_in_the_table_of_the_papers_words_and_nothing_else_is() -> None:
    table = json.loads(WORDS.read_text())
    examples = {example["id"]: example for example in read_examples()}
    assert table["mentions"].keys() == examples.keys()
    assert {paper for mention in table["mentions"].values() if (paper := mention["paper"])} == table["papers"].keys()
    assert all(example["mention"]["term"] for example in examples.values())
    lil = examples["patterns-lil"]["mention"]
    assert lil["paper"] is not None
    assert (lil["paper"]["name"], lil["term"], lil["place"]) == ("Lift", "LIL", "listing 3, §3.4, figure 7")


def test_an_example_without_words_is_refused(tmp_path: Path) -> None:
    document = json.loads((EXAMPLES / "01-spmv-csr.json").read_text())
    (tmp_path / "01-unheard-of.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=r"papers\.json has no line for unheard-of: what is it called, and where\?"):
        read_examples(tmp_path)


def test_an_invalid_example_is_named_at_start_up(tmp_path: Path) -> None:
    (tmp_path / "01-broken.json").write_text('{"title": "x"}')
    with pytest.raises(ValueError, match=r"The example 01-broken\.json is not valid"):
        read_examples(tmp_path)


def test_formats_parse_back_from_their_texts(server: Server) -> None:
    formats = server.client.get("/api/v1/formats").json()
    assert {"dense", "csr", "csc", "dcsr"} <= {preset["name"] for preset in formats}
    for preset in formats:
        order = preset["order"] or preset["text"].count(",") + 1  # of those for any order the smallest
        assert parse_format(preset["text"], order, "A") == parse_format(preset["name"], order, "A")


def test_commands_come_from_the_registry(server: Server) -> None:
    names = {command["name"] for command in server.client.get("/api/v1/commands").json()}
    assert {"split", "reorder", "fuse", "pos", "parallelize"} <= names


def test_languages_have_an_example_that_compiles(server: Server) -> None:
    languages = server.client.get("/api/v1/languages").json()
    assert [language["name"] for language in languages] == ["notation", "patterns", "comprehension"]
    for language in languages:
        document = {"expression": language["example"], "language": language["name"]}
        assert server.client.post("/api/v1/compile", json=document).json()["ok"]


def test_targets_say_what_their_kernels_are(server: Server) -> None:
    targets = {target["name"]: target for target in server.client.get("/api/v1/targets").json()}
    assert tuple(targets) == TARGET_NAMES
    assert targets["cuda"] == {
        "name": "cuda",
        "title": "GPU (CUDA)",
        "language": {"name": "cuda", "title": "CUDA", "file": "kernel.cu", "fence": "cuda"},
        "units": ["GPUBlock", "GPUWarp", "GPUThread"],
        "needs": "an NVIDIA GPU with CuPy",
        "features": ["device-operands", "unlimited-addresses"],
    }
    assert targets["interpreter"]["language"] is None
    assert targets["interpreter"]["needs"] is None


def test_generators_have_parameters_with_defaults_in_range(server: Server) -> None:
    for generator in server.client.get("/api/v1/generators").json():
        for parameter in generator["parameters"]:
            assert parameter["minimum"] <= parameter["default"] <= parameter["maximum"]


def test_baselines_come_from_the_registry(server: Server) -> None:
    baselines = server.client.get("/api/v1/baselines").json()
    assert [(baseline["name"], baseline["title"]) for baseline in baselines] == [
        ("scipy", "SciPy"),
        ("mkl", "MKL"),
        ("numpy", "NumPy"),
        ("cusparse", "cuSPARSE"),
        ("torch", "PyTorch"),
        ("pyg", "PyG"),
    ]
    assert all(baseline["computes"] for baseline in baselines)


def test_versions(server: Server) -> None:
    answer = server.client.get("/api/v1/version").json()
    assert answer["heddle"] == VERSION
    assert answer["generator"]


def test_health(server: Server) -> None:
    assert server.client.get("/healthz").json() == {"status": "ok"}
    checks = {"database": "ok", "queue": "ok", "disk": "ok"}
    ready = server.client.get("/readyz").json()
    assert (ready["status"], ready["checks"]) == ("ok", checks)


def test_the_machine_is_described_before_any_run_and_by_the_last_one_after(server: Server) -> None:
    facts = TypeAdapter(MachineFacts).validate_python(server.client.get("/api/v1/machine").json())
    assert facts["cores"] >= 1
    assert server.wait(server.run(plan()))["state"] == "done"
    assert server.client.get("/api/v1/machine").json() == MACHINE


def test_the_catalogue_is_what_its_parts_answer_alone(server: Server) -> None:
    catalogue = server.client.get("/api/v1/catalogue").json()
    assert catalogue.pop("no_assembly") is None or shutil.which("objdump") is None
    assert {"commands", "formats", "datasets", "machine", "machines", "version"} < catalogue.keys()
    for part, view in catalogue.items():
        route = "suggest/machines" if part == "suggestion_machines" else part
        assert server.client.get(f"/api/v1/{route}").json() == view, part
