# SPDX-License-Identifier: Apache-2.0
"""Every public name of ttnn has a docstring. Those of functions name errors, and have an example that runs."""

import inspect
import re
import textwrap
import types

import numpy as np
import pytest
import ttnn

EXAMPLE = re.compile(r"^Example:\n\n((?:    .*\n|\n)+)", re.MULTILINE)
FUNCTIONS = [name for name in ttnn.__all__ if isinstance(getattr(ttnn, name), types.BuiltinFunctionType)]
OTHERS = [name for name in ttnn.__all__ if name not in FUNCTIONS
          and (inspect.isclass(getattr(ttnn, name)) or inspect.ismodule(getattr(ttnn, name)))]
# These functions accept any argument, so no wrong argument is refused.
ACCEPT_ALL = "as_tensor from_numpy from_torch"


def names():
    """Returns the names that the examples use without defining them."""
    device = ttnn.open_device(device_id=0)
    cores = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (0, 0))])
    shards = ttnn.ShardSpec(cores, (32, 64), ttnn.ShardOrientation.ROW_MAJOR)
    sharded = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shards)
    x, y = (ttnn.from_numpy(np.full((32, 64), value, np.float32)) for value in (0.5, 0.25))
    return {"ttnn": ttnn, "np": np, "device": device, "sharded": sharded, "x": x, "y": y,
            "on_device": ttnn.to_device(x, device)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_say_what_they_refuse(name):
    text = inspect.getdoc(getattr(ttnn, name))
    assert re.search(r"Raises an?\s[\w.]+", text), text
    assert [line for line in text.splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = EXAMPLE.search(inspect.getdoc(getattr(ttnn, name)) + "\n")
    assert found and f"ttnn.{name}(" in found[1].replace("CreateDevice(", "open_device(") or name in aliases(name)
    if "torch" in name:
        pytest.importorskip("torch")
    if name != "generic_op":  # needs kernels in C++: tests/metalium has some
        exec(textwrap.dedent(found[1]), names())


def aliases(name):
    """Returns the names of ttnn that are the same function, or that have the same docstring."""
    return [each for each in FUNCTIONS if getattr(ttnn, each) is getattr(ttnn, name) or
            inspect.getdoc(getattr(ttnn, each)) == inspect.getdoc(getattr(ttnn, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_refused(name):
    parameters = list(inspect.signature(getattr(ttnn, name)).parameters.values())
    takes_tensor = parameters and re.search("tensor|^input", parameters[0].name) and name not in ACCEPT_ALL
    if takes_tensor and parameters[0].kind is parameters[0].POSITIONAL_OR_KEYWORD:
        required = [each for each in parameters if each.default is each.empty
                    and each.kind is each.POSITIONAL_OR_KEYWORD]
        with pytest.raises((TypeError, ValueError, AttributeError)):
            getattr(ttnn, name)(*(["wrong"] * len(required)))


@pytest.mark.parametrize("name", OTHERS)
def test_classes_and_modules_have_docstrings(name):
    text = inspect.getdoc(getattr(ttnn, name))
    assert text and "See help(type(self))" not in text
