# SPDX-License-Identifier: Apache-2.0
"""Functions of ttnn are called with odd arguments. Each call must give a result, or an exception of a
documented class whose traceback ends in the program's own line."""

import itertools
import traceback
import types

import numpy as np
import pytest
import ttnn

TENSOR = ttnn.from_numpy(np.arange(12, dtype=np.float32).reshape(3, 4))
ODD = [None, -1, 0, 2**70, 0.5, float("nan"), "x", (), [None], (1, 2), {}, object(), print, TENSOR,
       np.ones((2, 3))]
FUNCTIONS = [
    name for name in ttnn.__all__
    if isinstance(getattr(ttnn, name), types.BuiltinFunctionType) and not name.endswith("_")
]


def check(name, arguments, keywords):
    try:
        getattr(ttnn, name)(*arguments, **keywords)
    except Exception as error:
        inside = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
        assert inside == {__file__}, (arguments, keywords, repr(error))
        allowed = (TypeError, ValueError, NotImplementedError, ImportError, OSError)
        assert isinstance(error, allowed), (arguments, keywords, repr(error))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_odd_arguments(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # dump_tensor() writes a file
    if name in ("SetDefaultDevice", "begin_trace_capture", "deallocate", "manual_seed", "open_mesh_device"):
        pytest.skip("this function changes state that later tests use")
    pairs = itertools.product(ODD, [None, -1, 2**70, 0.5, "x", TENSOR])
    for arguments in itertools.chain([()], itertools.product(ODD), pairs):
        check(name, arguments, {})
        check(name, (TENSOR, *arguments), {})
    for value in ODD:
        for option in ("dtype", "memory_config", "output_tensor", "layout", "dim", "wings"):
            check(name, (TENSOR,), {option: value})
            check(name, (TENSOR, TENSOR), {option: value})
