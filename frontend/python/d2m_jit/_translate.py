# ===- _translate.py - kernels become unified operations of ttl ---------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A kernel is a function of tensors and integers that runs on every node. Its statements stay, but each
# remote_load() and remote_store() gets a dataflow buffer and moves its block through it:
#
#   x = remote_load(t, [i, j])     __copy(t[rows of i, columns of j], __dfb0.reserve())
#                                  __loaded0 = __dfb0.wait()
#                                  x = __loaded0
#   remote_store(t, [i, j], v)     __dfb1.reserve().store(v)
#                                  __copy(__dfb1.wait(), t[rows of i, columns of j])
#
# The translator infers the type of each value (_functions.py), and broadcasts reduced blocks where
# arithmetic needs it. Each node of the new tree has the position of the user's code.
# ===--------------------------------------------------------------------------=== #

import ast
import copy

from ttl._pykernel_tree import assigned, place_at

from d2m_jit._blocks import Calls
from d2m_jit._errors import D2mJitError
from d2m_jit._functions import NAMES, Block, Int
from d2m_jit._semaphores import Semaphores

_INTEGERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_BLOCKS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


class Translator:
    """Translates one kernel. `values` are the variables that it uses from outside, by name; `layouts` those
    of its tensor parameters, `numbers` the values of the others. `moves` collects (name of a buffer, name
    of its tensor)."""

    def __init__(self, source, values, layouts, numbers):
        self.source, self.values, self.layouts = source, values, layouts
        self.types = {name: Int(value) for name, value in numbers.items()}
        self.moves = []
        self.before = []  # statements that must stand before the current one
        self.loaded, self.stored = set(), set()
        self.calls = Calls(self)
        self.semaphores = Semaphores(self)
        self.depth = 0  # how deep the statements are nested; 1: the body of the kernel

    def fail(self, node, kind, message, hint=None):
        cause = kind(message)
        raise D2mJitError(message, self.source.place(node), cause, hint) from cause

    def unknown(self, node, kind, what, name, candidates):
        """Fails because of a name that does not exist."""
        from ttl._source import similar

        found = similar(name, candidates)
        self.fail(node, kind, f"unknown {what} '{name}'", f"did you mean '{found}'?" if found else None)

    # Statements

    def body(self, statements):
        made = []
        self.depth += 1
        for statement in statements:
            outer, self.before = self.before, []
            translate = getattr(self, f"_{type(statement).__name__}", None)
            if translate is None:
                self.fail(statement, NotImplementedError,
                          f"unsupported Python syntax {type(statement).__name__}")
            found = translate(statement)
            made += [place_at(each, statement) for each in (*self.before, *found)]
            self.before = outer
        self.depth -= 1
        return made

    def _Pass(self, statement):
        return [ast.Pass()]

    def _Return(self, statement):
        if statement.value is not None:
            self.fail(statement, ValueError, "a kernel returns nothing: store its results with remote_store()")
        return [ast.Return()]

    def _Expr(self, statement):
        value = statement.value
        if isinstance(value, ast.Call) and getattr(value.func, "id", None) == "remote_store":
            return self._store(value)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return []
        if isinstance(value, ast.Call) and (signals := self.semaphores.statements(value)) is not None:
            return signals
        self.value(value)
        return []

    def _Assign(self, statement):
        if self.semaphores.make(statement):
            return []
        name = assigned(statement)
        if name is None:
            self.fail(statement, NotImplementedError, "only a variable can be assigned: x = ...")
        made, self.types[name] = self.value(statement.value)
        return [ast.Assign([ast.Name(name, ast.Store())], made)]

    def _AnnAssign(self, statement):
        return self._Assign(ast.copy_location(ast.Assign([statement.target], statement.value), statement))

    def _AugAssign(self, statement):
        old = ast.copy_location(ast.Name(ast.unparse(statement.target), ast.Load()), statement)
        value = ast.copy_location(ast.BinOp(old, statement.op, statement.value), statement)
        return self._Assign(ast.copy_location(ast.Assign([statement.target], value), statement))

    def _For(self, statement):
        call = statement.iter
        is_range = isinstance(call, ast.Call) and getattr(call.func, "id", None) == "range"
        if not is_range or not isinstance(statement.target, ast.Name) or statement.orelse:
            self.fail(statement, NotImplementedError, "a loop must be 'for i in range(...)'")
        bounds = [self.integer(each) for each in call.args]
        self.types[statement.target.id] = Int()
        self._forget_numbers(statement.body)
        made = self.body(statement.body)
        ranged = ast.Call(ast.Name("__range", ast.Load()), bounds, [])
        return [ast.For(ast.Name(statement.target.id, ast.Store()), ranged, made or [ast.Pass()], [])]

    def _forget_numbers(self, statements):
        """Forgets the values of integers that a loop changes: only the device knows them."""
        for node in (each for statement in statements for each in ast.walk(statement)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if isinstance(self.types.get(node.id), Int):
                    self.types[node.id] = Int()

    def _If(self, statement):
        test, _ = self.value(statement.test)
        before = dict(self.types)
        body = self.body(statement.body)
        then, self.types = self.types, before
        orelse = self.body(statement.orelse)
        for name, kind in then.items():
            other = self.types.setdefault(name, kind)
            if other != kind:
                self.types[name] = Int() if isinstance(kind, Int) and isinstance(other, Int) else kind
        return [ast.If(test, body or [ast.Pass()], orelse)]

    # Moving blocks

    def tensor(self, node):
        """Returns the name of the tensor parameter that an expression is; fails if it is none."""
        name = getattr(node, "id", None)
        if name not in self.layouts:
            self.fail(node, TypeError, f"'{ast.unparse(node)}' is no tensor parameter of the kernel")
        return name

    def _part(self, name, indices, node):
        """Returns the expression for the block of a tensor at these indices: a slice of the tensor."""
        if not isinstance(indices, (ast.List, ast.Tuple)) or len(indices.elts) != 2:
            self.fail(indices, ValueError, f"a block of '{name}' has two indices: [row, column]")
        slices = []
        for index, extent in zip(indices.elts, self.layouts[name].block_shape):
            low = self.integer(index)
            high = ast.BinOp(copy.deepcopy(low), ast.Add(), ast.Constant(1))
            slices.append(ast.Slice(*(ast.BinOp(each, ast.Mult(), ast.Constant(extent)) for each in (low, high))))
        owner = ast.Name(name, ast.Load())
        return place_at(ast.Subscript(owner, ast.Tuple(slices, ast.Load()), ast.Load()), node)

    def _buffer(self, name):
        self.moves.append((f"__dfb{len(self.moves)}", name))
        return self.moves[-1][0]

    def load(self, call):
        """Translates remote_load(tensor, indices). Ignores the arguments of a multicast, which do not change
        what the node loads."""
        keywords = {keyword.arg for keyword in call.keywords}
        if len(call.args) != 2 or keywords - {"mcast_start_index", "mcast_shape", "mcast_dims"}:
            self.fail(call, TypeError, "remote_load() takes a tensor and the indices of a block")
        name = self.tensor(call.args[0])
        self.loaded.add(name)
        buffer, loaded = self._buffer(name), f"__loaded{len(self.moves)}"
        part = self._part(name, call.args[1], call)
        self.before += [
            _expression("__copy", part, _method(buffer, "reserve")),
            ast.Assign([ast.Name(loaded, ast.Store())], _method(buffer, "wait")),
        ]
        for statement in self.before[-2:]:
            place_at(statement, call)
        return ast.Name(loaded, ast.Load()), Block(*self.layouts[name].block_shape)

    def _store(self, call):
        if len(call.args) != 3 or call.keywords:
            self.fail(call, TypeError, "remote_store() takes a tensor, the indices of a block, and the block")
        name = self.tensor(call.args[0])
        value, kind = self.block(call.args[2])
        wanted = tuple(self.layouts[name].block_shape)
        if kind.shape != wanted:
            value, kind = self.calls.spread(call, value, kind, wanted)
        self.stored.add(name)
        if name in self.loaded:
            self.fail(call, ValueError, f"the kernel loads and stores '{name}': the order of both is not fixed",
                      "store into another tensor")
        buffer = self._buffer(name)
        store = ast.Attribute(_method(buffer, "reserve"), "store", ast.Load())
        part = self._part(name, call.args[1], call)
        return [ast.Expr(ast.Call(store, [value], [])), _expression("__copy", _method(buffer, "wait"), part)]

    # Expressions

    def value(self, node):
        """Returns the translated expression and its type."""
        translate = getattr(self, f"_value_{type(node).__name__}", None)
        if translate is None:
            self.fail(node, NotImplementedError, f"unsupported Python syntax {type(node).__name__}")
        made, kind = translate(node)
        return place_at(made, node), kind

    def integer(self, node):
        made, kind = self.value(node)
        if not isinstance(kind, Int):
            self.fail(node, TypeError, f"'{ast.unparse(node)}' must be an integer, found a block")
        return made

    def block(self, node):
        made, kind = self.value(node)
        if not isinstance(kind, Block):
            self.fail(node, TypeError, f"'{ast.unparse(node)}' must be a block, found an integer")
        return made, kind

    def _value_Await(self, node):
        return self.value(node.value)

    def _value_Constant(self, node):
        if isinstance(node.value, bool) or not isinstance(node.value, int):
            kind = type(node.value).__name__
            self.fail(node, NotImplementedError, f"a constant of type {kind} is not supported: use integers")
        return ast.Constant(node.value), Int(node.value)

    def _value_Name(self, node):
        if node.id in self.types:
            return ast.Name(node.id, ast.Load()), self.types[node.id]
        value = self.values.get(node.id)
        if isinstance(value, int):
            return ast.Constant(int(value)), Int(value)
        if node.id in self.layouts:
            self.fail(node, TypeError, f"'{node.id}' is a tensor: load a block of it, remote_load({node.id}, [i, j])")
        if node.id in self.semaphores.made:
            self.fail(node, TypeError, f"'{node.id}' is a semaphore: it has set(), inc() and wait(), which are "
                                       "statements")
        self.unknown(node, NameError, "variable", node.id, [*self.types, *self.layouts])

    def _value_UnaryOp(self, node):
        made, kind = self.value(node.operand)
        if isinstance(kind, Int):
            known = None if kind.value is None or not isinstance(node.op, ast.USub) else -kind.value
            return ast.UnaryOp(node.op, made), Int(known)
        if isinstance(node.op, ast.USub):
            return self.calls.function("neg", made), kind
        self.fail(node, NotImplementedError, f"blocks have no operator in '{ast.unparse(node)}'")

    def _value_BinOp(self, node):
        left, kind = self.value(node.left)
        right, other = self.value(node.right)
        if isinstance(kind, Int) and isinstance(other, Int):
            if not isinstance(node.op, _INTEGERS):
                self.fail(node, NotImplementedError, f"integers have no operator in '{ast.unparse(node)}'")
            return ast.BinOp(left, node.op, right), Int()
        if isinstance(kind, Int) or isinstance(other, Int):
            self.fail(node, TypeError, f"'{ast.unparse(node)}' combines a block and an integer")
        if isinstance(node.op, ast.MatMult):
            return self.calls.product(node, left, kind, right, other, False)
        name = _BLOCKS.get(type(node.op))
        if name is None:
            self.fail(node, NotImplementedError, f"blocks have no operator in '{ast.unparse(node)}'")
        return self.calls.binary(node, name, left, kind, right, other)

    def _value_Compare(self, node):
        parts = [self.integer(each) for each in (node.left, *node.comparators)]
        return ast.Compare(parts[0], node.ops, parts[1:]), Int()

    def _value_BoolOp(self, node):
        return ast.BoolOp(node.op, [self.integer(each) for each in node.values]), Int()

    def _value_Call(self, node):
        if isinstance(node.func, ast.Name):
            if node.func.id not in NAMES:
                self.unknown(node, NameError, "function", node.func.id, NAMES)
            return self.calls.call(node, node.func.id, node.args)
        if isinstance(node.func, ast.Attribute):
            return self.calls.method(node)
        self.fail(node, NotImplementedError, f"'{ast.unparse(node.func)}' cannot be called")


def _method(name, method):
    return ast.Call(ast.Attribute(ast.Name(name, ast.Load()), method, ast.Load()), [], [])


def _expression(name, *arguments):
    return ast.Expr(ast.Call(ast.Name(name, ast.Load()), list(arguments), []))
