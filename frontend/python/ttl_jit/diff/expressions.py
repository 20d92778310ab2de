# SPDX-License-Identifier: Apache-2.0
"""Random block expressions that are valid by construction: shapes and kinds fit."""

from ttl_jit.diff.functions import FUNCTIONS, NUMBERS

SAMPLES = 6  # candidates of which the least used one is taken
LONGEST_SIDE = 3  # tiles of a block that a reduction or product asks for


class Coverage:
    """How often each function, and each pair of a function and one of its operands, was written."""

    def __init__(self):
        self.functions, self.pairs = {}, {}

    def note(self, outer, inner):
        self.functions[inner] = self.functions.get(inner, 0) + 1
        if outer is not None:
            self.pairs[outer, inner] = self.pairs.get((outer, inner), 0) + 1

    def add(self, other):
        for mine, theirs in ((self.functions, other.functions), (self.pairs, other.pairs)):
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count

    def uses(self, outer, inner):
        """Returns how often the pair was used; without an outer function, how often the function."""
        if outer is None:
            return self.functions.get(inner, 0)
        return self.pairs.get((outer, inner), 0)


class Expressions:
    """Writes expressions over blocks. `leaf(shape, kind)` returns the text of a block of this shape,
    in tiles, and kind. `names` are the functions to write; all if empty."""

    def __init__(self, random, coverage, leaf, names=()):
        self.random, self.coverage, self.leaf = random, coverage, leaf
        known = [FUNCTIONS[name] for name in names] or list(FUNCTIONS.values())
        self.by_kind = {kind: [f for f in known if f.result == kind] for kind in "fi"}

    def write(self, shape, kind, depth, outer=None):
        """Returns the text of an expression of at most `depth` nested functions."""
        fitting = [f for f in self.by_kind[kind] if self._fits(f, shape)] if depth > 0 else []
        if not fitting:
            return self.leaf(shape, kind)
        some = [self.random.choice(fitting) for _ in range(SAMPLES)]
        function = min(some, key=lambda f: self.coverage.uses(outer, f.name))
        self.coverage.note(outer, function.name)
        return getattr(self, "_" + function.shape)(function, shape, depth - 1)

    def _fits(self, function, shape):
        if function.shape in ("reduce", "broadcast"):
            return function.shape == "broadcast" or 1 in shape
        return True

    def _operand(self, function, index, shape, depth):
        # An operand may also be a block, so that expressions end early now and then.
        depth = depth if self.random.random() < 0.85 else 0
        return self.write(shape, function.kinds[index], depth, function.name)

    def _number(self, function):
        value = self.random.choice(NUMBERS[function.numbers])
        return f"({value})" if value < 0 else str(value)

    def _same(self, function, shape, depth):
        operands = [self._operand(function, i, shape, depth) for i in range(len(function.kinds))]
        return function.text.format(*operands, c=self._number(function), d=self._number(function))

    def _reduce(self, function, shape, depth):
        dims = [d for d in (-2, -1) if shape[d] == 1]
        dims = dims if self.random.random() < 0.5 else [self.random.choice(dims)]
        wide = list(shape)
        for d in dims:
            wide[d] = self.random.randint(1, LONGEST_SIDE)
        return function.text.format(self._operand(function, 0, tuple(wide), depth), dims=dims)

    def _broadcast(self, function, shape, depth):
        dims = self.random.choice(([-1], [-2], [-2, -1]))
        narrow = list(shape)
        for d in dims:
            narrow[d] = 1
        operand = self._operand(function, 0, tuple(narrow), depth)
        return function.text.format(operand, dims=dims, shape=shape)

    def _transpose(self, function, shape, depth):
        return function.text.format(self._operand(function, 0, shape[::-1], depth))

    def _matmul(self, function, shape, depth):
        inner = self.random.randint(1, LONGEST_SIDE)
        left = self._operand(function, 0, (shape[0], inner), depth)
        return function.text.format(left, self._operand(function, 1, (inner, shape[1]), depth))
