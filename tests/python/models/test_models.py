# SPDX-License-Identifier: Apache-2.0
"""ttl.load_mlir() makes modules of ttir Python objects; `ttl-jit run` runs them."""

import pathlib
import sys

import numpy as np
import pytest
import ttl
import ttnn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import COMPILE_ERROR, EXAMPLES, SUCCESS, USAGE, hashes, run, ttl_jit  # noqa: E402

ADD = """
func.func @main(%a: tensor<33x70xELEMENT>, %b: tensor<70xELEMENT>) -> tensor<33x70xELEMENT> {
  %0 = "ttir.add"(%a, %b) : (tensor<33x70xELEMENT>, tensor<70xELEMENT>) -> tensor<33x70xELEMENT>
  return %0 : tensor<33x70xELEMENT>
}
"""

TWO = """
func.func @first(%a: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<4x1xf32>) {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<4x1xf32>
}
func.func @second(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


def add(element="f32", **options):
    return ttl.load_mlir(ADD.replace("ELEMENT", element), **options)


def arrays(dtype=np.float32):
    return np.arange(33 * 70, dtype=dtype).reshape(33, 70), np.arange(70, dtype=dtype)


def test_arrays_of_numpy():
    a, b = arrays()
    result = add().main(a, b)
    assert isinstance(result, np.ndarray) and result.dtype == np.float32
    assert np.array_equal(result, a + b)


def test_integers():
    a, b = arrays(np.int64)
    result = add("i32").main(a, b)
    assert result.dtype == np.int32 and np.array_equal(result, a + b)


INTEGERS = """func.func @main(%a: tensor<5xELEMENT>, %b: tensor<5xELEMENT>) -> tensor<5xELEMENT> {
  %0 = "ttir.OP"(%a, %b) : (tensor<5xELEMENT>, tensor<5xELEMENT>) -> tensor<5xELEMENT>
  return %0 : tensor<5xELEMENT>
}
"""


@pytest.mark.parametrize("engine", ["jit", "emitted"])
def test_a_remainder_of_unsigned_integers(engine):
    model = ttl.load_mlir(INTEGERS.replace("ELEMENT", "ui32").replace("OP", "remainder"),
                          options=f"--engine={engine}")
    a, b = np.array([2**32 - 1, 7, 0, 2**31, 5], np.uint32), np.array([10, 7, 3, 2**31 + 1, 2], np.uint32)
    assert np.array_equal(model.main(a, b), a % b)


@pytest.mark.parametrize("element, dtype", [("si32", np.int32), ("ui32", np.uint32), ("i8", np.int8)])
def test_powers_of_integers_wrap(element, dtype):
    model = ttl.load_mlir(INTEGERS.replace("ELEMENT", element).replace("OP", "pow"))
    base, exponent = [3, 2, 0, 117, 7], [100, 31, 0, 77, 1]
    expected = [pow(x, y, 256**dtype().itemsize) for x, y in zip(base, exponent)]
    result = model.main(np.array(base, dtype), np.array(exponent, dtype))
    assert result.tolist() == np.array(expected, np.uint64).astype(dtype).tolist()


def test_negative_powers_of_integers_round_towards_zero():
    model = ttl.load_mlir(INTEGERS.replace("ELEMENT", "si32").replace("OP", "pow"))
    bases, exponents = np.array([2, 1, -1, -1, 0], np.int32), np.array([-1, -2, -2, -3, -1], np.int32)
    assert model.main(bases, exponents).tolist() == [0, 1, 1, -1, 0]


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    a, b = (torch.from_numpy(each).to(torch.bfloat16) for each in arrays())
    result = add("bf16").main(a, b)
    assert result.dtype == torch.bfloat16 and torch.equal(result, a + b)


def test_tensors_of_ttnn():
    device = ttnn.open_device(device_id=0)
    a, b = (ttnn.from_numpy(each, layout=ttnn.TILE_LAYOUT, device=device) for each in arrays())
    result = add().main(a, b)
    assert isinstance(result, ttnn.Tensor)
    assert np.array_equal(ttnn.to_numpy(result), sum(arrays()))


def test_a_file(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(TWO)
    for source in (path, str(path)):
        assert list(ttl.load_mlir(source).functions) == ["first", "second"]


def test_several_results_and_functions():
    model = ttl.load_mlir(TWO)
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    transposed, greatest = model.first(x)
    assert np.array_equal(transposed, x.T) and np.array_equal(greatest, x[:, -1:])
    assert np.array_equal(model.second(x), x)
    assert "first" in dir(model)
    with pytest.raises(AttributeError, match="no function 'third'; its functions: first, second"):
        model.third(x)


def test_kernels_and_report():
    function = add(grid=(2, 1)).main
    assert [kernel.name for kernel in function.kernels] == ["main_0_add"]
    assert "ttl.block_add" in function.kernels[0].ir("ttl")
    assert function.arguments == ["tensor<33x70xf32>", "tensor<70xf32>"]
    assert function.layouts[0] == ("tensor<33x70xf32>", "6 tiles of 32x32 in DRAM, interleaved")
    assert "kernel main_0_add, grid 1x1, line 3: 0 calls" in function.report()
    second = ttl.load_mlir(TWO).second
    assert second.kernels == []
    assert "host   bitcast_convert, line 8" in second.report(times=False)


BOTH = """
func.func @main(%a: tensor<33x70xbf16>) -> (tensor<33x70xbf16>, tensor<33x70xbf16>) {
  %0 = "ttir.neg"(%a) : (tensor<33x70xbf16>) -> tensor<33x70xbf16>
  HOST
  return %0, %1 : tensor<33x70xbf16>, tensor<33x70xbf16>
}
"""


@pytest.mark.parametrize("other", ["abs", "reverse", "cumprod"])
def test_arguments_of_bf16_are_rounded(other):
    """The device rounds them, or the host, if a function on the host uses them first."""
    attributes = {"abs": "", "reverse": "<{dimensions = array<i64: 0>}>", "cumprod": "<{dim = 1 : i64}>"}[other]
    op = f'%1 = "ttir.{other}"(%a) {attributes} : (tensor<33x70xbf16>) -> tensor<33x70xbf16>'
    function = ttl.load_mlir(BOTH.replace("HOST", op)).main
    exact = np.random.default_rng(0).uniform(-3, 3, (33, 70)).astype(np.float32)
    rounded = ttnn.to_numpy(ttnn.from_numpy(exact, dtype=ttnn.bfloat16)).astype(np.float32)
    for found, expected in zip(function(exact), function(rounded)):
        assert np.array_equal(found, expected)
    assert np.array_equal(function(exact)[0], -rounded)


def test_repeated_calls_give_the_same():
    function = ttl.load_mlir(TWO).first
    x, y = (function.random_argument(0, seed) for seed in (1, 2))
    before = function(x)
    function(y)
    assert all(np.array_equal(a, b) for a, b in zip(before, function(x)))


def test_a_tensor_times_itself():
    text = ("func.func @main(%a: tensor<33x40xf32>) -> tensor<33x33xf32> {\n"
            '  %0 = "ttir.matmul"(%a, %a) <{transpose_b = true}> : (tensor<33x40xf32>, tensor<33x40xf32>) -> '
            "tensor<33x33xf32>\n  return %0 : tensor<33x33xf32>\n}\n")
    x = np.arange(33 * 40, dtype=np.float32).reshape(33, 40) % 7
    assert np.array_equal(ttl.load_mlir(text).main(x), x @ x.T)


def test_storage_as_an_operand():
    text = ("func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
            '  %0 = ttir.empty() : tensor<4x8xf32>\n  %1 = "ttir.multiply"(%0, %a) : (tensor<4x8xf32>, tensor<4x8xf32>)'
            " -> tensor<4x8xf32>\n  return %1 : tensor<4x8xf32>\n}\n")
    assert ttl.load_mlir(text).main(np.ones((4, 8), np.float32)).shape == (4, 8)


@pytest.mark.parametrize("arguments, message", [
    ((np.zeros((33, 70), np.float32),),
     r"main\(\) takes 2 tensors, found 1: tensor<33x70xsi32>, tensor<70xsi32>"),
    (([["a"] * 70] * 33, np.zeros(70)),
     r"argument 0 of main\(\) is a tensor<33x70xsi32>: expected an array of numpy.*found list"),
    ((None, np.zeros(70)), "found None"),
    ((np.zeros((33, 71), np.float32), np.zeros(70)),
     r"argument 0 of main\(\) is a tensor<33x70xsi32>, found an array of shape \(33, 71\)"),
    ((np.zeros((33, 70), np.float32), np.zeros(70, np.int32)),
     r"argument 0 of main\(\) is a tensor<33x70xsi32>, found elements of type float32"),
    ((np.full((33, 70), 1 << 40), np.zeros(70, np.int32)),
     r"argument 0 of main\(\) is a tensor<33x70xsi32>, found a number that does not fit in si32"),
])
def test_wrong_arguments(arguments, message):
    with pytest.raises(TypeError, match=message):
        add("si32").main(*arguments)


@pytest.mark.parametrize("text, message, line", [
    (ADD.replace("ttir.add", "ttir.subtrct").replace("ELEMENT", "f32"),
     "unknown operation of ttir: 'subtrct'; did you mean subtract?", 3),
    (ADD.replace("ELEMENT", "f32").replace('"(%a, %b)', '"(%a, %b) <{axis = 1 : i32}>'), "takes no attributes", 3),
    (ADD.replace("70xELEMENT", "?xf32").replace("ELEMENT", "f32"), "extents are known", 3),
])
def test_errors_have_the_line(text, message, line):
    with pytest.raises(ttl.CompileError) as error:
        ttl.load_mlir(text)
    assert message in str(error.value) and error.value.line == line


LAYOUTS = """
#layout = #ttcore.metal_layout<logical_shape = 3x32x384, dim_alignments = 1x32x32,
    collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>, l1, sharded>
!line = tensor<1x12x3x1x!ttcore.tile<32x32, ELEMENT>, #layout>
!block = tensor<3x6x1x2x!ttcore.tile<32x32, ELEMENT>, #layout>
func.func @main(%a: tensor<3x32x384xELEMENT>) -> tensor<3x32x384xELEMENT> {
  %0 = ttir.empty() : !line
  %1 = ttir.to_layout %a, %0 : tensor<3x32x384xELEMENT> into !line -> !line
  %2 = ttir.empty() : !block
  %3 = ttir.to_layout %1, %2 : !line into !block -> !block
  %4 = ttir.empty() : tensor<3x32x384xELEMENT>
  %5 = ttir.to_layout %3, %4 : !block into tensor<3x32x384xELEMENT> -> tensor<3x32x384xELEMENT>
  %6 = "ttir.neg"(%5) : (tensor<3x32x384xELEMENT>) -> tensor<3x32x384xELEMENT>
  return %6 : tensor<3x32x384xELEMENT>
}
"""


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("element", ["f32", "bf16", "si32"])
def test_layouts_of_the_module(engine, element):
    function = ttl.load_mlir(LAYOUTS.replace("ELEMENT", element), options=f"--engine={engine} --check=all").main
    a = function.random_argument(0)
    assert np.array_equal(function(a), -a)
    kind = f"tensor<3x32x384x{element}>"
    assert function.layouts == [(kind, "36 tiles of 32x32 in L1, in shards of 3x1 tiles on 12x1 cores"),
                                (kind, "36 tiles of 32x32 in L1, in shards of 1x2 tiles on 6x3 cores"),
                                (kind, "36 tiles of 32x32 in DRAM, interleaved")]
    assert [kernel.name for kernel in function.kernels] == ["main_0_to_layout", "main_1_to_layout", "main_2_neg"]


ONE = """
func.func @main(%a: tensor<FROM>) -> tensor<TO> {
  %0 = "ttir.OP"(%a) <{ATTRIBUTES}> : (tensor<FROM>) -> tensor<TO>
  return %0 : tensor<TO>
}
"""


@pytest.mark.parametrize("op, attributes, source, result, expected", [
    ("softmax", "dimension = 1 : si32", "4x0xf32", "4x0xf32", np.zeros((4, 0))),
    ("sum", "dim_arg = [1 : i32]", "4x0xf32", "4xf32", np.zeros(4)),
    ("mean", "dim_arg = [1 : i32]", "4x0xf32", "4xf32", np.full(4, np.nan)),
    ("reshape", "shape = [0 : i32, 3 : i32]", "4x0xf32", "0x3xf32", np.zeros((0, 3))),
    ("pad", "padding = array<i32: 0, 0, 1, 1>, value = 2.0 : f32", "4x0xf32", "4x2xf32", np.full((4, 2), 2)),
    ("pad", "padding = array<i32: -4, 6>, value = 2.0 : f32", "4xf32", "6xf32", np.full(6, 2)),
    ("reshape", "shape = [1 : i32, 1 : i32]", "f32", "1x1xf32", np.full((1, 1), 3)),
    ("slice_static", "begins = [], ends = [], step = []", "f32", "f32", np.array(3)),
    ("sum", "keep_dim = false", "f32", "f32", np.array(3)),
])
def test_no_elements_and_no_dimensions(op, attributes, source, result, expected):
    text = ONE.replace("OP", op).replace("ATTRIBUTES", attributes).replace("FROM", source).replace("TO", result)
    shape = tuple(int(extent) for extent in source.split("x")[:-1])
    found = ttl.load_mlir(text).main(np.full(shape, 3, np.float32))
    assert found.shape == expected.shape and np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("depth", [1001, 20000])
def test_deep_nesting_is_an_error(depth):
    brackets = "[" * depth + "]" * depth
    text = f'func.func @main(%a: tensor<4xf32>) {{\n"x.y"() {{a = {brackets}}} : () -> ()\n}}'
    with pytest.raises(ttl.CompileError, match="brackets are nested deeper than 1000") as error:
        ttl.load_mlir(text)
    assert error.value.line == 2


def test_wrong_calls():
    with pytest.raises(TypeError, match=r"load_mlir\(\) takes the text of a module"):
        ttl.load_mlir(3)
    with pytest.raises(ValueError, match="has no function with a body"):
        ttl.load_mlir("module {\n}\n")
    with pytest.raises(ValueError, match=r"grid must be \(columns, rows\)"):
        add(grid=(0, 1))


# ===--------------------------------------------------------------------------=== #
# The command


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(ADD.replace("ELEMENT", "f32"))
    return path


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_run_with_files(module, tmp_path, engine):
    a, b = arrays()
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    done = ttl_jit("run", str(module), "--arg", f"0={tmp_path / 'a.npy'}", f"--arg=1={tmp_path / 'b.npy'}",
                   "--out", f"0={tmp_path / 'y.npy'}", f"--engine={engine}", "--check=all", "--grid=1,1")
    assert (done.returncode, done.stdout) == (SUCCESS, ""), done.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy"), a + b)


def test_run_by_seed(module):
    first, again, other = (ttl_jit("run", str(module), f"--seed={seed}").stdout for seed in (1, 1, 2))
    assert first.startswith("main: arguments 0 and 1: random numbers of seed 1\nmain: result 0, ")
    assert first == again and first.splitlines()[1] != other.splitlines()[1]


def test_statistics_name_kernels_and_functions_of_the_host(tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    done = ttl_jit("run", str(path), "--stats")
    assert done.returncode == SUCCESS
    assert "kernel first_0_permute" in done.stderr and "host   bitcast_convert, line 8: 1 call" in done.stderr
    assert "bytes moved" in done.stderr


def test_emission_writes_each_kernel(tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    done = ttl_jit("run", str(path), f"--emit={tmp_path / 'out'}")
    assert done.returncode == SUCCESS, done.stderr
    assert {each.name for each in (tmp_path / "out").iterdir()} >= {
        f"{kernel}_{thread}.cpp" for kernel in ("first_0_permute", "first_1_max")
        for thread in ("reader", "compute", "writer")}


@pytest.mark.parametrize("words, message", [
    (["--arg", "0"], "expected --arg N=FILE.npy"),
    (["--arg", "7=a.npy"], "--arg 7: there is no such argument: main has 2"),
    (["--arg", "0=missing.npy"], "cannot read missing.npy"),
    (["--arg", f"0={__file__}"], "expected an array as numpy.save() writes it"),
    (["--function", "f"], "no function 'f'; it has main"),
    (["--out", "0=/nowhere/y.npy"], "cannot write /nowhere/y.npy"),
])
def test_wrong_command_lines(module, words, message):
    done = ttl_jit("run", str(module), *words)
    assert done.returncode == USAGE and message in done.stderr


def test_options_of_models_need_a_model(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text("func.func @main() { // ttir.add\n  return\n}\n")
    assert ttl_jit("run", str(path)).returncode == SUCCESS
    done = ttl_jit("run", str(path), "--arg", "0=a.npy")
    assert done.returncode == USAGE and "is for modules of ttir, ttnn, tosa or d2m" in done.stderr


def test_arguments_need_an_op_of_a_model(tmp_path):
    path = tmp_path / "same.mlir"
    path.write_text("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}\n")
    done = ttl_jit("run", str(path))
    assert done.returncode == COMPILE_ERROR
    assert "runs only in a module that has ops of ttir, ttnn, tosa or d2m" in done.stderr


def test_an_error_of_the_module_ends_the_command(module):
    module.write_text(module.read_text().replace("ttir.add", "ttir.sun"))
    done = ttl_jit("run", str(module))
    assert done.returncode == COMPILE_ERROR
    assert f"{module}:3:" in done.stderr and "did you mean sum?" in done.stderr


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_the_example_of_a_transformer_block(engine):
    process = run(EXAMPLES / "ttir" / "transformer_block.py", f"--engine={engine}", "--", "--hash")
    assert process.returncode == SUCCESS, process.stderr
    assert hashes(process) == ["3de86983bc077adc", "ca0775c6a63a2958"]


@pytest.mark.parametrize("op, result", [
    ('"ttir.argmax"(%a) <{dim_arg = [0 : i32], keep_dim = true}>', "1x0x5xsi32"),
    ('"ttir.topk"(%a) <{k = 2 : i32}>', "4x0x2xf32"),
    ('"ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = false}>', "4x5xf32"),
    ('"ttir.prod"(%a) <{dim_arg = [1 : i32], keep_dim = false}>', "4x5xf32"),
    ('"ttir.permute"(%a) <{permutation = array<i64: 2, 0, 1>}>', "5x4x0xf32"),
    ('"ttir.exp"(%a)', "4x0x5xf32"),
])
def test_tensors_without_elements(op, result):
    results = f"tensor<{result}>" if "topk" not in op else f"(tensor<{result}>, tensor<4x0x2xi32>)"
    values = "%0" if "topk" not in op else "%0, %1"
    text = f"""func.func @main(%a: tensor<4x0x5xf32>) -> tensor<{result}> {{
      {values} = {op} : (tensor<4x0x5xf32>) -> {results}
      return %0 : tensor<{result}>
    }}"""
    found = ttl.load_mlir(text).main(np.zeros((4, 0, 5), np.float32))
    assert found.shape == tuple(map(int, result.split("x")[:-1]))
    assert np.all(found == (1 if "prod" in op else 0))
