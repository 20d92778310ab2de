"""The matmul of tests/timing/data/s8.csv: a grid of cores that multicasts blocks along rows and columns. The
program has the calls of the device's API that such a kernel makes.

The block sizes of the measured kernel are not published. Class Plan chooses them by the shapes and the size of L1."""
# SPDX-License-Identifier: Apache-2.0

import functools
import math

from benchmarks import timing_programs as programs
from benchmarks.timing_programs import product_of, sum_of, total
from benchmarks.timing_rows import kernel_cycles

L1_BYTES = {"WH": 1464 * 1024, "BH": 1536 * 1024}
LEAST_DEPTH = 4  # tiles of a step: with fewer, the set-up of a multicast takes longer than its data
REGISTERS = 8  # tiles of 16 bits in one half of DST
MOST_PRODUCTS = 500_000  # products of tiles on a core; estimates of more take minutes
FORMATS = {"bf16": "bf16", "bfp8": "bfp_bf8", "bfp4": "bfp_bf4"}


def divisors(count):
    """Returns the divisors of a number, the largest first."""
    return [each for each in range(count, 0, -1) if count % each == 0]


class Plan:
    """The blocks in which each core computes its part of the result: as few blocks as fit into L1.

    A, B and the result are in DRAM. With `sharded`, A and the result are in L1, and each core has one block of each.
    `tiles` are the numbers of tiles along M, K and N."""

    def __init__(self, arch, grid, tiles, format, sharded):
        self.arch, self.format, self.sharded = arch, format, sharded
        self.columns, self.lines = grid
        rows, inner, across = tiles
        self.rows, self.across = -(-rows // self.lines), -(-across // self.columns)
        self.share = -(-inner // self.columns)  # columns of a shard of A, a part of K
        self.inner = self.share * self.columns if sharded else inner
        block = next(filter(self.fits, self.candidates()), None)
        if block is None:
            raise ValueError("the shards do not fit into L1")
        self.height, self.width, self.depth = block
        self.steps = self.inner // self.depth
        self.subblock = max(((r, c) for r in divisors(self.height) for c in divisors(self.width) if r * c <= REGISTERS),
                            key=lambda each: (each[0] * each[1], each[1]))

    def deepest(self):
        """Returns how many tiles of K the longest step has: as many as a shard of A. If A is in DRAM, at least
        LEAST_DEPTH, if K has as many."""
        if self.sharded:
            return self.share
        return min(each for each in divisors(self.inner) if each >= min(self.inner, max(self.share, LEAST_DEPTH)))

    def candidates(self):
        """Yields blocks (rows, columns, tiles of K per step), the best first. Large blocks of the result come first,
        since each tile of A and B is sent once per block; then long steps, since each step has a set-up."""
        blocks = sorted(((h, w) for h in divisors(self.rows) for w in divisors(self.across)),
                        key=lambda each: (-each[0] * each[1], abs(each[0] - each[1])))
        depths = divisors(self.deepest())
        for least in (LEAST_DEPTH, 1):
            yield from ((*block, depth) for block in blocks for depth in depths if depth >= min(least, depths[0]))

    def fits(self, block):
        height, width, depth = block
        tiles = 2 * depth * (height + width) + height * width
        if self.sharded:
            if (height, width) != (self.rows, self.across):
                return False
            tiles += self.rows * self.share + (self.rows * depth if depth < self.share else 0)
        return programs.L1_BASE + tiles * programs.tile_bytes(self.format) <= L1_BYTES[self.arch]


class Side:
    """The multicast of one operand, A or B, in a thread: its buffer, its two semaphores, and the coordinates of
    this core."""

    def __init__(self, plan, function, buffer, pages, semaphores):
        self.plan, self.function, self.pages = plan, function, pages
        self.buffer = function.buffers[buffer]
        self.bytes = pages * programs.tile_bytes(plan.format)
        self.ready, self.valid = semaphores
        self.x, self.y = (self.coordinate(axis) for axis in "xy")

    def coordinate(self, axis):
        index = self.function.value(f"ttkernel.my_logical_{axis}_ : () -> index")
        return self.function.value(f"arith.index_cast {index} : index to i32"), "i32"

    def pointer(self, buffer=None):
        value, type = buffer or self.buffer
        return self.function.value(f"ttkernel.get_write_ptr({value}) : ({type}) -> i32"), "i32"

    def receive(self, source):
        """Tells the sender that this core has room for a block, and waits for the block."""
        self.function.call("noc_semaphore_set", self.valid, 0)
        self.function.call("noc_semaphore_inc", programs.noc_address(self.function, *source, self.ready[0]), 1)
        self.function.call("noc_semaphore_wait", self.valid, 1)

    def send(self, address, first, last, others, loopback):
        """Waits until all receivers have room, sends the block at `address` to the buffers of a rectangle of cores, and
        then sets their semaphore `valid`."""
        function, count = self.function, others + loopback
        function.call("noc_semaphore_wait", self.ready, others)
        function.call("noc_semaphore_set", self.ready, 0)
        suffix = "_loopback_src" if loopback else ""
        target = programs.multicast_address(function, first, last, self.pointer()[0])
        function.call("noc_async_write_multicast" + suffix, address, target, self.bytes, count)
        function.call("noc_semaphore_set", self.valid, 1)
        flag = programs.multicast_address(function, first, last, self.valid[0])
        function.call("noc_semaphore_set_multicast" + suffix, self.valid, flag, count)
        function.add("ttkernel.noc_async_write_barrier() : () -> ()")

    def read(self, accessor, first, stride, lines, pages):
        """Reads `lines` runs of `pages` pages into the block, and waits for them."""
        function = self.function
        line = function.loop(lines)
        page = function.loop(pages)
        start = total(function, first, product_of(function, line, stride), page)
        place = total(function, product_of(function, line, pages), page)
        size = programs.tile_bytes(self.plan.format)
        address = total(function, self.pointer(), product_of(function, place, size))
        function.call("noc_async_read_page", start, accessor, address)
        function.end()
        function.end()
        function.add("ttkernel.noc_async_read_barrier() : () -> ()")


def branch(function, condition, then, otherwise):
    function.add(f"scf.if {condition} {{")
    then()
    function.add("} else {")
    otherwise()
    function.end()


def equals(function, value, number):
    other = number[0] if isinstance(number, tuple) else function.constant(number)
    return function.value(f"arith.cmpi eq, {value[0]}, {other} : i32")


def words(program, function):
    """Returns the addresses of two new semaphores, with their types."""
    return [(each, "i32") for each in programs.semaphore_words(program, function)]


class Kernel:
    """A program of three threads for a plan.

    Only the last step of each block computes, because its tiles are written. The other steps only state their cost to
    the time model (ttkernel.signpost cost), so that estimates of large matrices take less time. With `computes_all`
    every step computes, and the result is the product."""

    def __init__(self, plan, fidelity, computes_all=False):
        self.plan, self.computes_all = plan, computes_all
        self.down, self.across = plan.rows // plan.height, plan.across // plan.width
        self.program = programs.Program(plan.arch, (plan.columns, plan.lines), fidelity=fidelity)
        a_pages, b_pages, y_pages = plan.height * plan.depth, plan.depth * plan.width, plan.height * plan.width
        self.pages = a_pages, b_pages, y_pages
        self.buffers = [self.program.buffer(size, plan.format) for size in (2 * a_pages, 2 * b_pages, y_pages)]
        shapes = [(plan.rows * plan.lines, plan.inner), (plan.inner, plan.across * plan.columns),
                  (plan.rows * plan.lines, plan.across * plan.columns)]
        if plan.sharded:
            self.shard = self.program.sharded(*shapes[0], plan.format)
            self.part = self.program.buffer(a_pages, plan.format) if plan.depth < plan.share else None
        self.tensors = [self.program.tensor(*shape, plan.format)
                        for number, shape in enumerate(shapes) if number == 1 or not plan.sharded]
        self.b_mover()
        self.a_mover_of_shards() if plan.sharded else self.a_mover()
        self.compute()

    def blocks(self, function, body):
        """Adds loops over all blocks of the result, row by row; body(row, column) adds the code for one block."""
        row = function.loop(self.down)
        column = function.loop(self.across)
        body(row, column)
        function.end()
        function.end()

    def b_mover(self):
        """Adds the thread in which the cores of row 0 read B over NoC 0 and multicast it down their columns. NoC 0
        moves data along rows first, then along columns."""
        plan = self.plan
        stride, tensor = plan.across * plan.columns, self.tensors[0 if plan.sharded else 1]
        function = self.program.thread("b_mover", "riscv_1", self.buffers[1:2], [tensor])
        side = Side(plan, function, self.buffers[1], self.pages[1], words(self.program, function))

        def of_block(row, column):
            first = total(function, product_of(function, side.x, plan.across),
                          product_of(function, column, plan.width))
            step = function.loop(plan.steps)
            function.call("cb_reserve_back", side.buffer, side.pages)

            def send():
                page = total(function, first, product_of(function, step, plan.depth * stride))
                side.read(function.accessors[0], page, stride, plan.depth, plan.width)
                side.send(side.pointer(), (side.x, 1), (side.x, plan.lines - 1), plan.lines - 1, False)

            branch(function, equals(function, side.y, 0), send, lambda: side.receive((side.x, 0)))
            function.call("cb_push_back", side.buffer, side.pages)
            function.end()

        self.blocks(function, of_block)

    def a_mover(self):
        """Adds the thread in which the cores of column 0 read A over NoC 1 and multicast it along their rows. NoC 1
        moves data along columns first, then along rows. Every core also writes its part of the result, one packed
        subblock after the other."""
        plan = self.plan
        function = self.program.thread("a_mover", "riscv_0", self.buffers[0:3:2], [self.tensors[0], self.tensors[2]])
        side = Side(plan, function, self.buffers[0], self.pages[0], words(self.program, function))

        def of_block(row, column):
            line = total(function, product_of(function, side.y, plan.rows),
                         product_of(function, row, plan.height))
            first = product_of(function, line, plan.inner)
            step = function.loop(plan.steps)
            function.call("cb_reserve_back", side.buffer, side.pages)

            def send():
                page = total(function, first, product_of(function, step, plan.depth))
                side.read(function.accessors[0], page, plan.inner, plan.height, plan.depth)
                side.send(side.pointer(), (1, side.y), (plan.columns - 1, side.y), plan.columns - 1, False)

            branch(function, equals(function, side.x, 0), send, lambda: side.receive((0, side.y)))
            function.call("cb_push_back", side.buffer, side.pages)
            function.end()
            self.write(function, side, line, column)

        self.blocks(function, of_block)
        function.add("ttkernel.noc_async_write_barrier() : () -> ()")

    def write(self, function, side, line, column):
        plan, stride = self.plan, self.plan.across * self.plan.columns
        height, width = plan.subblock
        out, size = function.buffers[self.buffers[2]], programs.tile_bytes(plan.format)
        corner = total(function, product_of(function, line, stride), product_of(function, side.x, plan.across),
                       product_of(function, column, plan.width))
        down = function.loop(plan.height // height)
        right = function.loop(plan.width // width)
        function.call("cb_wait_front", out, height * width)
        address = function.value(f"ttkernel.get_read_ptr({out[0]}) : ({out[1]}) -> i32"), "i32"
        start = total(function, corner, product_of(function, down, height * stride), product_of(function, right, width))
        row = function.loop(height)
        tile = function.loop(width)
        page = total(function, start, product_of(function, row, stride), tile)
        place = total(function, product_of(function, row, width), tile)
        source = total(function, address, product_of(function, place, size))
        function.call("noc_async_write_page", page, function.accessors[1], source)
        function.end()
        function.end()
        function.add("ttkernel.noc_async_write_barrier() : () -> ()")
        function.call("cb_pop_front", out, height * width)
        function.end()
        function.end()

    def a_mover_of_shards(self):
        """Adds the thread in which each core of a row multicasts its shard of A along the row, one core after the
        other. If a step sends only some columns of a shard, their tiles are first copied together."""
        plan = self.plan
        held = [self.shard] + [self.part] * (self.part is not None)
        function = self.program.thread("a_mover", "riscv_0", [self.buffers[0], *held])
        side = Side(plan, function, self.buffers[0], self.pages[0], words(self.program, function))
        value, type = function.buffers[self.shard]
        function.call("cb_publish", (value, type), plan.rows * plan.share)
        shard = function.value(f"ttkernel.get_read_ptr({value}) : ({type}) -> i32"), "i32"
        owner = function.loop(plan.columns)
        step = function.loop(plan.share // plan.depth)
        function.call("cb_reserve_back", side.buffer, side.pages)

        def send():
            source = self.copy(function, side, shard, step) if self.part is not None else shard
            side.send(source, (0, side.y), (plan.columns - 1, side.y), plan.columns - 1, True)

        branch(function, equals(function, side.x, owner), send, lambda: side.receive((owner, side.y)))
        function.call("cb_push_back", side.buffer, side.pages)
        function.end()
        function.end()

    def copy(self, function, side, shard, step):
        """Adds calls that copy the shard's columns for one step into the buffer `part`. Returns the address of the
        copy."""
        plan, size = self.plan, programs.tile_bytes(self.plan.format)
        target = side.pointer(function.buffers[self.part])
        start = product_of(function, step, plan.depth * size)
        row = function.loop(plan.height)
        source = total(function, shard, start, product_of(function, row, plan.share * size))
        into = total(function, target, product_of(function, row, plan.depth * size))
        here = programs.noc_address(function, side.x, side.y, source[0])
        function.call("noc_async_read", here, into, plan.depth * size)
        function.end()
        function.add("ttkernel.noc_async_read_barrier() : () -> ()")
        return target

    def compute(self):
        """Adds the compute thread: it accumulates the products of all steps in a block in L1, and pushes the block's
        subblocks in the last step."""
        steps = self.plan.steps
        function = self.program.thread("compute", "compute", self.buffers)
        operands = [function.buffers[each] for each in self.buffers]
        function.call("mm_init", *operands)

        def of_block(row, column):
            function.call("cb_reserve_back", operands[2], self.pages[2])
            if steps > 1:
                self.step(function, operands, False)
                self.accumulate(function, True)
            if steps > 2:
                function.loop(steps - 2)
                self.step(function, operands, False)
                function.end()
            self.step(function, operands, True)
            if steps > 1:
                self.accumulate(function, False)

        self.blocks(function, of_block)

    def accumulate(self, function, on):
        if self.computes_all:
            function.call("pack_reconfig_l1_acc", int(on))
        else:
            function.add(f'ttkernel.signpost cost "pack_reconfig_l1_acc:{"on" if on else "off"}"')

    def step(self, function, operands, is_last):
        """Adds the products of one step, subblock by subblock. The result's tiles are stored in the same order."""
        (height, width), y = self.plan.subblock, operands[2]
        self.of_operands(function, "cb_wait_front", operands)
        down = function.loop(self.plan.height // height)
        right = function.loop(self.plan.width // width)
        if is_last or self.computes_all:
            self.section(function, operands, down, right, is_last)
        else:
            self.told_section(function)
        if is_last:
            function.call("cb_push_back", y, height * width)
        function.end()
        function.end()
        self.of_operands(function, "cb_pop_front", operands)

    def of_operands(self, function, name, operands):
        for buffer, pages in zip(operands[:2], self.pages):
            function.call(name, buffer, pages)

    def told_section(self, function):
        """Adds a DST section that computes nothing, and states its cost as the pass ttl-note-costs does."""
        (height, width), format = self.plan.subblock, self.plan.format
        count = height * width
        product = f"matmul_block:{height}x{width}:{format}" if count > 1 else f"matmul_tiles:{format}"
        function.call("tile_regs_acquire")
        function.add(f'ttkernel.signpost cost "{product}*{count * self.plan.depth}"')
        function.call("tile_regs_commit")
        function.call("tile_regs_wait")
        function.add(f'ttkernel.signpost cost "pack_tile:{format}*{count}"')
        function.call("tile_regs_release")

    def section(self, function, operands, down, right, is_last):
        plan, count = self.plan, math.prod(self.plan.subblock)
        before = total(function, product_of(function, down, plan.subblock[0] * plan.width),
                       product_of(function, right, count))
        function.call("tile_regs_acquire")
        self.products(function, *operands[:2], down, right)
        function.call("tile_regs_commit")
        function.call("tile_regs_wait")
        for register in range(count):
            tile = register if is_last else sum_of(function, before, register)
            function.call("pack_tile", register, operands[2], tile)
        function.call("tile_regs_release")

    def products(self, function, a, b, down, right):
        plan, (height, width) = self.plan, self.plan.subblock
        k = function.loop(plan.depth)
        left = total(function, product_of(function, down, height * plan.depth), k)
        top = total(function, product_of(function, right, width), product_of(function, k, plan.width))
        for register in range(height * width):
            row, column = divmod(register, width)
            function.call("matmul_tiles", a, b, sum_of(function, left, row * plan.depth),
                          sum_of(function, top, column), register)
        function.end()


def is_large(row):
    """Returns whether the estimate of a row takes minutes."""
    columns, lines = map(int, row.key["grid"].split("x"))
    return math.prod(row.number(name) // 32 for name in "MKN") > MOST_PRODUCTS * columns * lines


@functools.cache
def cycles_of(arch, grid, tiles, format, sharded, fidelity):
    return kernel_cycles(Kernel(Plan(arch, grid, tiles, format, sharded), fidelity).program)


def cycles(row):
    """S8: ttnn.matmul. Rows that differ only in the configuration of ttnn have the same prediction."""
    if row.metric != "device_kernel_cycles":
        return None  # time_ns includes the gap between launches; device_util_pct says the same as the cycles
    grid = tuple(map(int, row.key["grid"].split("x")))
    tiles = tuple(row.number(name) // 32 for name in "MKN")
    sharded = row.key["storage"] != "DRAM"
    return cycles_of(row.arch, grid, tiles, FORMATS[row.key["dtype"]], sharded, row.key["fidelity"].lower())
