# SPDX-License-Identifier: Apache-2.0
"""Kernels as Python objects: operation.compile(), operation.lower(), ttl.last_run()."""

import inspect

import numpy as np
import pytest
import ttl
import ttnn

from copies import copy, scale, tensors
from ttl import _html, _launch


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_a_kernel_gives_what_the_operation_gives(engine):
    (a, y), (_, expected) = tensors(32), tensors(32)
    kernel = scale.compile(a, y, 2.0, options=f"--engine={engine}")
    assert not y.any()
    kernel(a, y, 2.0)
    scale(a, expected, 2.0)
    assert y.tobytes() == expected.tobytes()
    assert kernel.engines == {"reader": engine, "multiply": engine, "writer": engine}


def test_keywords_and_the_signature():
    a, y = tensors()
    kernel = copy.compile(a, y)
    kernel(y=y, a=a)
    assert (a == y).all()
    assert list(inspect.signature(kernel).parameters) == ["a", "y"]
    with pytest.raises(TypeError, match="kernel copy: missing a required argument: 'y'"):
        kernel(a)


def test_a_value_at_the_end_may_be_left_out():
    a, y = tensors(32)
    scale.compile(a, y, 3.0)(a, y)
    assert (y == 3 * a).all()


def test_other_arguments_are_refused():
    kernel = scale.compile(*tensors(32), 2.0)
    a, y = tensors(64)
    with pytest.raises(TypeError,
                       match=r"compiled for a = a tensor \(32, 32\) float32 .*, found a tensor \(64, 32\) float32"):
        kernel(a, y, 2.0)
    with pytest.raises(TypeError, match="compiled for factor = 2.0, found 3.0"):
        kernel(*tensors(32), 3.0)
    with pytest.raises(TypeError, match="compiled for y = a tensor .*, found int"):
        kernel(tensors(32)[0], 5, 2.0)


def test_a_tensor_passed_twice():
    a, y = tensors()
    with pytest.raises(TypeError, match="compiled for 2 different tensors, found 1"):
        copy.compile(a, y)(a, a)


def test_tensors_on_the_device():
    a, y = tensors()
    device = ttnn.open_device()
    far, result = ttnn.Tensor(a, device=device), ttnn.Tensor(y, device=device)
    copy.compile(far, result)(far, result)
    assert (np.asarray(result) == a).all()


def test_captured_tensors():
    a, y = tensors()

    @ttl.operation(grid=(2, 1))
    def take(y):
        buffer = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)

        @ttl.datamovement()
        def reader():
            with buffer.reserve() as block:
                ttl.copy(a[ttl.node(dims=1), 0], block).wait()

        @ttl.datamovement()
        def writer():
            with buffer.wait() as block:
                ttl.copy(block, y[ttl.node(dims=1), 0]).wait()

    kernel = take.compile(y)
    kernel(y)
    assert (a == y).all()


def test_texts_of_every_step():
    kernel = scale.compile(*tensors(32), 2.0)
    assert "ttl.kernel @scale" in kernel.ir("input")
    assert "ttl.program @scale" in kernel.ir()
    assert "ttkernel.mul_unary_tile" in kernel.ir("ttkernel")
    assert kernel.ir("dst") != kernel.ir("compute")
    assert "define" in kernel.llvm
    assert "ret" in kernel.asm
    assert "source" in kernel.l1
    assert "mul_unary" in kernel.dst
    assert not kernel.ir("dst").startswith("// -----")


def test_the_last_step_of_the_direct_path_to_cpp():
    kernel = scale.compile(*tensors(32), 2.0, options="--engine=emitted --emit-path=direct")
    assert kernel.ir() == kernel.ir("loops") and "ttl.tile_mul_unary" in kernel.ir()


def test_wrong_steps_are_named():
    kernel = scale.compile(*tensors(32), 2.0)
    with pytest.raises(ValueError, match="--dump: .*'dts'"):
        kernel.ir("dts")
    interpreted = scale.compile(*tensors(32), 2.0, options="--engine=interp")
    with pytest.raises(ValueError, match="has no llvm text, because the interpreter runs it"):
        _ = interpreted.llvm


def test_metalium_code():
    kernel = scale.compile(*tensors(32), 2.0)
    assert "noc_async_read" in kernel.cpp("reader")
    assert "noc_async_write" in kernel.cpp("writer")
    assert kernel.cpp("multiply") in kernel.cpp()
    with pytest.raises(ValueError, match="no thread 'compute'; its threads are reader, .*multiply"):
        kernel.cpp("compute")


def test_numbers_of_a_kernel():
    a, y = tensors()
    kernel = copy.compile(a, y)
    assert kernel.stats["launches"] == 0
    for _ in range(3):
        kernel(a, y)
    assert kernel.stats["launches"] == 3
    assert kernel.stats["bytes_read"] == 3 * a.nbytes
    assert kernel.timings["ttl"] > 0
    (buffer,) = kernel.buffers
    assert (buffer["name"], buffer["page_bytes"], buffer["num_pages"]) == ("buffer", 4096, 2)
    assert buffer["location"][0].endswith("copies.py")


def test_repr_is_one_line():
    kernel = scale.compile(*tensors(32), 2.0)
    assert "\n" not in repr(kernel)
    assert repr(kernel).startswith("<kernel scale(a: (32, 32) float32")
    assert repr(kernel).endswith("factor=2.0): grid 1x1, jit>")


def test_html():
    page = scale.compile(*tensors(32), 2.0)._repr_html_()
    assert page.count("<details>") == page.count("</details>") == 10
    assert "<svg" in page and "source: 8192 bytes" in page
    assert "&lt;" in page and "IR: ttkernel" in page


def test_the_picture_of_registers_has_a_mark_for_each_use():
    picture = _html._dst("compute at f.py:3: 2 of 4 registers for a tile, sections of 1\n"
                         "  copy_tile a_name_with_marks w x w .\n"
                         "  add                      r w\n"
                         "  pack                     . r\n")
    assert ">copy_tile a_name_with_marks w x<" in picture
    assert picture.count("<circle") == 4 and picture.count('fill="white"') == 2
    assert picture.count('width="4"') == 4, "each value needs a short line at both ends"


def test_warnings_of_a_compilation():
    a, y = tensors()
    with pytest.warns(ttl.LimitWarning, match="8192 bytes of L1"):
        kernel = copy.compile(a, y, options="--max-l1=4096")
    assert [each.severity for each in kernel.diagnostics] == ["warning"]
    assert "8192 bytes of L1" in kernel.diagnostics[0].message
    assert kernel.diagnostics[0].location.file.endswith("copies.py")


def test_lowering_makes_no_code():
    lowered = scale.lower(*tensors(32), 2.0)
    assert repr(lowered) == "<lowered kernel scale: grid 1x1>"
    assert "ttl.program @scale" in lowered.ir()
    assert "source" in lowered.l1
    assert not hasattr(lowered, "__call__") or not callable(lowered)


def test_errors_of_a_lowering_have_positions():
    @ttl.operation(grid=(1, 1))
    def wrong(a):
        @ttl.datamovement()
        def reader():
            a.wiat()

    for method in (wrong.lower, wrong.compile):
        with pytest.raises(ttl.CompileError) as caught:
            method(tensors()[0])
        assert caught.value.file == __file__


def test_each_option_of_a_launch_reaches_launches_of_a_kernel(monkeypatch):
    a, y = tensors()
    kernel, seen = copy.compile(a, y), []
    monkeypatch.setattr(_launch, "launch", lambda *given: seen.append(dict(given[-1].changes)))
    wanted = {"schedule": "greedy", "seed": "3", "aliases": "off", "share-arrays": "off",
              "check": "race"}
    with ttl.options(schedule="greedy", seed=3, aliases="off", share_arrays="off", check="race"):
        kernel(a, y)
    assert wanted.items() <= seen[0].items()


def test_options_of_the_block_reach_launches_of_a_kernel():
    a, y = tensors()
    kernel = copy.compile(a, y)
    with ttl.options(limit=1):
        with pytest.raises(ttl.RuntimeFault, match="limit"):
            kernel(a, y)
    kernel(a, y)


@ttl.operation(grid=(1, 1))
def half(a, y):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        ttl.copy(a[0, 0], dfb.reserve()).wait()
        dfb.push()
        ttl.copy(dfb.wait(), y[0, 0]).wait()
        dfb.pop()


def test_a_kernel_that_was_compiled_without_checks_can_be_checked():
    a, y = tensors(64)
    kernel = half.compile(a, y)
    kernel(a, y)
    with ttl.options(check="outputs"), pytest.raises(ttl.RuntimeFault, match="tensor 'y' is written in part"):
        kernel(a, y)


def test_the_last_run():
    a, y = tensors()
    copy(a, y)
    run = ttl.last_run()
    assert run.fault is None
    assert run.stats["bytes_read"] == a.nbytes
    with ttl.options(limit=1), pytest.raises(ttl.RuntimeFault) as caught:
        copy(a, y)
    assert ttl.last_run().fault.message == caught.value.message
    assert ttl.last_run().fault.line == caught.value.line
    assert repr(ttl.last_run()).endswith("RuntimeFault>")
