"""tools/bench timing: kernels of one core that multiply matrices. A function with a parameter `row` predicts the
rows of the subtable that its docstring names."""
# SPDX-License-Identifier: Apache-2.0

from benchmarks import timing_programs as programs
from benchmarks.timing_core import compute_program, read_block
from benchmarks.timing_rows import CLOCK, zone_cycles


def multiply(function, a, b, target, height, width, depth, capacity, gelu=False):
    """Adds DST sections of `capacity` output tiles, each of which sums `depth` products of tiles."""
    tiles = height * width
    for first in range(0, tiles, capacity):
        count = min(capacity, tiles - first)
        function.call("tile_regs_acquire")
        for k in range(depth):
            for each in range(count):
                row, column = divmod(first + each, width)
                function.call("matmul_tiles", a, b, k * height + row, k * width + column, each)
        for each in range(count if gelu else 0):
            function.call("gelu_tile", each)
        function.call("tile_regs_commit")
        function.call("tile_regs_wait")
        for each in range(count):
            function.call("pack_tile", each, target, first + each)
        function.call("tile_regs_release")


def fuse_gelu(function, source, target, tiles, capacity):
    """Adds DST sections that compute gelu of the sums that the packer has accumulated in L1."""
    function.call("pack_reconfig_l1_acc", 0)
    function.call("cb_push_back", source, tiles)
    function.call("cb_wait_front", source, tiles)
    function.call("cb_reserve_back", target, tiles)
    function.call("copy_tile_init", source)
    function.call("gelu_tile_init")

    def operate(tile, register):
        function.call("copy_tile", source, tile, register)
        function.call("gelu_tile", register)

    for first in range(0, tiles, capacity):
        programs.section(function, first, min(capacity, tiles - first), operate, target)


def inner_loop(row):
    """mb3: a reader thread reads a column of A and a row of B for each step. The zone includes the waits for them."""
    height, width, depth = (row.number(each) for each in ("mt", "nt", "kt"))
    in_dst, full = row.key["strategy"] == "dst", row.key.get("full_sync") == "1"
    fp32, gelu = row.key["dtype"] == "fp32", row.key.get("fuse") == "gelu"
    format, page_bytes = ("f32", 4096) if fp32 else ("bf16", 2048)
    program = programs.Program(row.arch, full_sync=full, fp32=fp32)
    steps = depth if in_dst else min(depth, 2)
    sizes = [steps * height, steps * width, height * width, height * width]
    buffers = [program.buffer(size, format) for size in sizes]
    tensors = [program.tensor(1, height, format), program.tensor(1, width, format)]
    reader = program.thread("reader", "riscv_1", buffers[:2], tensors)
    reader.loop(depth)
    for number, pages in enumerate((height, width)):
        read_block(reader, number, reader.buffers[buffers[number]], pages, page_bytes)
    reader.end()
    function = program.thread("compute", "compute", buffers)
    a, b, target, fused = [function.buffers[each] for each in buffers]
    capacity = (16 if full else 8) // (2 if fp32 else 1)
    function.call("mm_init", a, b, target)
    function.call("cb_reserve_back", target, height * width)
    programs.zone(function, "begin")
    if in_dst:
        function.call("cb_wait_front", a, depth * height)
        function.call("cb_wait_front", b, depth * width)
        multiply(function, a, b, target, height, width, depth, capacity, gelu)
    else:
        def step():
            function.call("cb_wait_front", a, height)
            function.call("cb_wait_front", b, width)
            multiply(function, a, b, target, height, width, 1, capacity)
            function.call("cb_pop_front", a, height)
            function.call("cb_pop_front", b, width)

        step()  # the first step writes the sums, the other steps add to them
        function.call("pack_reconfig_l1_acc", 1)
        function.loop(depth - 1)
        step()
        function.end()
        if gelu:
            fuse_gelu(function, target, fused, height * width, capacity)
    programs.zone(function, "end")
    return zone_cycles(program) / CLOCK[row.arch]


def loop_of_products(row):
    """S17 tensix_slope: a loop of matmul_tiles. Predicts the cycles of one product."""
    def operate(function, sources, tile, register):
        for _ in range(64):
            function.call("matmul_tiles", sources[0], sources[1], 0, 0, register)

    program = compute_program(row.arch, 1, operate, 1, init="add_tiles_init", repeats=4,
                              fidelity=row.key["variant"].lower())
    return zone_cycles(program) / 256


def product_loop(function, a, b, indices, count):
    """Adds a loop of matmul_tiles over `count` registers. indices(register) returns the tiles of the operands. In a
    loop they are no constants, so that the compiler makes no matmul_block of the calls."""
    register = function.loop(count)
    left, right = indices(register)
    function.call("matmul_tiles", a, b, left, right, register)
    function.end()


def packed(function, target, tiles):
    """Ends a DST section: packs register i to tiles[i] of the target."""
    function.call("tile_regs_commit")
    function.call("tile_regs_wait")
    for register, tile in enumerate(tiles):
        function.call("pack_tile", register, target, tile)
    function.call("tile_regs_release")


class Blocks:
    """An output of mt x nt tiles that is computed in subblocks. All tiles of its operands, of `steps` steps, are in
    L1."""

    def __init__(self, row, subblock, steps):
        self.height, self.width = row.number("mt"), row.number("nt")
        self.rows, self.columns = subblock
        self.steps = steps
        self.tiles = self.height * self.width
        self.count = self.rows * self.columns

    def corners(self):
        return [(y, x) for y in range(0, self.height, self.rows) for x in range(0, self.width, self.columns)]

    def outputs(self, y, x):
        return [(y + each // self.columns) * self.width + x + each % self.columns for each in range(self.count)]

    def operands(self, function, register, k, y, x):
        """Returns the tiles of A and B that a register of the subblock at (y, x) multiplies in step k. The register
        is a value of the program. With its row and column in the subblock, the tiles are
        k * height + y + row and k * width + x + column."""
        value = register[0]
        row = function.value(f"arith.divui {value}, {function.constant(self.columns)} : i32"), "i32"
        column = function.value(f"arith.remui {value}, {function.constant(self.columns)} : i32"), "i32"
        return (programs.sum_of(function, row, k * self.height + y),
                programs.sum_of(function, column, k * self.width + x))

    def program(self, row, buffers, fidelity="hifi4"):
        """Returns a program, its compute thread, and its buffers: a, b, the target, and `buffers` more of the
        target's size."""
        program = programs.Program(row.arch, fidelity=fidelity)
        sizes = [self.steps * self.height, self.steps * self.width, self.tiles] + [self.tiles] * buffers
        indices = [program.buffer(size) for size in sizes]
        function = program.thread("compute", "compute", indices)
        made = [function.buffers[index] for index in indices]
        function.call("mm_init", *made[:3])
        for number, size in enumerate(sizes):
            if number != 2:
                programs.fill(function, made[number], size, 4)
        function.call("mm_init", *made[:3])
        function.call("cb_reserve_back", made[2], self.tiles)
        return program, function, made


SUBBLOCKS = [(height, width) for height in (1, 2, 4, 8) for width in (1, 2, 4, 8) if height * width <= 8]


def accumulated(row, subblock):
    """mb5c: a product of blocks with matmul_tiles. Returns its cycles. With accum=dst, one DST section computes all
    steps of a subblock. With accum=l1, each step computes all subblocks, and the packer adds the steps up."""
    blocks = Blocks(row, subblock, row.number("kt"))
    program, function, (a, b, target) = blocks.program(row, 0, row.key["fidelity"].lower())
    in_dst = row.key["accum"] == "dst"
    steps = [range(blocks.steps)] if in_dst else [[k] for k in range(blocks.steps)]
    programs.zone(function, "begin")
    for number, some in enumerate(steps):
        if number == 1:
            function.call("pack_reconfig_l1_acc", 1)
        for y, x in blocks.corners():
            function.call("tile_regs_acquire")
            for k in some:
                product_loop(function, a, b, lambda each: blocks.operands(function, each, k, y, x), blocks.count)
            packed(function, target, blocks.outputs(y, x))
    programs.zone(function, "end")
    return zone_cycles(program)


def subblock_of(row):
    return tuple(map(int, row.key["sub"].split("x")))


def accumulation_in_subblocks(row):
    cycles = accumulated(row, subblock_of(row))
    if row.metric == "trisc_max_us":
        return cycles / CLOCK[row.arch]
    if row.metric != "penalty_pct_over_best":
        return None
    fits = [each for each in SUBBLOCKS if row.number("mt") % each[0] == 0 and row.number("nt") % each[1] == 0]
    return 100 * (cycles / min(accumulated(row, each) for each in fits) - 1)


def scaled_sum(row):
    """mb5d: scale * c + a @ b in subblocks. Each DST section copies c, scales it, and adds the products to it."""
    if row.metric != "trisc_max_us":
        return None  # the row measures only one core of the compute thread
    blocks = Blocks(row, subblock_of(row), row.number("kt"))
    program, function, (a, b, target, c) = blocks.program(row, 1)
    scale = function.value("arith.constant 2.0 : f32"), "f32"
    programs.zone(function, "begin")
    for y, x in blocks.corners():
        function.call("tile_regs_acquire")
        function.call("copy_tile_init", c)
        for register, tile in enumerate(blocks.outputs(y, x)):
            function.call("copy_tile", c, tile, register)
        for register in range(blocks.count):
            function.call("mul_unary_tile", register, scale)
        function.call("mm_init_short", a, b)
        for k in range(blocks.steps):
            product_loop(function, a, b, lambda each: blocks.operands(function, each, k, y, x), blocks.count)
        packed(function, target, blocks.outputs(y, x))
    programs.zone(function, "end")
    return zone_cycles(program) / CLOCK[row.arch]


def ladder(row):
    """mb3_ladder: the percentage of the time in which the matrix engine works, if it takes 16 cycles per product and
    fidelity phase. Multiplies one block of K after the other, all in L1, in subblocks of 2 x 4 registers. The variants,
    `rung`: mm1 uses matmul_tiles, the others matmul_block. mm1 and mm3 copy the partial sums back to DST for the next
    block, mm4 lets the packer add them up, mm2 has none."""
    rung, number = row.key["rung"], row.number("num_blocks")
    if rung not in ("mm1_tile_loop", "mm2_block", "mm3_block_stream", "mm4_l1acc"):
        return None
    blocks = Blocks(row, (2, 4), row.number("kt") // number)
    program, function, (a, b, target, partial) = blocks.program(row, 1, row.key["fidelity"].lower())
    adds, copies = rung == "mm4_l1acc", rung in ("mm1_tile_loop", "mm3_block_stream")
    programs.zone(function, "begin")
    for block in range(number):
        if adds and block == 1:
            function.call("pack_reconfig_l1_acc", 1)
        for y, x in blocks.corners():
            function.call("tile_regs_acquire")
            if copies and block:
                function.call("copy_tile_init", partial)
                for register, tile in enumerate(blocks.outputs(y, x)):
                    function.call("copy_tile", partial, tile, register)
                function.call("mm_init_short", a, b)
            multiply_subblock(function, blocks, a, b, y, x, rung == "mm1_tile_loop")
            packed(function, target, blocks.outputs(y, x))
    programs.zone(function, "end")
    phases = {"lofi": 1, "hifi2": 2, "hifi3": 3, "hifi4": 4}[row.key["fidelity"].lower()]
    return 100 * 16 * phases * blocks.tiles * row.number("kt") / zone_cycles(program)


def multiply_subblock(function, blocks, a, b, y, x, by_tiles):
    for k in range(blocks.steps):
        if by_tiles:
            product_loop(function, a, b, lambda each: blocks.operands(function, each, k, y, x), blocks.count)
            continue
        for register in range(blocks.count):
            row, column = divmod(register, blocks.columns)
            function.call("matmul_tiles", a, b, k * blocks.height + y + row, k * blocks.width + x + column, register)
