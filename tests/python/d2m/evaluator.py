"""Runs programs of tt-mlir's d2m dialect as their description says, one core after the other, on numpy arrays.

It judges what the compiler makes of them and shares nothing with it but the parser of text. A tensor or memref on the
device is an array of [grid.., shard.., 32, 32], with tiles as the innermost dimensions, and of [grid.., shard..] if it
has no tiles. Numbers are float64; what is stored is rounded to the format.
"""

import itertools
import math
import queue
import re
import threading

import ir_text
import numpy as np

UNARY = {
    "abs": np.abs, "acos": np.arccos, "asin": np.arcsin, "atan": np.arctan, "ceil": np.ceil, "cos": np.cos,
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "floor": np.floor, "log": np.log, "log1p": np.log1p,
    "sin": np.sin, "sqrt": np.sqrt, "square": np.square, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
    "erf": np.vectorize(math.erf, otypes=[float]), "erfc": np.vectorize(math.erfc, otypes=[float]),
    "eqz": lambda x: x == 0, "nez": lambda x: x != 0, "gtz": lambda x: x > 0, "gez": lambda x: x >= 0,
    "ltz": lambda x: x < 0, "lez": lambda x: x <= 0, "logical_not": lambda x: x == 0,
    "frac": lambda x: x - np.trunc(x), "negative": np.negative, "recip": lambda x: 1 / x,
    "relu": lambda x: np.where(x > 0, x, 0), "rsqrt": lambda x: 1 / np.sqrt(x), "sign": np.sign,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "silu": lambda x: x / (1 + np.exp(-x)),
    "signbit": np.signbit, "softsign": lambda x: x / (1 + np.abs(x)),
    "hardsigmoid": lambda x: np.clip((x + 3) / 6, 0, 1),
    "gelu": lambda x: x * 0.5 * np.vectorize(math.erfc, otypes=[float])(-x / math.sqrt(2)),
}  # fmt: skip
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power, "atan2": np.arctan2,
    "maximum": np.maximum, "minimum": np.minimum, "eq": np.equal, "ne": np.not_equal, "gt": np.greater,
    "lt": np.less, "ge": np.greater_equal, "le": np.less_equal,
}  # fmt: skip
INTEGER = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b, "remui": lambda a, b: a % b, "divsi": lambda a, b: int(a / b),
    "remsi": math.fmod, "minsi": min, "maxsi": max, "minui": min, "maxui": max,
}  # fmt: skip
COMPARE = ["==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="]


class Unsupported(Exception):
    """The evaluator does not know an op."""


#
# Types and maps
#


class Type:
    def __init__(self, text):
        self.text = text
        inside = re.match(r"(tensor|memref)<(.*)>$", text, flags=re.S)
        if not inside:
            raise Unsupported(text)
        parts = ir_text.split(inside[2])
        shape = re.match(r"((?:\d+x)*)(.*)", parts[0])
        self.shape = [int(extent) for extent in shape[1].split("x") if extent]
        tile = re.match(r"!ttcore.tile<(\d+)x(\d+), (\w+)>", shape[2])
        self.tile = [int(tile[1]), int(tile[2])] if tile else []
        self.format = tile[3] if tile else shape[2]
        layouts = [part for part in parts[1:] if re.match(r"#ttcore\.(metal_layout|shard|interleaved|view)<", part)]
        self.layout = layouts[0] if layouts else None
        self.grid = self.shape[: len(self.shape) // 2] if layouts else []
        self.shard = self.shape[len(self.grid) :]

    def block(self):
        """The type of one shard."""
        made = Type(self.text)
        made.shape, made.grid, made.layout = self.shard, [], None
        return made

    def empty(self):
        return np.zeros(self.shape + self.tile)

    def rounded(self, values):
        """Rounds to nearest even in the format."""
        values = np.asarray(values, dtype=np.float64)
        if self.format in ("f32", "f16"):
            return values.astype({"f32": np.float32, "f16": np.float16}[self.format]).astype(np.float64)
        if self.format != "bf16":
            return values
        bits = np.atleast_1d(values.astype(np.float32)).view(np.uint32).astype(np.uint64)
        kept = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
        rounded = kept.view(np.float32).astype(np.float64).reshape(values.shape)
        return np.where(np.isnan(values), values, rounded)


def affine(text):
    """Returns a function of the indices, and the results as text."""
    names, symbols, results = re.match(r"(?:affine_map<)?\((.*?)\)(?:\[(.*?)\])? -> \((.*)\)>?$", text).groups()
    parts = ir_text.split(results)
    python = ", ".join(part.replace("floordiv", "//").replace("mod", "%") for part in parts)
    every = ", ".join(filter(None, [names, symbols]))
    return eval(f"lambda {every}: [{python}]"), [name.strip() for name in names.split(",")], parts


class Logical:
    """Where the elements of a logical shape are: sections 1 and 2 of a metal_layout's description."""

    def __init__(self, kind):
        text = kind.layout
        self.shape = [int(n) for n in re.search(r"logical_shape = ([\dx]*)", text)[1].split("x")]
        align = [int(n) for n in re.search(r"dim_alignments = ([\dx]*)", text)[1].split("x")]
        pairs = [[int(a), int(b)] for a, b in re.findall(r"\[(-?\d+), (-?\d+)\]", text)]
        rank = len(self.shape)
        pairs = sorted([a % rank if a < 0 else a, b + rank if b < 0 else b] for a, b in pairs)
        pairs += [[d, d + 1] for d in range(pairs[-1][1] if pairs else 0, rank)]
        self.kind, self.strides = kind, []
        if rank == 1:
            pairs = [[0, 0], [0, 1]]
        for begin, end in pairs:
            stride, strides = 1, {}
            for dim in range(end - 1, begin - 1, -1):
                strides[dim] = stride
                stride = -(-self.shape[dim] * stride // align[dim]) * align[dim]
            self.strides.append(strides)

    def place(self, element):
        """Returns the index into the array of the device."""
        where = [sum(stride * element[dim] for dim, stride in strides.items()) for strides in self.strides]
        inner = [where[-2] % self.kind.tile[0], where[-1] % self.kind.tile[1]] if self.kind.tile else []
        if inner:
            where[-2:] = [where[-2] // self.kind.tile[0], where[-1] // self.kind.tile[1]]
        grid = [p // s for p, s in zip(where, self.kind.shard)]
        return tuple(grid + [p % s for p, s in zip(where, self.kind.shard)] + inner)


class View:
    """Other indices for an array of the device."""

    def __init__(self, base, kind, function):
        self.base, self.kind, self.function = base, kind, function

    def __getitem__(self, index):
        return self.base[tuple(self.function(*index[: len(self.kind.shape)])) + tuple(index[len(self.kind.shape) :])]

    def __setitem__(self, index, value):
        self.base[tuple(self.function(*index[: len(self.kind.shape)])) + tuple(index[len(self.kind.shape) :])] = value


def points(extents):
    return itertools.product(*(range(extent) for extent in extents))


#
# Programs
#


class Block:
    """A block of a core. `array` is None until something is written."""

    def __init__(self, kind, array=None):
        self.kind, self.array = kind, array


class Core:
    """One core's run of a d2m.generic, or of one of its regions."""

    def __init__(self, op, values, coordinates, region=0, queues=None):
        self.region, self.queues, self.reserved, self.failure = op.regions[region], queues, [], None
        self.op, self.core = op, coordinates
        self.values = dict(values)
        self.factors = [int(n) for n in re.findall(r"(-?\d+)(?: : i64)?", op.attrs["block_factors"])]
        self.factors = [int(part.split(":")[0]) for part in ir_text.split(op.attrs["block_factors"][1:-1])]
        self.maps = [affine(part) for part in ir_text.split(op.attrs["indexing_maps"][1:-1])]
        self.reductions = ["reduction" in part for part in ir_text.split(op.attrs["iterator_types"][1:-1])]
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
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
        """Runs the ops; returns the operands of the last one."""
        for op in block.ops:
            self.current = block
            handler = getattr(self, "op_" + op.name.replace(".", "_"), None)
            kind, _, short = op.name.partition(".")
            if handler:
                handler(op)
            elif kind == "arith" and short in INTEGER:
                self.values[op.results[0]] = INTEGER[short](*self.inputs(op))
            else:
                raise Unsupported(op.name)
        while self.reserved and self.reserved[-1][0] is block:
            _, number, slot = self.reserved.pop()
            self.queues[number].put(slot, timeout=60)
        return self.inputs(block.ops[-1]) if block.ops else []

    def inputs(self, op):
        return [self.values[name] for name in op.operands]

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
        self.values[op.results[0]] = float(value) if "." in value else int(value)

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
            if dim:
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
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
        values = self.inputs(op)
        low = affine(op.attrs["lowerBoundMap"])[0](*values[: sizes[0]])[0]
        high = affine(op.attrs["upperBoundMap"])[0](*values[sizes[0] : sizes[0] + sizes[1]])[0]
        self.loop(op, low, high, int(op.attrs["step"].split(":")[0]), values[sizes[0] + sizes[1] :])

    def op_scf_if(self, op):
        self.block(op.regions[0 if self.values[op.operands[0]] else 1])

    def nothing(self, op):
        pass

    op_scf_yield = op_affine_yield = op_linalg_yield = op_d2m_yield = op_memref_dealloc = nothing
    op_d2m_pop = op_d2m_dma_wait = op_d2m_null_tx = nothing

    #
    # Blocks
    #

    def op_tensor_empty(self, op):
        self.values[op.results[0]] = Block(Type(op.result_types[0]))

    op_memref_alloc = op_tensor_empty

    def op_d2m_view_layout(self, op):
        base, kind = self.values[op.operands[0]], Type(op.result_types[0])
        self.values[op.results[0]] = View(base, kind, affine(op.attrs["remapping"])[0])

    def op_d2m_get_cb(self, op):
        self.values[op.results[0]] = int(op.attrs["operand_index"].split(":")[0])

    def op_d2m_wait(self, op):
        self.values[op.results[0]] = self.queues[self.values[op.operands[0]]].get(timeout=60)

    def op_d2m_reserve(self, op):
        slot = Block(Type(op.result_types[0]))
        self.reserved.append((self.current, self.values[op.operands[0]], slot))
        self.values[op.results[0]] = slot

    def op_d2m_push(self, op):
        number = self.values[op.operands[0]]
        last = [entry for entry in self.reserved if entry[1] == number][-1]
        self.reserved.remove(last)
        self.queues[number].put(last[2], timeout=60)

    def op_d2m_store(self, op):
        target, source = self.inputs(op)
        target.array = source.array

    def op_d2m_dma_read(self, op):
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
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
        remote, *index, number = self.inputs(op)
        kind = Type(op.operand_types[0])
        self.queues[number].put(Block(kind.block(), self.shard(remote, index, kind)), timeout=60)

    def store_from_queue(self, op):
        remote, *index, number = self.inputs(op)
        kind, block = Type(op.operand_types[0]), self.queues[number].get(timeout=60)
        for place in points(kind.shard):
            remote[tuple(index) + place] = kind.rounded(block.array[place])

    def op_d2m_remote_load(self, op):
        if "cb<" in op.operand_types[-1]:
            self.load_into_queue(op)
            return
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
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
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
        remote, *rest = self.inputs(op)
        index, block, kind = rest[: sizes[1]], rest[sizes[1]], Type(op.operand_types[0])
        for place in points(kind.shard):
            remote[tuple(index) + place] = kind.rounded(block.array[place])
        if op.results:
            self.values[op.results[0]] = remote

    def start(self, op, output, low):
        """The output that an op continues: what is there, or a partial result, or its identity."""
        if output.array is not None:
            return output.array.copy()
        reduced = [s for s, is_reduction in zip(self.steps, self.reductions) if is_reduction]
        key = (id(op), tuple(s for s, is_reduction in zip(self.steps, self.reductions) if not is_reduction))
        if any(reduced) and key in self.partials:
            return self.partials[key].copy()
        return np.full(output.kind.shape + output.kind.tile, -np.inf if low else 0.0)

    def keep(self, op, array):
        self.partials[(id(op), tuple(s for s, r in zip(self.steps, self.reductions) if not r))] = array

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
        body, operands = op.regions[0], self.inputs(op)
        extents = {}
        for (_, names, results), value in zip(maps, operands):
            if isinstance(value, Block):
                extents.update({r: e for r, e in zip(results, value.kind.shape) if r in names})
        text = " ".join(each.name for each in body.ops)
        low = "reduce_max" in text or "maximum" in text
        argument = body.arguments[-1][0]
        continues = any(argument in each.operands for each in body.ops)
        output = operands[-1]
        total = self.start(op, output, low) if continues else np.zeros(output.kind.shape + output.kind.tile)
        for point in points([extents[name] for name in maps[0][1]]):
            for (name, _), (function, _, _), value in zip(body.arguments, maps, operands):
                array = total if value is output else value.array if isinstance(value, Block) else None
                self.values[name] = value if array is None else array[tuple(function(*point))]
            total[tuple(maps[-1][0](*point))] = TileBody(self.values).run(body)
        if continues:
            self.keep(op, total)
        slot = any(entry[2] is output for entry in self.reserved)
        result = output if not op.results or slot else Block(output.kind)
        result.array = output.kind.rounded(total) if not continues else total
        if op.results:
            self.values[op.results[0]] = result


def own_queues(op, operands, coordinates):
    """The queues of a core; those of operands that no region fills have the core's shard."""
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
        queues[number].put(Block(kind.block(), operands[number][tuple(coordinates)].copy()))
    return queues, filled - drained


def walk(block):
    for op in block.ops:
        yield op
        for region in op.regions:
            yield from walk(region)


def run_regions(op, values, coordinates):
    """Runs the regions of a d2m.generic on one core at the same time."""
    operands = [values[name] for name in op.operands]
    queues, left = own_queues(op, operands, coordinates)
    cores = [Core(op, values, coordinates, region, queues) for region in range(len(op.regions))]

    def guarded(core):
        try:
            core.run()
        except Exception as error:  # for the thread that waits
            core.failure = error

    threads = [threading.Thread(target=guarded, args=[core]) for core in cores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for core in cores:
        if core.failure:
            raise core.failure
    for number in left:
        array = queues[number].get(timeout=60).array
        operands[number][tuple(coordinates)] = Type(op.operand_types[number]).rounded(array)


class TileBody:
    """The body of a linalg.generic on tiles."""

    def __init__(self, values):
        self.values = values

    def run(self, body):
        for op in body.ops[:-1]:
            operands = [self.values[name] for name in op.operands]
            name = op.name.removeprefix("d2m.tile_")
            with np.errstate(all="ignore"):
                self.values[op.results[0]] = self.compute(name, op, operands)
        return self.values[body.ops[-1].operands[0]]

    def compute(self, name, op, operands):
        if name == "arith.constant":
            return float(op.attrs["value"].split(":")[0])
        if name in UNARY:
            return np.asarray(UNARY[name](operands[0]), dtype=np.float64)
        if name in BINARY:
            return np.asarray(BINARY[name](*operands), dtype=np.float64)
        if name == "where":
            return np.where(operands[0] != 0, operands[1], operands[2])
        if name == "fill":
            return np.full([32, 32], float(operands[0]))
        if name == "transpose":
            return operands[0].T
        if name == "matmul":
            return operands[2] + operands[0] @ operands[1]
        if name == "clamp_scalar":
            low, high = (float(op.attrs[key].split(":")[0]) for key in ("min", "max"))
            return np.clip(operands[0], low, high)
        if name == "bcast":
            kind = re.search(r"tile_bcast_type (\w+)", op.attrs["bcast_type"])[1]
            part = {"none": np.s_[:, :], "row": np.s_[:1, :], "col": np.s_[:, :1], "scalar": np.s_[:1, :1]}[kind]
            return np.broadcast_to(operands[0][part], [32, 32])
        if name.startswith("reduce_"):
            return self.reduce(name, re.search(r"reduce_dim (\w+)", op.attrs["reduce_dim"])[1], operands)
        if name == "typecast":
            return Type(f"tensor<1x{op.result_types[0]}>").rounded(operands[0])
        raise Unsupported(op.name)

    def reduce(self, name, dim, operands):
        axis = {"R": (1,), "C": (0,), "RC": (0, 1)}[dim]
        function = np.max if name == "reduce_max" else np.sum
        part = function(operands[0] * operands[1], axis=axis, keepdims=True)
        place = tuple(slice(0, 1) if d in axis else slice(None) for d in range(2))
        result = np.zeros([32, 32])
        result[place] = part
        before = np.zeros([32, 32])
        before[place] = operands[2][place]
        return np.maximum(result, before) if name == "reduce_max" else result + before


#
# Functions
#


class Function:
    """Runs a func.func on arrays."""

    def __init__(self, op):
        self.op, self.body, self.kinds = op, op.regions[0], {}
        self.types = [Type(kind) for _, kind in self.body.arguments]

    def run(self, arguments):
        self.values = {name: value for (name, _), value in zip(self.body.arguments, arguments)}
        self.kinds = {name: Type(kind) for name, kind in self.body.arguments}
        for op in self.body.ops:
            for name, kind in zip(op.results, op.result_types):
                if kind.startswith(("tensor", "memref")):
                    self.kinds[name] = Type(kind)
            if op.name == "func.return":
                return [self.values[name] for name in op.operands], [self.kinds[name] for name in op.operands]
            self.execute(op)
        return [], []

    def execute(self, op):
        if op.name in ("d2m.empty", "tensor.empty", "memref.alloc"):
            self.values[op.results[0]] = self.kinds[op.results[0]].empty()
        elif op.name in ("d2m.to_layout", "d2m.to_device", "d2m.to_host"):
            self.to_layout(op)
        elif op.name == "d2m.view_layout":
            base, kind = self.values[op.operands[0]], self.kinds[op.results[0]]
            self.values[op.results[0]] = View(base, kind, affine(op.attrs["remapping"])[0])
        elif op.name == "d2m.generic":
            self.generic(op)
        elif op.name == "d2m.spatial":
            self.spatial(op)
        elif op.name not in ("memref.dealloc", "arith.constant"):
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

    def to_layout(self, op):
        source, target = self.values[op.operands[0]], self.values[op.operands[1]]
        kinds = [self.kinds[name] for name in op.operands]
        places = [Logical(kind).place if kind.grid else tuple for kind in kinds]
        shape = Logical(kinds[0]).shape if kinds[0].grid else kinds[0].shape
        result = kinds[1].empty() if op.results else target
        for element in points(shape):
            result[places[1](element)] = kinds[1].rounded(source[places[0](element)])
        if op.results:
            self.values[op.results[0]] = result

    def generic(self, op):
        grid = [int(n) for n in re.search(r"#ttcore.grid<([\dx]+)", op.attrs["grid"])[1].split("x")]
        sizes = [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]
        outputs = op.operands[sizes[0] : sizes[0] + sizes[1]]
        for name in outputs:
            if op.results and isinstance(self.values[name], np.ndarray):
                self.values[name] = self.values[name].copy()
        for core in points(grid):
            run_regions(op, self.values, core)
        self.values.update(zip(op.results, [self.values[name] for name in outputs]))
