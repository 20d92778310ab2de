# ===- _pykernel_readings.py - how many tiles a block of each tensor has ------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Problem: programs use block_factors=[(rows, columns), ...] in three ways.
#
#   device shape      each tensor is sharded over the grid, and a block is a node's whole shard. A
#                     tensor of 4x4 tiles on a 2x2 grid has the device shape [2, 2, 2, 2].
#   tiles of a block  a block has as many tiles as block_factors says; a node's shard may be several
#                     blocks.
#   blocks of a shard block_factors says how many blocks a shard is divided into.
#
# A Reading is what one of these ways says about the blocks of all tensors.
#
# Steps: make the readings in this order. A reading fits if the shapes divide, every index of a tensor
# is inside, and the nodes write every block of every output. Of the readings that fit, prefer those in
# which every block of the inputs is read, then those in which no block is overwritten. If none fits,
# say why.
# ===--------------------------------------------------------------------------=== #

import itertools
import math
from typing import NamedTuple

import _ttjit
from ttl import _buffers, _capture, _errors, _pykernel_sums, _warnings
from ttl._pykernel_tree import words_of


class Argument(NamedTuple):
    """A tensor of the program. `extents` count tiles, or elements if the tensor is row-major. `role`
    is "output" or "input" if the program has no statement that moves its parts, otherwise ""."""

    name: str
    extents: tuple
    unit: str
    factors: tuple
    role: str
    is_partial: bool


class Reading(NamedTuple):
    """The blocks of the tensors: `blocks` are their extents, `parts` the numbers of blocks in a
    node's part, `numbered` the tensors whose index [i, 0] counts all blocks row by row."""

    title: str
    blocks: list
    parts: list
    numbered: set

    def counts(self, position, extents):
        """Returns the rows and columns of blocks of a whole tensor."""
        return tuple(-(-each // block) for each, block in zip(extents, self.blocks[position]))


class Misfit(Exception):
    """A reading does not fit. `node` is the expression in a kernel function that shows it."""

    def __init__(self, message, function=None, node=None):
        super().__init__(message)
        self.message, self.function, self.node = message, function, node

    @property
    def weight(self):
        """Returns how much the misfit tells about the program's mistake. An index outside of a tensor
        weighs little, because it may only mean that the blocks are smaller than in this reading."""
        if _REST in self.message:
            return 3
        if self.function is None:
            return 0
        return 2 if self.node is None else 1


# ===--------------------------------------------------------------------------=== #
# Arguments
# ===--------------------------------------------------------------------------=== #


def arguments(entries, factors, functions, partial):
    """Returns the Argument of each tensor."""
    found = []
    for position, (entry, factor) in enumerate(zip(entries, factors)):
        is_tiled = entry.argument.layout is _ttjit.Layout.TILE
        unit = _buffers.TILE[0] if is_tiled else 1
        extents = tuple(-(-extent // unit) for extent in entry.value.shape)
        found.append(Argument(entry.name, extents, "tiles" if is_tiled else "elements", factor,
                              role_of(functions, position), id(entry.value) in partial))
    return found


def role_of(functions, position):
    """Returns "output" if only the compute function fills blocks of the tensor's buffer and nobody
    takes them, "input" if it takes blocks that nobody fills, otherwise ""."""
    compute = next((each for each in functions if each.kind == "compute"), None)
    if compute is None:
        return ""
    used = [_words(each, position) for each in functions if each.kind == "datamovement"]
    mine = _words(compute, position)
    if mine.reserve and not any(words.takes for words in used):
        return "output"
    return "input" if mine.takes and not any(words.reserve for words in used) else ""


def _words(function, position):
    return words_of(function.buffer_names[position], function.node)


# ===--------------------------------------------------------------------------=== #
# Choosing
# ===--------------------------------------------------------------------------=== #


class Choice:
    """Chooses the reading of a program. `traces` are, for each function, its Trace on each node, or
    the Unknown that ended its walk."""

    def __init__(self, given, functions, traces, grid):
        self.given, self.functions, self.traces = given, functions, traces
        self.nodes = tuple(reversed(grid))
        self.are_known = not any(isinstance(each, Exception) for each in traces)

    def run(self):
        """Returns the Reading; fails if none fits."""
        misfits, fitting = [], []
        for make in self._ways():
            try:
                reading = make()
                fitting.append((self._check(reading), reading))
            except Misfit as misfit:
                misfits.append(misfit)
        if not fitting:
            self._fail(misfits)
        _, reading = min(fitting, key=lambda pair: pair[0])
        self._warn(reading)
        return reading

    def _ways(self):
        """Returns the functions that make readings, in the order of the attempts. If the indices of
        copies are not known, _tiles_of_a_block, the older meaning of block_factors, comes first."""
        ways = [self._device_shape, self._tiles_of_a_block]
        if not self.are_known:
            ways.reverse()
        is_divided = any(each.factors != (1, 1) for each in self.given)
        return [*ways, self._blocks_of_a_shard] if is_divided else ways

    def _shard(self, argument):
        shard, rest = zip(*(divmod(a, b) for a, b in zip(argument.extents, self.nodes)))
        if any(rest) or not all(shard):
            raise Misfit(f"{_sized(argument)} cannot be sharded evenly over the grid of {_by(self.nodes)} nodes")
        return shard

    def _device_shape(self):
        blocks = [self._shard(each) for each in self.given]
        for each, block in zip(self.given, blocks):
            if any(a % b for a, b in zip(block, each.factors)):
                raise Misfit(f"the shard of {_sized(each)} has {_by(block)} {each.unit}, which is no "
                             f"multiple of its block_factors {each.factors}")
        return Reading("sharded over the grid, a block is a shard", blocks,
                       [(1, 1)] * len(blocks), set())

    def _tiles_of_a_block(self):
        parts = []
        for each in self.given:
            per_node = [a * b for a, b in zip(self.nodes, each.factors)]
            divides = not any(a % b for a, b in zip(each.extents, per_node))
            parts.append(tuple(a // b for a, b in zip(each.extents, per_node)) if divides else (1, 1))
        return Reading("block_factors are the tiles of a block", [each.factors for each in self.given],
                       parts, set())

    def _blocks_of_a_shard(self):
        blocks = []
        for each in self.given:
            shard = self._shard(each)
            if any(a % b for a, b in zip(shard, each.factors)):
                raise Misfit(f"the shard of {_sized(each)} has {_by(shard)} {each.unit}, which cannot "
                             f"be divided into {_by(each.factors)} blocks")
            blocks.append(tuple(a // b for a, b in zip(shard, each.factors)))
        return Reading("block_factors are the blocks of a shard", blocks,
                       [each.factors for each in self.given], set())

    # Whether a reading fits

    def _check(self, reading):
        """Raises a Misfit if the reading does not fit. Returns (number of tensors that are read in
        part, how often blocks are overwritten)."""
        unread = overwritten = 0
        for position, argument in enumerate(self.given):
            self._check_owned(reading, position, argument)
            self._check_indices(reading, position, argument)
            unread += self._is_read_in_part(reading, position, argument)
            if argument.role == "output":
                overwritten += self._check_pushes(reading, position, argument)
            elif not argument.is_partial:
                self._check_writes(reading, position, argument)
        return unread, overwritten

    def _check_owned(self, reading, position, argument):
        function = next((each for each in self.functions if position in each.owned), None)
        if function is not None and reading.parts[position] != (1, 1):
            raise Misfit(f"{function.name}() passes on a node's part of {_sized(argument)} in one block, "
                         f"but the part has {math.prod(reading.parts[position])} blocks", function)

    def _copies(self, position):
        """Yields (function, index, whether it is written, expression) for the copies of a tensor's
        blocks."""
        for function, traces in zip(self.functions, self.traces):
            for trace in () if isinstance(traces, Exception) else traces.values():
                for name, index, is_written, node in trace.copies:
                    if function.position_of(name) == position:
                        yield function, index, is_written, node

    def _is_read_in_part(self, reading, position, argument):
        counts = reading.counts(position, argument.extents)
        indices = [index for _, index, is_written, _ in self._copies(position) if not is_written]
        is_numbered = position in reading.numbered
        read = {block for index in indices for block in _blocks_of(index, counts, is_numbered)}
        return 0 < len(read) < math.prod(counts)

    def _check_indices(self, reading, position, argument):
        counts = reading.counts(position, argument.extents)
        copies = list(self._copies(position))
        outside = next((each for each in copies if not _is_inside(each[1], counts)), None)
        if outside is None:
            return
        total = math.prod(counts)
        if counts == self.nodes and all(_is_number(index, total) for _, index, _, _ in copies):
            reading.numbered.add(position)
            return
        raise Misfit(
            f"{_sized(argument)} has {_by(counts)} blocks of {_by(reading.blocks[position])} "
            f"{argument.unit}, and index {_shown(outside[1])} is outside of them",
            outside[0], outside[3],
        )

    def _check_pushes(self, reading, position, argument):
        """Checks that each node writes its whole part of an output. Returns the number of times
        that a block is overwritten."""
        blocks = math.prod(reading.parts[position])
        compute = next(each for each in self.functions if each.kind == "compute")
        counts = self._pushes(compute, position)
        wanted = self._needed(reading, position, argument)
        for node, count in (counts or {}).items():
            if node in wanted and count % blocks or (node in wanted and not count):
                if not argument.is_partial:
                    raise Misfit(
                        f"node {node} writes {count} blocks of {_by(reading.blocks[position])} "
                        f"{argument.unit}, and its part of {_sized(argument)} has {blocks}{_REST}"
                        f"{self._advice(argument)}", compute)
        if not argument.is_partial:
            self._check_cover(reading, position, argument, compute)
        if counts is None and blocks > 1:
            raise Misfit(f"the number of blocks that compute writes to {_sized(argument)} is known on "
                         f"the device only, and the part of a node has {blocks} blocks", compute)
        rounds = max((counts or {}).values(), default=0) // blocks
        return self._check_rounds(compute, position, argument, rounds, blocks)

    def _check_rounds(self, compute, position, argument, rounds, blocks):
        if rounds < 2:
            return 0
        if not _pykernel_sums.has_products(compute, compute.buffer_names[position]):
            return rounds - 1
        if blocks > 1:
            raise Misfit(
                f"each of the {blocks} blocks that a node has of {_sized(argument)} would be the sum of "
                f"{rounds} products: give it block_factors so that a block is the node's shard, "
                f"{self._shard(argument)}, or reserve each block before the loop over its products",
                compute)
        return 0

    def _check_cover(self, reading, position, argument, compute):
        """Checks that the parts of all nodes are the whole tensor."""
        extents = zip(self.nodes, reading.parts[position], reading.blocks[position])
        covered = tuple(math.prod(each) for each in extents)
        if any(a < b for a, b in zip(covered, argument.extents)):
            raise Misfit(
                f"the nodes write {_by(covered)} of the {_by(argument.extents)} {argument.unit} of output "
                f"'{argument.name}', in blocks of {_by(reading.blocks[position])}{_REST}"
                f"{self._advice(argument)}", compute)

    def _needed(self, reading, position, argument):
        """Returns the nodes whose part has elements of the tensor."""
        sizes = [part * block for part, block in zip(reading.parts[position], reading.blocks[position])]
        used = [-(-extent // size) for extent, size in zip(argument.extents, sizes)]
        return set(itertools.product(*map(range, used)))

    def _pushes(self, compute, position):
        """Returns {node: number of blocks that leave the compute function}; None if unknown."""
        traces = self.traces[self.functions.index(compute)]
        if isinstance(traces, Exception):
            return None
        name = compute.buffer_names[position]
        return {node: trace.acquired[name, "reserve"] - trace.acquired[name, "wait"]
                for node, trace in traces.items()}

    def _check_writes(self, reading, position, argument):
        """Checks that statements write each block of an output."""
        counts = reading.counts(position, argument.extents)
        written, last = set(), None
        for function, index, is_written, node in self._copies(position):
            if is_written:
                last = function, node
                written |= set(_blocks_of(index, counts, position in reading.numbered))
        missing = math.prod(counts) - len(written)
        if not self.are_known or (last is None and not self._is_result(position)):
            return
        if last is None:
            raise Misfit(f"no kernel function writes output '{argument.name}'{_REST}copy its blocks in a "
                         "@datamovement() function, or store them in the @compute() function")
        if missing:
            raise Misfit(
                f"the kernel writes {len(written)} of the {math.prod(counts)} blocks of "
                f"{_by(reading.blocks[position])} {argument.unit} that output '{argument.name}' has"
                f"{_REST}{self._advice(argument)}", *last)

    def _is_result(self, position):
        """Returns whether a tensor must be an output: it is the last of several."""
        return 0 < position == len(self.given) - 1

    def _advice(self, argument):
        pairs = list(zip(argument.extents, self.nodes))
        if any(extent % nodes for extent, nodes in pairs):
            fitting = tuple(max(n for n in range(1, nodes + 1) if extent % n == 0) for extent, nodes in pairs)
            needed = tuple(extent // nodes for extent, nodes in zip(argument.extents, fitting))
            return (f"{_by(argument.extents)} {argument.unit} do not divide over {_by(self.nodes)} nodes; "
                    f"grid={fitting} with block_factors {needed} for '{argument.name}' covers it")
        needed = tuple(extent // nodes for extent, nodes in pairs)
        return (f"block_factors {needed} for '{argument.name}' cover it with one block of each node, or "
                "write all of its blocks in a loop")

    # Messages

    def _fail(self, misfits):
        """Fails with the misfit that tells the most; the others are notes."""
        # Of misfits of equal weight take the last one, whose reading has the smallest blocks.
        chosen = max(enumerate(misfits), key=lambda pair: (pair[1].weight, pair[0]))[1]
        notes = [_errors.Note(each.message, _place(each)) for each in misfits
                 if each is not chosen and each.message != chosen.message]
        _capture.fail(chosen.message, notes=notes, location=_place(chosen))

    def _warn(self, reading):
        """Warns of parts of inputs that no node reads."""
        compute = next((each for each in self.functions if each.kind == "compute"), None)
        for position, argument in enumerate(self.given):
            extents = zip(self.nodes, reading.parts[position], reading.blocks[position])
            covered = tuple(math.prod(each) for each in extents)
            if argument.role == "input" and any(a < b for a, b in zip(covered, argument.extents)):
                text = (f"the nodes read {_by(covered)} of the {_by(argument.extents)} {argument.unit} of "
                        f"'{argument.name}', in blocks of {_by(reading.blocks[position])}; "
                        f"{self._advice(argument)}")
                _warnings.warn(_warnings.TransferWarning(text, compute.location))

    def notes(self, reading):
        """Returns the lines that --stats shows."""
        shown = []
        for argument, block, part in zip(self.given, reading.blocks, reading.parts):
            inside = tuple(a * b for a, b in zip(block, part))
            is_device = all(a * b == c for a, b, c in zip(inside, self.nodes, argument.extents))
            device = f" of {[*self.nodes, *inside]}" if is_device else ""
            shown.append(f"{argument.name} {_by(block)}{device}")
        lines = [f"arguments: {reading.title}: {', '.join(shown)}"]
        for position in sorted(reading.numbered):
            lines.append(f"index [i, 0] of {self.given[position].name}: the i-th shard, row by row")
        return lines


_REST = "; the rest of this output would not be written: "


def _place(misfit):
    if misfit.function is None:
        return None
    return misfit.function.place(misfit.node) if misfit.node is not None else misfit.function.location


def _by(extents):
    return "x".join(map(str, extents))


def _sized(argument):
    return f"'{argument.name}' ({_by(argument.extents)} {argument.unit})"


def _shown(index):
    parts = (f"{_text(each.start)}:{_text(each.stop)}" if isinstance(each, slice) else each for each in index)
    return f"[{', '.join(map(str, parts))}]"


def _text(bound):
    return "" if bound is None else bound


def _is_inside(index, counts):
    return len(index) == len(counts) and all(_fits(each, count) for each, count in zip(index, counts))


def _fits(index, count):
    if isinstance(index, slice):
        return (index.start or 0) >= 0 and (count if index.stop is None else index.stop) <= count
    return 0 <= index < count


def _is_number(index, total):
    """Returns whether an index is [i, 0], which can mean the i-th of all blocks, row by row."""
    plain = len(index) == 2 and not any(isinstance(each, slice) for each in index)
    return plain and index[1] == 0 and 0 <= index[0] < total


def _blocks_of(index, counts, is_numbered):
    if is_numbered:
        return [divmod(index[0], counts[1])]
    ranges = (range(*each.indices(count)) if isinstance(each, slice) else [each]
              for each, count in zip(index, counts))
    return itertools.product(*ranges)
