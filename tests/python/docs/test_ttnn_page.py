"""docs/ttnn.md lists every function of ttnn with its signature and the first paragraph of its docstring."""

import inspect
import pathlib
import re
import types

import pytest
import ttnn
from ttl import _api
from ttnn import compiled

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "ttnn.md").read_text()
LISTED = set(re.findall(r"^\| `(\w+)\(.*` \| ", PAGE[PAGE.index("## Functions") :], re.MULTILINE))
# docs/accuracy.md lists the functions that are also tile functions, so this page need not.
FUNCTIONS = [
    name for name in ttnn.__all__ if isinstance(getattr(ttnn, name), types.BuiltinFunctionType)
    and (name in LISTED or name not in {name for name, *_ in _api.TILE_FUNCTIONS})
]


def row_of(name):
    """Returns the table row of a function: its call, and its docstring's first paragraph in one line."""
    function = getattr(ttnn, name)
    call = str(inspect.signature(function)).replace(", **options", "")
    first = inspect.getdoc(function).partition("\n\n")[0]
    text = " ".join(first.split()).replace("|", "\\|")
    return f"| `{name}{call}` | {text} |"


def test_there_are_functions():
    assert len(FUNCTIONS) > 200


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_their_row(name):
    assert row_of(name) in PAGE.splitlines(), f"docs/ttnn.md needs this row: {row_of(name)}"


def test_every_name_is_listed():
    named = set(re.findall(r"`(\w+)[(`]", PAGE)) | {name for name, *_ in _api.TILE_FUNCTIONS}
    assert set(ttnn.__all__) - named == set()


def test_functions_that_kernels_compute_are_listed():
    text = PAGE.split("These functions have a counterpart")[1].split("\n* ")[0]
    assert re.findall(r"`(\w+)`", text) == compiled.names()


def test_every_row_names_a_function():
    section = PAGE[PAGE.index("## Functions") :]
    rows = re.findall(r"^\| `(\w+)\(.*` \| ", section, re.MULTILINE)
    assert set(rows) == set(FUNCTIONS) and len(rows) == len(FUNCTIONS)


def test_methods_of_a_tensor_are_listed():
    section = PAGE[PAGE.index("## Tensor") :]
    named = set(re.findall(r"`(\w+)[(`]", section[: section.index("\n## ", 3)]))
    methods = {name for name in dir(ttnn.Tensor) if not name.startswith("_")}
    internal = {"from_storage", "similar", "write_bits", "bits", "values", "deallocate_pages",
                "part", "with_topology"}
    assert methods - internal - named == set() and not named & internal
