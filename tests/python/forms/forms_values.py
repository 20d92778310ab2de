# SPDX-License-Identifier: Apache-2.0
"""Values of the model in numpy: expressions, blocks, buffers, slices of tensors, and the functions of
blocks."""

import math
import threading

import numpy as np
import ttnn

TILE = 32
INTEGERS = {"int32": np.int32, "uint32": np.uint32, "uint16": np.uint16, "uint8": np.uint8}


def rounded(value, dtype):
    """Returns a value as a buffer of this element type stores it."""
    if dtype in INTEGERS:
        return np.asarray(value).astype(np.int64).astype(INTEGERS[dtype])
    value = np.asarray(value, np.float32)
    if dtype == "float32":
        return value
    return ttnn.from_numpy(value, getattr(ttnn, dtype)).to_numpy().astype(np.float32)


def elements(shape):
    """Returns the extents, in elements, of a block whose shape is given in tiles."""
    return (*shape[:-2], *(TILE * extent for extent in shape[-2:]))


def raw(x):
    return x.value if isinstance(x, Expression) else x


def _wide(x):
    """Converts integers to 64 bits: operations are computed so, and stores wrap the results."""
    x = raw(x)
    if isinstance(x, np.ndarray) and x.dtype.kind in "iu":
        return x.astype(np.int64)
    return x if isinstance(x, np.ndarray) else (int(x) if isinstance(x, bool) else x)


def _operator(function):
    def apply(self, other):
        x, y = _wide(self), _wide(other)
        if isinstance(y, float):
            y = np.float32(y)
        if isinstance(y, int) and x.dtype.kind == "f":
            y = np.float32(y)
        return Expression(_result(function(x, y)))

    return apply


def _result(value):
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype.kind == "f" else value


def _numbers(condition, like):
    """Converts truth values to 1 and 0, in the type of an operand."""
    return np.asarray(condition).astype(np.int64 if like.dtype.kind in "iu" else np.float32)


def _comparison(function):
    return lambda self, other: Expression(_numbers(function(_wide(self), _wide(other)), raw(self)))


def _divide(x, y):
    return np.trunc(x / y).astype(np.int64) if x.dtype.kind == "i" else x / y


class Expression:
    """The value of an expression of blocks."""

    __hash__ = None

    def __init__(self, value):
        self.value = value

    __add__ = _operator(lambda x, y: x + y)
    __radd__ = _operator(lambda x, y: y + x)
    __sub__ = _operator(lambda x, y: x - y)
    __rsub__ = _operator(lambda x, y: y - x)
    __mul__ = _operator(lambda x, y: x * y)
    __rmul__ = _operator(lambda x, y: y * x)
    __truediv__ = _operator(_divide)
    __rtruediv__ = _operator(lambda x, y: y / x)
    __floordiv__ = _operator(lambda x, y: np.floor_divide(x, y))
    __mod__ = _operator(lambda x, y: np.mod(x, y))
    __pow__ = _operator(lambda x, y: x**y)
    __matmul__ = _operator(np.matmul)
    __eq__ = _comparison(lambda x, y: x == y)
    __ne__ = _comparison(lambda x, y: x != y)
    __lt__ = _comparison(lambda x, y: x < y)
    __le__ = _comparison(lambda x, y: x <= y)
    __gt__ = _comparison(lambda x, y: x > y)
    __ge__ = _comparison(lambda x, y: x >= y)

    def __bool__(self):
        raise AssertionError("a block cannot be a condition")

    def __neg__(self):
        return Expression(-_wide(self))

    def __abs__(self):
        return Expression(np.abs(_wide(self)))

    @property
    def shape(self):
        return (*self.value.shape[:-2], *(extent // TILE for extent in self.value.shape[-2:]))

    def __getattr__(self, name):
        function = FUNCTIONS.get(name)
        if function is None:
            raise AttributeError(name)
        return lambda *arguments, **keywords: function(self, *arguments, **keywords)


class Block(Expression):
    """A block of a buffer. The value of a reserved block is None until the program fills it."""

    def __init__(self, buffer, value, role):
        super().__init__(value)
        self.buffer, self.role, self.released = buffer, role, False

    @property
    def shape(self):
        return self.buffer.shape

    @property
    def dtype(self):
        return getattr(ttnn, self.buffer.dtype)

    def store(self, e, acc=False):
        value = raw(e)
        if acc and self.value is not None:
            value = self.value + value
        self.set(value)

    def set(self, value):
        assert not self.released, "a released block is written"
        value = np.broadcast_to(np.asarray(value).reshape(_dropped(value, self.extents())), self.extents())
        self.value = rounded(value, self.buffer.dtype)

    def extents(self):
        return elements(self.buffer.shape) if self.buffer.tiled else self.buffer.shape

    def __iadd__(self, e):
        self.store(e, acc=True)
        return self

    def push(self, kernel=None):
        self.release()

    pop = push

    def release(self):
        assert not self.released, "a block is released twice"
        self.released = True
        self.buffer.give_back(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.released:
            self.release()


def _dropped(value, extents):
    """Returns the value's shape without leading 1s, as far as it has more dimensions than the block."""
    shape = np.shape(value)
    while len(shape) > len(extents) and shape[0] == 1:
        shape = shape[1:]
    return shape


class Buffer:
    """A dataflow buffer of one node. If given, `source(k)` makes block k of a buffer that no thread fills."""

    def __init__(self, machine, name, dtype, shape, source=None, tiled=True):
        self.machine, self.name, self.dtype, self.shape = machine, name, dtype, tuple(shape)
        self.source, self.taken, self.tiled = source, 0, tiled
        self.pushed, self.unreleased, self.waited, self.log = [], [], [], machine.log

    def reserve(self):
        block = Block(self, None, "reserve")
        self.unreleased.append((block, threading.get_ident()))
        return block

    def flush(self):
        """Publishes blocks that this thread filled but did not release, as the compiler does for a kernel."""
        for block, owner in list(self.unreleased):
            if owner == threading.get_ident() and block.value is not None:
                block.release()

    def wait(self):
        if self.source is not None:
            value = self.source(self.taken)
        else:
            if not self.pushed:
                self.flush()
            value = self.machine.take(self)
        self.taken += 1
        self.log.append(("wait", self.name))
        block = Block(self, value, "wait")
        self.waited.append(block)
        return block

    def give_back(self, block):
        if block.role == "wait":
            self.waited = [each for each in self.waited if each is not block]
            return
        assert block.value is not None, f"a block of {self.name} is published, but nothing filled it"
        self.unreleased = [each for each in self.unreleased if each[0] is not block]
        self.log.append(("push", self.name))
        with self.machine.changed:
            self.pushed.append(block.value)
            self.machine.changed.notify_all()

    def push(self):
        self.unreleased[0][0].release()

    def pop(self):
        self.waited[0].release()


class View:
    """A slice of a tensor, to copy from or to."""

    def __init__(self, array, key):
        self.array, self.key = array, key

    def get(self):
        return np.array(self.array[self.key])

    def set(self, value):
        part = self.array[self.key]
        self.array[self.key] = np.asarray(value).reshape(part.shape)


class Tensor:
    def __init__(self, array, dtype="float32", tiled=True, shard=None):
        self.array, self.dtype, self.tiled, self.shard = array, dtype, tiled, shard

    @property
    def shape(self):
        return self.array.shape

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        if self.shard and len(key) == 1 and isinstance(key[0], int):
            return View(self.array, self._shard(key[0]))
        key = (*key, *[slice(None)] * (self.array.ndim - len(key)))
        return View(self.array, tuple(self._range(dim, each) for dim, each in enumerate(key)))

    def _shard(self, number):
        """Returns the index of a shard. `shard` is its extents, or its number of rows if it has all columns."""
        if isinstance(self.shard, int):
            return (slice(self.shard * number, self.shard * (number + 1)),)
        grid = [extent // one for extent, one in zip(self.array.shape, self.shard)]
        place = np.unravel_index(number, grid)
        return tuple(slice(one * at, one * (at + 1)) for one, at in zip(self.shard, place))

    def _range(self, dim, index):
        unit = TILE if self.tiled and dim >= self.array.ndim - 2 else 1
        extent = self.array.shape[dim] // unit
        if isinstance(index, slice):
            start, stop, _ = index.indices(extent)
        else:
            start = index + extent if index < 0 else index
            stop = start + 1
        assert 0 <= start < stop <= extent, "an index is out of range"
        return slice(unit * start, unit * stop)


class Part:
    """A subview of a block: some of its tiles."""

    def __init__(self, block, offsets, shape):
        self.block = block
        self.key = tuple(slice(TILE * o, TILE * (o + s)) for o, s in zip(offsets, shape))

    def get(self):
        return self.block.value[self.key]

    def set(self, value):
        if self.block.value is None:
            self.block.value = np.zeros(self.block.extents(), np.float32)
        self.block.value = np.array(self.block.value)
        self.block.value[self.key] = np.asarray(value).reshape(self.block.value[self.key].shape)


# ===--------------------------------------------------------------------------=== #
# Functions of blocks
# ===--------------------------------------------------------------------------=== #


def exact(function):
    """Makes a function of blocks that computes in double precision and rounds once."""

    def apply(*operands):
        values = [np.asarray(raw(each), np.float64) for each in operands]
        with np.errstate(all="ignore"):
            return Expression(_result(function(*values)))

    return apply


def plain(function):
    """Makes a function of blocks that works on floats and on integers."""
    return lambda *operands: Expression(_result(function(*map(_wide, operands))))


def erf(x):
    return np.vectorize(math.erf)(x)


def _placed(value, shape, dims):
    """Returns a reduction's result, placed in column 0, row 0 or element (0, 0) of its tiles."""
    rank = value.ndim
    out = np.zeros(tuple(TILE if d in dims and d >= rank - 2 else e for d, e in enumerate(value.shape)),
                   value.dtype)
    out[tuple(slice(0, 1) if d in dims and d >= rank - 2 else slice(None) for d in range(rank))] = value
    return out


def reduction(function, with_mean=False):
    def apply(x, scaler=None, dims=None, dim=None):
        value = _wide(x)
        if isinstance(scaler, (list, tuple)):
            scaler, dims = None, scaler
        dims = dims if dims is not None else dim
        dims = [dims] if isinstance(dims, int) else dims
        dims = [d % value.ndim for d in dims]
        result = function(value, axis=tuple(dims), keepdims=True)
        if scaler is not None:
            result = result * raw(scaler)[(0,) * raw(scaler).ndim]
        return Expression(_placed(_result(result), value.shape, dims))

    return apply


def broadcast(x, like=None, dims=None, shape=None, dim=None):
    value = raw(x)
    dims = dims if dims is not None else dim
    dims = [dims] if isinstance(dims, int) else dims
    dims = [d % value.ndim for d in dims]
    key = tuple(slice(0, 1) if d in dims and d >= value.ndim - 2 else slice(None) for d in range(value.ndim))
    value = value[key]
    if like is not None:
        shape = like.shape if isinstance(like, Expression) else like
    return Expression(np.broadcast_to(value, elements(shape)) if shape else value)


def constant(number):
    def make(x=None, value=number, shape=None, dtype=None, layout=None):
        if isinstance(x, Expression):
            like = raw(x)
            kind = np.int64 if like.dtype.kind in "iu" else np.float32
            return Expression(np.full(like.shape, value, kind))
        if x is not None:
            value = x
        is_integer = dtype is not None and getattr(dtype, "name", str(dtype)).lower() in INTEGERS
        return Expression(np.full(elements(shape), value, np.int64 if is_integer else np.float32))

    return make


def matmul(a, b, transpose_rhs=False):
    right = _wide(b)
    return Expression(_result(np.matmul(_wide(a), right.swapaxes(-1, -2) if transpose_rhs else right)))


def typecast(x, dtype):
    name = getattr(dtype, "name", str(dtype)).lower()
    value = np.asarray(raw(x))
    if name in INTEGERS:
        return Expression(np.trunc(value).astype(np.int64))
    return Expression(rounded(value.astype(np.float32), name))


FUNCTIONS = {
    "exp": lambda x, scale=1, **_: exact(lambda v: np.exp(v * scale))(x),
    "exp2": exact(np.exp2), "expm1": exact(np.expm1), "log": exact(np.log), "log1p": exact(np.log1p),
    "logp1": exact(np.log1p), "sqrt": exact(np.sqrt), "rsqrt": exact(lambda x: 1 / np.sqrt(x)),
    "recip": exact(lambda x: 1 / x), "square": plain(lambda x: x * x), "abs": plain(np.abs),
    "neg": plain(lambda x: -x), "sign": plain(np.sign), "signbit": plain(lambda x: np.signbit(x) * 1.0),
    "floor": exact(np.floor), "ceil": exact(np.ceil), "trunc": exact(np.trunc),
    "frac": exact(lambda x: x - np.trunc(x)),
    "round": lambda x, n=0: exact(lambda v: np.round(v, n))(x),
    "sin": exact(np.sin), "cos": exact(np.cos), "tan": exact(np.tan), "asin": exact(np.arcsin),
    "acos": exact(np.arccos), "atan": exact(np.arctan), "sinh": exact(np.sinh), "cosh": exact(np.cosh),
    "tanh": exact(np.tanh), "asinh": exact(np.arcsinh), "acosh": exact(np.arccosh),
    "atanh": exact(np.arctanh), "sigmoid": exact(lambda x: 1 / (1 + np.exp(-x))),
    "hardsigmoid": exact(lambda x: np.clip((x + 3) / 6, 0, 1)),
    "softsign": exact(lambda x: x / (1 + np.abs(x))), "relu": plain(lambda x: np.maximum(x, 0)),
    "gelu": exact(lambda x: x * (1 + erf(x / math.sqrt(2))) / 2),
    "silu": exact(lambda x: x / (1 + np.exp(-x))), "erf": exact(erf), "erfc": exact(lambda x: 1 - erf(x)),
    "isnan": exact(lambda x: np.isnan(x) * 1.0), "isinf": exact(lambda x: np.isinf(x) * 1.0),
    "logical_not": plain(lambda x: (x == 0).astype(x.dtype)),
    "pow": plain(lambda x, n: x**n), "power": exact(lambda x, y: x**y),
    "rsub": plain(lambda x, y: y - x), "relu_max": plain(lambda x, h: np.clip(x, 0, h)),
    "relu_min": plain(lambda x, lo: np.maximum(x, lo)),
    "leaky_relu": exact(lambda x, s: np.where(x < 0, x * s, x)),
    "prelu": exact(lambda x, s: np.where(x < 0, x * s, x)),
    "elu": exact(lambda x, a: np.where(x < 0, a * np.expm1(x), x)),
    "celu": exact(lambda x, a, _=0: np.where(x < 0, a * np.expm1(x / a), x)),
    "selu": exact(lambda x, s, a: s * np.where(x < 0, a * np.expm1(x), x)),
    "softplus": exact(lambda x, b: np.log1p(np.exp(b * x)) / b),
    "clamp": plain(np.clip), "hardtanh": plain(np.clip),
    "threshold": plain(lambda x, t, v: np.where(x > t, x, np.asarray(v, x.dtype))),
    "typecast": typecast, "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "where": plain(lambda c, x, y: np.where(c != 0, x, y)),
    "mask": plain(lambda x, m: np.where(m == 1, 0, x)),
    "mask_posinf": plain(lambda x, m: np.where(m == 1, np.float32(np.inf), x)),
    "max": plain(np.maximum), "min": plain(np.minimum), "maximum": plain(np.maximum),
    "minimum": plain(np.minimum),
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "fill": constant(None), "zeros": constant(0), "ones": constant(1),
    "reduce_sum": reduction(np.sum), "reduce_max": reduction(np.max), "reduce_mean": reduction(np.mean),
    "rowsum": lambda x: reduction(np.sum)(x, dims=[-1]), "rowmax": lambda x: reduction(np.max)(x, dims=[-1]),
    "broadcast": broadcast, "bcast": broadcast, "matmul": matmul,
    "transpose": lambda x: Expression(raw(x).swapaxes(-1, -2)),
    "squeeze": lambda x, dims=None, dim=None: Expression(np.squeeze(raw(x), tuple(_list(dims, dim)))),
    "unsqueeze": lambda x, dims=None, dim=None: Expression(np.expand_dims(raw(x), tuple(_list(dims, dim)))),
    "subview": Part,
}  # fmt: skip


def _list(dims, dim):
    dims = dim if dims is None else dims
    return [dims] if isinstance(dims, int) else dims
