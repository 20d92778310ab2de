# ===- cases.py - random ops of ttir ------------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A Maker adds random ops of the dialect ttir to a module. For each op, a function chooses attributes and a
# result type that fit operands in the module. If no operand fits, it adds no op.
# ===--------------------------------------------------------------------------=== #

import numpy as np

from modules import Module, Type, integers
from window_cases import add_convolution, add_pool

FLOATS = ("f32", "bf16")
OUTER, INNER = (1, 2, 3), (1, 5, 31, 32, 33, 40)
FLOAT_UNARY = ("acos asin asinh atan cbrt ceil cos erf erfc exp exp2 expm1 floor frac gelu "
               "hardsigmoid isfinite log log1p mish reciprocal relu6 rsqrt sigmoid silu sin softsign "
               "sqrt tan tanh trunc").split()
ANY_UNARY = "abs logical_not neg relu sign signbit square".split()
ANY_BINARY = ("add div eq ge gt le logical_and logical_or logical_xor lt maximum minimum multiply ne "
              "subtract").split()
INTEGER_BINARY = ("bitwise_and bitwise_or bitwise_xor logical_left_shift logical_right_shift "
                  "right_shift").split()
COMPARISONS = "eq ge gt le lt ne logical_and logical_or logical_xor logical_not isfinite signbit".split()


def random_shape(rng, rank=None, most=3000):
    """Returns a shape of rank 1 to 5. Its last two extents may be whole tiles, or need padding."""
    rank = int(rng.integers(1, 6)) if rank is None else rank
    while True:
        shape = [int(rng.choice(OUTER if rank - dim > 2 else INNER)) for dim in range(rank)]
        if np.prod(shape) <= most:
            return tuple(shape)


def random_array(rng, kind):
    """Returns random values that the type can store: small numbers, so that few results overflow."""
    if kind.element == "i1":
        return rng.integers(0, 2, kind.shape).astype(bool)
    if kind.element in FLOATS or kind.element in ("f16", "f64"):
        array = np.asarray(rng.uniform(-3, 3, kind.shape))
        wanted = {"f64": np.float64, "f16": np.float16}.get(kind.element, np.float32)
        array = np.where(rng.random(kind.shape) < 0.05, np.round(array), array).astype(wanted)
        if kind.element == "bf16":
            bits = np.atleast_1d(array).view(np.uint32) & np.uint32(0xFFFF0000)
            array = bits.view(np.float32).reshape(kind.shape)
        return array
    low = 0 if kind.element.startswith("u") else -40
    return rng.integers(low, 60, kind.shape).astype(_dtype(kind.element))


def _dtype(element):
    return np.dtype(("u" if element.startswith("u") else "") + "int" + element.lstrip("sui"))


class Maker:
    """Adds random ops to a module, to which values of these types are passed."""

    def __init__(self, rng, arguments):
        self.rng, self.module = rng, Module(arguments)

    def kind(self, number):
        return self.module.types[number]

    def add(self, name, number):
        """Adds an op on the value with this number; returns whether some attributes fit it."""
        make = next(function for names, function in _MAKERS if name in names)
        return make(self, name, number)

    def _op(self, name, operands, shape, element, attributes=None, text=""):
        self.module.add(name, operands, [Type(tuple(shape), element)], attributes, text)
        return True

    def _like(self, number):
        """Returns a value of the same type; it may be this value itself."""
        kind = self.kind(number)
        same = [n for n, each in enumerate(self.module.types) if each == kind]
        return int(self.rng.choice(same))

    def _partner(self, number):
        """Returns a value of the same element type whose shape broadcasts with this value's."""
        kind = self.kind(number)
        fits = [n for n, each in enumerate(self.module.types)
                if each.element == kind.element and _broadcasts(each.shape, kind.shape)]
        return int(self.rng.choice(fits))

    def _dim(self, number):
        return int(self.rng.integers(len(self.kind(number).shape)))


def _broadcasts(a, b):
    return all(x == y or 1 in (x, y) for x, y in zip(reversed(a), reversed(b)))


def _unary(maker, name, number):
    kind = maker.kind(number)
    if name in FLOAT_UNARY and kind.element not in ("f32", "bf16", "f16", "f64"):
        return False
    if name == "bitwise_not" and kind.element in ("f32", "bf16", "f16", "f64", "i1"):
        return False
    if kind.element == "i1" and name not in ("logical_not",):
        return False
    return maker._op(name, [number], kind.shape, kind.element)


def _typecast(maker, name, number):
    kind = maker.kind(number)
    others = [e for e in ("f32", "bf16", "si32", "i1") if e != kind.element]
    if kind.element not in ("f32", "bf16", "si32", "i1"):
        return False
    return maker._op(name, [number], kind.shape, str(maker.rng.choice(others)))


def _binary(maker, name, number):
    kind = maker.kind(number)
    floats = kind.element in ("f32", "bf16", "f16", "f64")
    if (name in INTEGER_BINARY and (floats or kind.element == "i1")) or (
            name in ("atan2", "gelu_bw") and not floats):
        return False
    if name in ("div", "pow") and not floats:
        return False  # a divisor may be 0, and so may the base of a negative power
    if kind.element == "i1" and not name.startswith("logical_"):
        return False
    other = maker._partner(number)
    if "shift" in name:
        other = _add_clamp(maker, other, 0, 20)
    if name == "remainder":
        other = _add_clamp(maker, other, 1, 20)  # keeps the divisor from being 0
    if name == "pow":
        number, other = _absolute(maker, number), _add_clamp(maker, other, -2, 2)
    operands = [number, other]
    ordered = name in ("logical_left_shift", "logical_right_shift", "right_shift", "pow", "remainder")
    if not ordered and maker.rng.random() < 0.5:
        operands.reverse()
    shape = np.broadcast_shapes(kind.shape, maker.kind(other).shape)
    if name == "gelu_bw":
        approximate = str(maker.rng.choice(["none", "tanh"]))
        return maker._op(name, operands, shape, kind.element, {"approximate": approximate},
                         f'approximate = "{approximate}"')
    element = "i1" if name in COMPARISONS and maker.rng.random() < 0.5 else kind.element
    return maker._op(name, operands, shape, element)


def _absolute(maker, number):
    kind = maker.kind(number)
    return maker.module.add("abs", [number], [kind])[0]


def _add_clamp(maker, number, low, high):
    kind = maker.kind(number)
    suffix = "f32" if kind.element in ("f32", "bf16", "f16", "f64") else "i32"
    text = (f"min = {low}.0 : f32, max = {high}.0 : f32" if suffix == "f32" else
            f"min = {low} : i32, max = {high} : i32")
    return maker.module.add("clamp_scalar", [number], [kind], {"min": low, "max": high}, text)[0]


def _clamp_scalar(maker, name, number):
    if maker.kind(number).element == "i1":
        return False
    _add_clamp(maker, number, -1, 2)
    return True


def _parameters(maker, name, number):
    kind = maker.kind(number)
    if kind.element not in FLOATS:
        return False
    if name == "leaky_relu":
        return maker._op(name, [number], kind.shape, kind.element, {"parameter": 0.25},
                         "parameter = 0.25 : f32")
    return maker._op(name, [number], kind.shape, kind.element, {"scale": 1.5, "alpha": 0.75},
                     "scale = 1.5 : f32, alpha = 0.75 : f32")


def _ternary(maker, name, number):
    kind = maker.kind(number)
    if kind.element == "i1":
        return False
    if name == "clamp_tensor":
        low = maker._like(number)
        return maker._op(name, [number, low, maker._like(number)], kind.shape, kind.element)
    conditions = [n for n, each in enumerate(maker.module.types) if _broadcasts(each.shape, kind.shape)]
    condition, other = int(maker.rng.choice(conditions)), maker._like(number)
    shape = np.broadcast_shapes(kind.shape, maker.kind(condition).shape)
    return maker._op(name, [condition, number, other], shape, kind.element)


def _reduction(maker, name, number):
    kind = maker.kind(number)
    rank = len(kind.shape)
    if not rank or (name == "mean" and kind.element not in FLOATS):
        return False
    if kind.element == "i1" and not name.startswith("reduce"):
        return False
    chosen = sorted(maker.rng.permutation(rank)[:int(maker.rng.integers(1, rank + 1))].tolist())
    if name == "argmax" and maker.rng.integers(2):
        chosen = chosen[:1]
    if name == "prod" and np.prod([kind.shape[d] for d in chosen]) > 40:
        return False
    keeps = bool(maker.rng.integers(2))
    shape = [1 if d in chosen else extent for d, extent in enumerate(kind.shape)]
    if not keeps:
        shape = [extent for d, extent in enumerate(kind.shape) if d not in chosen]
    signed = [d - rank if maker.rng.integers(2) else d for d in chosen]
    text = f"dim_arg = {integers(signed)}, keep_dim = {str(keeps).lower()}"
    element = "si32" if name == "argmax" else kind.element
    return maker._op(name, [number], shape, element, {"dim_arg": signed, "keep_dim": keeps}, text)


def _matmul(maker, name, number):
    kind = maker.kind(number)
    if kind.element == "i1" or not kind.shape or np.prod(kind.shape) > 1500:
        return False
    transpose_a, transpose_b = (bool(maker.rng.integers(2)) for _ in range(2))
    a = kind.shape
    depth = a[-2] if transpose_a and len(a) > 1 else a[-1]
    width = int(maker.rng.choice(INNER))
    outer = tuple(a[:-2]) if maker.rng.integers(2) else ()
    b = (*outer, width, depth) if transpose_b else (*outer, depth, width)
    other = _constant(maker, Type(b, kind.element))
    rows = () if len(a) == 1 else (a[-1] if transpose_a else a[-2],)
    attributes = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    text = ", ".join(f"{key} = {str(value).lower()}" for key, value in attributes.items())
    operands = [number, other]
    if name == "linear":
        operands.append(_constant(maker, Type((width,), kind.element)))
    return maker._op(name, operands, (*a[:-2], *rows, width), kind.element, attributes, text)


def _constant(maker, kind, below=None):
    """Adds a constant of random numbers, which its text states exactly. With `below`: integers in [0, below)."""
    array = random_array(maker.rng, kind)
    if kind.element in FLOATS:
        array = np.round(array * 4) / 4
    if below:
        array = array % below
    values = array.reshape(-1).tolist()
    text = f"value = dense<{_nested(array)}> : tensor<{''.join(f'{e}x' for e in kind.shape)}{kind.element}>"
    return maker.module.add("constant", [], [kind], {"value": values}, text)[0]


def _nested(array):
    if array.ndim == 0:
        return f"{array}".lower()
    return f"[{', '.join(_nested(each) for each in array)}]"


def _dot_general(maker, name, number):
    kind = maker.kind(number)
    if len(kind.shape) < 2 or kind.element not in FLOATS or np.prod(kind.shape) > 1500:
        return False
    contracted = maker._dim(number)
    batch = (contracted + 1) % len(kind.shape)
    other = _constant(maker, Type((kind.shape[contracted], 3, kind.shape[batch]), kind.element))
    free = [extent for d, extent in enumerate(kind.shape) if d not in (contracted, batch)]
    attributes = {"batch_dims_lhs": [batch], "contract_dims_lhs": [contracted], "batch_dims_rhs": [2],
                  "contract_dims_rhs": [0]}
    text = ", ".join(f"{key} = {integers(value, True)}" for key, value in attributes.items())
    return maker._op(name, [number, other], (kind.shape[batch], *free, 3), kind.element, attributes, text)


def _convolution(maker, name, number):
    return add_convolution(maker, name, number, lambda shape, element: _constant(maker, Type(shape, element)))


# ===--------------------------------------------------------------------------=== #
# Shapes


def _reshape(maker, name, number):
    kind = maker.kind(number)
    shape, dim = kind.shape, maker._dim(number) if kind.shape else 0
    if name == "squeeze":
        ones = [d for d, extent in enumerate(shape) if extent == 1]
        if not ones:
            return False
        dim = ones[0]
        return maker._op(name, [number], shape[:dim] + shape[dim + 1:], kind.element, {"dim": dim},
                         f"dim = {dim} : si32")
    if len(shape) > 4:
        return False
    if name == "unsqueeze":
        return maker._op(name, [number], (*shape[:dim], 1, *shape[dim:]), kind.element, {"dim": dim},
                         f"dim = {dim} : si32")
    size = int(np.prod(shape))
    factor = next(f for f in (4, 3, 2, 5, 1) if size % f == 0)
    new = (factor, size // factor)
    return maker._op(name, [number], new, kind.element, {}, f"shape = {integers(new)}")


def _permute(maker, name, number):
    kind = maker.kind(number)
    rank = len(kind.shape)
    if rank < 2:
        return False
    if name == "transpose":
        a, b = maker._dim(number), maker._dim(number) - rank
        shape = list(kind.shape)
        shape[a], shape[b] = shape[b], shape[a]
        return maker._op(name, [number], shape, kind.element, {"dim0": a, "dim1": b},
                         f"dim0 = {a} : si32, dim1 = {b} : si32")
    order = maker.rng.permutation(rank).tolist()
    if maker.rng.integers(2):
        order = [*[d for d in order if d < rank - 2], *[d for d in order if d >= rank - 2]]
    return maker._op(name, [number], [kind.shape[d] for d in order], kind.element,
                     {"permutation": order}, f"permutation = {integers(order, True)}")


def _concat(maker, name, number):
    kind, other = maker.kind(number), maker._like(number)
    if not kind.shape:
        return False
    dim = maker._dim(number)
    shape = list(kind.shape)
    shape[dim] *= 2
    return maker._op(name, [number, other], shape, kind.element, {"dim": dim}, f"dim = {dim} : si32")


def _heads(maker, name, number):
    kind = maker.kind(number)
    if len(kind.shape) != 4:
        return False
    b, h, s, d = kind.shape
    text = 'pattern = "b h s d -> b s (h d)"' if name == "rearrange" else ""
    return maker._op(name, [number], (b, s, h * d), kind.element, {}, text)


def _repeat(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape:
        return False
    shape, dim = list(kind.shape), maker._dim(number)
    if name == "repeat_interleave":
        shape[dim] *= 2
        return maker._op(name, [number], shape, kind.element, {"repeats": 2, "dim": dim},
                         f"repeats = 2 : ui32, dim = {dim} : si32")
    factors = [3 if extent == 1 or (name == "repeat" and d == dim) else 1 for d, extent in enumerate(shape)]
    if np.prod(shape) * np.prod(factors) > 4000:
        return False
    shape = [extent * factor for extent, factor in zip(shape, factors)]
    key = f"{name}_dimensions"
    return maker._op(name, [number], shape, kind.element, {key: factors}, f"{key} = {integers(factors, True)}")


def _slice(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape:
        return False
    begins, ends, steps, shape = [], [], [], []
    for extent in kind.shape:
        begin = int(maker.rng.integers(extent))
        end, step = int(maker.rng.integers(begin + 1, extent + 1)), int(maker.rng.integers(1, 4))
        shape.append(len(range(begin, end, step)))
        begins.append(begin - extent if maker.rng.integers(2) else begin)
        ends.append(end)
        steps.append(step)
    attributes = {"begins": begins, "ends": ends, "step": steps}
    text = ", ".join(f"{key} = {integers(value)}" for key, value in attributes.items())
    return maker._op(name, [number], shape, kind.element, attributes, text)


def _index(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape:
        return False
    dim = maker._dim(number)
    extent, shape = kind.shape[dim], list(kind.shape)
    if name == "index":
        attributes = {"dim": dim, "begin": extent // 2, "end": extent, "step": 2}
        shape[dim] = len(range(extent // 2, extent, 2))
        text = ", ".join(f"{key} = {value} : i32" for key, value in attributes.items())
    else:
        length = max(extent // 4, 1)
        attributes = {"dim": dim, "begin": 0, "length": length, "stride": 2 * length}
        shape[dim] = ((extent - length) // (2 * length) + 1) * length
        text = ", ".join(f"{key} = {value} : si32" for key, value in attributes.items())
    return maker._op(name, [number], shape, kind.element, attributes, text)


def _pad(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape or kind.element == "i1":
        return False
    padding = [int(maker.rng.integers(0, 3)) for _ in range(2 * len(kind.shape))]
    if kind.shape[0] > 1:
        padding[0] = -1
    shape = [extent + low + high for extent, low, high in zip(kind.shape, padding[::2], padding[1::2])]
    text = f"padding = array<i32: {', '.join(map(str, padding))}>, value = 2.0 : f32"
    return maker._op(name, [number], shape, kind.element, {"padding": padding, "value": 2}, text)


def _reverse(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape:
        return False
    dims = [maker._dim(number)]
    return maker._op(name, [number], kind.shape, kind.element, {"dimensions": dims},
                     f"dimensions = {integers(dims, True)}")


# ===--------------------------------------------------------------------------=== #
# Selection and creation


def _along(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape or kind.element == "i1" or (name == "softmax" and kind.element not in FLOATS):
        return False
    dim = maker._dim(number)
    if name == "softmax":
        return maker._op(name, [number], kind.shape, kind.element, {"dimension": dim},
                         f"dimension = {dim} : si32, numericStable = true")
    if name in ("cumsum", "cumprod"):
        if name == "cumprod" and kind.shape[dim] > 40:
            return False
        return maker._op(name, [number], kind.shape, kind.element, {"dim": dim}, f"dim = {dim} : i64")
    shape = list(kind.shape)
    if name == "gather":
        shape[dim] = max(shape[dim] // 2, 1)
        indices = _constant(maker, Type(tuple(shape), "si32"), below=kind.shape[dim])
        return maker._op(name, [number, indices], shape, kind.element, {"dim": dim}, f"dim = {dim} : i32")
    if name == "scatter":
        return _scatter(maker, number, dim)
    if name == "sort":
        descending = bool(maker.rng.integers(2))
        maker.module.add(name, [number], [kind, Type(kind.shape, "si32")], {"dim": dim, "descending": descending},
                         f"dim = {dim} : si32, descending = {str(descending).lower()}")
        return True
    shape[dim] = k = max(shape[dim] // 2, 1)
    largest = bool(maker.rng.integers(2))
    maker.module.add(name, [number], [Type(tuple(shape), kind.element), Type(tuple(shape), "si32")],
                     {"k": k, "dim": dim, "largest": largest, "sorted": True},
                     f"k = {k} : i32, dim = {dim} : i32, largest = {str(largest).lower()}, sorted = true")
    return True


def _scatter(maker, number, dim):
    kind, how = maker.kind(number), str(maker.rng.choice(["invalid", "sum", "prod", "min", "max"]))
    shape = [max(extent // int(maker.rng.integers(1, 3)), 1) for extent in kind.shape]
    indices = _constant(maker, Type(tuple(shape), "si32"), below=kind.shape[dim])
    updates = _constant(maker, Type(tuple(shape), kind.element))
    return maker._op("scatter", [number, indices, updates], kind.shape, kind.element,
                     {"dim": dim, "scatter_reduce_type": how},
                     f"dim = {dim} : i32, scatter_reduce_type = #ttcore.reduce_type<{how}>")


def _bitcast(maker, name, number):
    kind = maker.kind(number)
    others = {"f32": "si32", "si32": "f32"}
    if kind.element not in others:
        return False
    return maker._op(name, [number], kind.shape, others[kind.element])


def _norm(maker, name, number):
    kind = maker.kind(number)
    if not kind.shape or kind.element not in FLOATS or kind.shape[-1] == 1:
        return False
    last = kind.shape[-1:]
    operands = [number, *(_constant(maker, Type(last, kind.element)) for _ in range(2))]
    attributes = {"normalized_shape": list(last), "epsilon": 1e-5, "operandSegmentSizes": [1, 1, 1]}
    text = (f"normalized_shape = {integers(last, True)}, epsilon = 1.0e-05 : f32, "
            "operandSegmentSizes = array<i32: 1, 1, 1>")
    return maker._op(name, operands, kind.shape, kind.element, attributes, text)


def _embedding(maker, name, number):
    kind = maker.kind(number)
    if len(kind.shape) != 2 or kind.element == "i1":
        return False
    indices = _constant(maker, Type((2, 5), "si32"))
    return maker._op(name, [indices, number], (2, 5, kind.shape[1]), kind.element)


def _creation(maker, name, number):
    kind = maker.kind(number)
    if name == "arange":
        if not kind.shape or kind.element == "i1":
            return False
        dim = maker._dim(number)
        attributes = {"start": 1, "end": 1 + 2 * kind.shape[dim], "step": 2, "arange_dimension": dim}
        text = (f"start = 1 : si64, end = {attributes['end']} : si64, step = 2 : si64, "
                f"arange_dimension = {dim} : i64")
        return maker._op(name, [], kind.shape, kind.element, attributes, text)
    if name == "constant":
        _constant(maker, kind)
        return True
    shape = f"shape = array<i32{': ' if kind.shape else ''}{', '.join(map(str, kind.shape))}>"
    if name == "full":
        return maker._op(name, [], kind.shape, kind.element, {"fill_value": 3}, f"{shape}, fill_value = 3 : i32")
    return maker._op(name, [], kind.shape, kind.element, {}, shape)


_MAKERS = (
    (("typecast",), _typecast),
    ((*FLOAT_UNARY, *ANY_UNARY, "bitwise_not"), _unary),
    ((*ANY_BINARY, *INTEGER_BINARY, "atan2", "gelu_bw", "pow", "remainder"), _binary),
    (("clamp_scalar",), _clamp_scalar),
    (("leaky_relu", "selu"), _parameters),
    (("clamp_tensor", "where"), _ternary),
    (("sum", "mean", "max", "min", "prod", "argmax", "reduce_or", "reduce_and"), _reduction),
    (("matmul", "linear"), _matmul),
    (("dot_general",), _dot_general),
    (("conv2d", "conv_transpose2d"), _convolution),
    (("max_pool2d", "avg_pool2d", "global_avg_pool2d"), add_pool),
    (("reshape", "squeeze", "unsqueeze"), _reshape),
    (("permute", "transpose"), _permute),
    (("concat",), _concat),
    (("concatenate_heads", "rearrange"), _heads),
    (("broadcast", "repeat", "repeat_interleave"), _repeat),
    (("slice_static",), _slice),
    (("index", "index_select"), _index),
    (("pad",), _pad),
    (("reverse",), _reverse),
    (("softmax", "cumsum", "cumprod", "gather", "scatter", "sort", "topk"), _along),
    (("bitcast_convert",), _bitcast),
    (("layer_norm", "rms_norm"), _norm),
    (("embedding",), _embedding),
    (("arange", "constant", "full", "ones", "zeros"), _creation),
)

NAMES = tuple(name for names, _ in _MAKERS for name in names)

# bitcast_convert makes numbers of any magnitude, for which other ops are not accurate.
RANDOM_NAMES = tuple(name for name in NAMES if name != "bitcast_convert")
SMALL = 900  # limit for the elements of a value: the evaluator computes element by element


def random_module(seed):
    """Returns a module of 1 to 12 ops, and arrays for its arguments."""
    rng = np.random.default_rng(seed)
    element = str(rng.choice(["f32", "f32", "bf16", "si32"]))
    shape = random_shape(rng, most=SMALL)
    other = tuple(1 if rng.integers(3) == 0 else extent for extent in shape)
    maker = Maker(rng, [Type(shape, element), Type(shape, element), Type(other, element)])
    wanted = int(rng.integers(1, 13))
    for _ in range(20 * wanted):
        if len(maker.module.ops) >= wanted:
            break
        fits = [n for n, kind in enumerate(maker.module.types) if np.prod(kind.shape) <= SMALL]
        number = fits[-1] if rng.integers(2) else int(rng.choice(fits))
        maker.add(str(rng.choice(RANDOM_NAMES)), number)
    arguments = [random_array(rng, maker.kind(n)) for n in range(3)]
    return maker.module, arguments
