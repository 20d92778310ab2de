# ===- _model_functions.py - ops of ttir as functions of numpy ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Ops that no kernel computes run here. A function takes the arrays of the operands, the op's attributes
# and the type of the result, (shape, name of the element type). Its result is then converted to
# that type. Floats are computed in float64. An array of bf16 has float32 elements with values of bf16.
# ===--------------------------------------------------------------------------=== #

import math

import numpy as np

_INTEGERS = {f"{sign}i{bits}": np.dtype(f"{'u' if sign == 'u' else ''}int{bits}")
             for sign in ("", "s", "u") for bits in (8, 16, 32, 64)}
DTYPES = {**_INTEGERS, "i1": np.dtype(bool), "f64": np.dtype(np.float64),
          "f32": np.dtype(np.float32), "f16": np.dtype(np.float16), "bf16": np.dtype(np.float32)}


def to_type(array, element):
    """Converts an array to elements of a type of MLIR; floats to integers round towards 0."""
    with np.errstate(all="ignore"):
        if element == "i1":
            return np.asarray(array) != 0
        if element == "bf16":
            return _round_bfloat16(np.asarray(array))
        return np.asarray(array).astype(DTYPES[element])


def _round_bfloat16(array):
    """Rounds to the nearest bfloat16, ties to even. A float64 is first rounded to float32 with rounding
    to odd, because two roundings to nearest could give another result than one."""
    if array.dtype == np.float32 and not np.any(np.ascontiguousarray(array).view(np.uint32) & np.uint32(0xFFFF)):
        return array
    wide = array.astype(np.float64)
    single = wide.astype(np.float32)
    inexact = np.isfinite(single) & (single.astype(np.float64) != wide)
    bits = np.atleast_1d(single).view(np.uint32)
    away = np.atleast_1d(np.abs(single.astype(np.float64)) > np.abs(wide))
    odd = np.where(away, bits - np.uint32(1), bits) | np.uint32(1)
    bits = np.where(np.atleast_1d(inexact), odd, bits)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    rounded = np.where(np.atleast_1d(np.isnan(single)), np.uint32(0x7FC00000), rounded)
    return rounded.astype(np.uint32).view(np.float32).reshape(array.shape)


def _is_float(array):
    return array.dtype.kind == "f"


def _wide(array):
    return array.astype(np.float64) if _is_float(array) else array


# ===--------------------------------------------------------------------------=== #
# Element-wise


def _vectorized(function):
    call = np.vectorize(function, otypes=[np.float64])
    return lambda x: call(x) if x.size else x


def _limited(function, least, most):
    """Returns the function with these limits as its values at minus and plus infinity."""
    return lambda x: np.where(np.isinf(x), np.where(x < 0, least, most), function(x))


def _sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def _divide(x, y):
    if _is_float(x):
        return x / y
    x, y = (each.astype(object) for each in np.broadcast_arrays(x, y))
    quotient = np.frompyfunc(lambda a, b: 0 if b == 0 else abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1),
                             2, 1)
    return quotient(x, y)


def _remainder(x, y):
    """Returns the remainder, which has the sign of y. For integers it is 0 if y is 0."""
    if _is_float(x):
        return np.mod(x, y)
    return np.where(y == 0, 0, np.mod(x, np.where(y == 0, 1, y)))


def _power(x, y):
    """Returns x**y. For integers it wraps. A negative power is 1 / x**-y, rounded towards 0, and 0 if x is
    0."""
    if _is_float(x):
        return np.power(x, y)
    # In place of a negative y use 0 or 1, which is even or odd like y: the power is right for x = 1 and
    # x = -1. For all other x, the next line gives 0 if y is negative.
    power = np.power(x, np.where(y < 0, y & 1, y).astype(x.dtype))
    return np.where((y < 0) & (np.abs(x) != 1), 0, power)


def _shift(x, y, kind):
    bits = x.dtype.itemsize * 8
    inside = (y >= 0) & (y < bits)
    by = np.where(inside, y, 0).astype(x.dtype)
    if kind == "left":
        return np.where(inside, np.left_shift(x, by), 0)
    if kind == "arithmetic":
        return np.right_shift(x, np.where(inside, y, bits - 1).astype(x.dtype))
    unsigned = np.dtype(f"uint{bits}")
    return np.where(inside, x.view(unsigned) >> by.view(unsigned), 0).astype(unsigned).view(x.dtype)


_UNARY = {
    "abs": np.abs, "acos": np.arccos, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "bitwise_not": np.invert, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos,
    "erf": _vectorized(math.erf), "erfc": _vectorized(math.erfc), "exp": np.exp, "exp2": np.exp2,
    "expm1": np.expm1, "floor": np.floor, "frac": lambda x: x - np.trunc(x),
    "gelu": _limited(lambda x: x * _vectorized(math.erfc)(-x / math.sqrt(2)) / 2, -0.0, np.inf),
    "hardsigmoid": lambda x: np.clip((x + 3) / 6, 0, 1), "isfinite": np.isfinite, "log": np.log,
    "log1p": np.log1p, "logical_not": lambda x: x == 0,
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)), "neg": lambda x: 0 - x if x.dtype.kind != "f" else -x,
    "reciprocal": lambda x: 1 / x, "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6), "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": _sigmoid,
    "sign": lambda x: np.sign(x), "signbit": lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0,
    "silu": _limited(lambda x: x * _sigmoid(x), -0.0, np.inf), "sin": np.sin,
    "softsign": _limited(lambda x: x / (1 + np.abs(x)), -1, 1),
    "sqrt": np.sqrt, "square": lambda x: x * x, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
    "typecast": lambda x: x,
}

_BINARY = {
    "add": np.add, "atan2": np.arctan2, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor, "div": _divide, "eq": np.equal,
    "ge": np.greater_equal, "gt": np.greater, "le": np.less_equal, "lt": np.less, "ne": np.not_equal,
    "logical_and": lambda x, y: (x != 0) & (y != 0), "logical_or": lambda x, y: (x != 0) | (y != 0),
    "logical_xor": lambda x, y: (x != 0) ^ (y != 0),
    "logical_left_shift": lambda x, y: _shift(x, y, "left"),
    "logical_right_shift": lambda x, y: _shift(x, y, "logical"),
    "right_shift": lambda x, y: _shift(x, y, "arithmetic"), "maximum": np.maximum,
    "minimum": np.minimum, "multiply": np.multiply,
    "remainder": _remainder,
    "pow": _power,
    "subtract": lambda x, y: np.subtract(x, y),
}


def _elementwise(function):
    def run(arrays, _attributes, _type):
        # i1 is computed as an integer, because numpy does not subtract truth values.
        values = [each.astype(np.int64) if each.dtype == bool else _wide(each) for each in arrays]
        return function(*values)
    return run


def _clamp(arrays, attributes, _type):
    x, low, high = _wide(arrays[0]), attributes["min"], attributes["max"]
    if not _is_float(x) and x.dtype != bool:  # limit the bounds to the integers of the type
        limits = np.iinfo(x.dtype)
        low, high = (min(max(bound, limits.min), limits.max) for bound in (math.ceil(low), math.floor(high)))
    return np.minimum(np.maximum(x, low), high)


def _clamp_tensor(arrays, _attributes, _type):
    x, low, high = map(_wide, arrays)
    return np.minimum(np.maximum(x, low), high)


def _leaky_relu(arrays, attributes, _type):
    x = _wide(arrays[0])
    return np.where(x < 0, x * attributes["parameter"], x)


def _gelu_bw(arrays, attributes, _type):
    gradient, x = map(_wide, arrays)
    if attributes.get("approximate", "none") == "tanh":
        factor = math.sqrt(2 / math.pi)
        inner = np.tanh(factor * (x + 0.044715 * x**3))
        slope = (1 - inner * inner) * factor * (1 + 3 * 0.044715 * x * x)
        return gradient * ((1 + inner) + x * slope) / 2
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return gradient * (_vectorized(math.erfc)(-x / math.sqrt(2)) / 2 + x * density)


def _bitcast(arrays, _attributes, kind):
    """Reinterprets the bits of the elements as another type. An array of bf16 has float32 elements."""
    x, element = arrays[0], kind[1]
    bits = int(element.lstrip("buisf"))
    word = np.dtype(f"uint{bits}") if element != "i1" else np.dtype(bool)
    words = np.ascontiguousarray(x).view(f"uint{x.dtype.itemsize * 8}").reshape(x.shape)
    words = (words >> 16 if bits == 16 and x.dtype.itemsize == 4 else words).astype(word)
    if element == "bf16":
        return (words.astype(np.uint32) << 16).view(np.float32)
    return words.view(DTYPES[element]).reshape(x.shape)


def _selu(arrays, attributes, _type):
    x = _wide(arrays[0])
    scale = attributes.get("scale", 1.0507009873554805)
    return scale * np.where(x > 0, x, attributes.get("alpha", 1.6732632423543772) * np.expm1(x))


# ===--------------------------------------------------------------------------=== #
# Reductions and products


def _reduction(function):
    def run(arrays, attributes, kind):
        x = arrays[0]
        dims = attributes.get("dim_arg")
        axis = tuple(range(x.ndim)) if dims is None else tuple(dim % x.ndim for dim in dims)
        return np.asarray(function(x, axis)).reshape(kind[0])
    return run


def _argmax(x, axis):
    kept = [dim for dim in range(x.ndim) if dim not in axis]
    moved = np.transpose(x, (*kept, *sorted(axis)))
    count = math.prod(x.shape[dim] for dim in axis)
    return np.argmax(moved.reshape(*(x.shape[dim] for dim in kept), count), axis=-1)


def _sum(x, axis):
    return np.sum(_wide(x), axis) if _is_float(x) else np.sum(x, axis, dtype=x.dtype)


def _matmul(arrays, attributes, kind):
    a, b = map(_wide, arrays)
    if a.ndim > 1 and attributes.get("transpose_a"):
        a = np.swapaxes(a, -1, -2)
    if b.ndim > 1 and attributes.get("transpose_b"):
        b = np.swapaxes(b, -1, -2)
    return np.matmul(a, b).reshape(kind[0])


# ===--------------------------------------------------------------------------=== #
# Shapes


def _slice(arrays, attributes, kind):
    x = arrays[0]
    for dim, (begin, step) in enumerate(zip(attributes["begins"], attributes["step"])):
        begin += x.shape[dim] if begin < 0 else 0
        x = np.take(x, begin + step * np.arange(kind[0][dim]), axis=dim)
    return x


def _index_select(arrays, attributes, kind):
    dim = attributes["dim"] % arrays[0].ndim
    length, stride = attributes["length"], attributes.get("stride", 0)
    number = np.arange(kind[0][dim])
    return np.take(arrays[0], attributes["begin"] + number // length * stride + number % length,
                   axis=dim)


def _pad(arrays, attributes, _type):
    x, padding = arrays[0], attributes["padding"]
    pairs = list(zip(padding[::2], padding[1::2]))
    x = x[tuple(slice(max(-low, 0), extent - max(-high, 0))
                for extent, (low, high) in zip(x.shape, pairs))]
    return np.pad(x, [(max(low, 0), max(high, 0)) for low, high in pairs],
                  constant_values=x.dtype.type(attributes["value"]))


# ===--------------------------------------------------------------------------=== #
# Selection and creation


def _embedding(arrays, _attributes, kind):
    indices, weight = arrays
    weight = weight.reshape(weight.shape[-2:])
    return weight[np.clip(indices.astype(np.int64), 0, len(weight) - 1)].reshape(kind[0])


def _order(x, dim, descending):
    """Returns the indices that sort the elements along `dim`. Equal elements keep their order."""
    _, ranks = np.unique(x, return_inverse=True)
    ranks = ranks.reshape(x.shape)
    return np.argsort(-ranks if descending else ranks, axis=dim, kind="stable")


def _topk(arrays, attributes, _type):
    x, dim = arrays[0], attributes.get("dim", -1)
    order = _order(x, dim, attributes.get("largest", True))
    chosen = np.take(order, np.arange(attributes["k"]), axis=dim)
    return np.take_along_axis(x, chosen, axis=dim), chosen


def _sort(arrays, attributes, _type):
    x, dim = arrays[0], attributes.get("dim", -1)
    order = _order(x, dim, attributes.get("descending", False))
    return np.take_along_axis(x, order, axis=dim), order


def _gather(arrays, attributes, _type):
    """Gathers elements. An index outside of the dimension is replaced by the nearest valid one."""
    x, indices, dim = arrays[0], arrays[1].astype(np.int64), attributes["dim"] % arrays[0].ndim
    part = x[tuple(slice(None) if d == dim else slice(extent) for d, extent in enumerate(indices.shape))]
    return np.take_along_axis(part, np.clip(indices, 0, x.shape[dim] - 1), axis=dim)


_UPDATES = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}


def _scatter(arrays, attributes, _type):
    """Scatters elements. Without a reduction, the last of several elements with one index stays. An element
    whose index is outside of the dimension has no effect."""
    x, indices, updates = _wide(arrays[0]).copy(), arrays[1].astype(np.int64), _wide(arrays[2])
    dim, how = attributes["dim"] % x.ndim, attributes["scatter_reduce_type"]
    places = list(np.nonzero((indices >= 0) & (indices < x.shape[dim])))
    chosen = updates[tuple(places)]
    places[dim] = indices[tuple(places)]
    if how:
        _UPDATES[how].at(x, tuple(places), chosen)
    else:
        x[tuple(places)] = chosen
    return x


def _arange(_arrays, attributes, kind):
    shape, dim = kind[0], attributes["arange_dimension"] % len(kind[0])
    values = attributes["start"] + attributes["step"] * np.arange(shape[dim])
    return np.broadcast_to(values.reshape([-1 if i == dim else 1 for i in range(len(shape))]), shape)


def _rand(_arrays, attributes, kind):
    generator = np.random.default_rng(attributes.get("seed", 0))
    return generator.uniform(attributes.get("low", 0.0), attributes.get("high", 1.0), kind[0])


def _full(value):
    return lambda arrays, attributes, kind: np.full(kind[0], attributes["fill_value"] if value is None else value)


def _constant(_arrays, attributes, kind):
    value = attributes["value"]
    return np.full(kind[0], value[0]) if value.size == 1 else value.reshape(kind[0])


FUNCTIONS = {
    **{name: _elementwise(function) for name, function in (*_UNARY.items(), *_BINARY.items())},
    "clamp_scalar": _clamp,
    "clamp_tensor": _clamp_tensor,
    "bitcast_convert": _bitcast,
    "gelu_bw": _gelu_bw,
    "leaky_relu": _leaky_relu,
    "selu": _selu,
    "where": lambda arrays, attributes, kind: np.where(arrays[0] != 0, arrays[1], arrays[2]),
    "argmax": _reduction(_argmax),
    "max": _reduction(np.max),
    "mean": _reduction(lambda x, axis: np.sum(_wide(x), axis) / np.prod([x.shape[dim] for dim in axis])),
    "min": _reduction(np.min),
    "prod": _reduction(lambda x, axis: np.prod(_wide(x), axis) if _is_float(x) else
                       np.prod(x, axis, dtype=x.dtype)),
    "sum": _reduction(_sum),
    "matmul": _matmul,
    "broadcast": lambda arrays, attributes, kind: np.broadcast_to(arrays[0], kind[0]),
    "concat": lambda arrays, attributes, kind: np.concatenate(arrays, attributes["dim"]),
    "index_select": _index_select,
    "pad": _pad,
    "permute": lambda arrays, attributes, kind: np.transpose(arrays[0], attributes["permutation"]),
    "repeat": lambda arrays, attributes, kind: np.tile(arrays[0], attributes["repeat_dimensions"]),
    "repeat_interleave": lambda arrays, attributes, kind: np.repeat(
        arrays[0], attributes["repeats"], attributes["dim"]),
    "reshape": lambda arrays, attributes, kind: arrays[0].reshape(kind[0]),
    "reverse": lambda arrays, attributes, kind: np.flip(arrays[0], attributes["dimensions"]),
    "slice_static": _slice,
    "cumprod": lambda arrays, attributes, kind: np.cumprod(
        _wide(arrays[0]), attributes["dim"], dtype=None if _is_float(arrays[0]) else arrays[0].dtype),
    "cumsum": lambda arrays, attributes, kind: np.cumsum(
        _wide(arrays[0]), attributes["dim"], dtype=None if _is_float(arrays[0]) else arrays[0].dtype),
    "embedding": _embedding,
    "gather": _gather,
    "scatter": _scatter,
    "sort": _sort,
    "topk": _topk,
    "arange": _arange,
    "constant": _constant,
    "empty": _full(0),
    "full": _full(None),
    "ones": _full(1),
    "rand": _rand,
    "zeros": _full(0),
}


def run(name, arrays, attributes, types):
    """Computes an op; returns an array for each of the types of its results."""
    with np.errstate(all="ignore"):
        results = FUNCTIONS[name](arrays, attributes, types[0])
    results = results if isinstance(results, tuple) else (results,)
    return [to_type(result, element) for result, (_, element) in zip(results, types)]
