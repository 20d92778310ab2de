# SPDX-License-Identifier: Apache-2.0
"""How calls of ttnn are written in TTIR. A builder gets a Call and returns the value of the result.

Golden functions compute in double precision and round once, and kernels should round once, too. So a
single op whose tensors all have the result's type is written in that type, because a kernel rounds its
result once. Everything else is computed in f32 and rounded at the end."""

import math

import numpy as np

from .activations import UnaryOpType
from .compiled_convolution import convolution, geometry_of
from .compiled_text import NoCounterpart, boolean, broadcast_shape, integers, is_float, wide
from .conversion import from_numpy
from .convolution import with_extras
from .operands import axes_of, axis_of, is_number, is_tensor

_ACTIVATIONS = {"before_a": ("input_tensor_a_activations", "lhs_activations", "input_tensor_a_activation"),
                "before_b": ("input_tensor_b_activations", "rhs_activations", "input_tensor_b_activation"),
                "after": ("activations", "post_activations", "activation")}


class Call:
    """The arguments of a call by name, its options, the element type of its result, and the Text that a
    builder writes."""

    def __init__(self, text, given, options, result):
        self.text, self.given, self.options, self.result = text, given, options, result
        self.activations = {key: _activations(options, names) for key, names in _ACTIVATIONS.items()}

    def __getitem__(self, name):
        return self.given[name]

    @property
    def is_plain(self):
        return not any(self.activations.values())

    def tensors(self, *names):
        """Returns the TTIR values of these arguments, tensors or numbers, in one element type."""
        found = [self.given[name] for name in names]
        values = [self.text.argument(each) if is_tensor(each) else each for each in found]
        elements = {each.element for each in values if not is_number(each)}
        if len({is_float(each) for each in elements}) > 1:
            raise NoCounterpart("its kernel cannot mix floats and integers, and the tensors have both")
        has_numbers = any(map(is_number, values))
        if elements == {self.result} and not has_numbers and self.is_plain:
            return values
        element = "f32" if is_float(min(elements)) else _one(elements)
        return [self._as(value, element) for value in values]

    def wide(self, *names):
        """Returns the TTIR values of these arguments, tensors or numbers, in f32."""
        values = [self.text.argument(self.given[name]) if is_tensor(self.given[name]) else self.given[name]
                  for name in names]
        return [self._as(value, "f32") for value in values]

    def _as(self, value, element):
        if not is_number(value):
            return self.text.cast(value, element)
        if not is_float(element) and int(value) != value:
            raise NoCounterpart("its kernel computes with integers, and a number is none")
        if not is_float(element) and not -2**31 <= value < 2**31:
            raise NoCounterpart("its kernel computes with 32-bit integers, and a number has more bits")
        return self.text.number(value, element)


def _one(elements):
    if len(elements) > 1:
        raise NoCounterpart("its kernel computes with one type of integers, and the tensors have several")
    return next(iter(elements))


def _activations(options, names):
    """Removes the options with these names, which mean the same; returns the TTIR ops of the activations."""
    given = next((options.pop(name) for name in names if options.get(name) is not None), None)
    for name in names:
        options.pop(name, None)
    found = []
    for each in given if isinstance(given, (list, tuple)) else [] if given is None else [given]:
        name = each.value if isinstance(each, UnaryOpType) else each
        if not isinstance(name, str) or name.lower() not in _UNARY:
            raise NoCounterpart(f"kernels have no activation {each}")
        found.append(_UNARY[name.lower()])
    return found


def _applied(call, value, key):
    for name in call.activations[key]:
        value = call.text.op(name, [value])
    return value


def _check_floats(values):
    if not all(is_float(each.element) for each in values):
        raise NoCounterpart("its kernel computes with floats only, and a tensor has integers")


# ===--------------------------------------------------------------------------=== #
# Element-wise
# ===--------------------------------------------------------------------------=== #

# Names of functions of ttnn -> names of TTIR ops. The functions of *_FLOATS take floats only.
_UNARY_ANY = {name: name for name in "abs neg sign square relu signbit logical_not".split()}
_UNARY_FLOATS = {name: name for name in (
    "reciprocal sqrt rsqrt cbrt floor ceil trunc frac exp exp2 expm1 log log1p sin cos tan asin acos atan "
    "tanh asinh erf erfc sigmoid hardsigmoid silu mish gelu softsign relu6 isfinite").split()}
_UNARY_FLOATS.update(swish="silu", sigmoid_accurate="sigmoid")
_UNARY = {**_UNARY_ANY, **_UNARY_FLOATS}

_BINARY_ANY = {name: name for name in "add subtract multiply maximum minimum eq ne lt le gt ge logical_and "
               "logical_or logical_xor".split()}
_BINARY_ANY.update(sub="subtract", mul="multiply")
_BINARY_FLOATS = {"divide": "div", "pow": "pow", "power": "pow", "atan2": "atan2"}
_BINARY_INTEGERS = {"bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
                    "bitwise_left_shift": "logical_left_shift"}
# Comparisons with 0.
_ZERO = {"eqz": "eq", "nez": "ne", "ltz": "lt", "lez": "le", "gtz": "gt", "gez": "ge"}


def _unary(name, floats):
    def build(call):
        values = call.tensors("input_tensor")
        if floats:
            _check_floats(values)
        return call.text.op(name, values)
    return build


def _compared_with_zero(name):
    def build(call):
        value, = call.tensors("input_tensor")
        return call.text.op(name, [value, call.text.number(0, value.element)])
    return build


def _binary(name, kind="any"):
    def build(call):
        a, b = call.tensors("input_tensor_a", "input_tensor_b")
        if kind == "floats":
            _check_floats([a, b])
        if kind == "integers" and is_float(a.element):
            raise NoCounterpart("its kernel computes with integers only, and a tensor has floats")
        a, b = _applied(call, a, "before_a"), _applied(call, b, "before_b")
        return _applied(call, call.text.op(name, [a, b]), "after")
    return build


def _div(call):
    if call["round_mode"] is not None or call["rounding_mode"] is not None:
        raise NoCounterpart("its kernel has no rounding mode")
    return _binary("div", "floats")(call)


def _squared_difference(call):
    a, b = call.wide("input_tensor_a", "input_tensor_b")
    return call.text.op("square", [call.text.op("subtract", [a, b])])


def _scaled(name, scale):
    """Returns the builder of a + b * alpha ("add") or a - b * alpha ("subtract")."""
    def build(call):
        a, b, alpha = call.wide("input_tensor_a", "input_tensor_b", scale)
        return call.text.op(name, [a, call.text.op("multiply", [b, alpha])])
    return build


def _rsub(call):
    a, b = call.tensors("input_tensor_a", "input_tensor_b")
    return call.text.op("subtract", [b, a])


def _where(call):
    chosen = call.text.argument(call["predicate"])
    a, b = call.tensors("true_value", "false_value") if any(
        is_tensor(call[name]) for name in ("true_value", "false_value")) else (
        call.text.number(call[name], "f32") for name in ("true_value", "false_value"))
    return call.text.op("where", [chosen, a, b], element=a.element)


def _mac(call):
    a, b, c = call.wide("input_tensor_a", "input_tensor_b", "input_tensor_c")
    return call.text.op("add", [call.text.op("multiply", [a, b]), c])


def _lerp(call):
    a, b, c = call.wide("input_tensor_a", "input_tensor_b", "input_tensor_c")
    return call.text.op("add", [a, call.text.op("multiply", [c, call.text.op("subtract", [b, a])])])


def _added(name):
    """Returns the builder of a + value * b * c ("multiply") or a + value * b / c ("div")."""
    def build(call):
        a, b, c, value = call.wide("input_tensor_a", "input_tensor_b", "input_tensor_c", "value")
        part = call.text.op(name, [call.text.op("multiply", [value, b]), c])
        return call.text.op("add", [a, part])
    return build


def _clamp(call):
    limits = [name for name in ("min", "max") if call[name] is not None]
    values = dict(zip(["input_tensor", *limits], call.tensors("input_tensor", *limits)))
    value = values["input_tensor"]
    for name, op in (("min", "maximum"), ("max", "minimum")):
        if name in values:
            value = call.text.op(op, [value, values[name]])
    return value


def _leaky_relu(call):
    x, slope = call.wide("input_tensor", "negative_slope")
    is_negative = call.text.op("lt", [x, call.text.number(0, "f32")])
    return call.text.op("where", [is_negative, call.text.op("multiply", [x, slope]), x])


# ===--------------------------------------------------------------------------=== #
# Reductions
# ===--------------------------------------------------------------------------=== #


def _reduced(call, name, value, axes, keeps, element=None):
    shape = [1 if axis in axes else extent for axis, extent in enumerate(value.shape)
             if keeps or axis not in axes]
    return call.text.op(name, [value], shape, element, dim_arg=integers(axes), keep_dim=boolean(keeps))


def _axes(call, value):
    if not value.shape:
        raise NoCounterpart("a tensor has no dimensions")
    return axes_of(call["dim"], len(value.shape))


def _reduction(name, floats=False):
    def build(call):
        if call.options.pop("scalar", 1.0) != 1:
            raise NoCounterpart("its kernel has no factor, scalar=")
        value, = call.tensors("input_tensor")
        if floats:
            _check_floats([value])
        return _reduced(call, name, value, _axes(call, value), bool(call["keepdim"]))
    return build


def _argmax(call):
    value = call.text.argument(call["input_tensor"])
    axes = _axes(call, value) if call["dim"] is None else (axis_of(call["dim"], len(value.shape)),)
    return _reduced(call, "argmax", value, axes, bool(call["keepdim"]), "ui32")


def _variance(root):
    def build(call):
        x, = call.wide("input_tensor")
        axes, text = _axes(call, x), call.text
        count = math.prod(x.shape[axis] for axis in axes) - int(call["correction"])
        if count <= 0:
            raise NoCounterpart("the variance of so few elements is not a number")
        distance = text.op("subtract", [x, _reduced(call, "mean", x, axes, True)])
        total = _reduced(call, "sum", text.op("square", [distance]), axes, bool(call["keepdim"]))
        variance = text.op("div", [total, text.number(count, "f32")])
        return text.op("sqrt", [variance]) if root else variance
    return build


# ===--------------------------------------------------------------------------=== #
# Products
# ===--------------------------------------------------------------------------=== #


def _product(call, a, b, transposes_a=False, transposes_b=False):
    if len(a.shape) < 2 or len(b.shape) < 2:
        raise NoCounterpart("its kernel computes no product with a vector")
    rows, inner = reversed(a.shape[-2:]) if transposes_a else a.shape[-2:]
    inner_b, columns = reversed(b.shape[-2:]) if transposes_b else b.shape[-2:]
    if inner != inner_b:
        raise NoCounterpart("the shapes do not fit")
    _check_floats([a, b])
    shape = (*broadcast_shape(a.shape[:-2], b.shape[:-2]), rows, columns)
    return call.text.op("matmul", [a, b], shape, transpose_a=boolean(transposes_a),
                        transpose_b=boolean(transposes_b))


def _matmul(call):
    a, b = call.tensors("input_tensor_a", "input_tensor_b")
    return _applied(call, _product(call, a, b, bool(call["transpose_a"]), bool(call["transpose_b"])), "after")


def _linear(call):
    if call["bias"] is None:
        return _matmul(call)
    a, b, bias = call.wide("input_tensor_a", "input_tensor_b", "bias")
    product = _product(call, a, b, bool(call["transpose_a"]), bool(call["transpose_b"]))
    return _applied(call, call.text.op("add", [product, bias]), "after")


def _addmm(call):
    added, a, b, alpha, beta = call.wide("input_tensor", "mat1_tensor", "mat2_tensor", "alpha", "beta")
    text = call.text
    product = text.op("multiply", [_product(call, a, b), alpha])
    return text.op("add", [text.op("multiply", [added, beta]), product])


def _conv2d(call):
    config = {"activation": getattr(call["conv_config"], "activation", None) or None}
    value = convolution(call)
    for name in _activations(config, ("activation",)):
        value = call.text.op(name, [value])
    return value


# ===--------------------------------------------------------------------------=== #
# Softmax and norms
# ===--------------------------------------------------------------------------=== #


def _softmax(call):
    value, = call.tensors("input_tensor")
    _check_floats([value])
    if not value.shape:
        raise NoCounterpart("a tensor has no dimensions")
    return call.text.op("softmax", [value], dimension=f"{axis_of(call['dim'], len(value.shape))} : si32")


def _vector(call, value, width):
    if math.prod(value.shape) != width:
        raise NoCounterpart("a weight or bias has another extent than the rows")
    if len(value.shape) == 1:
        return value
    return call.text.op("reshape", [value], (width,), shape=integers([width]))


def _norm(name):
    def build(call):
        present = [each for each in ("weight", "bias") if call[each] is not None]
        added = ["residual_input_tensor"] if call["residual_input_tensor"] is not None else []
        x, *others = call.wide("input_tensor", *present, *added)
        if not x.shape:
            raise NoCounterpart("a tensor has no dimensions")
        if added:
            x = call.text.op("add", [x, others.pop()])
        width = x.shape[-1]
        vectors = [_vector(call, each, width) for each in others]
        sizes = ["1", *("1" if each in present else "0" for each in ("weight", "bias"))]
        return call.text.op(name, [x, *vectors], x.shape, normalized_shape=wide([width]),
                            epsilon=f"{float(call['epsilon']):.17e} : f64",
                            operandSegmentSizes=f"array<i32: {', '.join(sizes)}>")
    return build


# ===--------------------------------------------------------------------------=== #
# Attention
# ===--------------------------------------------------------------------------=== #


def _later_keys(queries, keys):
    """Returns the causal mask (queries, keys): -inf where the key comes after the query, else 0."""
    return from_numpy(np.where(np.tri(queries, keys, dtype=bool), 0, -np.inf).astype(np.float32))


def _check_attention(call, q, k, v):
    if any(call[name] is not None for name in ("sliding_window_size", "attention_sink")):
        raise NoCounterpart("its kernel has no sliding window and no sink")
    shapes = [each.shape for each in (q, k, v)]
    if any(len(shape) != 4 for shape in shapes) or q.shape[3] != k.shape[3] or k.shape[:3] != v.shape[:3] or (
            q.shape[0] != k.shape[0] or q.shape[1] % k.shape[1]):
        raise NoCounterpart("the shapes do not fit")


def _attention(call):
    text, names = call.text, ["input_tensor_q", "input_tensor_k", "input_tensor_v"]
    names += ["attn_mask"] if call["attn_mask"] is not None else []
    if not all(is_tensor(call[name]) for name in names):
        raise NoCounterpart("an argument is no tensor")
    q, k, v, *_ = (text.argument(call[name]) for name in names)
    _check_attention(call, q, k, v)
    masks = [text.argument(_later_keys(q.shape[2], k.shape[2]))] if call["is_causal"] else []
    scale = q.shape[3] ** -0.5 if call["scale"] is None else float(call["scale"])
    q, k, v, *given = call.wide(*names)
    repeats = q.shape[1] // k.shape[1]
    if repeats > 1:
        k, v = (text.op("repeat_interleave", [each], (each.shape[0], q.shape[1], *each.shape[2:]),
                        repeats=f"{repeats} : ui32", dim="1 : si32") for each in (k, v))
    scores = text.op("multiply", [_product(call, q, k, transposes_b=True), text.number(scale, "f32")])
    for mask in (*masks, *given):
        scores = text.op("add", [scores, mask])
    return _product(call, text.op("softmax", [scores], dimension="3 : si32"), v)


# ===--------------------------------------------------------------------------=== #
# The table
# ===--------------------------------------------------------------------------=== #

BUILDERS = {
    **{name: _unary(op, False) for name, op in _UNARY_ANY.items()},
    **{name: _unary(op, True) for name, op in _UNARY_FLOATS.items()},
    **{name: _compared_with_zero(op) for name, op in _ZERO.items()},
    **{name: _binary(op) for name, op in _BINARY_ANY.items()},
    **{name: _binary(op, "floats") for name, op in _BINARY_FLOATS.items()},
    **{name: _binary(op, "integers") for name, op in _BINARY_INTEGERS.items()},
    "addalpha": _scaled("add", "alpha"),
    "addcdiv": _added("div"),
    "addcmul": _added("multiply"),
    "addmm": _addmm,
    "argmax": _argmax,
    "clamp": _clamp,
    "clip": _clamp,
    "conv2d": _conv2d,
    "div": _div,
    "layer_norm": _norm("layer_norm"),
    "leaky_relu": _leaky_relu,
    "lerp": _lerp,
    "linear": _linear,
    "mac": _mac,
    "matmul": _matmul,
    "max": _reduction("max"),
    "mean": _reduction("mean", floats=True),
    "min": _reduction("min"),
    "prod": _reduction("prod"),
    "rms_norm": _norm("rms_norm"),
    "rsub": _rsub,
    "scaled_dot_product_attention": _attention,
    "softmax": _softmax,
    "squared_difference": _squared_difference,
    "std": _variance(root=True),
    "subalpha": _scaled("subtract", "alpha"),
    "sum": _reduction("sum"),
    "var": _variance(root=False),
    "where": _where,
}

# Functions of (call, result) that return what a function of ttnn returns, if that is more than the result.
EXTRAS = {
    "conv2d": lambda call, result: with_extras(result, geometry_of(call).extents, **call.given),
}
