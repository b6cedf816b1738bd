"""What the catalogue says of the built-in files is what the files hold."""

import pytest

from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.data_files.tns import read_tns
from heddle_server.datasets.catalogue import FOLDER, BuiltinDataset, builtin_datasets


@pytest.mark.parametrize("dataset", builtin_datasets(), ids=lambda dataset: dataset.id)
def test_facts_agree_with_the_file(dataset: BuiltinDataset) -> None:
    entries = read_mtx(dataset.path) if dataset.path.suffix == ".mtx" else read_tns(dataset.path)
    assert dataset.shape == entries.shape
    assert dataset.nnz == entries.values.size
    assert dataset.summary
    assert dataset.origin
    assert dataset.licence in ("CC-BY 4.0", "MIT")


def test_every_file_is_listed_once() -> None:
    datasets = builtin_datasets()
    assert {dataset.path for dataset in datasets} == {*FOLDER.glob("*.mtx"), *FOLDER.glob("*.tns")}
    assert len({dataset.id for dataset in datasets}) == len(datasets)
