# ===- model_evaluator.py - the meaning of ttir's ops in numpy ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Tests of ttir compare the compiler's values with these. This file was written from TTIR's description, and
# shares no code with the functions that ttl runs on the host. All of it is plain loops and
# numpy in float64 or Python integers.
# ===--------------------------------------------------------------------------=== #

import itertools
import math
import struct

import numpy as np

import window_evaluator

FLOATS = {"f32": 24, "bf16": 8, "f16": 11, "f64": 53}  # digits of the significand
BITS = {"i8": 8, "si8": 8, "ui8": 8, "i16": 16, "si16": 16, "ui16": 16, "i32": 32, "si32": 32,
        "ui32": 32, "i64": 64, "si64": 64}


def is_float(element):
    return element in FLOATS


def wrap(value, element):
    """Returns an integer as an integer type of this many bits stores it."""
    bits = BITS[element]
    value = int(value) & ((1 << bits) - 1)
    return value - (1 << bits) if not element.startswith("u") and value >> (bits - 1) else value


def nearest(values, digits):
    """Rounds to the nearest floats whose significands have this many binary digits."""
    fraction, exponent = np.frexp(values)
    return np.ldexp(np.rint(fraction * 2.0 ** digits), exponent - digits)


def each(function, element, *arrays):
    """Applies a function of Python numbers to each element of the arrays, which are broadcast."""
    arrays = np.broadcast_arrays(*arrays)
    found = np.empty(arrays[0].shape, np.float64 if is_float(element) or element == "i1" else object)
    for place in np.ndindex(*arrays[0].shape):
        found[place] = function(*(one[place] for one in arrays))
    return found


def guarded(function):
    """Returns the function with IEEE's results in places where Python's math raises an exception."""
    def call(*numbers):
        try:
            return function(*map(float, numbers))
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            with np.errstate(all="ignore"):
                return _LIMITS[function](*numbers) if function in _LIMITS else math.nan
    return call


def greater(*numbers):
    """Returns the greatest of the numbers, or NaN if one is NaN."""
    return next((x for x in numbers if x != x), max(numbers))


def smaller(*numbers):
    return next((x for x in numbers if x != x), min(numbers))


def real_power(x, y):
    with np.errstate(all="ignore"):
        return float(np.power(np.float64(x), np.float64(y)))


def quotient(a, b):
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def limited(function, least, most):
    """Returns the function with the given results at minus infinity and at plus infinity."""
    return lambda x: function(x) if not math.isinf(x) else least if x < 0 else most


def whole(function):
    return limited(function, -math.inf, math.inf)


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def exp2(x):
    return 2.0 ** x


_LIMITS = {math.log: lambda x: -math.inf if x == 0 else math.nan,
           math.log1p: lambda x: -math.inf if x == -1 else math.nan}

UNARY = {
    "acos": math.acos, "asin": math.asin, "asinh": math.asinh, "atan": math.atan, "cos": math.cos,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x), "erf": math.erf, "erfc": math.erfc,
    "exp": math.exp, "exp2": exp2, "expm1": math.expm1,
    "gelu": limited(lambda x: 0.5 * x * math.erfc(-x / math.sqrt(2)), -0.0, math.inf),
    "hardsigmoid": lambda x: smaller(greater((x + 3) / 6, 0), 1), "log": math.log, "log1p": math.log1p,
    "mish": lambda x: x * math.tanh(math.log1p(math.exp(x)) if x < 30 else x),
    "reciprocal": lambda x: quotient(1, x), "rsqrt": lambda x: quotient(1, math.sqrt(x)),
    "sigmoid": sigmoid, "silu": limited(lambda x: x * sigmoid(x), -0.0, math.inf), "sin": math.sin,
    "softsign": limited(lambda x: x / (1 + abs(x)), -1, 1),
    "sqrt": math.sqrt, "tan": math.tan, "tanh": math.tanh,
    "ceil": whole(math.ceil), "floor": whole(math.floor), "trunc": whole(math.trunc),
    "frac": lambda x: math.nan if math.isinf(x) else x - math.trunc(x),
    "relu6": lambda x: smaller(greater(x, 0), 6), "isfinite": lambda x: float(math.isfinite(x)),
}

ANY_UNARY = {
    "abs": abs, "neg": lambda x: -x, "relu": lambda x: greater(x, 0), "square": lambda x: x * x,
    "sign": lambda x: int(x > 0) - int(x < 0) if x == x else x, "logical_not": lambda x: int(x == 0),
    "signbit": lambda x: int(math.copysign(1, x) < 0), "typecast": lambda x: x,
    "bitwise_not": lambda x: ~int(x),
}

ANY_BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "maximum": greater, "minimum": smaller, "eq": lambda x, y: int(x == y), "ne": lambda x, y: int(x != y),
    "gt": lambda x, y: int(x > y), "ge": lambda x, y: int(x >= y), "lt": lambda x, y: int(x < y),
    "le": lambda x, y: int(x <= y), "logical_and": lambda x, y: int(x != 0 and y != 0),
    "logical_or": lambda x, y: int(x != 0 or y != 0),
    "logical_xor": lambda x, y: int((x != 0) != (y != 0)),
    "bitwise_and": lambda x, y: int(x) & int(y), "bitwise_or": lambda x, y: int(x) | int(y),
    "bitwise_xor": lambda x, y: int(x) ^ int(y),
    "logical_left_shift": lambda x, y: int(x) << int(y), "right_shift": lambda x, y: int(x) >> int(y),
}


def divide(element):
    if is_float(element):
        return quotient
    return lambda x, y: int(abs(int(x)) // abs(int(y))) * (1 if (x < 0) == (y < 0) else -1)


def modulus(element):
    """Returns the function for the remainder that has the sign of the divisor."""
    if not is_float(element):
        return lambda x, y: int(x) - int(y) * (int(x) // int(y))
    return lambda x, y: math.nan if y == 0 or math.isinf(x) else x % y


def gelu_slope(approximate):
    if approximate == "tanh":
        def inner(x):
            return math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return lambda x: 0.5 * (1 + math.tanh(inner(x))) + 0.5 * x * (1 - math.tanh(inner(x)) ** 2) * (
            math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2))
    return lambda x: 0.5 * math.erfc(-x / math.sqrt(2)) + x * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def power(element):
    return real_power if is_float(element) else lambda x, y: int(x) ** int(y)


def elementwise(op, kinds, arrays):
    name, a, element = op.name, op.attributes, kinds[0].element
    if name in UNARY:
        function = guarded(UNARY[name])
    elif name in ANY_UNARY:
        function = ANY_UNARY[name]
    elif name in ANY_BINARY:
        function = ANY_BINARY[name]
    elif name == "logical_right_shift":
        function = lambda x, y: (int(x) & ((1 << BITS[element]) - 1)) >> int(y)
    else:
        function = {
            "remainder": modulus(element),
            "gelu_bw": lambda g, x: g * gelu_slope(a.get("approximate"))(x),
            "div": divide(element), "pow": power(element), "atan2": math.atan2,
            "clamp_scalar": lambda x: smaller(greater(x, a["min"]), a["max"]),
            "clamp_tensor": lambda x, low, high: smaller(greater(x, low), high),
            "leaky_relu": lambda x: x if x > 0 else x * a["parameter"],
            "selu": lambda x: a["scale"] * (x if x > 0 else a["alpha"] * math.expm1(x)),
            "where": lambda c, x, y: x if c != 0 else y,
        }[name]
    computed = kinds[1].element if name == "where" else element
    return each(function, computed, *arrays)


# ===--------------------------------------------------------------------------=== #
# Reductions and products


def total(numbers):
    """Returns the exact sum of numbers. If some are infinite or NaN, returns the sum that IEEE defines."""
    if not isinstance(numbers[0], float):
        return sum(numbers)
    return math.fsum(numbers) if all(map(math.isfinite, numbers)) else sum(numbers)


def reduction(op, array, result):
    rank, a = array.ndim, op.attributes
    dims = a.get("dim_arg")
    dims = [*range(rank)] if dims is None else [dim % rank for dim in dims]
    kept = [dim for dim in range(rank) if dim not in dims]
    found = {}
    for place in np.ndindex(*array.shape):
        found.setdefault(tuple(place[dim] for dim in kept), []).append(array[place])
    function = {
        "sum": total, "mean": lambda xs: total(xs) / len(xs), "max": lambda xs: greater(*xs),
        "min": lambda xs: smaller(*xs), "prod": math.prod,
        "reduce_or": lambda xs: int(any(x != 0 for x in xs)),
        "reduce_and": lambda xs: int(all(x != 0 for x in xs)), "argmax": lambda xs: ordered(xs, True)[0],
    }[op.name]
    values = [function(found[key]) for key in sorted(found)]
    return np.array(values, object).reshape(result.shape)


def matmul(a, b, transpose_a=False, transpose_b=False):
    if transpose_a and a.ndim > 1:
        a = np.swapaxes(a, -1, -2)
    if transpose_b and b.ndim > 1:
        b = np.swapaxes(b, -1, -2)
    return np.matmul(a, b)


def dot_general(op, left, right):
    a = op.attributes
    letters = iter("abcdefghijklmnop")
    names_l = [next(letters) for _ in range(left.ndim)]
    names_r = [next(letters) for _ in range(right.ndim)]
    for kind in ("batch", "contract"):
        for i, j in zip(a[f"{kind}_dims_lhs"], a[f"{kind}_dims_rhs"]):
            names_r[j] = names_l[i]
    batch = [names_l[i] for i in a["batch_dims_lhs"]]
    contracted = [names_l[i] for i in a["contract_dims_lhs"]]
    free = [n for n in (*names_l, *names_r) if n not in batch and n not in contracted]
    return np.einsum(f"{''.join(names_l)},{''.join(names_r)}->{''.join((*batch, *free))}", left, right)


# ===--------------------------------------------------------------------------=== #
# Shapes


def sliced(array, begins, ends, steps):
    chosen = []
    for extent, begin, end, step in zip(array.shape, begins, ends, steps):
        begin, end = (bound + extent if bound < 0 else bound for bound in (begin, end))
        chosen.append([*range(begin, end, step)])
    return array[np.ix_(*chosen)]


def one_dim(op, array):
    a, dim = op.attributes, op.attributes["dim"] % array.ndim
    if op.name == "index":
        chosen = [*range(a["begin"], a["end"], a["step"])]
    else:
        starts = [a["begin"]]
        while a.get("stride") and starts[-1] + a["stride"] + a["length"] <= array.shape[dim]:
            starts.append(starts[-1] + a["stride"])
        chosen = [start + i for start in starts for i in range(a["length"])]
    return array.take(chosen, axis=dim)


def padded(op, array, result):
    value, low = op.attributes["value"], op.attributes["padding"][::2]
    found = np.full(result.shape, value, array.dtype)
    for place in np.ndindex(*result.shape):
        source = tuple(p - l for p, l in zip(place, low))
        if all(0 <= s < extent for s, extent in zip(source, array.shape)):
            found[place] = array[source]
    return found


def shape_op(op, arrays, result):
    x, a = arrays[0], op.attributes
    if op.name in ("reshape", "squeeze", "unsqueeze"):
        return x.reshape(result.shape)
    if op.name == "permute":
        return x.transpose(a["permutation"])
    if op.name == "transpose":
        return np.swapaxes(x, a["dim0"], a["dim1"])
    if op.name == "concat":
        return np.concatenate(arrays, a["dim"])
    if op.name == "broadcast":
        return np.array(np.broadcast_to(x, result.shape))
    if op.name == "repeat":
        return np.tile(x, a["repeat_dimensions"])
    if op.name == "repeat_interleave":
        return x.repeat(a["repeats"], a["dim"])
    if op.name == "concatenate_heads":
        return np.array([[[x[b, h, s, d] for h in range(x.shape[1]) for d in range(x.shape[3])]
                          for s in range(x.shape[2])] for b in range(x.shape[0])])
    if op.name == "rearrange":
        return x.transpose(0, 2, 1, 3).reshape(result.shape)  # "b h s d -> b s (h d)"
    if op.name == "reverse":
        return np.flip(x, a["dimensions"])
    if op.name == "slice_static":
        return sliced(x, a["begins"], a["ends"], a["step"])
    if op.name in ("index", "index_select"):
        return one_dim(op, x)
    return padded(op, x, result)


# ===--------------------------------------------------------------------------=== #
# Selection and creation

WORDS = {"f32": "<f", "i32": "<i", "si32": "<i", "ui32": "<I"}


def bitcast(array, kind, result):
    found = np.empty(array.shape, object)
    for place in np.ndindex(*array.shape):
        word = struct.pack(WORDS[kind.element], array[place])
        (found[place],) = struct.unpack(WORDS[result.element], word)
    return found


def sorted_along(op, array):
    dim = op.attributes.get("dim", -1) % array.ndim
    values, places = np.empty(array.shape, object), np.empty(array.shape, object)
    for other in np.ndindex(*(1 if d == dim else extent for d, extent in enumerate(array.shape))):
        line = tuple(slice(None) if d == dim else place for d, place in enumerate(other))
        row = list(array[line])
        order = ordered(row, op.attributes.get("descending"))
        values[line], places[line] = [row[i] for i in order], order
    return [values, places]


def gathered(op, array, indices):
    dim = op.attributes["dim"] % array.ndim
    found = np.empty(indices.shape, object)
    for place in np.ndindex(*indices.shape):
        source = list(place)
        source[dim] = int(indices[place])
        found[place] = array[tuple(source)]
    return found


def scattered(op, array, indices, updates):
    dim, how = op.attributes["dim"] % array.ndim, op.attributes["scatter_reduce_type"]
    combine = {"invalid": lambda old, new: new, "sum": lambda old, new: old + new, "prod": lambda old, new: old * new,
               "min": smaller, "max": greater}[how]
    found = array.copy()
    for place in np.ndindex(*indices.shape):
        target = list(place)
        target[dim] = int(indices[place])
        found[tuple(target)] = combine(found[tuple(target)], updates[place])
    return found


def rank(number):
    """Returns a key that sorts numbers; NaN is the greatest."""
    return number != number, 0 if number != number else number


def ordered(row, descending):
    """Returns the indices that sort a row; equal numbers stay in order."""
    return sorted(range(len(row)), key=lambda i: rank(row[i]), reverse=bool(descending))


def topk(op, array):
    a = op.attributes
    dim = a.get("dim", -1) % array.ndim
    moved = np.moveaxis(array, dim, -1)
    values, places = [], []
    for row in moved.reshape(-1, moved.shape[-1]):
        order = ordered(row, a.get("largest", True))
        values.append([row[i] for i in order[:a["k"]]])
        places.append(order[:a["k"]])
    shape = (*moved.shape[:-1], a["k"])
    return [np.moveaxis(np.array(each, object).reshape(shape), -1, dim) for each in (values, places)]


def normalized(op, arrays):
    x, a = arrays[0], op.attributes
    axes = tuple(range(x.ndim - len(a["normalized_shape"]), x.ndim))
    if op.name == "layer_norm":
        x = x - x.mean(axes, keepdims=True)
    x = x / np.sqrt((x * x).mean(axes, keepdims=True) + a["epsilon"])
    others = arrays[1:]
    if a["operandSegmentSizes"][1]:
        x = x * others.pop(0) if isinstance(others, list) else x * others[0]
    if a["operandSegmentSizes"][2]:
        x = x + others[-1]
    return x


def softmax(array, dim):
    powers = np.exp(array - array.max(dim, keepdims=True))
    return powers / powers.sum(dim, keepdims=True)


def arange(op, result):
    a = op.attributes
    values = itertools.count(a["start"], a["step"])
    row = [next(values) for _ in range(result.shape[a["arange_dimension"]])]
    found = np.empty(result.shape)
    for place in np.ndindex(*result.shape):
        found[place] = row[place[a["arange_dimension"]]]
    return found


def creation(op, result):
    if op.name == "arange":
        return arange(op, result)
    if op.name == "constant":
        return np.array(op.attributes["value"]).reshape(result.shape)
    value = {"zeros": 0, "ones": 1, "full": op.attributes.get("fill_value")}[op.name]
    return np.full(result.shape, value)


REDUCTIONS = ("sum", "mean", "max", "min", "prod", "argmax", "reduce_or", "reduce_and")
CREATIONS = ("arange", "constant", "full", "ones", "zeros")
SHAPES = ("reshape", "squeeze", "unsqueeze", "permute", "transpose", "concat", "broadcast", "repeat",
          "repeat_interleave", "concatenate_heads", "rearrange", "reverse", "slice_static", "index",
          "index_select", "pad")


def evaluate(op, kinds, arrays, results):
    """Returns the exact values of an op's results before they are rounded to their type, as float64
    or Python objects. `kinds` and `results` are types of operands and results, see modules.py."""
    if op.name in SHAPES:
        return [shape_op(op, arrays, results[0])]
    if op.name in CREATIONS:
        return [creation(op, results[0])]
    wide = [np.asarray(each, np.float64) if is_float(kind.element) else each.astype(object)
            for each, kind in zip(arrays, kinds)]
    with np.errstate(all="ignore"):
        if op.name in REDUCTIONS:
            return [reduction(op, wide[0], results[0])]
        if op.name == "topk":
            return topk(op, wide[0])
        if op.name == "matmul":
            return [matmul(*wide, **op.attributes)]
        if op.name == "linear":
            product = matmul(*wide[:2], **op.attributes)
            if is_float(kinds[0].element):
                product = nearest(product, FLOATS[kinds[0].element])
            return [product + (wide[2] if len(wide) > 2 else 0)]
        if op.name in window_evaluator.NAMES:
            return [window_evaluator.evaluate(op, wide, results[0], greater)]
        if op.name == "dot_general":
            return [dot_general(op, *wide)]
        if op.name == "softmax":
            return [softmax(wide[0], op.attributes["dimension"])]
        if op.name in ("cumsum", "cumprod"):
            function = np.cumsum if op.name == "cumsum" else np.cumprod
            return [function(wide[0], op.attributes["dim"])]
        if op.name == "sort":
            return sorted_along(op, wide[0])
        if op.name == "gather":
            return [gathered(op, *wide)]
        if op.name == "scatter":
            return [scattered(op, *wide)]
        if op.name == "bitcast_convert":
            return [bitcast(arrays[0], kinds[0], results[0])]
        if op.name == "embedding":
            rows = wide[1].reshape(wide[1].shape[-2:])
            return [rows[np.clip(wide[0].astype(np.int64), 0, len(rows) - 1)]]
        if op.name in ("layer_norm", "rms_norm"):
            return [normalized(op, wide)]
        return [elementwise(op, kinds, wide)]
