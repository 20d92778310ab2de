"""Runs programs of tt-mlir's d2m dialect as the dialect's description says, core after core, on numpy arrays.

Tests compare the compiler's results with it; it shares only the parser of text with them. A tensor or memref on the
device is an array [grid.., shard.., 32, 32] if it has tiles (a tile's elements are the innermost dimensions), and
[grid.., shard..] if it has no tiles. Numbers are float64; stored numbers are rounded to the element format.
"""

import dataclasses
import math
import queue
import re
import threading

import ir_text
import numpy as np
import tile_evaluator
from device_values import Composite, Logical, View, affine, points
from tile_evaluator import Part, sizes_of
from tile_values import UNWRITTEN, TileBody, Type, Unsupported

INTEGER = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b, "remui": lambda a, b: a % b, "divsi": lambda a, b: int(a / b),
    "andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b,
    "extui": int, "extsi": int, "trunci": int, "ceildivui": lambda a, b: -(-a // b),
    "select": lambda c, a, b: a if c else b, "remsi": math.fmod, "minsi": min, "maxsi": max, "minui": min, "maxui": max,
}  # fmt: skip
SHAPED = ("tensor", "memref")
NO_EFFECT = ("memref.dealloc", "arith.constant", "d2m.reset_global_semaphore", "ttnn.get_device", "ttnn.deallocate")
COMPARE = ["==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="]


#
# Programs
#


class Block:
    """A block in a core's memory. `array` is None until the program writes to the block."""

    def __init__(self, kind, array=None):
        self.kind, self.array = kind, array


class Core(tile_evaluator.Tiles):
    """Runs one region of a d2m.generic (or the d2m.generic itself) on one core."""

    def __init__(self, op, values, coordinates, region=0, queues=None):
        self.region, self.queues, self.reserved, self.failure = op.regions[region], queues, [], None
        self.op, self.core = op, coordinates
        self.values = dict(values)
        self.factors = [int(n) for n in re.findall(r"(-?\d+)(?: : i64)?", op.attrs["block_factors"])]
        self.factors = [int(part.split(":")[0]) for part in ir_text.split(op.attrs["block_factors"][1:-1])]
        self.maps = [affine(part) for part in ir_text.split(op.attrs["indexing_maps"][1:-1])]
        self.reductions = ["reduction" in part for part in ir_text.split(op.attrs["iterator_types"][1:-1])]
        sizes = sizes_of(op)
        self.output_map = self.maps[sizes[0]] if self.maps else None
        self.steps, self.partials = [0] * len(self.factors), {}

    def run(self):
        body = self.region
        has_loops = any("d2m.blocking_loop" in op.attrs for op in body.ops)
        if not self.factors or has_loops:
            self.block(body)
            return
        for self.steps in points(self.factors):
            self.block(body)

    def block(self, block):
        """Runs the ops of a block; returns the operands of its last op."""
        for op in block.ops:
            self.current = block
            handler = getattr(self, "op_" + op.name.replace(".", "_"), None)
            kind, _, short = op.name.partition(".")
            if handler:
                handler(op)
            elif kind == "arith" and short in INTEGER:
                self.values[op.results[0]] = INTEGER[short](*self.inputs(op))
            elif kind == "d2m" and short.startswith(("tile_", "dst_")):
                self.values[op.results[0]] = TileBody(self.values).apply(op)
            else:
                raise Unsupported(op.name)
        while self.reserved and self.reserved[-1][0] is block:
            _, number, slot = self.reserved.pop()
            self.queues[number].put(slot, timeout=tile_evaluator.TIMEOUT)
        return self.inputs(block.ops[-1]) if block.ops else []

    def inputs(self, op):
        return [self.values[name] for name in op.operands]

    def type(self, text):
        return Type(text)

    def affine(self, text):
        return affine(text)[0]

    #
    # Indices
    #

    def dim(self, op):
        return int(op.attrs["dim"].split(":")[0])

    def offset(self, dim):
        _, names, results = self.output_map
        if self.reductions[dim] or names[dim] not in results:
            return 0
        return self.factors[dim] * self.core[results.index(names[dim])]

    def op_d2m_iter_index(self, op):
        self.values[op.results[0]] = self.steps[self.dim(op)]

    def op_d2m_block_index(self, op):
        self.values[op.results[0]] = self.offset(self.dim(op)) + self.steps[self.dim(op)]

    def op_d2m_block_offset(self, op):
        self.values[op.results[0]] = self.offset(self.dim(op))

    def op_d2m_get_block_factor(self, op):
        self.values[op.results[0]] = self.factors[self.dim(op)]

    def op_d2m_core_index(self, op):
        self.values[op.results[0]] = self.core[self.dim(op)]

    def op_arith_constant(self, op):
        value = op.attrs["value"].split(":")[0].strip()
        named = {"true": 1, "false": 0}
        self.values[op.results[0]] = named[value] if value in named else float(value) if "." in value else int(value)

    def op_arith_index_cast(self, op):
        self.values[op.results[0]] = self.values[op.operands[0]]

    def op_arith_cmpi(self, op):
        sign = COMPARE[int(op.attrs["predicate"].split(":")[0])]
        a, b = self.inputs(op)
        self.values[op.results[0]] = eval(f"a {sign} b")

    def op_affine_apply(self, op):
        self.values[op.results[0]] = affine(op.attrs["map"])[0](*self.inputs(op))[0]

    #
    # Loops
    #

    def loop(self, op, low, high, step, start):
        body, carried = op.regions[0], list(start)
        dim = op.attrs.get("d2m.blocking_loop")
        for index in range(low, high, step):
            if dim and self.factors:
                self.steps = list(self.steps)
                self.steps[int(dim.split(":")[0])] = index
            for (name, _), value in zip(body.arguments, [index] + carried):
                self.values[name] = value
            carried = self.block(body)
        for name, value in zip(op.results, carried):
            self.values[name] = value

    def op_scf_for(self, op):
        low, high, step, *start = self.inputs(op)
        self.loop(op, low, high, step, start)

    def op_affine_for(self, op):
        sizes = sizes_of(op)
        values = self.inputs(op)
        low = affine(op.attrs["lowerBoundMap"])[0](*values[: sizes[0]])[0]
        high = affine(op.attrs["upperBoundMap"])[0](*values[sizes[0] : sizes[0] + sizes[1]])[0]
        self.loop(op, low, high, int(op.attrs["step"].split(":")[0]), values[sizes[0] + sizes[1] :])

    def op_scf_if(self, op):
        region = op.regions[0 if self.values[op.operands[0]] else 1]
        self.values.update(zip(op.results, self.block(region)))

    def nothing(self, op):
        pass

    op_scf_yield = op_affine_yield = op_linalg_yield = op_d2m_yield = op_memref_dealloc = nothing
    op_d2m_pop = op_d2m_dma_wait = op_d2m_null_tx = nothing
    op_d2m_scratch_init = op_d2m_unpack_stall_on_pack = nothing

    #
    # Blocks
    #

    def op_tensor_empty(self, op):
        self.values[op.results[0]] = Block(Type(op.result_types[0]))

    op_memref_alloc = op_d2m_acquire_dst = op_d2m_scratch_allocate = op_tensor_empty

    def op_d2m_get_arg(self, op):
        self.values[op.results[0]] = self.values[self.op.operands[int(op.attrs["operand_index"].split(":")[0])]]

    def op_d2m_view_layout(self, op):
        base, kind = self.values[op.operands[0]], Type(op.result_types[0])
        self.values[op.results[0]] = View(base, kind, affine(op.attrs["remapping"])[0])

    def op_d2m_get_cb(self, op):
        self.values[op.results[0]] = int(op.attrs["operand_index"].split(":")[0])

    def op_d2m_wait(self, op):
        self.values[op.results[0]] = self.queues[self.values[op.operands[0]]].get(timeout=tile_evaluator.TIMEOUT)

    def op_d2m_reserve(self, op):
        slot = Block(Type(op.result_types[0]))
        self.reserved.append((self.current, self.values[op.operands[0]], slot))
        self.values[op.results[0]] = slot

    def op_d2m_push(self, op):
        number = self.values[op.operands[0]]
        last = [entry for entry in self.reserved if entry[1] == number][-1]
        self.reserved.remove(last)
        self.queues[number].put(last[2], timeout=tile_evaluator.TIMEOUT)

    def op_d2m_store(self, op):
        target, source = self.inputs(op)
        target.array = source.array

    def op_d2m_dma_read(self, op):
        sizes = sizes_of(op)
        remote, *rest = self.inputs(op)
        rest[sizes[1]].array = self.shard(remote, rest[: sizes[1]], Type(op.operand_types[0]))

    def op_d2m_dma_write(self, op):
        block, remote, *index = self.inputs(op)
        kind = Type(op.operand_types[1])
        for place in points(kind.shard):
            remote[tuple(index) + place] = kind.rounded(block.array[place])

    def shard(self, remote, index, kind):
        array = np.zeros(kind.shard + kind.tile)
        for place in points(kind.shard):
            array[place] = remote[tuple(index) + place]
        return array

    def load_into_queue(self, op):
        sizes = sizes_of(op)
        remote, *rest = self.inputs(op)
        index, number, kind = rest[: sizes[2]], rest[sizes[2]], Type(op.operand_types[0])
        self.queues[number].put(Block(kind.block(), self.shard(remote, index, kind)), timeout=tile_evaluator.TIMEOUT)

    def store_from_queue(self, op):
        remote, *index, number = self.inputs(op)
        kind, block = Type(op.operand_types[0]), self.queues[number].get(timeout=tile_evaluator.TIMEOUT)
        for place in points(kind.shard):
            remote[tuple(index) + place] = kind.rounded(block.array[place])

    def op_d2m_remote_load(self, op):
        sizes = sizes_of(op)
        if sizes[3]:
            self.load_into_queue(op)
            return
        block, remote, *rest = self.inputs(op)
        index, kind = rest[: sizes[2]], Type(op.operand_types[1])
        array = np.zeros(kind.shard + kind.tile)
        for place in points(kind.shard):
            array[place] = remote[tuple(index) + place]
        block.array = array
        if op.results:
            self.values[op.results[0]] = block

    def op_d2m_remote_store(self, op):
        if "cb<" in op.operand_types[-1]:
            self.store_from_queue(op)
            return
        sizes = sizes_of(op)
        remote, *rest = self.inputs(op)
        index, block, kind = rest[: sizes[1]], rest[sizes[1]], Type(op.operand_types[0])
        for place in points(kind.shard):
            remote[tuple(index) + place] = kind.rounded(block.array[place])
        if op.results:
            self.values[op.results[0]] = remote

    def start(self, op, output, low):
        """The array that an op adds to: the output, the sum of earlier steps, or the op's identity (0 or -inf)."""
        if output.array is not None:
            return np.where(output.array == UNWRITTEN, -np.inf if low else 0.0, output.array)
        reduced = [s for s, is_reduction in zip(self.steps, self.reductions) if is_reduction]
        key = (self.key(op), tuple(s for s, is_reduction in zip(self.steps, self.reductions) if not is_reduction))
        if any(reduced) and key in self.partials:
            return self.partials[key].copy()
        return np.full(output.kind.shape + output.kind.tile, -np.inf if low else 0.0)

    def key(self, op):
        return (id(op[0]), op[1]) if isinstance(op, tuple) else id(op)

    def keep(self, op, array):
        self.partials[(self.key(op), tuple(s for s, r in zip(self.steps, self.reductions) if not r))] = array

    def op_d2m_tile_matmul_block(self, op):
        a, b, output = self.inputs(op)
        total = self.start(op, output, False)
        transposed = op.attrs.get("transpose_b") == "true"
        for m, n in points(output.kind.shape):
            for k in range(a.kind.shape[1]):
                right = b.array[n, k].T if transposed else b.array[k, n]
                total[m, n] += a.array[m, k] @ right
        output.array = total
        self.keep(op, total)

    def op_linalg_generic(self, op):
        maps = [affine(part) for part in ir_text.split(op.attrs["indexing_maps"][1:-1])]
        body, operands, inputs = op.regions[0], self.inputs(op), sizes_of(op)[0]
        extents = {}
        for (_, names, results), value in zip(maps, operands):
            if isinstance(value, (Block, Part)):
                extents.update({r: e for r, e in zip(results, value.kind.shape) if r in names})
        text = " ".join(each.name for each in body.ops)
        low = "reduce_max" in text or "maximum" in text
        totals = {}
        for number, output in enumerate(operands[inputs:], inputs):
            continues = any(body.arguments[number][0] in each.operands for each in body.ops)
            fresh = np.full(output.kind.shape + output.kind.tile, UNWRITTEN)
            totals[number] = self.start((op, number), output, low) if continues else fresh
        for point in points([extents[name] for name in maps[0][1]]):
            for number, ((name, _), value) in enumerate(zip(body.arguments, operands)):
                array = totals[number] if number in totals else getattr(value, "array", None)
                self.values[name] = value if array is None else array[tuple(maps[number][0](*point))]
            for number, tile in zip(totals, TileBody(self.values).run(body)):
                totals[number][tuple(maps[number][0](*point))] = tile
        results = op.results + [None] * len(totals)
        for (number, total), name in zip(totals.items(), results):
            self.finish(op, number, operands[number], total, name)

    def finish(self, op, number, output, total, name):
        continues = any(op.regions[0].arguments[number][0] in each.operands for each in op.regions[0].ops)
        if continues:
            self.keep((op, number), total)
        slot = any(entry[2] is getattr(output, "owner", output) for entry in self.reserved)
        result = output if not name or slot else Block(output.kind)
        result.array = output.kind.rounded(total) if not continues else total
        if name:
            self.values[name] = result


def own_queues(op, operands, coordinates):
    """The queues of a core. A queue that is read but that no region fills starts with the operand's shard."""
    text = [inner for region in op.regions for inner in walk(region)]
    numbers = {}
    for inner in text:
        if inner.name == "d2m.get_cb":
            numbers[inner.results[0]] = int(inner.attrs["operand_index"].split(":")[0])

    def used_by(*names):
        return {numbers[value] for inner in text if inner.name in names for value in inner.operands if value in numbers}

    filled, drained = used_by("d2m.reserve", "d2m.remote_load"), used_by("d2m.wait", "d2m.remote_store")
    queues = {number: queue.Queue(2) for number in numbers.values()}
    for number in drained - filled:
        kind = Type(op.operand_types[number])
        array = np.zeros(kind.shard + kind.tile)
        for place in points(kind.shard):
            array[place] = operands[number][tuple(coordinates) + place]
        queues[number].put(Block(kind.block(), array))
    outputs = range(sizes_of(op)[0], sum(sizes_of(op)[:2]))  # queues of inputs are not read after the run
    return queues, (filled - drained) & set(outputs)


def walk(block):
    for op in block.ops:
        yield op
        for region in op.regions:
            yield from walk(region)


def regions_of(op, functions):
    """The regions of a d2m.generic. If it names functions as its threads, each becomes one region."""
    if op.regions:
        return op.regions
    names = re.findall(r"thread<\w+, @(\w+)", op.attrs["threads"])
    return [ir_text.Block([], functions[name].regions[0].ops[:-1]) for name in names]


def run_regions(op, values, grid, functions):
    """Runs the regions of a d2m.generic on all cores, one after the other; at once if they have semaphores."""
    op = dataclasses.replace(op, regions=regions_of(op, functions))
    cores = list(points(grid))
    together = any("semaphore" in inner.name for region in op.regions for inner in walk(region))
    for group in [cores] if together else [[core] for core in cores]:
        run_cores(op, values, group)


def run_cores(op, values, places):
    operands = [values[name] for name in op.operands]
    cores, leftovers = [], []
    arguments = [tile_evaluator.Semaphore(0) for _ in op.regions[0].arguments]
    for coordinates in places:
        queues, left = own_queues(op, operands, coordinates)
        leftovers.append((coordinates, queues, left))
        own = {name: Block(value.kind) if isinstance(value, Block) else value for name, value in values.items()}
        for number, region in enumerate(op.regions):
            core = Core(op, own, coordinates, number, queues)
            core.values.update(zip([name for name, _ in region.arguments], arguments))
            cores.append(core)

    def guarded(core):
        try:
            core.run()
        except Exception as error:  # raised again in the thread that waits for this core
            core.failure = error

    threads = [threading.Thread(target=guarded, args=[core]) for core in cores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for core in cores:
        if core.failure:
            raise core.failure
    for coordinates, queues, left in leftovers:
        for number in left:
            array, kind = queues[number].get(timeout=tile_evaluator.TIMEOUT).array, Type(op.operand_types[number])
            for place in points(kind.shard):
                operands[number][tuple(coordinates) + place] = kind.rounded(array[place])


#
# Functions
#


class Function:
    """Runs a func.func on numpy arrays."""

    def __init__(self, op, functions=None):
        self.op, self.body, self.kinds, self.functions = op, op.regions[0], {}, functions or {}
        self.types = [Type(kind) if kind.startswith(SHAPED) else None for _, kind in self.body.arguments]

    def run(self, arguments):
        self.values = {name: value for (name, _), value in zip(self.body.arguments, arguments)}
        self.kinds = {name: Type(kind) for name, kind in self.body.arguments if kind.startswith(SHAPED)}
        for op in self.body.ops:
            for name, kind in zip(op.results, op.result_types):
                if kind.startswith(SHAPED):
                    self.kinds[name] = Type(kind)
            if op.name == "func.return":
                return [self.values[name] for name in op.operands], [self.kinds[name] for name in op.operands]
            self.execute(op)
        return [], []

    def execute(self, op):
        kind = self.kinds.get(op.results[0]) if op.results else None
        if op.name == "d2m.operand_alias" or (op.name == "memref.alloc" and not kind.grid and "l1" in kind.text):
            self.values[op.results[0]] = Block(kind)  # memory that each core has
        elif op.name in ("d2m.empty", "tensor.empty", "memref.alloc"):
            self.values[op.results[0]] = self.kinds[op.results[0]].empty()
        elif op.name in ("d2m.to_layout", "d2m.to_device", "d2m.to_host"):
            self.to_layout(op)
        elif op.name == "d2m.view_layout":
            base, kind = self.values[op.operands[0]], self.kinds[op.results[0]]
            self.values[op.results[0]] = View(base, kind, affine(op.attrs["remapping"])[0])
        elif op.name == "d2m.composite_view":
            parts = [(self.values[name], self.kinds[name]) for name in op.operands]
            sizes = op.attrs.get("logicalSizes")
            sizes = [int(n) for n in re.findall(r"-?\d+", sizes.split(":")[1])] if sizes else None
            dim = int(op.attrs["dim"].split(":")[0])
            self.values[op.results[0]] = Composite(parts, dim, sizes, self.kinds[op.results[0]])
        elif op.name == "d2m.mask":
            self.mask(op)
        elif op.name in ("d2m.ttnn_metal_layout_cast", "ttnn.to_memory_config", "ttnn.to_layout"):
            self.to_layout(dataclasses.replace(op, operands=[op.operands[0], op.results[0]]))
        elif op.name == "d2m.generic":
            self.generic(op)
        elif op.name == "d2m.spatial":
            self.spatial(op)
        elif op.name in ("d2m.create_local_semaphore", "d2m.create_global_semaphore"):
            start = op.attrs.get("initialValue", op.attrs.get("value", "0"))
            self.values[op.results[0]] = tile_evaluator.Semaphore(int(start.split(":")[0]))
        elif op.name not in NO_EFFECT:
            raise Unsupported(op.name)

    def spatial(self, op):
        results = []
        for region in op.regions:
            for inner in region.ops:
                for name, kind in zip(inner.results, inner.result_types):
                    self.kinds[name] = Type(kind)
                if inner.name == "d2m.spatial_yield":
                    results += [self.values[name] for name in inner.operands]
                else:
                    self.execute(inner)
        self.values.update(zip(op.results, results))

    def mask(self, op):
        """Replaces the elements beyond the logical rows and columns by the op's fill value."""
        source, kind = self.values[op.operands[0]], self.kinds[op.operands[1]]
        logical = [int(n) for n in re.findall(r"-?\d+", op.attrs["logicalShape"].split(":")[1])]
        fill = {"zero": 0.0, "one": 1.0, "inf": np.inf, "neginf": -np.inf, "undef": None}
        fill = fill[re.search(r"oob_val<(\w+)>", op.attrs["fill_value"])[1]]
        result = self.values[op.operands[1]] if op.result_types[:1] == [] else kind.empty()
        if kind.text.startswith("memref"):
            result = self.values[op.operands[1]]
        for place in points(kind.shape):
            block = np.array(source[place], dtype=np.float64)
            rank = len(kind.grid)
            starts = [(place[rank - d] * kind.shard[-d] + place[-d]) for d in (2, 1)]
            if kind.tile:
                rows, columns = (start * 32 + np.arange(32) for start in starts)
                beyond = (rows >= logical[-2])[:, None] | (columns >= logical[-1])[None, :]
            else:
                beyond = starts[0] >= logical[-2] or starts[1] >= logical[-1]
            result[place] = block if fill is None else np.where(beyond, fill, block)
        for name in op.results:
            self.values[name] = result

    def to_layout(self, op):
        source, target = self.values[op.operands[0]], self.values.get(op.operands[1])
        kinds = [self.kinds[name] for name in op.operands]
        shape = [kind.shape for kind in kinds if not kind.grid]
        places = [Logical(kind, *shape[:1]).place if kind.grid else tuple for kind in kinds]
        shape = Logical(kinds[0], *shape[:1]).shape if kinds[0].grid else kinds[0].shape
        result = kinds[1].empty() if op.results else target
        if isinstance(source, Composite):
            for element in points(shape):
                result[places[1](element)] = kinds[1].rounded(source[places[0](element)])
        else:  # numpy copies all elements in one operation
            elements = np.indices(shape).reshape(len(shape), -1)
            result[places[1](elements)] = kinds[1].rounded(source[places[0](elements)])
        if op.results:
            self.values[op.results[0]] = result

    def generic(self, op):
        grid = [int(n) for n in re.search(r"#ttcore.grid<([\dx]+)", op.attrs["grid"])[1].split("x")]
        sizes = sizes_of(op)
        outputs = op.operands[sizes[0] : sizes[0] + sizes[1]]
        for name in outputs:
            if op.results and isinstance(self.values[name], np.ndarray):
                self.values[name] = self.values[name].copy()
        run_regions(op, self.values, grid, self.functions)
        self.values.update(zip(op.results, [self.values[name] for name in outputs]))
