# SPDX-License-Identifier: Apache-2.0
"""Convolutions and pools of ttir, and constants in a resource at the end of a file, compared with numpy."""

import numpy as np
import pytest
import ttl
import window_evaluator
from modules import Module, Op, Type, type_text

ENGINES = ("jit", "interp")
RUNS = (("f32", "jit"), ("bf16", "interp"))


def floats(*shape, element="f32", seed=0):
    """Returns random numbers that bf16 stores exactly, so that f32 and bf16 compute with the same numbers."""
    values = np.random.default_rng((seed, *shape)).integers(-16, 17, shape)
    return (values / (8 if element in ("f32", "bf16") else 1)).astype(np.float32)


def text_of(value):
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value} : i32" if isinstance(value, int) else f"array<i32: {', '.join(map(str, value))}>"


def pair(value):
    return [value, value] if isinstance(value, int) else list(value)


def quadruple(value):
    return [value] * 4 if isinstance(value, int) else list(value) * (4 // len(value))


def run(name, arrays, element, attributes, result, engine="jit", **dims):
    """Runs a function with one op, whose operands are the function's arguments."""
    kinds = [Type(each.shape, element) for each in arrays]
    module = Module(kinds)
    texts = [f"{key} = {text_of(value)}" for key, value in attributes.items()]
    texts += [f"{key}_dim = {value} : i64" for key, value in dims.items()]
    (number,) = module.add(name, range(len(arrays)), [Type(result, element)], text=", ".join(texts))
    model = ttl.load_mlir(module.text([number]), options=f"--engine={engine}")
    return model.main(*arrays), model


def check(found, wanted, element):
    """Compares values. Sums of these numbers are exact in f32, so only the result is rounded."""
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=2.0 ** -8 if element == "bf16" else 1e-6, atol=1e-6)


def rounded(values):
    """Rounds once to bf16, to nearest, ties to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def convolution(name, image, weights, bias, attributes, order=(0, 1, 2, 3)):
    a = {key: pair(value) for key, value in attributes.items() if key not in ("padding", "groups")}
    a.update(padding=quadruple(attributes["padding"]), groups=attributes["groups"], order=order,
             kernel=list(weights.shape[2:]))
    arrays = [each.astype(np.float64) for each in (image, weights, *([] if bias is None else [bias]))]
    return window_evaluator.evaluate(Op(name, [], a, "", []), arrays, None, max)


CONVOLUTIONS = [
    # image, outputs, kernel, stride, padding, dilation, groups
    ((2, 8, 9, 3), 4, (3, 3), 1, 0, 1, 1),
    ((1, 8, 9, 3), 4, (3, 3), (1, 1), 1, (1, 1), 1),
    ((1, 9, 9, 3), 5, (3, 2), (2, 1), (1, 2), 1, 1),
    ((1, 9, 8, 4), 6, (2, 3), (2, 3), (0, 1, 2, 3), (2, 1), 2),
    ((2, 7, 7, 40), 33, (1, 1), 1, 0, 1, 1),
    ((1, 12, 12, 32), 32, (3, 3), 1, 1, 1, 4),
    ((1, 9, 9, 6), 6, (3, 3), (2, 2), 1, 1, 6),
    ((1, 9, 9, 6), 12, (3, 3), 1, (1, 1), 2, 6),
    ((1, 1, 1, 1), 1, (1, 1), 3, 0, 4, 1),
    ((1, 5, 5, 2), 3, (5, 5), 1, 0, 1, 1),
    ((1, 2, 2, 2), 3, (3, 3), 1, (2, 1, 0, 3), 1, 1),
]


@pytest.mark.parametrize("element, engine", RUNS)
@pytest.mark.parametrize("image, outputs, kernel, stride, padding, dilation, groups", CONVOLUTIONS)
def test_conv2d(image, outputs, kernel, stride, padding, dilation, groups, element, engine):
    x, w = floats(*image), floats(outputs, image[3] // groups, *kernel, seed=1)
    bias = floats(1, 1, 1, outputs, seed=2)
    attributes = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    wanted = convolution("conv2d", x, w, bias, attributes)
    found, _ = run("conv2d", [x, w, bias], element, attributes, wanted.shape, engine)
    check(found, rounded(wanted) if element == "bf16" else wanted, "f32")


TRANSPOSED = [
    # image, outputs, kernel, stride, padding, output padding, dilation, groups
    ((2, 4, 5, 3), 4, (3, 3), 1, 0, 0, 1, 1),
    ((1, 4, 5, 3), 4, (3, 3), 2, 1, 1, 1, 1),
    ((1, 4, 5, 3), 4, (2, 2), 2, 0, 0, 1, 1),
    ((1, 4, 5, 4), 6, (3, 2), (2, 3), (1, 0, 2, 1), (0, 1), (1, 2), 2),
    ((1, 4, 5, 4), 8, (3, 3), (1, 2), (1, 1), 0, 1, 4),
    ((1, 3, 3, 2), 3, (1, 1), 3, 0, 2, 1, 1),
    ((1, 4, 4, 2), 3, (2, 2), 1, 2, 1, 1, 1),
    ((1, 1, 1, 2), 3, (1, 1), 1, (5, 0), (10, 0), 1, 1),
]


@pytest.mark.parametrize("element, engine", RUNS)
@pytest.mark.parametrize("image, outputs, kernel, stride, padding, more, dilation, groups", TRANSPOSED)
def test_conv_transpose2d(image, outputs, kernel, stride, padding, more, dilation, groups, element, engine):
    x, w = floats(*image), floats(image[3], outputs // groups, *kernel, seed=1)
    bias = floats(1, 1, 1, outputs, seed=2)
    attributes = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation,
                  "groups": groups}
    wanted = convolution("conv_transpose2d", x, w, bias, attributes)
    found, _ = run("conv_transpose2d", [x, w, bias], element, attributes, wanted.shape, engine)
    check(found, rounded(wanted) if element == "bf16" else wanted, "f32")


@pytest.mark.parametrize("name", ["conv2d", "conv_transpose2d"])
@pytest.mark.parametrize("order", [(0, 2, 3, 1), (3, 1, 0, 2)])
def test_other_orders_of_dimensions(name, order):
    """Images may have dimensions in other orders. The bias has its elements in the channels' dimension."""
    shape, bias = [0] * 4, [1] * 4
    for dim, extent in zip(order, (2, 6, 5, 4)):
        shape[dim] = extent
    bias[order[3]] = 4
    x, w, b = floats(*shape), floats(4, 4, 3, 2, seed=1), floats(*bias, seed=2)
    attributes = {"stride": [2, 1], "padding": [1, 0, 0, 1], "dilation": 1, "groups": 1}
    if name == "conv_transpose2d":
        attributes["output_padding"] = 0
    wanted = convolution(name, x, w, b, attributes, order)
    dims = dict(zip(("batch", "height", "width", "channel"), order))
    check(run(name, [x, w, b], "f32", attributes, wanted.shape, **dims)[0], wanted, "f32")


@pytest.mark.parametrize("element", ["si32", "ui32", "i8", "f64", "f16"])
def test_convolutions_of_other_elements(element):
    """Elements of 32-bit integers and f16 are computed in kernels, other types on the host."""
    x, w = (np.abs(floats(*shape, element=element)) % 5 for shape in ((1, 5, 5, 3), (2, 3, 2, 2)))
    attributes = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
    wanted = convolution("conv2d", x, w, None, attributes)
    wanted = (wanted.astype(np.int64) + 128) % 256 - 128 if element == "i8" else wanted
    dtype = {"si32": np.int32, "ui32": np.uint32, "i8": np.int8, "f64": np.float64, "f16": np.float16}[element]
    found, _ = run("conv2d", [x.astype(dtype), w.astype(dtype)], element, attributes, wanted.shape)
    assert np.array_equal(found, wanted)


def test_operands_of_different_floats():
    """The image is bf16, the weights are f32, and the result has a third type."""
    text = """
func.func @main(%x: tensor<1x5x5x3xbf16>, %w: tensor<2x3x2x2xf32>) -> tensor<1x4x4x2xf16> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}>
      : (tensor<1x5x5x3xbf16>, tensor<2x3x2x2xf32>) -> tensor<1x4x4x2xf16>
  return %0 : tensor<1x4x4x2xf16>
}
"""
    x, w = floats(1, 5, 5, 3), floats(2, 3, 2, 2) / 7
    wanted = convolution("conv2d", x, w, None, {"stride": 1, "padding": 0, "dilation": 1, "groups": 1})
    np.testing.assert_allclose(ttl.load_mlir(text).main(x, w), wanted, rtol=2 ** -10)


@pytest.mark.parametrize("name", ["conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "global_avg_pool2d"])
def test_engines_give_the_same_bits(name):
    rng = np.random.default_rng(0)
    arrays, attributes, result = [rng.standard_normal((1, 9, 9, 5)).astype(np.float32)], {}, (1, 1, 1, 5)
    if name.startswith("conv"):
        arrays.append(rng.standard_normal((5, 5, 3, 3)).astype(np.float32))
        attributes = {"stride": 2, "padding": 1, "dilation": 1, "groups": 1}
        attributes |= {"output_padding": 1} if name == "conv_transpose2d" else {}
        result = (1, 18, 18, 5) if name == "conv_transpose2d" else (1, 5, 5, 5)
    elif name != "global_avg_pool2d":
        attributes = {"kernel": 3, "stride": 2, "dilation": 1, "padding": 1, "ceil_mode": False}
        result = (1, 5, 5, 5)
    jit, interp = (run(name, arrays, "f32", attributes, result, engine)[0] for engine in ENGINES)
    assert np.array_equal(jit.view(np.uint32), interp.view(np.uint32))


def test_a_grouped_convolution_is_one_product():
    """All groups are one matrix product. If each group has one input, no product is needed."""
    attributes = {"stride": 1, "padding": 1, "dilation": 1, "groups": 8}
    arrays = [floats(1, 6, 6, 32), floats(16, 4, 3, 3)]
    _, model = run("conv2d", arrays, "f32", attributes, (1, 6, 6, 16))
    assert sum("matmul" in kernel.name for kernel in model.main.kernels) == 1
    arrays = [floats(1, 6, 6, 8), floats(8, 1, 3, 3)]
    _, model = run("conv2d", arrays, "f32", attributes, (1, 6, 6, 8))
    assert not any("matmul" in kernel.name for kernel in model.main.kernels)


def test_a_kernel_of_many_places():
    """A move has at most 24 slices, so that its buffers fit in L1. These patches need several moves."""
    x, w = floats(1, 64, 32, 3), floats(8, 3, 32, 16, seed=1)
    attributes = {"stride": [32, 16], "padding": 0, "dilation": 1, "groups": 1}
    wanted = convolution("conv2d", x, w, None, attributes)
    check(run("conv2d", [x, w], "f32", attributes, wanted.shape)[0], wanted, "f32")


# ===--------------------------------------------------------------------------=== #
# Pools

POOLS = [
    # image, kernel, stride, dilation, padding, whether the last window may be incomplete
    ((2, 8, 9, 3), 2, 2, 1, 0, False),
    ((1, 9, 9, 40), (3, 3), (2, 2), 1, 1, False),
    ((1, 9, 8, 5), (2, 3), (1, 2), (2, 1), (0, 1, 1, 1), False),
    ((1, 10, 10, 4), 3, 2, 1, 0, True),
    ((1, 10, 7, 4), (3, 2), (3, 4), 1, (1, 0), True),
    ((1, 4, 4, 2), 1, 3, 1, 1, True),
    ((1, 7, 7, 33), 7, 1, 1, 0, False),
    ((3, 1, 1, 2), 1, 1, 1, 0, True),
]


def pool(name, x, attributes):
    a = {key: pair(value) for key, value in attributes.items() if key not in ("padding", "ceil_mode",
                                                                             "count_include_pad")}
    a.update(attributes | a, padding=quadruple(attributes["padding"]))
    a.setdefault("count_include_pad", True)
    counts = []
    for dim in (0, 1):
        low, high = a["padding"][dim], a["padding"][dim + 2]
        left = x.shape[dim + 1] + low + high - a["dilation"][dim] * (a["kernel"][dim] - 1) - 1
        count = left // a["stride"][dim] + 1
        more = a["ceil_mode"] and left % a["stride"][dim] and count * a["stride"][dim] < x.shape[dim + 1] + low
        counts.append(count + bool(more))
    result = Type((x.shape[0], *counts, x.shape[3]), "f32")
    return window_evaluator.evaluate(Op(name, [], a, "", []), [x.astype(np.float64)], result, max)


@pytest.mark.parametrize("element, engine", RUNS)
@pytest.mark.parametrize("image, kernel, stride, dilation, padding, ceil", POOLS)
def test_max_pool2d(image, kernel, stride, dilation, padding, ceil, element, engine):
    x = floats(*image)
    attributes = {"kernel": kernel, "stride": stride, "dilation": dilation, "padding": padding, "ceil_mode": ceil}
    wanted = pool("max_pool2d", x, attributes)
    assert np.array_equal(run("max_pool2d", [x], element, attributes, wanted.shape, engine)[0], wanted)


@pytest.mark.parametrize("counted", [None, True, False])
@pytest.mark.parametrize("element, engine", RUNS)
@pytest.mark.parametrize("image, kernel, stride, dilation, padding, ceil", POOLS)
def test_avg_pool2d(image, kernel, stride, dilation, padding, ceil, counted, element, engine):
    x = floats(*image)
    attributes = {"kernel": kernel, "stride": stride, "dilation": dilation, "padding": padding, "ceil_mode": ceil}
    if counted is not None:
        attributes["count_include_pad"] = counted
    wanted = pool("avg_pool2d", x, attributes)
    found, _ = run("avg_pool2d", [x], element, attributes, wanted.shape, engine)
    check(found, rounded(wanted) if element == "bf16" else wanted, "f32")


@pytest.mark.parametrize("element, engine", RUNS)
@pytest.mark.parametrize("image", [(2, 7, 7, 33), (1, 1, 40, 5), (1, 33, 32, 64)])
def test_global_avg_pool2d(image, element, engine):
    x = floats(*image)
    wanted = x.astype(np.float64).mean((1, 2), keepdims=True)
    found, _ = run("global_avg_pool2d", [x], element, {}, wanted.shape, engine)
    check(found, wanted, element)


@pytest.mark.parametrize("element", ["si32", "ui32", "i8"])
def test_padding_is_less_than_all_integers(element):
    x = floats(1, 4, 4, 2, element=element)
    x = {"si32": x - 20, "ui32": x + 16, "i8": x - 100}[element]
    attributes = {"kernel": 3, "stride": 2, "dilation": 1, "padding": 1, "ceil_mode": False}
    wanted = pool("max_pool2d", x, attributes)
    dtype = {"si32": np.int32, "ui32": np.uint32, "i8": np.int8}[element]
    assert np.array_equal(run("max_pool2d", [x.astype(dtype)], element, attributes, wanted.shape)[0], wanted)


# ===--------------------------------------------------------------------------=== #
# Text

DESTINATION = """
func.func @main(%x: tensor<1x6x6x4xbf16>, %w: tensor<8x4x3x3xbf16>, %b: tensor<1x1x1x8xbf16>) -> tensor<1x2x2x8xbf16> {
  %0 = ttir.empty() : tensor<1x4x4x8xbf16>
  %1 = "ttir.conv2d"(%x, %w, %b, %0) <{dilation = 1 : i32, groups = 1 : i32, padding = 0 : i32, stride = 1 : i32}>
      : (tensor<1x6x6x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x1x1x8xbf16>, tensor<1x4x4x8xbf16>)
      -> tensor<1x4x4x8xbf16>
  %2 = ttir.empty() : tensor<1x2x2x8xbf16>
  %3 = "ttir.max_pool2d"(%1, %2) {kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, padding = 0 : i32,
      dilation = 1 : i32, ceil_mode = false} : (tensor<1x4x4x8xbf16>, tensor<1x2x2x8xbf16>) -> tensor<1x2x2x8xbf16>
  return %3 : tensor<1x2x2x8xbf16>
}
"""


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_destinations_of_older_text(engine):
    x, w, b = floats(1, 6, 6, 4), floats(8, 4, 3, 3, seed=1), floats(1, 1, 1, 8, seed=2)
    attributes = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
    middle = rounded(convolution("conv2d", x, w, b, attributes))
    pools = {"kernel": 2, "stride": 2, "dilation": 1, "padding": 0, "ceil_mode": False}
    found = ttl.load_mlir(DESTINATION, options=f"--engine={engine}").main(x, w, b)
    assert np.array_equal(found, pool("max_pool2d", middle, pools))


def test_an_empty_batch():
    attributes = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
    found, _ = run("conv2d", [floats(0, 6, 6, 4), floats(8, 4, 3, 3)], "f32", attributes, (0, 4, 4, 8))
    assert found.shape == (0, 4, 4, 8)


# ===--------------------------------------------------------------------------=== #
# Constants in a file's resources

RESOURCE = """
func.func @main(%x: KIND) -> KIND {
  %0 = "ttir.constant"() <{value = dense_resource<weights> : KIND}> : () -> KIND
  %1 = "ttir.add"(%x, %0) : (KIND, KIND) -> KIND
  return %1 : KIND
}

{-# dialect_resources: { builtin: { weights: "0xDATA" } } #-}
"""


def resource(kind, data):
    text = RESOURCE.replace("KIND", type_text(kind))
    return text.replace("DATA", (np.uint32(8).tobytes() + data).hex().upper())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("element, dtype", [("f32", np.float32), ("si32", np.int32), ("f64", np.float64),
                                            ("f16", np.float16), ("i8", np.int8)])
def test_constants_of_resources(element, dtype, engine):
    kind, values = Type((3, 5), element), np.arange(15).reshape(3, 5).astype(dtype)
    model = ttl.load_mlir(resource(kind, values.tobytes()), options=f"--engine={engine}")
    assert np.array_equal(model.main(np.ones((3, 5), dtype)), values + 1)


def test_constants_of_resources_of_bf16():
    values = np.arange(15, dtype=np.float32).reshape(3, 5) / 4
    data = (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    model = ttl.load_mlir(resource(Type((3, 5), "bf16"), data))
    assert np.array_equal(model.main(np.zeros((3, 5), np.float32)), values)


def test_equal_elements_of_a_resource():
    model = ttl.load_mlir(resource(Type((3, 5), "f32"), np.full(15, 2.5, np.float32).tobytes()))
    assert np.array_equal(model.main(np.zeros((3, 5), np.float32)), np.full((3, 5), 2.5))


@pytest.mark.parametrize("data, found", [(b"\0" * 8, "found 8 bytes"), (b"\0" * 64, "found 64 bytes")])
def test_a_resource_of_another_size_is_an_error_at_its_line(data, found):
    with pytest.raises(ttl.CompileError, match=found) as error:
        ttl.load_mlir(resource(Type((3, 5), "f32"), data))
    assert error.value.line == 3
