# SPDX-License-Identifier: Apache-2.0
"""If a call of a module's function takes long, stderr says what it is doing."""

import re
import time

import numpy as np
import ttl
from ttl import _long_runs, _model_functions

TEXT = """func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.abs"(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "ttir.bitcast_convert"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
"""


def slow(run):
    def function(*arguments):
        time.sleep(0.4)
        return run(*arguments)

    return function


def call(monkeypatch, large):
    monkeypatch.setattr(_long_runs, "FIRST", 0.15)
    monkeypatch.setattr(_long_runs, "LARGE", large)
    monkeypatch.setattr(_model_functions, "run", slow(_model_functions.run))
    ttl.load_mlir(TEXT).main(np.ones((64, 64), np.float32))


def test_a_long_call_names_its_step(monkeypatch, capsys):
    call(monkeypatch, 64 * 64)
    line = r"note: main\(\) has run for \d+ s: step \d+ of \d+, bitcast_convert at .*:3:\d+ with 4096 elements\n"
    assert re.search(line, capsys.readouterr().err)


def test_small_tensors_are_not_watched(monkeypatch, capsys):
    call(monkeypatch, 64 * 64 + 1)
    assert "has run for" not in capsys.readouterr().err
