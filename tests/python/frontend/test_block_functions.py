# SPDX-License-Identifier: Apache-2.0
"""Compares the functions of blocks with numpy in double precision."""
# feature: List of the functions; Operators

import math

import numpy as np
import pytest
import ttl
import ttnn
from ttl import _api

SIZE = 32


def compute(functions, *inputs, shape=(1, 1), out_shape=None):
    """Returns the list of results of `functions`, each applied to blocks that hold the inputs."""
    out_shape = out_shape or shape
    height, width = out_shape[-2] * SIZE, out_shape[-1] * SIZE
    result = np.zeros((len(functions) * height, width), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(y, *tensors):
        dfbs = [ttl.make_dataflow_buffer_like(t, shape=shape, block_count=1) for t in tensors]
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=out_shape, block_count=2)

        @ttl.compute()
        def computing():
            blocks = [dfb.wait() for dfb in dfbs]
            for function in functions:
                with y_dfb.reserve() as y_blk:
                    y_blk.store(function(*blocks))
            for dfb in dfbs:
                dfb.pop()

        @ttl.datamovement()
        def reader():
            for dfb, tensor in zip(dfbs, tensors):
                with dfb.reserve() as blk:
                    ttl.copy(tensor[:, :], blk).wait()

        @ttl.datamovement()
        def writer():
            rows = out_shape[-2]
            for i in range(len(functions)):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[i * rows : (i + 1) * rows, :]).wait()

    op(result, *inputs)
    return [result[i * height : (i + 1) * height] for i in range(len(functions))]


def ulps(got, exact):
    """Returns the distance of float32 numbers to exact ones, in ulps of the exact numbers."""
    with np.errstate(all="ignore"):
        nearest = exact.astype(np.float32)
        equal = (got == nearest) | (np.isnan(got) & np.isnan(exact))
        exponent = np.frexp(exact)[1].clip(-125)
        distance = np.abs(got - exact) / np.ldexp(1.0, exponent - 24)
    ordinary = np.isfinite(nearest) & (exact != 0)
    return np.where(equal & ~ordinary, 0, distance)


def spread(low, high):
    return np.linspace(low, high, SIZE * SIZE, dtype=np.float32).reshape(SIZE, SIZE)


def vectorized(function):
    return np.vectorize(function, otypes=[np.float64])


def softplus(x):
    return np.where(x > 20, x, np.log1p(np.exp(x)))


m = ttl.math
UNARY = [
    (m.exp, np.exp), (m.exp2, np.exp2), (m.expm1, np.expm1), (m.log, np.log),
    (m.log1p, np.log1p), (m.logp1, np.log1p), (m.sqrt, np.sqrt),
    (m.rsqrt, lambda x: 1 / np.sqrt(x)), (m.recip, lambda x: 1 / x), (m.square, np.square),
    (m.abs, np.abs), (m.neg, np.negative), (m.sign, np.sign), (m.signbit, np.signbit),
    (m.floor, np.floor), (m.ceil, np.ceil), (m.trunc, np.trunc),
    (m.frac, lambda x: x - np.trunc(x)), (m.sin, np.sin), (m.cos, np.cos), (m.tan, np.tan),
    (m.asin, np.arcsin), (m.acos, np.arccos), (m.atan, np.arctan), (m.sinh, np.sinh),
    (m.cosh, np.cosh), (m.tanh, np.tanh), (m.asinh, np.arcsinh), (m.acosh, np.arccosh),
    (m.atanh, np.arctanh), (m.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
    (m.hardsigmoid, lambda x: np.clip((x + 3) / 6, 0, 1)), (m.relu, lambda x: np.maximum(x, 0)),
    (m.gelu, lambda x: 0.5 * x * vectorized(math.erfc)(-x / math.sqrt(2))),
    (m.silu, lambda x: x / (1 + np.exp(-x))), (m.softsign, lambda x: x / (1 + np.abs(x))),
    (m.erf, vectorized(math.erf)), (m.erfc, vectorized(math.erfc)), (m.isnan, np.isnan),
    (m.isinf, np.isinf), (m.logical_not, lambda x: x == 0),
]  # fmt: skip


@pytest.mark.finds("numerics")
@pytest.mark.parametrize("low, high", [(-5.0, 5.0), (-90.0, 90.0), (-1.0, 1.0), (0.0, 1e-3)])
def test_unary(low, high):
    x = spread(low, high)
    results = compute([function for function, _ in UNARY], x)
    for (function, reference), result in zip(UNARY, results):
        with np.errstate(all="ignore"):
            exact = reference(x.astype(np.float64)).astype(np.float64)
        assert ulps(result, exact).max() <= 0.51, function


PARAMETRISED = [
    (lambda x: m.pow(x, 3), lambda x: x**3),
    (lambda x: x**5, lambda x: x**5),
    (lambda x: x**0, lambda x: np.ones_like(x)),
    (lambda x: m.abs(x) ** 0.75, lambda x: np.abs(x) ** 0.75),
    (lambda x: m.pow(x, -2), lambda x: x**-2.0),
    (lambda x: m.rsub(x, 2.5), lambda x: 2.5 - x),
    (lambda x: m.relu_max(x, 2), lambda x: np.clip(x, 0, 2)),
    (lambda x: m.relu_min(x, -0.5), lambda x: np.maximum(x, -0.5)),
    (lambda x: m.leaky_relu(x, 0.125), lambda x: np.where(x < 0, x * 0.125, x)),
    (lambda x: m.prelu(x, 0.25), lambda x: np.where(x < 0, x * 0.25, x)),
    (lambda x: m.elu(x, 1.5), lambda x: np.where(x > 0, x, 1.5 * np.expm1(x))),
    (lambda x: m.celu(x, 2.0), lambda x: np.where(x > 0, x, 2 * np.expm1(x / 2))),
    (lambda x: m.celu(x, 2.0, 0.5), lambda x: np.where(x > 0, x, 2 * np.expm1(x / 2))),
    (lambda x: m.selu(x, 1.0, 2.0), lambda x: np.where(x > 0, x, 2 * np.expm1(x))),
    (lambda x: m.softplus(x, 1.0, 1.0, 20.0), softplus),
    (lambda x: m.softplus(x, beta=2.0), lambda x: softplus(2 * x) / 2),
    (lambda x: m.hardtanh(x, -2, 3), lambda x: np.clip(x, -2, 3)),
    (lambda x: m.clamp(x, -1.25, 1.5), lambda x: np.clip(x, -1.25, 1.5)),
    (lambda x: m.threshold(x, 1, 7), lambda x: np.where(x > 1, x, 7)),
    (lambda x: m.round(x, 1), lambda x: np.round(x * 10) / 10),
    (lambda x: m.round(x), np.round),
    (lambda x: x.exp(), np.exp),
    (lambda x: m.exp(x, approx=True, scale=0.5, iterations=4), lambda x: np.exp(x / 2)),
    (lambda x: x // 2, lambda x: np.floor(x / 2)),
    (lambda x: x % 2, lambda x: x - np.floor(x / 2) * 2),
    (lambda x: 1 - x, lambda x: 1 - x),
    (lambda x: m.max(x, 0.5), lambda x: np.maximum(x, 0.5)),
    (lambda x: m.gt(x, 0.5), lambda x: x > 0.5),
    (lambda x: m.where(m.gt(x, 0), x, 3.0), lambda x: np.where(x > 0, x, 3.0)),
]  # fmt: skip


def test_functions_with_numbers():
    x = spread(-6.0, 6.0)
    results = compute([function for function, _ in PARAMETRISED], x)
    for i, ((_, reference), result) in enumerate(zip(PARAMETRISED, results)):
        with np.errstate(all="ignore"):
            exact = reference(x.astype(np.float64)).astype(np.float64)
        assert ulps(result, exact).max() <= 0.51, i


def test_exponential_activations_keep_zeros():
    zeros = np.zeros((SIZE, SIZE), np.float32)
    zeros[::2] = -0.0
    functions = [lambda x: m.elu(x, 1.5), lambda x: m.celu(x, 2.0), lambda x: m.selu(x, 1.0, 2.0),
                 m.expm1]  # fmt: skip
    for result in compute(functions, zeros):
        assert (result.view(np.uint32) == zeros.view(np.uint32)).all()


BINARY = [
    (lambda a, b: a + b, np.add), (lambda a, b: a - b, np.subtract),
    (lambda a, b: a * b, np.multiply), (lambda a, b: a / b, np.divide),
    (m.max, np.maximum), (m.minimum, np.minimum), (m.eq, np.equal), (m.ne, np.not_equal),
    (m.lt, np.less), (m.le, np.less_equal), (m.gt, np.greater), (m.ge, np.greater_equal),
    (lambda a, b: m.power(m.abs(a), b), lambda a, b: np.abs(a) ** b),
    (lambda a, b: m.abs(a) ** b, lambda a, b: np.abs(a) ** b),
    (lambda a, b: m.where(m.lt(a, b), a, b), np.minimum),
    (lambda a, b: m.where(a, b, -b), lambda a, b: np.where(a != 0, b, -b)),
    (lambda a, b: m.mask(a, m.lt(a, b)), lambda a, b: np.where(a < b, 0, a)),
    (lambda a, b: m.mask_posinf(a, m.lt(a, b)), lambda a, b: np.where(a < b, np.inf, a)),
]  # fmt: skip


@pytest.mark.finds("numerics")
def test_binary_and_ternary():
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-40, 40, (SIZE, SIZE)).astype(np.float32) / 8 for _ in range(2))
    results = compute([function for function, _ in BINARY], a, b)
    for i, ((_, reference), result) in enumerate(zip(BINARY, results)):
        with np.errstate(all="ignore"):
            exact = reference(a.astype(np.float64), b.astype(np.float64)).astype(np.float64)
        assert ulps(result, exact).max() <= 0.51, i


# -- every tile function, compared with the function of ttnn that has its name ------

OF_TTNN = {*ttnn.unary.__all__, *ttnn.binary.__all__}
# Tile functions without a function of that name in ttnn: the tables above compare them with numpy.
WITHOUT = "recip max min"


def tile_functions():
    """Yields (name, number of operands, {name of a number: value}) for each tile function in ttnn.
    Leaves out numbers whose default is the reciprocal of another number."""
    for name, operands, numbers, _ in _api.TILE_FUNCTIONS:
        if name in OF_TTNN:
            given = [each for each, default in numbers if default != "reciprocal"]
            yield name, operands, {each: 0.75 + i for i, each in enumerate(given)}


def test_ttnn_has_the_tile_functions():
    names = {name for name, *_ in _api.TILE_FUNCTIONS}
    assert names - OF_TTNN == set(WITHOUT.split())


@pytest.mark.parametrize("low, high", [(-4.0, 4.0), (0.0, 1.0)])
@pytest.mark.parametrize("name, operands, numbers", tile_functions())
def test_tile_functions_compute_what_ttnn_computes(name, operands, numbers, low, high):
    x, y = spread(low, high), np.flip(spread(low / 2, high)).copy()
    inputs = [x, y][:operands]
    (result,) = compute([lambda *blocks: getattr(m, name)(*blocks, **numbers)], *inputs)
    tensors = [ttnn.from_numpy(each) for each in inputs]
    golden = ttnn.to_numpy(getattr(ttnn, name)(*tensors, *numbers.values())).astype(np.float64)
    # The kernel is within 0.51 ulp of the exact value, ttnn within 0.5.
    assert ulps(result, golden).max() <= 1.01


# -- reductions, broadcasts, transposes -------------------------------------------


def test_reductions_stand_in_column_row_or_corner():
    x = np.random.default_rng(2).standard_normal((2 * SIZE, 3 * SIZE)).astype(np.float32)
    x64 = x.astype(np.float64)
    sums = {(-1,): (2, 1), (0,): (1, 3), (0, 1): (1, 1)}
    for dims, out_shape in sums.items():
        functions = [
            lambda x, dims=dims: m.reduce_sum(x, dims=list(dims)),
            lambda x, dims=dims: m.reduce_max(x, dims=list(dims)),
            lambda x, dims=dims: m.reduce_mean(x, dims=list(dims)),
        ]
        total, largest, mean = compute(functions, x, shape=(2, 3), out_shape=out_shape)
        axis = tuple(dim % 2 for dim in dims)
        place = tuple(slice(0, 1) if dim in axis else slice(None) for dim in (0, 1))
        exact = x64.sum(axis=axis, keepdims=True)
        magnitude = np.abs(x64).sum(axis=axis, keepdims=True)
        # Each sum rounds at most 16 times: 5 or 10 times inside a tile, up to 6 times between tiles.
        assert (np.abs(total[place] - exact) <= 16 * 2.0**-24 * magnitude).all()
        assert (largest[place] == x.max(axis=axis, keepdims=True)).all()
        count = x.size // exact.size
        assert (np.abs(mean[place] - exact / count) <= 17 * 2.0**-24 * magnitude / count).all()
        for result in (total, largest):
            rest = result.copy()
            rest[place] = 0
            assert not rest.any(), "the rest of the tiles is zero"


@pytest.mark.parametrize("dims, out_shape", [((-1,), (4, 1)), ((0,), (1, 2))])
def test_means_over_powers_of_two_are_sums_with_a_scaler(dims, out_shape):
    x = np.random.default_rng(3).standard_normal((4 * SIZE, 2 * SIZE)).astype(np.float32)
    functions = [lambda x: m.reduce_sum(x, dims=list(dims)), lambda x: m.reduce_mean(x, dims=list(dims))]
    total, mean = compute(functions, x, shape=(4, 2), out_shape=out_shape)
    assert (mean == total / (x.size // (total.size // SIZE))).all()
    functions[0] = lambda x: m.reduce_max(x, dims=list(dims))  # so that the mean is not made of a sum
    _, mean = compute(functions, np.full_like(x, 1e37), shape=(4, 2), out_shape=out_shape)
    assert mean[0, 0] == np.float32(1e37)  # each tile's part is scaled before it is added


def test_row_functions_and_out_blocks():
    x = spread(-1.0, 1.0)
    first, second, third = compute(
        [m.rowmax, lambda x: x.rowmax(), lambda x: m.reduce_max(x, dims=[-1], shape=(1, 1))], x
    )
    assert (first == second).all() and (first == third).all()
    assert (first[:, 0] == x.max(axis=1)).all()


def test_scaler_scales_each_tile():
    x = np.ones((SIZE, 2 * SIZE), np.float32)
    (result,) = compute(
        [lambda x: m.reduce_sum(x, m.fill(0.5, shape=(1, 1)), dims=[-1])],
        x, shape=(1, 2), out_shape=(1, 1),
    )  # fmt: skip
    assert (result[:, 0] == 32.0).all()


def test_broadcast_is_the_inverse():
    x = np.random.default_rng(3).standard_normal((SIZE, SIZE)).astype(np.float32)
    column, row, corner = compute(
        [
            lambda x: m.broadcast(x, dims=[-1], shape=(1, 3)),
            lambda x: m.broadcast(m.broadcast(x, dims=[0]), dims=[1], shape=(1, 3)),
            lambda x: m.broadcast(x, dims=[0, 1], shape=(1, 3)),
        ],
        x, out_shape=(1, 3),
    )  # fmt: skip
    assert (column == np.tile(x[:, :1], (1, 96))).all()
    assert (row == x[0, 0]).all()
    assert (corner == x[0, 0]).all()


def test_broadcast_takes_its_shape_from_around():
    x = np.random.default_rng(4).standard_normal((2 * SIZE, 2 * SIZE)).astype(np.float32)
    result, same, stored = compute(
        [
            lambda x: x - m.broadcast(m.rowmax(x), dims=[-1]),
            lambda x: m.exp(-m.broadcast(m.reduce_max(x, dims=[0]), dims=[0])) * x,
            lambda x: m.broadcast(m.rowmax(x), dims=[-1]),
        ],
        x, shape=(2, 2),
    )  # fmt: skip
    assert (result == x - x.max(axis=1, keepdims=True)).all()
    assert ulps(same, np.exp(-x.max(axis=0).astype(np.float64)) * x).max() <= 1.6  # rounded twice
    assert (stored == np.broadcast_to(x.max(axis=1, keepdims=True), x.shape)).all()


def test_transpose():
    x = np.random.default_rng(5).standard_normal((2 * SIZE, 3 * SIZE)).astype(np.float32)
    results = compute([m.transpose, lambda x: m.transpose(x + 0).transpose().transpose()],
                      x, shape=(2, 3), out_shape=(3, 2))  # fmt: skip
    for result in results:
        assert (result == x.T).all()


def test_product_with_a_transpose():
    rng = np.random.default_rng(6)
    a, b = (rng.standard_normal((SIZE, 2 * SIZE)).astype(np.float32) for _ in range(2))
    (result,) = compute([lambda a, b: a @ m.transpose(b)], a, b, shape=(1, 2), out_shape=(1, 1))
    exact = a.astype(np.float64) @ b.T.astype(np.float64)
    allowed = 66 * 2.0**-24 * (np.abs(a) @ np.abs(b.T))
    assert (np.abs(result - exact) <= allowed).all()


def layernorm(x):
    mean = m.reduce_mean(x, dims=[-1])
    centred = x - m.broadcast(mean, dims=[-1])
    variance = m.reduce_mean(m.square(centred), dims=[-1])
    return centred * m.broadcast(m.rsqrt(variance + 1e-5), dims=[-1])


def softmax(x):
    power = m.exp(x - m.broadcast(m.rowmax(x), dims=[-1]))
    return power / m.broadcast(m.rowsum(power), dims=[-1])


def test_layernorm_and_softmax():
    x = 3 * np.random.default_rng(7).standard_normal((SIZE, 4 * SIZE)).astype(np.float32) + 1
    normed, soft = compute([layernorm, softmax], x, shape=(1, 4))
    x64 = x.astype(np.float64)
    centred = x64 - x64.mean(axis=1, keepdims=True)
    exact = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    assert np.abs(normed - exact).max() <= 64 * 2.0**-24 * np.abs(exact).max()
    power = np.exp(x64 - x64.max(axis=1, keepdims=True))
    exact = power / power.sum(axis=1, keepdims=True)
    assert (np.abs(soft - exact) <= 48 * 2.0**-24 * exact).all()


# -- refusals ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: m.reduce_sum(x), "reduce_sum() needs dims=[...]"),
        (lambda x: m.reduce_sum(x, dims=[2]), "names dimension 2, which a block of rank 2"),
        (lambda x: m.reduce_max(x, dims=[0, -2]), "dims= must name at least one"),
        (lambda x: m.reduce_sum(x, 2.0, dims=[0]), "the scaler of a reduction must be a block"),
        (lambda x: m.reduce_sum(x, dims=[1], shape=(2, 2)),
         "the result has shape (2, 1), but the call asks for shape (2, 2)"),
        (lambda x: m.broadcast(x, dims=[1]),
         "broadcast() expands (dims [1]), found shape (2, 2)"),
        (lambda x: m.broadcast(m.rowmax(x), dims=[1], shape=(3, 2)),
         "a block of shape (2, 1) cannot be broadcast over dims [1] to shape (3, 2)"),
        (lambda x: m.broadcast(m.rowmax(x), dims=[1])
         + m.broadcast(m.reduce_max(x, dims=[0]), dims=[0]), "add shape= to one of the broadcasts"),
        (lambda x: x + m.rowmax(x), "shapes differ: (2, 2) + (2, 1)"),
        (lambda x: m.clamp(x, 1.0), "clamp() lacks the argument 'hi'"),
        (lambda x: m.exp(x, approx=ttl.node(dims=1) > 0), "approx= must be known at compile time, found a run-time"),
        (lambda x: m.transpose(3), "transpose() must be a block or a block expression, found an int"),
        (lambda x: m.where(x, 1.0), "where() lacks the argument 'b'"),
    ],
)  # fmt: skip
def test_refusals(function, message):
    with pytest.raises(ttl.CompileError) as caught:
        compute([function], np.zeros((2 * SIZE, 2 * SIZE), np.float32), shape=(2, 2))
    assert message in str(caught.value)
