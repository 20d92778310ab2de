# SPDX-License-Identifier: Apache-2.0
"""Modules of the dialect TOSA, compared with numpy."""

import math
import pathlib

import numpy as np
import pytest
import ttl

ZERO = '  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>\n'
SHIFT = '  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n'


def kind(array, element=None):
    element = element or {"float32": "f32", "int32": "i32", "int8": "i8", "bool": "i1"}[array.dtype.name]
    return f"tensor<{''.join(f'{extent}x' for extent in array.shape)}{element}>"


def run(op, arguments, result, *, before="", operands=None, **options):
    """Runs a function of one op. The function's arguments are the op's operands, whose names replace {} in `op`.
    `result` is the type of the result."""
    names = [f"%{n}" for n in range(len(arguments))]
    given = ", ".join(f"{name}: {kind(each)}" for name, each in zip(names, arguments))
    types = ", ".join([*map(kind, arguments), *(operands or [])])
    body = op.format(", ".join(names))
    text = (f"func.func @main({given}) -> {result} {{\n{before}  %r = {body} : ({types}) -> {result}\n"
            f"  return %r : {result}\n}}\n")
    return ttl.load_mlir(text, **options).main(*arguments)


def floats(*shape, seed=0):
    return np.random.default_rng((seed, *shape)).uniform(-2, 2, shape).astype(np.float32)


def whole(*shape, seed=0):
    return np.random.default_rng((seed, *shape)).integers(-9, 10, shape).astype(np.int32)


UNARY = {
    "abs": np.abs, "ceil": np.ceil, "cos": np.cos, "erf": np.vectorize(math.erf), "exp": np.exp, "floor": np.floor,
    "reciprocal": lambda x: 1 / x, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "sin": np.sin, "tanh": np.tanh,
    "identity": lambda x: x,
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    x = floats(33, 40)
    found = run(f"tosa.{name} {{}}", [x], kind(x))
    np.testing.assert_allclose(found, UNARY[name](x.astype(np.float64)), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("name, function", [("log", np.log), ("rsqrt", lambda x: 1 / np.sqrt(x))])
def test_unary_of_positive_numbers(name, function):
    x = np.abs(floats(5, 40)) + 0.1
    np.testing.assert_allclose(run(f"tosa.{name} {{}}", [x], kind(x)), function(x), rtol=2e-6, atol=1e-6)


BINARY = {"add": np.add, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum}


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("make", [floats, whole])
def test_binary(name, make):
    a, b = make(4, 33, 8), make(4, 1, 8, seed=1)
    assert np.array_equal(run(f"tosa.{name} {{}}", [a, b], kind(a)), BINARY[name](a, b))


@pytest.mark.parametrize("name, function", [
    ("bitwise_and", np.bitwise_and), ("bitwise_or", np.bitwise_or), ("bitwise_xor", np.bitwise_xor),
    ("intdiv", lambda a, b: np.trunc(a / b).astype(np.int32))])
def test_binary_of_integers(name, function):
    a, b = whole(4, 33), np.where(whole(4, 33, seed=1) == 0, 1, whole(4, 33, seed=1)).astype(np.int32)
    assert np.array_equal(run(f"tosa.{name} {{}}", [a, b], kind(a)), function(a, b))


@pytest.mark.parametrize("name, function", [
    ("logical_left_shift", np.left_shift), ("arithmetic_right_shift", np.right_shift),
    ("logical_right_shift", lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32))])
def test_shifts(name, function):
    a, b = whole(4, 33), np.abs(whole(4, 33, seed=1))
    attributes = " {{round = false}}" if name.startswith("arithmetic") else ""
    assert np.array_equal(run(f"tosa.{name} {{}}{attributes}", [a, b], kind(a)), function(a, b))


@pytest.mark.parametrize("name, function", [
    ("equal", np.equal), ("greater", np.greater), ("greater_equal", np.greater_equal)])
def test_comparisons(name, function):
    a, b = whole(4, 33), whole(4, 33, seed=1)
    found = run(f"tosa.{name} {{}}", [a, b], "tensor<4x33xi1>")
    assert found.dtype == bool and np.array_equal(found, function(a, b))


@pytest.mark.parametrize("name, function", [
    ("logical_and", np.logical_and), ("logical_or", np.logical_or), ("logical_xor", np.logical_xor)])
def test_logic(name, function):
    a, b = whole(4, 33) > 0, whole(4, 33, seed=1) > 0
    assert np.array_equal(run(f"tosa.{name} {{}}", [a, b], kind(a)), function(a, b))


def test_products_of_elements():
    a, b = floats(4, 33), floats(4, 33, seed=1)
    found = run("tosa.mul {}, %shift", [a, b], kind(a), before=SHIFT, operands=["tensor<1xi8>"])
    assert np.array_equal(found, a * b)
    a, b = (whole(4, 33, seed=n).astype(np.int8) for n in (0, 1))
    found = run("tosa.mul {}, %shift", [a, b], "tensor<4x33xi32>", before=SHIFT, operands=["tensor<1xi8>"])
    assert np.array_equal(found, a.astype(np.int32) * b)


def test_negate_select_and_clamp():
    x, y = floats(4, 33), floats(4, 33, seed=1)
    zero = ["tensor<1xf32>", "tensor<1xf32>"]
    assert np.array_equal(run("tosa.negate {}, %zero, %zero", [x], kind(x), before=ZERO, operands=zero), -x)
    assert np.array_equal(run("tosa.select {}", [x > 0, x, y], kind(x)), np.where(x > 0, x, y))
    clamp = "tosa.clamp {} {{min_val = -1.0 : f32, max_val = 0.5 : f32}}"
    assert np.array_equal(run(clamp, [x], kind(x)), np.clip(x, -1, np.float32(0.5)))


@pytest.mark.parametrize("element, lowest, highest", [("i8", -128, 127), ("i32", -2**31, 2**31 - 1)])
def test_floats_become_the_nearest_integer(element, lowest, highest):
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 126.5, -3e10, 3e10, 8388609.0, 100.7],
                 np.float32)
    found = run("tosa.cast {}", [x], f"tensor<12x{element}>")
    assert np.array_equal(found, np.clip(np.round(x.astype(np.float64)), lowest, highest))


def test_other_casts():
    x = whole(4, 33)
    assert np.array_equal(run("tosa.cast {}", [x], "tensor<4x33xf32>"), x.astype(np.float32))
    assert np.array_equal(run("tosa.cast {}", [x], "tensor<4x33xi8>"), x.astype(np.int8))
    assert np.array_equal(run("tosa.cast {}", [x], "tensor<4x33xi1>"), x != 0)


@pytest.mark.parametrize("name, function", [
    ("sum", np.sum), ("max", np.max), ("min", np.min), ("product", np.prod)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_reductions(name, function, axis):
    x = floats(3, 40, 5)
    wanted = function(x.astype(np.float64), axis=axis, keepdims=True)
    found = run(f"tosa.reduce_{name} {{}} {{{{axis = {axis} : i32}}}}", [x], kind(wanted, "f32"))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name, function", [("all", np.all), ("any", np.any)])
def test_reductions_of_truth_values(name, function):
    x = whole(6, 5) > -7
    found = run(f"tosa.reduce_{name} {{}} {{{{axis = 1 : i32}}}}", [x], "tensor<6x1xi1>")
    assert np.array_equal(found, function(x, axis=1, keepdims=True))


def test_argmax():
    x = floats(6, 50)
    assert np.array_equal(run("tosa.argmax {} {{axis = 1 : i32}}", [x], "tensor<6xi32>"), np.argmax(x, 1))


def test_matmul():
    a, b = floats(2, 33, 40), floats(2, 40, 20, seed=1)
    found = run("tosa.matmul {}, %zero, %zero", [a, b], "tensor<2x33x20xf32>", before=ZERO,
                operands=["tensor<1xf32>"] * 2)
    np.testing.assert_allclose(found, a @ b, rtol=1e-4, atol=1e-4)


def test_matmul_with_zero_points():
    a, b = (whole(1, 8, 8, seed=n).astype(np.int8) for n in (0, 1))
    points = "".join(f'  %{name} = "tosa.const"() <{{values = dense<{value}> : tensor<1xi8>}}> : () -> tensor<1xi8>\n'
                     for name, value in (("pa", 3), ("pb", -2)))
    found = run("tosa.matmul {}, %pa, %pb", [a, b], "tensor<1x8x8xi32>", before=points,
                operands=["tensor<1xi8>"] * 2)
    assert np.array_equal(found, (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 2))


def shape(name, numbers):
    return (f"  %{name} = tosa.const_shape {{values = dense<{list(numbers)}> : tensor<{len(numbers)}xindex>}} : () -> "
            f"!tosa.shape<{len(numbers)}>\n")


def test_shapes():
    x = floats(4, 6)
    assert np.array_equal(run("tosa.reshape {}, %s", [x], "tensor<3x8xf32>", before=shape("s", (3, 8)),
                              operands=["!tosa.shape<2>"]), x.reshape(3, 8))
    assert np.array_equal(run("tosa.transpose {} {{perms = array<i32: 1, 0>}}", [x], "tensor<6x4xf32>"), x.T)
    assert np.array_equal(run("tosa.slice {}, %b, %s", [x], "tensor<2x3xf32>",
                              before=shape("b", (1, 2)) + shape("s", (2, 3)),
                              operands=["!tosa.shape<2>"] * 2), x[1:3, 2:5])
    assert np.array_equal(run("tosa.tile {}, %s", [x], "tensor<8x18xf32>", before=shape("s", (2, 3)),
                              operands=["!tosa.shape<2>"]), np.tile(x, (2, 3)))
    assert np.array_equal(run("tosa.reverse {} {{axis = 1 : i32}}", [x], kind(x)), x[:, ::-1])
    assert np.array_equal(run("tosa.concat {} {{axis = 0 : i32}}", [x, x], "tensor<8x6xf32>"),
                          np.concatenate([x, x]))
    assert np.array_equal(run("tosa.pad {}, %p, %zero", [x], "tensor<5x9xf32>",
                              before=shape("p", (0, 1, 2, 1)) + ZERO,
                              operands=["!tosa.shape<4>", "tensor<1xf32>"]), np.pad(x, ((0, 1), (2, 1))))


@pytest.mark.parametrize("batches", [1, 3])
def test_gather(batches):
    values, indices = floats(batches, 10, 7), np.abs(whole(batches, 5))
    found = run("tosa.gather {}", [values, indices], f"tensor<{batches}x5x7xf32>")
    assert np.array_equal(found, np.stack([values[n][indices[n]] for n in range(batches)]))


# ===--------------------------------------------------------------------------=== #
# Windows


def windows(image, kernel, pad, stride, dilation=(1, 1), value=0.0):
    """Returns the elements of each window as an array (batch, rows, columns, places, channels)."""
    image = np.pad(image.astype(np.float64), ((0, 0), pad[:2], pad[2:], (0, 0)), constant_values=value)
    rows, columns = (image.shape[d + 1] - (kernel[d] - 1) * dilation[d] - 1 for d in (0, 1))
    rows, columns = rows // stride[0] + 1, columns // stride[1] + 1
    parts = [image[:, r * dilation[0]:r * dilation[0] + (rows - 1) * stride[0] + 1:stride[0],
                   c * dilation[1]:c * dilation[1] + (columns - 1) * stride[1] + 1:stride[1]]
             for r in range(kernel[0]) for c in range(kernel[1])]
    return np.stack(parts, axis=3)


def array(numbers):
    return f"array<i64: {', '.join(map(str, numbers))}>"


@pytest.mark.parametrize("size, kernel, pad, stride, dilation", [
    ((8, 9), (3, 3), (1, 1, 1, 1), (1, 1), (1, 1)), ((8, 9), (1, 1), (0, 0, 0, 0), (1, 1), (1, 1)),
    ((9, 9), (3, 2), (1, 1, 0, 1), (2, 2), (1, 1)), ((9, 9), (3, 3), (0, 0, 0, 0), (1, 1), (2, 2))])
@pytest.mark.parametrize("depthwise", [False, True])
def test_convolutions(size, kernel, pad, stride, dilation, depthwise):
    image = floats(2, *size, 3)
    weight = floats(*kernel, 3, 2, seed=1) if depthwise else floats(4, *kernel, 3, seed=1)
    bias = floats(6 if depthwise else 4, seed=2)
    parts = windows(image, kernel, pad, stride, dilation)
    if depthwise:
        wanted = np.einsum("nrcpi,pim->nrcim", parts, weight.reshape(-1, 3, 2)).reshape(*parts.shape[:3], 6)
    else:
        wanted = np.einsum("nrcpi,opi->nrco", parts, weight.reshape(4, -1, 3))
    name = "depthwise_conv2d" if depthwise else "conv2d"
    attributes = (f"{{{{pad = {array(pad)}, stride = {array(stride)}, dilation = {array(dilation)}, "
                  "acc_type = f32}}")
    found = run(f"tosa.{name} {{}}, %zero, %zero {attributes}", [image, weight, bias], kind(wanted, "f32"),
                before=ZERO, operands=["tensor<1xf32>"] * 2)
    np.testing.assert_allclose(found, wanted + bias, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("pad", [(0, 0, 0, 0), (1, 1, 1, 0)])
def test_pools(pad):
    image, kernel, stride = floats(1, 8, 9 if pad[2] else 8, 5), (2, 2), (2, 2)
    attributes = f"kernel = {array(kernel)}, stride = {array(stride)}, pad = {array(pad)}"
    wanted = windows(image, kernel, pad, stride, value=-np.inf).max(3)
    assert np.array_equal(run(f"tosa.max_pool2d {{}} {{{{{attributes}}}}}", [image], kind(wanted, "f32")), wanted)
    count = windows(np.ones_like(image), kernel, pad, stride).sum(3)
    wanted = windows(image, kernel, pad, stride).sum(3) / count
    found = run(f"tosa.avg_pool2d {{}}, %zero, %zero {{{{{attributes}, acc_type = f32}}}}", [image],
                kind(wanted, "f32"), before=ZERO, operands=["tensor<1xf32>"] * 2)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


# ===--------------------------------------------------------------------------=== #
# A model, and errors

NETWORK = pathlib.Path(__file__).with_name("tosa_network.mlir").read_text()


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_a_network(engine):
    weights = np.arange(36, dtype=np.float32).reshape(4, 3, 3, 1) / 16 - 1
    text = NETWORK.replace("RESOURCE", weights.tobytes().hex().upper())
    x = floats(1, 8, 8, 1)
    found = ttl.load_mlir(text, options=f"--engine={engine}").main(x)
    parts = np.einsum("nrcpi,opi->nrco", windows(x, (3, 3), (1, 1, 1, 1), (1, 1)), weights.reshape(4, -1, 1))
    image = np.maximum(parts + [0, 0.5, -0.5, 1], 0)
    wanted = windows(image, (2, 2), (0, 0, 0, 0), (2, 2)).max(3).reshape(1, 64) @ np.full((64, 10), 0.125)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("op, message", [
    ("tosa.clz", "has no counterpart in ttir; expected abs, add"),
    ("tosa.abss", "unknown operation of tosa: 'abss'; did you mean abs?"),
])
def test_errors_have_the_line(op, message):
    text = ("func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {\n"
            f"  %0 = {op} %x : (tensor<4xi32>) -> tensor<4xi32>\n  return %0 : tensor<4xi32>\n}}\n")
    with pytest.raises(ttl.CompileError) as error:
        ttl.load_mlir(text)
    assert message in str(error.value) and error.value.line == 2
