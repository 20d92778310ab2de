# SPDX-License-Identifier: Apache-2.0
"""Ops that choose single elements, such as sort, topk and scatter: cases that random modules do not reach."""

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]


def function(op, arguments, results, engine="jit"):
    """Returns a function with one op, whose operands are the function's arguments."""
    names = ", ".join(f"%{n}" for n in range(len(arguments)))
    given = ", ".join(f"%{n}: {kind}" for n, kind in enumerate(arguments))
    made = ", ".join(f"%r{n}" for n in range(len(results)))
    name, _, attributes = op.partition(" ")
    text = f"""func.func @main({given}) -> ({", ".join(results)}) {{
  {made} = "ttir.{name}"({names}) {attributes} : ({", ".join(arguments)}) -> ({", ".join(results)})
  return {made} : {", ".join(results)}
}}
"""
    return ttl.load_mlir(text, options=f"--engine={engine}").main


def hosts(main):
    return [line.split()[1].rstrip(",") for line in main.report(times=False).splitlines() if line.startswith("  host")]


SPECIAL = np.array([[1, np.nan, -0.0, 0.0, np.inf, -1, np.nan, -np.inf, 0.0, -0.0] * 4] * 3, np.float32)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("descending", [False, True])
def test_sorts_of_special_numbers(engine, descending):
    """NaN is the greatest number. Zeros of both signs are equal. Equal numbers stay in order."""
    main = function(f"sort <{{descending = {str(descending).lower()}}}>", ["tensor<3x40xf32>"],
                    ["tensor<3x40xf32>", "tensor<3x40xi32>"], engine)
    values, places = main(SPECIAL)
    order = sorted(range(40), key=lambda i: (np.isnan(SPECIAL[0, i]), np.nan_to_num(SPECIAL[0, i], nan=0.0)),
                   reverse=descending)
    assert hosts(main) == [] and np.array_equal(places, [order] * 3)
    expected = SPECIAL[:, order]
    assert np.array_equal(values, expected, equal_nan=True) and np.array_equal(np.signbit(values), np.signbit(expected))


@pytest.mark.parametrize("engine", ENGINES)
def test_integers_wrap(engine):
    x = np.full((2, 40), 2**31 - 1, np.int32)
    for name, function_of in (("sum", np.sum), ("prod", np.prod)):
        main = function(f"{name} <{{dim_arg = [1 : i32], keep_dim = false}}>", ["tensor<2x40xi32>"], ["tensor<2xi32>"],
                        engine)
        with np.errstate(all="ignore"):
            assert np.array_equal(main(x), function_of(x, 1, dtype=np.int32))
        assert hosts(main) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_cumulative_sums_of_special_numbers(engine):
    x = np.array([[1, 2, np.inf, 3, -np.inf, 4, np.nan, 5]], np.float32)
    main = function("cumsum <{dim = 1 : i64}>", ["tensor<1x8xf32>"], ["tensor<1x8xf32>"], engine)
    with np.errstate(all="ignore"):
        assert np.array_equal(main(x), np.cumsum(x, 1), equal_nan=True)


@pytest.mark.parametrize("how, expected", [
    ("invalid", [[0, 3, 0, 5]]), ("sum", [[1, 6, 1, 6]]), ("prod", [[1, 6, 1, 5]]), ("max", [[1, 3, 1, 5]]),
    ("min", [[1, 1, 1, 1]])])
@pytest.mark.parametrize("element", ["f32", "bf16", "i32", "ui32", "i64", "f64", "i8"])
def test_scatters_of_one_index(how, expected, element):
    """The last element with an index is kept. An index beyond the dimension has no effect."""
    kind = f"tensor<1x4x{element}>"
    main = function(f"scatter <{{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<{how}>}}>",
                    [kind, "tensor<1x5xi32>", "tensor<1x5x" + element + ">"], [kind])
    x = np.ones((1, 4)) if how != "invalid" else np.zeros((1, 4))
    dtype = {"f32": np.float32, "bf16": np.float32, "i32": np.int32, "ui32": np.uint32, "i64": np.int64,
             "f64": np.float64, "i8": np.int8}[element]
    found = main(x.astype(dtype), np.array([[1, 1, 3, 4, -1]], np.int32), np.array([[2, 3, 5, 9, 9]], dtype))
    assert np.array_equal(found, expected)
    assert hosts(main) == ([] if element in ("f32", "bf16", "i32", "ui32") else ["scatter"])


@pytest.mark.parametrize("element", ["i64", "ui16"])
def test_indices_of_other_types(element):
    """The host converts the indices; a kernel chooses the elements."""
    x = np.random.default_rng(0).standard_normal((5, 40)).astype(np.float32)
    main = function("topk <{k = 3 : i32, dim = 1 : i32, largest = true, sorted = false}>", ["tensor<5x40xf32>"],
                    ["tensor<5x3xf32>", f"tensor<5x3x{element}>"])
    values, places = main(x)
    assert np.array_equal(places, np.argsort(-x, 1, kind="stable")[:, :3]) and hosts(main) == ["typecast"]
    main = function("gather <{dim = 1 : i32}>", ["tensor<5x40xf32>", f"tensor<5x3x{element}>"], ["tensor<5x3xf32>"])
    assert np.array_equal(main(x, places), values) and hosts(main) == ["typecast"]


@pytest.mark.parametrize("how", ["invalid", "sum", "max"])
def test_large_scatters_on_the_host(how):
    """A large scatter runs on the host. A scatter of its first column runs in a kernel, and is compared."""
    rng = np.random.default_rng(0)
    x, updates = (rng.integers(-9, 10, shape).astype(np.float32) for shape in ((9000, 64), (1000, 64)))
    indices = rng.integers(0, 9000, (1000, 64)).astype(np.int32)
    op = f"scatter <{{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<{how}>}}>"
    large = function(op, ["tensor<9000x64xf32>", "tensor<1000x64xi32>", "tensor<1000x64xf32>"], ["tensor<9000x64xf32>"])
    small = function(op, ["tensor<9000x1xf32>", "tensor<1000x1xi32>", "tensor<1000x1xf32>"], ["tensor<9000x1xf32>"])
    assert np.array_equal(large(x, indices, updates)[:, :1], small(x[:, :1], indices[:, :1], updates[:, :1]))
    assert hosts(large) == ["scatter"] and hosts(small) == []


CHECKED = """
func.func @main(%x: tensor<5x8xf32>, %i: tensor<5x8xi32>) -> (tensor<5x8xf32>, tensor<5x1xi32>) {
  %v, %p = "ttir.sort"(%x) <{dim = 1 : si32}> : (tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xi32>)
  %g = "ttir.gather"(%v, %p) <{dim = 1 : i32}> : (tensor<5x8xf32>, tensor<5x8xi32>) -> tensor<5x8xf32>
  %s = "ttir.scatter"(%g, %p, %v) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}>
       : (tensor<5x8xf32>, tensor<5x8xi32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = "ttir.cumsum"(%s) <{dim = 0 : i64}> : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %r = "ttir.reverse"(%c) <{dimensions = array<i64: 1>}> : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = "ttir.exp"(%r) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %l = "ttir.log"(%e) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %q = "ttir.bitwise_xor"(%p, %i) : (tensor<5x8xi32>, tensor<5x8xi32>) -> tensor<5x8xi32>
  %t = "ttir.sum"(%q) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<5x8xi32>) -> tensor<5x1xi32>
  return %l, %t : tensor<5x8xf32>, tensor<5x1xi32>
}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_checks_find_nothing_in_the_padding(engine):
    model = ttl.load_mlir(CHECKED, options=f"--engine={engine} --check=all")
    x = np.random.default_rng(0).permutation(40).reshape(5, 8).astype(np.float32) / 40
    i = np.arange(40, dtype=np.int32).reshape(5, 8)
    order = np.argsort(x, 1)
    values = np.take_along_axis(x, order, 1)
    result = np.take_along_axis(values, order, 1)
    for row, places in enumerate(order):
        result[row, places] += values[row]
    for _ in range(3):  # repeated, because memory that was used before may have old values
        found, total = model.main(x, i)
        np.testing.assert_allclose(found, np.cumsum(result, 0)[:, ::-1], rtol=1e-5, atol=1e-6)
        assert np.array_equal(total, (order ^ i).sum(1, keepdims=True))


def test_large_products_of_integers_on_the_host():
    x = np.ones((300, 300), np.int32)
    main = function("matmul", ["tensor<300x300xi32>"] * 2, ["tensor<300x300xi32>"])
    assert np.array_equal(main(x, x), np.full((300, 300), 300)) and hosts(main) == ["matmul"]


def test_long_lines_are_sorted_on_the_host():
    x = np.random.default_rng(0).standard_normal((2, 3073)).astype(np.float32)
    main = function("topk <{k = 4 : i32}>", ["tensor<2x3073xf32>"], ["tensor<2x4xf32>", "tensor<2x4xi32>"])
    assert np.array_equal(main(x)[0], -np.sort(-x, 1)[:, :4]) and hosts(main) == ["topk"]
    main = function("topk <{k = 4 : i32}>", ["tensor<2x3072xf32>"], ["tensor<2x4xf32>", "tensor<2x4xi32>"])
    assert np.array_equal(main(x[:, 1:])[0], -np.sort(-x[:, 1:], 1)[:, :4]) and hosts(main) == []


@pytest.mark.parametrize("name, element, function_of", [
    *((name, element, getattr(np, name)) for name in ("sum", "max", "prod") for element in ("f32", "i32")),
    ("mean", "f32", np.mean)])
def test_reductions_of_vectors(name, element, function_of):
    x = np.arange(1, 41, dtype=np.int32) if element == "i32" else np.arange(1, 41, dtype=np.float32) / 40
    for keeps, result in (("true", f"tensor<1x{element}>"), ("false", f"tensor<{element}>")):
        main = function(f"{name} <{{dim_arg = [0 : i32], keep_dim = {keeps}}}>", [f"tensor<40x{element}>"], [result])
        with np.errstate(all="ignore"):
            wanted = np.broadcast_to(function_of(x), main(x).shape).astype(x.dtype)
        np.testing.assert_allclose(main(x), wanted, rtol=1e-5)
        assert name not in hosts(main)


@pytest.mark.parametrize("element, result", [("f32", "i32"), ("bf16", "ui32"), ("i32", "ui32"), ("ui32", "i32")])
@pytest.mark.parametrize("dims, shape", [(None, ()), ([0, 2], (3,)), ([1], (4, 40))])
def test_argmax_of_several_dimensions(element, result, dims, shape):
    x = np.random.default_rng(0).integers(0, 50, (4, 3, 40)).astype({"i": np.int32, "u": np.uint32}.get(element[0],
                                                                                                       np.float32))
    given = "" if dims is None else f"dim_arg = [{', '.join(f'{dim} : i32' for dim in dims)}], "
    main = function(f"argmax <{{{given}keep_dim = false}}>", [f"tensor<4x3x40x{element}>"],
                    [f"tensor<{''.join(f'{extent}x' for extent in shape)}{result}>"])
    kept = [dim for dim in range(3) if dims is not None and dim not in dims]
    moved = np.transpose(x, (*kept, *(dim for dim in range(3) if dim not in kept))).reshape(*shape, -1)
    assert np.array_equal(main(x), np.argmax(moved, -1))
    assert set(hosts(main)) <= {"arange", "constant"}


def test_products_of_integers_of_several_batches():
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-2**31, 2**31, shape).astype(np.int32) for shape in ((2, 1, 40, 33), (3, 50, 40)))
    main = function("matmul <{transpose_a = true, transpose_b = true}>",
                    ["tensor<2x1x40x33xi32>", "tensor<3x50x40xi32>"], ["tensor<2x3x33x50xi32>"])
    with np.errstate(all="ignore"):
        assert np.array_equal(main(a, b), np.swapaxes(a, -1, -2) @ np.swapaxes(b, -1, -2))
    assert hosts(main) == []


UNSIGNED = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "div": np.floor_divide,
            "remainder": np.remainder}


@pytest.mark.parametrize("engine", ENGINES)
def test_unsigned_numbers_above_the_signed_ones(engine):
    a = np.array([[0, 1, 2**31 - 1, 2**31, 2**32 - 1]], np.uint32)
    b = np.array([[1], [2**31], [2**32 - 1], [7]], np.uint32)
    for name, function_of in UNSIGNED.items():
        result = "i1" if name not in ("div", "remainder") else "ui32"
        main = function(name, ["tensor<1x5xui32>", "tensor<4x1xui32>"], [f"tensor<4x5x{result}>"], engine)
        assert np.array_equal(main(a, b), function_of(a, b)), name
        assert hosts(main) == [], name


def test_shifts_beyond_the_bits():
    x, by = np.array([-8, 8, -1, 5], np.int32), np.array([32, 40, -1, 31], np.int32)
    for name, expected in (("logical_left_shift", [0, 0, 0, -2**31]), ("logical_right_shift", [0] * 4),
                           ("right_shift", [-1, 0, -1, 0])):
        main = function(name, ["tensor<4xi32>"] * 2, ["tensor<4xi32>"])
        assert np.array_equal(main(x, by), expected), name
