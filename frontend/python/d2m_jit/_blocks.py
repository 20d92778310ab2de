# ===- _blocks.py - calls of functions of blocks ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Translates the calls in a kernel to calls of ttl's functions. The translated kernel finds ttl's
# function NAME in the variable __NAME. A reduction leaves one tile along its dimension, and fills
# this tile with the result.
# ===--------------------------------------------------------------------------=== #

import ast

from d2m_jit._functions import (
    BINARY,
    BITWISE,
    BROADCASTS,
    FORMS,
    METHODS,
    REDUCTIONS,
    UNARY,
    WITH_ZERO,
    Block,
    Int,
)
from d2m_jit._layout import data_type


class Calls:
    """Translates calls for a Translator. `used` are the names of ttl's functions that the translated calls
    need."""

    def __init__(self, translator):
        self.translator = translator
        self.used = set()

    def fail(self, node, kind, message, hint=None):
        self.translator.fail(node, kind, message, hint)

    def function(self, name, *arguments, **keywords):
        """Returns a call of a function of ttl."""
        self.used.add(name)
        named = [ast.keyword(key, value) for key, value in keywords.items()]
        return ast.Call(ast.Name(f"__{name}", ast.Load()), list(arguments), named)

    def method(self, node):
        """Translates block.name(...)."""
        name = node.func.attr
        if name not in METHODS:
            self.translator.unknown(node, AttributeError, "method", name, METHODS)
        return self.call(node, name, [node.func.value, *node.args])

    def call(self, node, name, arguments):
        arguments = [*arguments, *(keyword.value for keyword in node.keywords if keyword.arg in
                                   ("dim", "dtype", "min", "max", "bcast_type"))]
        if name in UNARY:
            value, kind = self._blocks(node, name, arguments, 1)[0]
            return self.function(UNARY[name], value), kind
        if name in WITH_ZERO:
            value, kind = self._blocks(node, name, arguments, 1)[0]
            return self.function(WITH_ZERO[name], value, ast.Constant(0)), kind
        if name in BINARY:
            left, right = self._blocks(node, name, arguments, 2)
            return self.binary(node, BINARY[name], *left, *right)
        if name in BITWISE:
            self.fail(node, NotImplementedError, f"{name}() is not supported: blocks have no bitwise functions")
        if name in REDUCTIONS:
            return self._reduce(node, name, arguments)
        if name in FORMS:
            return self._broadcast(node, name.rpartition("_")[2], arguments)
        return getattr(self, f"_{name}")(node, arguments)

    def _blocks(self, node, name, arguments, count):
        if len(arguments) != count:
            self.fail(node, TypeError, f"{name}() takes {count} blocks, found {len(arguments)} arguments")
        return [self.translator.block(each) for each in arguments]

    # Shapes

    def spread(self, node, value, kind, shape):
        """Broadcasts a block to `shape`, along dimensions in which it was reduced. Fails if others differ."""
        dims = [dim for dim in (0, 1) if kind.shape[dim] != shape[dim]]
        if any(dim not in kind.reduced or kind.shape[dim] != 1 for dim in dims):
            self.fail(node, ValueError, f"blocks of {kind.rows}x{kind.columns} and {shape[0]}x{shape[1]} tiles "
                                        "do not fit together")
        if not dims:
            return value, kind
        left = kind.reduced - set(dims)
        return self._broadcast_to(value, dims, shape), Block(*shape, left)

    def _broadcast_to(self, value, dims, shape):
        extents = ast.Tuple([ast.Constant(extent) for extent in shape], ast.Load())
        listed = ast.List([ast.Constant(dim) for dim in dims], ast.Load())
        return self.function("broadcast", value, dims=listed, shape=extents)

    def _fitted(self, node, *values):
        """Broadcasts reduced blocks to the largest extents among all of them."""
        shape = tuple(max(kind.shape[dim] for _, kind in values) for dim in (0, 1))
        return [self.spread(node, value, kind, shape) for value, kind in values]

    def binary(self, node, name, left, kind, right, other):
        (left, kind), (right, other) = self._fitted(node, (left, kind), (right, other))
        return self.function(name, left, right), Block(*kind.shape, kind.reduced & other.reduced)

    def product(self, node, left, kind, right, other, transposed):
        rows, columns = (other.columns, other.rows) if transposed else other.shape
        if kind.columns != rows:
            self.fail(node, ValueError, f"cannot multiply blocks of {kind.rows}x{kind.columns} and {rows}x{columns} "
                                        "tiles: the columns of the first must be the rows of the second")
        if transposed:
            right = self.function("transpose", right)
        return ast.BinOp(left, ast.MatMult(), right), Block(kind.rows, columns)

    # Functions with arguments of their own

    def _reduce(self, node, name, arguments):
        if len(arguments) != 2:
            self.fail(node, TypeError, f"{name}() takes a block and a dimension")
        value, kind = self.translator.block(arguments[0])
        dim = self._dimension(arguments[1])
        shape = (1, kind.columns) if dim == 0 else (kind.rows, 1)
        dims = ast.List([ast.Constant(dim)], ast.Load())
        reduced = self.function(name, value, dims=dims)
        return self._broadcast_to(reduced, [dim], shape), Block(*shape, frozenset([dim]))

    def _dimension(self, node):
        value = self._literal(node)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(node, TypeError, f"reduce dim: expected integer literal, found {value!r}")
        if not -2 <= value <= 1:
            self.fail(node, ValueError, f"reduce dim must be 0/1 or -2/-1, found {value}")
        return value % 2

    def _literal(self, node):
        """Returns the value of a constant, or of a variable outside of the kernel."""
        if isinstance(node, ast.Name):
            kind = self.translator.types.get(node.id)
            return kind.value if isinstance(kind, Int) else self.translator.values.get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self._literal(node.value), node.attr, None)
        try:
            return ast.literal_eval(node)
        except ValueError:
            self.fail(node, ValueError, f"'{ast.unparse(node)}' must be a constant")

    def _broadcast(self, node, form, arguments):
        ((value, kind),) = self._blocks(node, "tile_bcast", arguments, 1)
        dims = [0, 1] if form == "2d" else [BROADCASTS[form]]
        if any(kind.shape[dim] != 1 for dim in dims):
            self.fail(node, NotImplementedError,
                      f"tile_bcast() works on blocks of one tile along the dimension that it "
                      f"fills, found {kind.rows}x{kind.columns} tiles",
                      "load blocks of one tile")
        return self._broadcast_to(value, dims, kind.shape), kind

    def _tile_bcast(self, node, arguments):
        form = self._literal(arguments[1]) if len(arguments) == 2 else ""
        form = str(getattr(form, "name", form)).lower()
        form = "2d" if form == "scalar" else form
        if form not in (*BROADCASTS, "2d"):
            self.fail(node, ValueError, "tile broadcast type must be one of 'row', 'col' or '2d'")
        return self._broadcast(node, form, arguments[:1])

    def _tile_transpose(self, node, arguments):
        ((value, kind),) = self._blocks(node, "tile_transpose", arguments, 1)
        if kind.shape != (1, 1):
            self.fail(node, NotImplementedError, f"tile_transpose() works on blocks of one tile, found "
                                                 f"{kind.rows}x{kind.columns}", "load blocks of one tile")
        return self.function("transpose", value), kind

    def _clamp_scalar(self, node, arguments):
        if len(arguments) != 3:
            self.fail(node, TypeError, "clamp_scalar() takes a block and two numbers")
        value, kind = self.translator.block(arguments[0])
        bounds = [ast.Constant(float(self._literal(each))) for each in arguments[1:]]
        return self.function("clamp", value, *bounds), kind

    def _typecast(self, node, arguments):
        if len(arguments) != 2:
            self.fail(node, TypeError, "typecast() takes a block and a type")
        value, kind = self.translator.block(arguments[0])
        try:
            dtype = data_type(self._literal(arguments[1]))
        except TypeError as error:
            self.fail(arguments[1], TypeError, str(error))
        return self.function("typecast", value, ast.Name(f"__dtype_{dtype.value}", ast.Load())), kind

    def _where(self, node, arguments):
        values = self._fitted(node, *self._blocks(node, "where", arguments, 3))
        return self.function("where", *(value for value, _ in values)), values[0][1]

    def _matmul(self, node, arguments):
        (left, kind), (right, other) = self._blocks(node, "matmul", arguments, 2)
        flags = [keyword.value for keyword in node.keywords if keyword.arg == "transpose_b"]
        return self.product(node, left, kind, right, other, bool(flags and self._literal(flags[0])))

    def _zeros(self, node, arguments):
        shape = arguments[0] if len(arguments) == 1 else None
        if not isinstance(shape, (ast.List, ast.Tuple)) or len(shape.elts) != 2:
            self.fail(node, ValueError, "zeros() takes the extents of a block in tiles: zeros([rows, columns])")
        extents = [self._literal(each) for each in shape.elts]
        if not all(isinstance(extent, int) and extent > 0 for extent in extents):
            self.fail(node, ValueError, "the extents of zeros() must be constants of at least 1")
        made = ast.Tuple([ast.Constant(extent) for extent in extents], ast.Load())
        return self.function("fill", ast.Constant(0.0), shape=made), Block(*extents)

    def _core_index(self, node, arguments):
        dim = self._literal(arguments[0]) if len(arguments) == 1 else None
        if dim not in (0, 1) or isinstance(dim, bool):
            self.fail(node, ValueError, "core_index() takes 0 for the row or 1 for the column")
        self.used.add("node")
        both = ast.Call(ast.Name("__node", ast.Load()), [], [ast.keyword("dims", ast.Constant(2))])
        return ast.Subscript(both, ast.Constant(1 - dim), ast.Load()), Int()

    def _remote_load(self, node, arguments):
        return self.translator.load(node)

    def _Semaphore(self, node, arguments):
        self.fail(node, ValueError, "a semaphore is made in a statement of its own: s = Semaphore(0)")

    def _remote_store(self, node, arguments):
        self.fail(node, ValueError, "remote_store() has no value: write it as a statement")

    def _range(self, node, arguments):
        self.fail(node, ValueError, "range() can only be used in 'for i in range(...)'")
