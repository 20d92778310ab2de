# SPDX-License-Identifier: Apache-2.0
"""Kernels in MLIR, compiled and launched from Python."""

import numpy as np
import pytest
import ttl
import ttnn

ADD = """
!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @NAME(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    affine.for %i = 0 to 2 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    affine.for %i = 0 to 2 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %sum = ttl.block_OP %a_blk, %a_blk : (!block, !block) -> !value
      ttl.block_store %y_blk, %sum : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %a_blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    affine.for %i = 0 to 2 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}
"""
DOUBLE = ADD.replace("NAME", "double").replace("OP", "add")
SQUARE = ADD.replace("NAME", "square").replace("OP", "mul")
BOTH = DOUBLE + SQUARE.partition("\n\n")[2]


def numbers():
    return np.arange(32 * 64, dtype=np.float32).reshape(32, 64) / 64


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_text(engine):
    a, y = numbers(), np.zeros((32, 64), np.float32)
    kernel = ttl.compile_mlir(DOUBLE, options=f"--engine={engine}")
    ttl.execute(kernel, [a, y])
    assert np.array_equal(y, 2 * numbers()) and np.array_equal(a, numbers())
    kernel(a, a.copy())
    assert kernel.stats["launches"] == 2 and kernel.grid == (1, 1)
    assert "ttkernel." in kernel.ir() and "affine.for" in kernel.ir("input")
    assert "double" in repr(kernel)


def test_a_file(tmp_path):
    file = tmp_path / "square.mlir"
    file.write_text(SQUARE)
    for source in (file, str(file)):
        y = ttnn.zeros((32, 64))
        ttl.execute(source, [ttnn.from_numpy(numbers()), y])
        assert np.array_equal(ttnn.to_numpy(y), numbers() ** 2)


def test_several_kernels():
    y = np.zeros((32, 64), np.float32)
    ttl.compile_mlir(BOTH, kernel="square")(numbers(), y)
    assert np.array_equal(y, numbers() ** 2)
    with pytest.raises(ValueError, match=r"several kernels \(double, square\): choose one with kernel="):
        ttl.compile_mlir(BOTH)
    with pytest.raises(ValueError, match="has no kernel 'cube'; it has double, square"):
        ttl.compile_mlir(BOTH, kernel="cube")
    with pytest.raises(ValueError, match="has no kernel: a kernel is a ttl.kernel or a ttl.program"):
        ttl.compile_mlir("func.func private @f()\n")


def test_a_program_after_the_pipeline():
    lowered = ttl.compile_mlir(DOUBLE).ir()
    y = np.zeros((32, 64), np.float32)
    ttl.execute(lowered, (numbers(), y))
    assert np.array_equal(y, 2 * numbers())


def test_a_tensor_that_is_only_read_may_be_read_only():
    a, y = numbers(), np.zeros((32, 64), np.float32)
    a.flags.writeable = False
    ttl.execute(DOUBLE, [a, y])
    assert np.array_equal(y, 2 * a)


@pytest.mark.parametrize("space, tile, config, layout", [
    ("dram", "", ttnn.DRAM_MEMORY_CONFIG, ttnn.ROW_MAJOR_LAYOUT),
    ("l1", ", tile = 32x32", ttnn.L1_MEMORY_CONFIG, ttnn.TILE_LAYOUT)])
def test_layouts(space, tile, config, layout):
    wanted = f"encoding<{space}, #ttl.layout<interleaved{tile}>>"
    text = DOUBLE.replace("encoding<dram, #ttl.layout<interleaved, tile = 32x32>>", wanted)
    if not tile:
        with pytest.raises(ttl.CompileError):
            ttl.compile_mlir(text)  # blocks of tiles do not fit row-major tensors
        return
    kernel = ttl.compile_mlir(text)
    y = np.zeros((32, 64), np.float32)
    kernel(numbers(), y)
    assert np.array_equal(y, 2 * numbers())
    device = ttnn.open_device(device_id=0)
    placed = ttnn.from_numpy(numbers(), layout=layout, memory_config=config, device=device)
    kernel(placed, y)
    other = ttnn.from_numpy(numbers(), layout=layout, memory_config=ttnn.DRAM_MEMORY_CONFIG,
                            device=device)
    with pytest.raises(TypeError, match=r"takes a tensor tensor<32x64xf32.* as arg0, found \(32, 64\) "
                                        "float32"):
        kernel(other, y)


def test_wrong_arguments():
    kernel = ttl.compile_mlir(DOUBLE)
    a, y = numbers(), np.zeros((32, 64), np.float32)
    with pytest.raises(TypeError, match=r"arg0, found \(64, 32\) float32"):
        kernel(a.reshape(64, 32), y)
    with pytest.raises(TypeError, match=r"arg0, found \(32, 64\) int32"):
        kernel(a.astype(np.int32), y)
    with pytest.raises(TypeError, match="as arg1, found int"):
        kernel(a, 3)
    with pytest.raises(TypeError, match="missing a required argument"):
        kernel(a)
    with pytest.raises(TypeError, match="takes 2 different tensors, found 1"):
        kernel(a, a)
    with pytest.raises(TypeError, match=r"execute\(\) takes a list of tensors, found ndarray"):
        ttl.execute(kernel, a)
    with pytest.raises(TypeError, match=r"compile_mlir\(\) takes the text of a module, .* found int"):
        ttl.compile_mlir(3)
    with pytest.raises(FileNotFoundError):
        ttl.compile_mlir("none.mlir")
    with pytest.raises(ValueError, match="was compiled from MLIR and cannot be saved: keep the text"):
        kernel.save("double.ttl")


@pytest.mark.parametrize("old, new, message", [
    ("ttl.cb_wait %a_cb", "ttl.cb_wait %none", "undeclared SSA value"),
    ("block_add", "zzz", "unknown operation of ttl: 'zzz'\n"),
    ("block_add", "block_none", "unknown operation of ttl: 'block_none'"),
    ("ttl.cb_push %y_blk", "ttl.cb_pop %y_blk", "it was reserved, so release it with push()"),
    ("affine.for %i = 0 to 2", "affine.parallel (%i) = (0) to (2)", "a kernel cannot have affine."),
], ids=["value", "other", "op", "protocol", "affine"])
def test_errors_have_the_line(old, new, message):
    text = DOUBLE.replace(old, new)
    line = 1 + next(i for i, each in enumerate(text.splitlines()) if new in each)
    with pytest.raises(ttl.CompileError) as caught:
        ttl.compile_mlir(text)
    assert caught.value.line == line and message in str(caught.value)


@pytest.mark.parametrize("text, message", [
    ("ttl.kernel @k(%a: i32) attributes {grid = #ttcore.grid<1x1>} {}\n",
     "an argument of a kernel must be a tensor with a memory layout, as in tensor<64x64xf32, "),
    ("ttl.kernel @k(%a: tensor<32x32xf32>) attributes {grid = #ttcore.grid<1x1>} {}\n", "tensor"),
    ("(" * 5000 + "\n", "nested"), ("", "has no kernel")], ids=["type", "layout", "deep", "empty"])
def test_what_is_no_kernel(text, message):
    with pytest.raises(ValueError if not text else ttl.CompileError, match=message):
        ttl.compile_mlir(text)


def test_a_file_that_is_no_text(tmp_path):
    file = tmp_path / "binary.mlir"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="binary.mlir is not text in UTF-8"):
        ttl.compile_mlir(file)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("name, dtype", [("bfp_bf8", ttnn.bfloat8_b), ("bfp_bf4", ttnn.bfloat4_b)])
def test_block_floats_are_tensors_of_tiles(engine, name, dtype):
    text = DOUBLE.replace("32x64xf32", f"32x64x!ttcore.tile<32x32, {name}>").replace("32x32, f32", f"32x32, {name}")
    host = np.repeat(np.arange(1, 5, dtype=np.float32), 512).reshape(32, 64)
    x = ttnn.from_numpy(host, dtype=dtype, layout=ttnn.TILE_LAYOUT)
    y = ttnn.zeros((32, 64), dtype=dtype, layout=ttnn.TILE_LAYOUT)
    kernel = ttl.compile_mlir(text, options=f"--engine={engine}")
    kernel(x, y)
    assert np.array_equal(ttnn.to_numpy(y), 2 * host)
    with pytest.raises(TypeError, match=rf"takes a tensor .*{name}.* as arg1, found \(32, 64\) bfloat16"):
        kernel(x, ttnn.zeros((32, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT))


# ===--- Functions of the host ------------------------------------------------=== #

CALLS = """
ttl.kernel @calls() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" {
    %n = arith.constant 3 : i32
    ttl.call_host "exit" in "libc.so.6" (%n) : (i32) -> ()
  }
}
"""


def test_a_module_calls_the_functions_that_the_program_gives():
    with pytest.raises(ttl.RuntimeFault, match="the file calls the host function 'exit' of library 'libc.so.6'"):
        ttl.compile_mlir(CALLS)()
    seen = []
    ttl.compile_mlir(CALLS, host_functions={"exit": seen.append})()
    assert seen == [3]
    with pytest.raises(TypeError, match="does not call the function 'other'"):
        ttl.compile_mlir(CALLS, host_functions={"other": print})


def test_a_module_that_is_trusted_calls_any_function():
    ttl.compile_mlir(CALLS.replace('"exit"', '"abs"'), trust=True)()


def test_a_module_has_no_machine_code():
    text = CALLS.replace("%n = arith",
                         '"llvm.inline_asm"() {asm_string = "ud2", constraints = ""} : () -> ()\n    %n = arith')
    with pytest.raises(ValueError, match="llvm.inline_asm"):
        ttl.compile_mlir(text)
