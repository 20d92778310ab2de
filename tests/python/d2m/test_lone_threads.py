# SPDX-License-Identifier: Apache-2.0
"""Functions that are d2m threads, but that no d2m.generic runs, can be run on one core."""

import pathlib
import sys

import pytest
import tt_mlir_files

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import COMPILE_ERROR, SUCCESS, ttl_jit  # noqa: E402

TEXT = """
!t = !ttcore.tile<32x32, f32>
!b = memref<1x2x!t, #ttcore.memory_space<l1>>
!q = !d2m.cb<!b>
!m = memref<1x1x1x2x!t, #ttcore.shard<8192x4096, 1>, #ttcore.memory_space<l1>>
#id = affine_map<(i, j) -> (i, j)>

// Its queues have other numbers than a program of its own would give them.
func.func private @product() attributes {d2m.thread = #d2m.thread<compute>} {
  %out = d2m.get_cb(5) : !q
  %x_in = d2m.get_cb(2) : !q
  %y_in = d2m.get_cb(7) : !q
  %x = d2m.wait %x_in : !q -> !b
  %y = d2m.wait %y_in : !q -> !b
  %z = d2m.reserve %out : !q -> !b
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : !b, !b) outs(%z : !b) {
  ^bb0(%i: !t, %j: !t, %o: !t):
    %v = "d2m.tile_mul"(%i, %j) : (!t, !t) -> !t
    linalg.yield %v : !t
  }
  d2m.push %out : !q
  d2m.pop %x_in : !q
  d2m.pop %y_in : !q
  return
}

// It moves a shard of one memref to another one, by a queue of its own.
func.func private @move() attributes {d2m.thread = #d2m.thread<datamovement>} {
  %from = d2m.get_arg(0) : !m
  %to = d2m.get_arg(1) : !m
  %q = d2m.get_cb(2) : !q
  %zero = arith.constant 0 : index
  %slot = d2m.reserve %q : !q -> !b
  %tx = d2m.dma_read %from[%zero, %zero], %slot, <0> : (!m, !b) -> !d2m.mem_tx<read>
  d2m.dma_wait %tx : !d2m.mem_tx<read>
  d2m.push %q : !q
  %block = d2m.wait %q : !q -> !b
  %wx = d2m.dma_write %block, %to[%zero, %zero], <0> : (!b, !m) -> !d2m.mem_tx<write>
  d2m.dma_wait %wx : !d2m.mem_tx<write>
  d2m.pop %q : !q
  return
}

func.func private @signal() attributes {d2m.thread = #d2m.thread<datamovement>} {
  %s = d2m.get_arg(0) : !d2m.local_semaphore
  %two = arith.constant 2 : index
  d2m.semaphore_set %s, %two : !d2m.local_semaphore
  d2m.semaphore_wait %s, %two : !d2m.local_semaphore
  return
}
"""


def test_the_engines_agree_with_the_evaluator(tmp_path):
    found = tt_mlir_files.judge_part(TEXT, ["jit", "interp", "emitted"], tmp_path)
    assert found == [("product", "right"), ("move", "right"), ("signal", "right: stores nothing")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "threads.mlir"
    path.write_text(TEXT)
    return path


def test_a_private_function_is_run_by_its_name(file):
    process = ttl_jit("run", str(file), "--function=product")
    assert process.returncode == SUCCESS, process.stderr


def test_a_module_of_private_functions_says_how_to_run_one(file):
    process = ttl_jit("run", str(file))
    assert process.returncode == COMPILE_ERROR
    assert "no public function to run; name a private one with --function: product, move, signal" in process.stderr
