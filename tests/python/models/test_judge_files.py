# SPDX-License-Identifier: Apache-2.0
"""judge_files.py: files in the spellings of tt-mlir, older ones too, give the evaluator's values on all engines."""

import judge_files
import module_text
import pytest

TEXT = """// RUN: something else
#layout = #ttcore.metal_layout<logical_shape = 33x64, dim_alignments = 32x32,
    collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!host = tensor<33x64xf32>
!stored = tensor<2x1x1x2x!ttcore.tile<32x32, f32>, #layout>
module attributes {ttcore.name = "any"} {
  func.func public @old(%arg0: !host {ttcore.mark = 1 : i32}) -> (tensor<33x64xi32>, !host) attributes {a = unit} {
    %0 = "ttir.empty"() : () -> tensor<33x64xi32>
    // A destination is the last operand.
    %1 = "ttir.typecast"(%arg0, %0) <{conservative_folding = true}> :
        (!host, tensor<33x64xi32>) -> tensor<33x64xi32>
    %2 = ttir.empty() : !host
    %3 = "ttir.exp"(%arg0, %2) : (!host, !host) -> !host
    return %1, %3 : tensor<33x64xi32>, !host
  }

  func.func @new(%a: !host) -> (tensor<33x1xf32>, tensor<33x1xsi32>) {
    %0 = ttir.empty() : !stored
    %1 = ttir.to_layout %a, %0 : !host into !stored -> !stored
    %2 = ttir.empty() : !host
    %3 = ttir.to_layout %1, %2 : !stored into !host -> !host
    %4 = "ttir.constant"() <{value = dense<[[2.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "ttir.multiply"(%3, %4) : (!host, tensor<1x1xf32>) -> !host
    %values, %indices = "ttir.topk"(%5) <{k = 1 : i32, dim = -1 : i32, largest = true, sorted = false}> :
        (!host) -> (tensor<33x1xf32>, tensor<33x1xsi32>)
    return %values, %indices : tensor<33x1xf32>, tensor<33x1xsi32>
  }
}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.mlir"
    # The reader knows only aliases that are on one line.
    path.write_text(TEXT.replace("32x32,\n    collapsed", "32x32, collapsed"))
    return path


def test_a_file_is_judged(file):
    assert judge_files.judge(file) == "right (2 functions)"


def test_functions_are_read(file):
    functions = module_text.read_functions(file.read_text())
    module, returned = functions["old"]
    assert [op.name for op in module.ops] == ["typecast", "exp"] and returned == [1, 2]
    assert module.types == [((33, 64), "f32"), ((33, 64), "i32"), ((33, 64), "f32")]
    module, returned = functions["new"]
    assert [op.name for op in module.ops] == ["constant", "multiply", "topk"] and returned == [3, 4]
    assert module.ops[2].attributes == {"k": 1, "dim": -1, "largest": True, "sorted": False}


def test_an_error_is_told(file):
    file.write_text(file.read_text().replace("ttir.exp", "ttir.expp"))
    assert judge_files.judge(file) == "CompileError: unknown operation of ttir: 'expp'; did you mean exp?"
    file.write_text("func.func @f(%a: tensor<4xf32>) {\n  d2m.yield\n}\n")
    assert judge_files.judge(file).startswith("Unreadable: statement d2m.yield")
