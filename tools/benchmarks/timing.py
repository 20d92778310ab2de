"""tools/bench timing: the time model against measured rows of tests/timing/data."""
# SPDX-License-Identifier: Apache-2.0

import csv
import math
import pathlib
import statistics
import sys

import ttl
import ttnn
from ttl import _time

from benchmarks import timing_exp, timing_matmul, timing_traces
from benchmarks import timing_programs as programs

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "timing" / "data"
CLOCK = {"WH": 1000, "BH": 1350}  # MHz
BANKS = {"WH": 12, "BH": 8}
GRID = {"WH": (8, 8), "BH": (13, 10)}
MOST_TRANSFERS = 40_000  # rows with more are left out of --quick runs


class Row:
    def __init__(self, table, fields):
        self.table, self.subtable, self.arch = table, fields["subtable"], fields["arch"]
        self.metric, self.value = fields["metric"], float(fields["value"])
        self.key = dict(each.split("=") for each in fields["key"].split(";"))
        self.text = fields["key"]

    def number(self, name):
        return int(self.key[name])


def rows(table):
    with open(DATA / f"{table}.csv", newline="") as file:
        return [Row(table, fields) for fields in csv.DictReader(file)]


def tensors_of(program):
    result = []
    for height, width, format, is_tiled in program.shapes:
        layout = ttnn.TILE_LAYOUT if is_tiled else ttnn.ROW_MAJOR_LAYOUT
        dtype = ttnn.bfloat16 if format == "bf16" else ttnn.float32
        result.append(ttnn.zeros((height, width), dtype=dtype, layout=layout))
    return result


def figures(program):
    """Runs a program. Returns the figures of its estimate."""
    def run():
        ttl.compile_mlir(program.text())(*tensors_of(program))  # compiled with time on

    with ttl.options(arch=program.arch):
        return _time.of(run, "program", None, (), {}).figures


def zone_cycles(program):
    """Returns the cycles of the zone of a program: the longest of its nodes."""
    return max(each["cycles"] for each in figures(program)["zones"])


# ===--------------------------------------------------------------------------=== #
# The NoC and DRAM
# ===--------------------------------------------------------------------------=== #


def rectangle(row):
    """Returns the corners of the rectangle that a row multicasts to, and the grid of its program.
    Without loopback the sender is outside. None: it does not fit."""
    cores, loopback = row.number("cores"), row.number("loopback")
    columns, lines = GRID[row.arch]
    if "one_to_row" in row.subtable:
        width, height = columns, 1
    else:
        width = math.isqrt(cores)
        height = width
        if width * height != cores:
            width, height = GRID[row.arch]
    top = 0 if loopback else 1
    if top + height > lines:
        return None
    return (0, top), (width - 1, top + height - 1), GRID[row.arch]


def noc(row):
    n, size = row.number("n"), row.number("bytes")
    reads = "from" in row.subtable
    if "row_to_row" in row.subtable or "all_to_all_unicast_l1" in row.subtable:
        return everybody(row)
    if "multicast" in row.subtable:
        found = rectangle(row)
        if found is None:
            return None
        first, last, grid = found
        return zone_cycles(programs.multicasts(row.arch, grid, first, last, n, size, row.number("loopback") == 1))
    if "dram" in row.subtable:
        stride = 0 if "one_from_one" in row.subtable or "one_to_one" in row.subtable else 1
        if "all_to_all" in row.subtable:
            return None  # where its cores are is not published
        return zone_cycles(programs.page_transfers(row.arch, n, size, reads, stride))
    if "one_to_one" in row.subtable or "one_from_one" in row.subtable:
        peer = (0, 1) if row.number("same_axis") else (1, 1)
        return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], [peer], n, size, reads))
    rounds = n // row.number("cores")
    return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], peers_of(row), rounds, size, reads))


def peers_of(row):
    """Returns the cores of a row, or of a square; the sender is the first one."""
    count = row.number("cores")
    columns, lines = GRID[row.arch]
    width = count if "row" in row.subtable else math.isqrt(count)
    if width * width != count and width != count:
        width = columns  # all cores, or all others
    assert (count - 1) // width < lines, row.text
    return [(each % width, each // width) for each in range(count)]


def everybody(row):
    """Every core writes to every core of a row or a square."""
    peers = peers_of(row)
    rounds = row.number("n") // len(peers)
    if rounds * len(peers) ** 2 > MOST_TRANSFERS:
        return None
    grid = (peers[-1][0] + 1, peers[-1][1] + 1)
    return zone_cycles(programs.unicasts(row.arch, grid, peers, rounds, row.number("bytes"), False, everybody=True))


def reads_of_pages(row):
    if "q" not in row.key:
        return None
    return zone_cycles(programs.page_transfers(row.arch, row.number("q"), row.number("bytes"), True))


def dram_scaling(row):
    nodes, size = row.number("participants"), row.number("tx_bytes")
    if nodes > 64:
        return None
    reads, rounds = row.key["direction"] == "read", 32
    stride = BANKS[row.arch] if row.key["arm"].startswith("onechan") else 1
    if stride == 1:
        return None  # where its cores are is not published
    program = programs.page_transfers(row.arch, rounds, size, reads, stride, nodes)
    return nodes * rounds * size / zone_cycles(program)


# ===--------------------------------------------------------------------------=== #
# One core
# ===--------------------------------------------------------------------------=== #


def compute_program(arch, tiles, operate, per_section, dtype="bf16", fp32=False, full_sync=False,
                    repeats=1, init="copy_tile_init", operands=2, fidelity="hifi4"):
    """A compute thread that runs `operate` on `tiles` tiles, in sections."""
    program = programs.Program(arch, fp32=fp32, full_sync=full_sync, fidelity=fidelity)
    buffers = [program.buffer(tiles, dtype) for _ in range(operands + 1)]
    function = program.thread("compute", "compute", buffers)
    *sources, target = [function.buffers[each] for each in buffers]
    function.call("init_sfpu", sources[0], target)
    for source in sources:
        programs.fill(function, source, tiles, per_section)
    function.call("cb_reserve_back", target, tiles)
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
    """Tiles from one buffer to another, one per section; the calls of buffers are outside."""
    program = compute_program(row.arch, row.number("tiles"), copy, row.number("chunk"), operands=1)
    return zone_cycles(program) / CLOCK[row.arch]


def self_cycle(row):
    """mb1: a block is copied to the next block of its own buffer."""
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
    """mb5b: an operation on n x n tiles, in sections of a subblock."""
    n, repeats = row.number("n"), 4
    height, width = map(int, row.key["sub"].split("x"))
    operate, init = {"add": (binary("add_tiles"), "add_tiles_init"),
                     "mul": (binary("mul_tiles"), "mul_tiles_init"),
                     "transpose": (transpose, "transpose_wh_init_short")}[row.key["op"]]
    program = compute_program(row.arch, n * n, operate, height * width, repeats=repeats, init=init,
                              operands=1 if row.key["op"] == "transpose" else 2)
    return zone_cycles(program) / repeats / CLOCK[row.arch]


def marginal(row):
    """mb4_unary: what a function of a tile costs more than a copy."""
    name = f"{row.key['op']}_tile"

    def operate(function, sources, tile, register):
        copy(function, sources, tile, register)
        function.call(name, register)

    both = [zone_cycles(compute_program(row.arch, 4, each, 4, repeats=16, operands=1)) for each in (operate, copy)]
    return (both[0] - both[1]) / 64 / CLOCK[row.arch]


def read_deltas(program, delta, tiles, rounds):
    """A reader fetches each delta from DRAM, and waits for it."""
    tensor = program.tensor(1, tiles)
    reader = program.thread("reader", "riscv_1", (delta,), (tensor,))
    reader.loop(rounds)
    read_block(reader, 0, reader.buffers[delta], tiles)
    reader.end()


def accumulation(row):
    """mb2: each delta is packed with L1 accumulation. Deltas are in L1, or a reader fetches them."""
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
    """mb5e: abs(neg(relu(sigmoid(c) + tanh(b)))) in sections of `sub` tiles."""
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
    """A reader fetches the next `pages` pages of a tensor into a block, and waits for them."""
    function.call("cb_reserve_back", buffer, pages)
    start = function.value(f"ttkernel.get_write_ptr({buffer[0]}) : ({buffer[1]}) -> i32")
    index, _ = function.loop(pages)
    offset = function.value(f"arith.muli {index}, {function.constant(page_bytes)} : i32")
    address = function.value(f"arith.addi {start}, {offset} : i32")
    function.call("noc_async_read_page", (index, "i32"), function.accessors[number], (address, "i32"))
    function.end()
    function.add("ttkernel.noc_async_read_barrier() : () -> ()")
    function.call("cb_push_back", buffer, pages)


def multiply(function, a, b, target, height, width, depth, capacity, gelu=False):
    """Sections of products: `depth` steps of the inner dimension for each output tile."""
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
    """Another pass: gelu of what was accumulated in L1."""
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
    """mb3: the reader fetches a column of A and a row of B per step; the zone has its waits."""
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

        step()  # the first one writes, the others add
        function.call("pack_reconfig_l1_acc", 1)
        function.loop(depth - 1)
        step()
        function.end()
        if gelu:
            fuse_gelu(function, target, fused, height * width, capacity)
    programs.zone(function, "end")
    return zone_cycles(program) / CLOCK[row.arch]


def products(row):
    """S17 phase B: a loop of matmul_tiles."""
    def operate(function, sources, tile, register):
        for _ in range(64):
            function.call("matmul_tiles", sources[0], sources[1], 0, 0, register)

    program = compute_program(row.arch, 1, operate, 1, init="add_tiles_init", repeats=4,
                              fidelity=row.key["variant"].lower())
    return zone_cycles(program) / 256


def whole_matmul(row):
    """A matmul on all nodes, without its arithmetic. Partial sums of K and 128 blocks of a node are left out."""
    plan = {name: int(value) for name, value in row.key.items()}
    if plan["Kp"] != 1 or plan["M_BPN"] * plan["N_BPN"] > 1:
        return None
    shapes = [(plan["M"], plan["K"]), (plan["K"], plan["N"]), (plan["M"], plan["N"])]
    with ttl.options(arch=programs.ARCHES[row.arch], dry_run=True):
        tensors = [ttnn.zeros(shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for shape in shapes]
        return timing_matmul.operation(plan).time(*tensors).us / 1000


def exponential(row):
    """S11: ttnn.exp. Each pair of rows with equal tiles, formats and memory is one kernel."""
    dtype = timing_exp.FORMATS.get(row.key["dtype"])
    if dtype is None:
        return None
    return timing_exp.nanoseconds(programs.ARCHES[row.arch], timing_exp.tiles_of(row.key["shape"]), dtype,
                                  row.key["memory"])


PREDICTIONS = {
    ("s11", "ttnn_exp"): exponential,
    **dict.fromkeys([("s7", "barrier"), ("s7", "barrier_wait")], timing_traces.predictor()),
    ("s1", "ttlang_device"): whole_matmul,
    ("s2", "mb1"): self_cycle, ("s2", "mb2"): accumulation, ("s2", "mb2_full_sync"): accumulation,
    ("s2", "mb2_expr"): accumulation, ("s2", "mb2_block_count"): accumulation,
    ("s2", "mb3_fp32"): inner_loop, ("s2", "mb3_gelu"): inner_loop, ("s2", "mb5e"): chain,
    ("s2", "mb3"): inner_loop, ("s2", "mb3_full_sync"): inner_loop,
    ("s2", "mb4_unary"): marginal, ("s2", "mb5b"): subblocks, ("s3", "twocb_half"): pass_through,
    ("s14", "dram_interleaved_read"): reads_of_pages, ("s17", "dram_scaling"): dram_scaling,
    ("s17", "tensix_slope"): products,
    **{("s6", name): noc for name in (
        "one_from_one_unicast_l1", "one_to_one_unicast_l1", "one_from_one_unicast_dram_interleaved",
        "one_to_one_unicast_dram_interleaved", "one_from_all_unicast_dram_interleaved",
        "one_to_all_unicast_dram_interleaved", "one_from_all_unicast_l1", "one_to_all_unicast_l1",
        "one_to_row_unicast_l1", "row_to_row_unicast_l1", "all_to_all_unicast_l1",
        "one_to_all_multicast_l1", "one_to_row_multicast_l1")},
}


# ===--------------------------------------------------------------------------=== #
# Tables of errors
# ===--------------------------------------------------------------------------=== #


def events_of(row):
    return int(row.key.get("n", 1)) * max(1, int(row.key.get("bytes", 1)) // 16384)


def predict(table, quick):
    """Returns [(row, prediction)] of a table; a prediction is None if the row is not modelled."""
    result = []
    for number, row in enumerate(rows(table)):
        function = PREDICTIONS.get((table, row.subtable))
        skipped = function and (events_of(row) > MOST_TRANSFERS or (quick and number % 23))
        if not skipped:
            result.append((row, function(row) if function else None))
    return result


def error_of(row, prediction):
    return abs(prediction - row.value) / row.value * 100


def summary(pairs):
    known = [(row, each) for row, each in pairs if each is not None]
    errors = sorted(error_of(*each) for each in known)
    if not errors:
        return f"{len(pairs):5}     0        -        -        -        -  not modelled"
    bias = statistics.median(math.log2(each / row.value) for row, each in known)
    p95 = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
    worst = max(known, key=lambda each: error_of(*each))
    return (f"{len(pairs):5} {len(known):5} {statistics.median(errors):7.1f}% {p95:7.1f}% "
            f"{errors[-1]:7.1f}% {bias:+8.2f}  {worst[0].text[:60]}")


def tau(pairs):
    """Kendall's tau of predictions of alternatives; ties below 1 % do not count."""
    agree = differ = 0
    for i, (first, a) in enumerate(pairs):
        for second, b in pairs[:i]:
            if abs(first.value - second.value) < 0.01 * first.value:
                continue
            same = (first.value - second.value) * (a - b)
            agree += same > 0
            differ += same < 0
    return (agree - differ) / (agree + differ) if agree + differ else None


TABLES = ["s1", "s2", "s3", "s6", "s7", "s11", "s14", "s17"]


def alternatives(pairs):
    """Prints Kendall's tau and right winners of rows that differ in strategy, subblock or block_count only."""
    groups = {}
    for row, each in pairs:
        key = ";".join(f"{name}={value}" for name, value in row.key.items()
                       if name not in ("strategy", "sub", "block_count"))
        if each is not None and row.metric.startswith("trisc_max_us"):
            groups.setdefault((row.subtable, row.arch, key), []).append((row, each))
    groups = [group for group in groups.values() if len(group) > 1]
    taus = [each for each in map(tau, groups) if each is not None]
    if not taus:
        return
    chosen = [(min(group, key=lambda each: each[1])[0], min((row for row, _ in group), key=lambda row: row.value))
              for group in groups]
    exact = sum(row is best for row, best in chosen)
    near = sum(row.value <= 1.01 * best.value for row, best in chosen)
    print(f"alternatives (strategy, subblock, block_count): {len(groups)} groups, Kendall's tau "
          f"{statistics.mean(taus):.2f}, the choice is the fastest in {exact}, within 1 % of it in {near}")


def main(arguments):
    quick, verbose = "--quick" in arguments, "--rows" in arguments
    tables = [each for each in arguments if not each.startswith("-")] or TABLES
    unknown = [each for each in tables if each not in TABLES]
    if unknown:
        print(f"bench: timing has no table '{unknown[0]}'; it has {', '.join(TABLES)}", file=sys.stderr)
        return 2
    print("table  subtable                              arch  rows known   median      p95    worst     bias  "
          "worst row")
    for table in tables:
        groups, pairs_of_table = {}, predict(table, quick)
        for row, each in pairs_of_table:
            groups.setdefault((row.subtable, row.arch), []).append((row, each))
            if verbose and each is not None:
                print(f"    {row.subtable} {row.arch} {row.text}: {each:.4g}, measured {row.value:.4g}, "
                      f"{100 * (each / row.value - 1):+.1f} %")
        for (subtable, arch), pairs in groups.items():
            print(f"{table:6} {subtable:38} {arch}  {summary(pairs)}")
        alternatives(pairs_of_table)
    return 0
