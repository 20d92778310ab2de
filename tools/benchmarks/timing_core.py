"""tools/bench timing: compute kernels of one core that do not multiply matrices. A function with a parameter `row`
predicts the rows of the subtable that its docstring names."""
# SPDX-License-Identifier: Apache-2.0

from benchmarks import timing_programs as programs
from benchmarks.timing_rows import CLOCK, busy_cycles, zone_cycles


def compute_program(arch, tiles, operate, per_section, dtype="bf16", fp32=False, full_sync=False,
                    repeats=1, init="copy_tile_init", operands=2, fidelity="hifi4"):
    """Returns a program whose compute thread runs `operate` on `tiles` tiles, in DST sections of `per_section` tiles.
    Repeats this `repeats` times in a zone."""
    program = programs.Program(arch, fp32=fp32, full_sync=full_sync, fidelity=fidelity)
    buffers = [program.buffer(tiles, dtype) for _ in range(operands + 1)]
    function = program.thread("compute", "compute", buffers)
    *sources, target = [function.buffers[each] for each in buffers]
    function.call("init_sfpu", sources[0], target)
    for source in sources:
        programs.fill(function, source, tiles, per_section)
    function.call("cb_reserve_back", target, tiles)
    if callable(init):
        init(function, sources, target)
    else:
        function.call(init, *sources[:2 if init.endswith("tiles_init") else 1])
    programs.zone(function, "begin")
    function.loop(repeats)
    for first in range(0, tiles, per_section):
        programs.section(function, first, min(per_section, tiles - first),
                         lambda tile, register: operate(function, sources, tile, register), target)
    function.end()
    programs.zone(function, "end")
    return program


def copy(function, sources, tile, register):
    function.call("copy_tile", sources[0], tile, register)


def binary(name):
    def operate(function, sources, tile, register):
        function.call(name, sources[0], sources[1], tile, tile, register)
    return operate


def transpose(function, sources, tile, register):
    function.call("transpose_wh_tile", sources[0], tile, register)


def pass_through(row):
    """S3: copies tiles from one buffer to another, `chunk` tiles per DST section. Calls such as cb_push_back are
    outside of the measured zone."""
    program = compute_program(row.arch, row.number("tiles"), copy, row.number("chunk"), operands=1)
    return zone_cycles(program) / CLOCK[row.arch]


def self_cycle(row):
    """mb1: copies a block of a buffer to the next block of the same buffer."""
    tiles, repeats = row.number("tiles"), 16
    fp32, full = row.key["fp32_acc"] == "1", row.key["full_sync"] == "1"
    dtype = "f32" if row.key["dtype"] == "fp32" else "bf16"
    capacity = (16 if full else 8) // (2 if fp32 else 1)
    program = programs.Program(row.arch, fp32=fp32, full_sync=full)
    buffer = program.buffer(2 * tiles, dtype)
    function = program.thread("compute", "compute", (buffer,))
    dfb = function.buffers[buffer]
    function.call("init_sfpu", dfb, dfb)
    programs.fill(function, dfb, tiles, capacity)
    function.call("copy_tile_init", dfb)
    programs.zone(function, "begin")
    function.loop(repeats)
    function.call("cb_wait_front", dfb, tiles)
    function.call("cb_reserve_back", dfb, tiles)
    for first in range(0, tiles, capacity):
        programs.section(function, first, min(capacity, tiles - first),
                         lambda tile, register: function.call("copy_tile", dfb, tile, register), dfb)
    function.call("cb_pop_front", dfb, tiles)
    function.call("cb_push_back", dfb, tiles)
    function.end()
    programs.zone(function, "end")
    return zone_cycles(program) / repeats / CLOCK[row.arch]


def subblocks(row):
    """mb5b: an operation on n x n tiles, with one DST section for each subblock."""
    n, repeats = row.number("n"), 4
    height, width = map(int, row.key["sub"].split("x"))
    operate, init = {"add": (binary("add_tiles"), "add_tiles_init"),
                     "mul": (binary("mul_tiles"), "mul_tiles_init"),
                     "transpose": (transpose, "transpose_wh_init_short")}[row.key["op"]]
    program = compute_program(row.arch, n * n, operate, height * width, repeats=repeats, init=init,
                              operands=1 if row.key["op"] == "transpose" else 2)
    return zone_cycles(program) / repeats / CLOCK[row.arch]


def marginal(row):
    """Predicts the rows mb4_unary: by how many microseconds per tile a copy with a function, such as exp_tile(),
    is slower than the copy alone. Both compute 4 tiles 16 times."""
    name = f"{row.key['op']}_tile"

    def operate(function, sources, tile, register):
        copy(function, sources, tile, register)
        function.call(name, register)

    both = [zone_cycles(compute_program(row.arch, 4, each, 4, repeats=16, operands=1)) for each in (operate, copy)]
    return (both[0] - both[1]) / 64 / CLOCK[row.arch]


def reductions(kind):
    """Returns the calls that initialise and compute reductions of tiles to one element."""
    attributes = (" {reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>, "
                  f"reduce_type = #ttkernel.reduce_type<reduce_{kind}>}}")

    def init(function, sources, target):
        function.call("reduce_init", *sources, target, attributes=attributes)

    def operate(function, sources, tile, register):
        function.call("reduce_tile", *sources, tile, 0, register, attributes=attributes)

    return operate, init


def binary_operation(row):
    """mb4_binary: one DST section for all tiles, repeated. Predicts a broadcast as the operation without it,
    because the unpacker broadcasts a tile in the time that it needs for any tile."""
    name, tiles, repeats = row.key["op"], row.number("tiles"), 16
    if name.startswith("reduce_"):
        operate, init = reductions(name.removeprefix("reduce_"))
    else:
        call = name.removesuffix("_bcast") + "_tiles"
        operate, init = binary(call), call + "_init"
    program = compute_program(row.arch, tiles, operate, tiles, repeats=repeats, init=init)
    return zone_cycles(program) / repeats / tiles / CLOCK[row.arch]


def product_of_row(function, sources, tile, register):
    """Multiplies tile 0 by tile `tile`: a DST section of such calls multiplies one tile by a row of tiles."""
    function.call("matmul_tiles", sources[0], sources[1], 0, tile, register)


def isolated(row):
    """llk_reference: how long the unpacker, the matrix engine or the packer alone works on a tile."""
    name = row.key["op"]
    if name == "isolated":
        resource, operate, init = "unpacker" if "unpack" in row.metric else "packer", copy, "copy_tile_init"
        fidelity, scale = "hifi4", CLOCK[row.arch]
    elif name.startswith("binary_fpu_") and name.endswith("_math"):
        resource, operate, init = "matrix engine", binary("mul_tiles"), "mul_tiles_init"
        fidelity, scale = name.split("_")[2], 1
    elif name.startswith("matmul_") and name.endswith("_math"):
        resource, operate, init = "matrix engine", product_of_row, "add_tiles_init"
        fidelity, scale = name.split("_")[1], 1
    else:
        return None
    times = [busy_cycles(compute_program(row.arch, 4, operate, 4, repeats=each, init=init, fidelity=fidelity),
                         resource) for each in (8, 16)]
    return (times[1] - times[0]) / 32 / scale


def read_deltas(program, delta, tiles, rounds):
    """Adds a reader thread that reads a block of `tiles` tiles from DRAM into the buffer `delta`, `rounds` times."""
    tensor = program.tensor(1, tiles)
    reader = program.thread("reader", "riscv_1", (delta,), (tensor,))
    reader.loop(rounds)
    read_block(reader, 0, reader.buffers[delta], tiles)
    reader.end()


def accumulation(row):
    """mb2: adds blocks, the deltas, to a block in L1: the packer accumulates. All rounds add one delta that stays
    in L1, or a reader thread reads a delta for each round."""
    expression = row.key.get("expr", "add")
    if row.key["strategy"] != "l1" or expression not in ("add", "gelu"):
        return None
    tiles, repeats = row.number("acc_tiles"), row.number("iters")
    reads = row.key["source"] == "dram"
    program = programs.Program(row.arch, full_sync=row.key.get("full_sync") == "1")
    blocks = int(row.key.get("block_count", 1)) if reads else 1
    buffers = [program.buffer(tiles * each) for each in (1, blocks, 1)]
    if reads:
        read_deltas(program, buffers[1], tiles, repeats)
    function = program.thread("compute", "compute", buffers)
    init, delta, target = [function.buffers[each] for each in buffers]

    def operate(source, expression="add"):
        def apply(tile, register):
            function.call("copy_tile", source, tile, register)
            if expression == "gelu":
                function.call("gelu_tile", register)
        return apply

    function.call("init_sfpu", delta, target)
    programs.fill(function, init, tiles, 4)
    if not reads:
        programs.fill(function, delta, tiles, 4)
    programs.zone(function, "begin")
    function.call("init_sfpu", init, target)
    function.call("cb_reserve_back", target, tiles)
    function.call("copy_tile_init", init)
    function.call("pack_reconfig_l1_acc", 0)
    programs.section(function, 0, tiles, operate(init), target)
    function.call("pack_reconfig_l1_acc", 1)
    function.call("copy_tile_init", delta)
    if expression == "gelu":
        function.call("gelu_tile_init")
    function.loop(repeats)
    if reads:
        function.call("cb_wait_front", delta, tiles)
    programs.section(function, 0, tiles, operate(delta, expression), target)
    if reads:
        function.call("cb_pop_front", delta, tiles)
    function.end()
    function.call("pack_reconfig_l1_acc", 0)
    function.call("cb_push_back", target, tiles)
    programs.zone(function, "end")
    return zone_cycles(program) / CLOCK[row.arch]


def chain(row):
    """mb5e: abs(neg(relu(sigmoid(c) + tanh(b)))) in DST sections of `sub` tiles."""
    def operate(function, sources, tile, register):
        other = register + row.number("sub")
        for source, each, name in zip(sources, (register, other), ("sigmoid_tile", "tanh_tile")):
            function.call("copy_tile", source, tile, each)
            function.call(name, each)
        function.call("add_binary_tile", register, other, register)
        for name in ("relu_tile", "negative_tile", "abs_tile"):
            function.call(name, register)

    program = compute_program(row.arch, row.number("tiles"), operate, row.number("sub"),
                              full_sync=row.key["full_sync"] == "1")
    return zone_cycles(program) / CLOCK[row.arch]


def read_block(function, number, buffer, pages, page_bytes=2048):
    """Adds calls that read pages 0 to `pages` - 1 of tensor `number` of the thread into a block, and wait for them."""
    function.call("cb_reserve_back", buffer, pages)
    start = function.value(f"ttkernel.get_write_ptr({buffer[0]}) : ({buffer[1]}) -> i32")
    index, _ = function.loop(pages)
    offset = function.value(f"arith.muli {index}, {function.constant(page_bytes)} : i32")
    address = function.value(f"arith.addi {start}, {offset} : i32")
    function.call("noc_async_read_page", (index, "i32"), function.accessors[number], (address, "i32"))
    function.end()
    function.add("ttkernel.noc_async_read_barrier() : () -> ()")
    function.call("cb_push_back", buffer, pages)
