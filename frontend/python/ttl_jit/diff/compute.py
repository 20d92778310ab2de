# SPDX-License-Identifier: Apache-2.0
"""What the compute thread of a random operation does in one iteration: the forms.

A form writes the statements before, in and after the loop over streamed inputs. They may use the
variables y_blk (the block to store into), NAME_blk (a block of the input NAME), node, i, j and k.
"""

import textwrap
from dataclasses import dataclass, field

from ttl_jit.diff.expressions import Expressions

DEPTH = 4  # of nested functions


@dataclass
class Statements:
    before: list = field(default_factory=list)
    inner: list = field(default_factory=list)
    after: list = field(default_factory=list)


class Form:
    """One way to compute a block. `is_unified` makes the operation a unified body."""

    is_unified = False

    def write(self, kernel):
        self.kernel, self.random = kernel, kernel.random
        self.in_loop, self.values = False, []  # values: (text, shape, kind) beside the inputs
        self.expressions = Expressions(
            kernel.random, kernel.program.coverage, self._leaf, kernel.program.functions
        )
        return self.statements()

    def expression(self, shape=None, depth=None):
        """Returns the text of an expression; by default of the shape of the output."""
        depth = self.random.randint(1, DEPTH) if depth is None else depth
        return self.expressions.write(shape or self.kernel.block, self.kernel.kind, depth)

    def _leaf(self, shape, kind):
        known = [text for text, *facts in self._visible() if facts == [shape, kind]]
        if known and self.random.random() < 0.8:
            return self.random.choice(known)
        new = self.kernel.add_input(shape, kind, self.in_loop and self.random.random() < 0.6)
        if new is not None:
            return f"{new.name}_blk"
        return self.random.choice(known) if known else self._constant(shape, kind)

    def _visible(self):
        yield from self.values
        for each in self.kernel.inputs:
            if self.in_loop or not each.is_streamed:
                yield f"{each.name}_blk", each.block, each.kind
                if each.exchange == "ring":
                    yield f"{each.name}_next", each.block, each.kind

    def _constant(self, shape, kind):
        if kind == "i":
            return f"ttl.block.fill({self.random.randint(-5, 5)}, shape={shape}, dtype=ttnn.int32)"
        return f"ttl.block.fill({self.random.choice((-1.5, 0.0, 0.5, 2.0))}, shape={shape})"

    def zero(self):
        suffix = ", dtype=ttnn.int32" if self.kernel.kind == "i" else ""
        return f"ttl.block.fill(0, shape={self.kernel.block}{suffix})"

    def signed(self, text):
        """Returns the expression; of integers, as signed ones: a loop keeps the type of a value."""
        return f"{self.zero()} + {text}" if self.kernel.kind == "i" else text

    def streamed(self):
        """Returns an expression of at least one streamed input."""
        self.in_loop = True
        if not any(each.is_streamed for each in self.kernel.inputs):
            self.kernel.add_input(self.kernel.block, self.kernel.kind, True)
        first = next(each for each in self.kernel.inputs if each.is_streamed)
        text = self.expression()
        self.in_loop = False
        if first.block == self.kernel.block and first.kind == self.kernel.kind:
            return f"{first.name}_blk + {text}"
        return text


class Store(Form):
    def statements(self):
        return Statements([f"y_blk.store({self.expression()})"])


class UnifiedStore(Store):
    is_unified = True


class Branch(Form):
    CONDITIONS = ("node % 2 == 0", "i == 0", "(node + i) % 2 == 1", "node < 1 or i > 0")

    def statements(self):
        return Statements([
            f"if {self.random.choice(self.CONDITIONS)}:",
            f"    y_blk.store({self.expression()})",
            "else:",
            f"    y_blk.store({self.expression()})",
        ])


class Carried(Form):
    """An expression that a loop carries, changed under a condition or not."""

    def statements(self):
        start = self.signed(self.expression(depth=2))
        self.values.append(("value", self.kernel.block, self.kernel.kind))
        step = [f"value = {self.signed(self.expression(depth=2))}"]
        if self.random.random() < 0.4:
            step = [f"if turn % 2 == {self.random.randint(0, 1)}:", *_indented(step)]
        loop = f"for turn in range({self.random.choice(('2', '3', '1 + node % 2'))}):"
        return Statements([
            f"value = {start}", loop, *_indented(step), f"y_blk.store({self.expression(depth=1)})",
        ])


class Temporary(Form):
    """Passes a value through a buffer of the compute thread."""

    def statements(self):
        block = tuple(self.random.randint(1, 2) for _ in range(2))
        new = self.kernel.add_temporary(block, self.kernel.kind)
        first = self.expression(block)
        self.values.append((f"{new.name}_blk", block, self.kernel.kind))
        return Statements([
            f"with {new.name}_dfb.reserve() as {new.name}_new:",
            f"    {new.name}_new.store({first})",
            f"with {new.name}_dfb.wait() as {new.name}_blk:",
            f"    y_blk.store({self.expression()})",
        ])


class Sum(Form):
    """Adds up blocks with `total += block` in a loop. The compiler decides where the total is: in DST, or in
    L1."""

    def statements(self):
        total = ("total", self.kernel.block, self.kernel.kind)
        inner = [f"total += {self.streamed()}"]
        if self.random.random() < 0.3:
            inner = [f"if k != {self.random.randint(0, 2)}:", *_indented(inner)]
        self.values.append(total)
        return Statements(
            [f"total = {self.zero()}"], inner,
            [f"y_blk.store({self.random.choice(('total', self.expression(depth=2)))})"],
        )


class UnifiedSum(Sum):
    is_unified = True


class StoreSum(Form):
    """Adds up blocks in the reserved block of the output, with store(..., acc=True)."""

    def statements(self):
        return Statements(inner=[f"y_blk.store({self.streamed()}, acc=True)"])


class Largest(Form):
    """A loop that carries an expression which is no sum."""

    def statements(self):
        start = self.signed(self.expression(depth=1))
        value = self.streamed()
        name = self.random.choice(("max", "min"))
        return Statements(
            [f"value = {start}"], [f"value = ttl.math.{name}(value, {value})"], ["y_blk.store(value)"]
        )


_FORMS = (Store, Store, UnifiedStore, Branch, Carried, Temporary, Sum, UnifiedSum, StoreSum, Largest)


def choose(kernel):
    return kernel.random.choice(_FORMS)()


def _indented(lines):
    return textwrap.indent("\n".join(lines), "    ").split("\n")
