"""tools/bench timing: transfers on the NoC and DRAM. A function with a parameter `row` predicts a row of a table."""
# SPDX-License-Identifier: Apache-2.0

import functools
import math

from benchmarks import timing_programs as programs
from benchmarks.timing_rows import BANKS, CLOCK, GRID, rows, zone_cycles, zones

MOST_TRANSFERS = 40_000  # rows with more transfers are left out


def rectangle(row):
    """Returns the sender of a row's multicasts and the last core of their rectangle, which begins at (0, 0). With
    loopback the sender is core (0, 0). Without, it is outside of the rectangle: its place is not published, so we take
    the next core to the right, or the next row. Returns None if the grid has no such core."""
    cores, loopback = row.number("cores"), row.number("loopback")
    columns, lines = GRID[row.arch]
    if "one_to_row" in row.subtable:
        width, height = columns, 1
    else:
        width = math.isqrt(cores)
        height = width
        if width * height != cores:
            width, height = GRID[row.arch]
    sender = (0, 0) if loopback else (width, 0) if width < columns else (0, height)
    return (sender, (width - 1, height - 1)) if sender[1] < lines else None


def transfers(row):
    n, size = row.number("n"), row.number("bytes")
    reads = "from" in row.subtable
    if "row_to_row" in row.subtable or "all_to_all_unicast_l1" in row.subtable:
        return everybody(row)
    if "multicast" in row.subtable:
        found = rectangle(row)
        if found is None:
            return None
        sender, last = found
        loopback = row.number("loopback") == 1
        return zone_cycles(programs.multicasts(row.arch, GRID[row.arch], sender, last, n, size, loopback))
    if "dram" in row.subtable:
        stride = 0 if "one_from_one" in row.subtable or "one_to_one" in row.subtable else 1
        if "all_to_all" in row.subtable:
            return None  # the cores of these rows are not published
        return zone_cycles(programs.page_transfers(row.arch, n, size, reads, stride))
    if "one_to_one" in row.subtable or "one_from_one" in row.subtable:
        peer = (0, 1) if row.number("same_axis") else (1, 1)
        return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], [peer], n, size, reads))
    rounds = n // row.number("cores")
    return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], peers_of(row), rounds, size, reads))


def peers_of(row):
    """Returns as many cores as the row of the table names, in a line, a square or the whole grid. The first is the
    sender."""
    count = row.number("cores")
    columns, lines = GRID[row.arch]
    width = count if "row" in row.subtable else math.isqrt(count)
    if width * width != count and width != count:
        width = columns  # neither a line nor a square: the whole grid
    assert (count - 1) // width < lines, row.text
    return [(each % width, each // width) for each in range(count)]


def everybody(row):
    """Predicts a row in which every core of a line or a square writes to every one of these cores."""
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


def grid_of(arch, nodes):
    """Returns a grid of exactly so many nodes with the most columns, or None."""
    columns, lines = GRID[arch]
    sides = [(width, nodes // width) for width in range(min(columns, nodes), 0, -1) if nodes % width == 0]
    return next((each for each in sides if each[1] <= lines), None)


def dram_scaling(row):
    """dram_scaling: each node moves 32 pages of one bank. All nodes use bank 0 (onechan), or node n uses bank n
    modulo the number of banks (fanchan). The places of the measured cores are not published: we take the first ones
    of the grid."""
    nodes, size = row.number("participants"), row.number("tx_bytes")
    grid, rounds = grid_of(row.arch, nodes), 32
    if grid is None:
        return None
    banks = BANKS[row.arch]
    program = programs.pages_in_turn(row.arch, grid, rounds, size, row.key["direction"] == "read", banks,
                                     banks if row.key["arm"].startswith("fanchan") else 0)
    return nodes * rounds * size / zone_cycles(program)


# ===--------------------------------------------------------------------------=== #
# S17: transfers of one core, or of two cores whose paths share links
# ===--------------------------------------------------------------------------=== #


def node_at(row, x, y):
    """Returns the logical node of a core that a row of S17 names by translated coordinates."""
    x, y = row.number(x), row.number(y)
    if row.arch == "WH":
        return x - 18, y - 18
    return (x - 1 if x < 8 else x - 3), y - 2


def path_of(row):
    return node_at(row, "mst_nx", "mst_ny"), node_at(row, "sub_nx", "sub_ny")


def flow_key(row, flow):
    """Returns a key of the path of flow 0 or 1. Flow 0 has the same path in all rows of a chip; the path of flow 1
    shares as many links with it as the `point` of the row says, whatever the size of the transfers is."""
    return row.arch, row.number("direction"), flow, row.key["point"].rpartition("/")[2] if flow else ""


@functools.cache
def known_paths():
    """Returns {flow_key(): path} of all flows of two in the data: each row names the path of one of the two flows."""
    return {flow_key(row, row.number("flow")): path_of(row)
            for row in rows("s17") if "shared" in row.subtable and row.key["n_flows"] == "2"}


def other_path(row):
    """Returns the path of the second flow that runs beside that of a row, or None if no row of the table has it."""
    if row.subtable != "noc_readport":
        return known_paths().get(flow_key(row, 1 - row.number("flow")))
    (x, y), memory = path_of(row)
    return (x + 1, y - 1), memory  # a path that shares as many links as the row says


def flow_of(row):
    """noc_*: transfers between two cores, alone, or while those of another pair of cores (n_flows=2) run."""
    paths = [path_of(row)]
    if row.number("n_flows") == 2:
        paths.append(other_path(row))
        if paths[1] is None:
            return None
    program = programs.flows(row.arch, GRID[row.arch], paths, row.number("num_tx"), row.number("tx_bytes"),
                             row.number("direction") == 1)
    return zones(program)["flow0"]


def read_issue(row):
    """nocread_*: reads from other cores of the same row. mode=stateful sets the constant part of a read before the
    loop. Our compiler has no such call, so we compute the addresses before the loop; in other modes we do so for
    each read."""
    sources, columns = row.number("num_src"), GRID[row.arch][0]
    peers = [(min(row.number("hops") + each, columns - 1), 0) for each in range(sources)]
    rounds, size = row.number("num_tx") // sources, row.number("tx_bytes")
    if row.key["mode"] == "stateful":
        return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], peers, rounds, size, True))
    return zone_cycles(programs.flows(row.arch, GRID[row.arch], [((0, 0), each) for each in peers], rounds, size, True))


def one_transfer(row):
    """event_latency: the time from the call of a transfer to the end of its barrier. The place of the other core is not
    published: ours is in another row and column."""
    size, reads = row.number("bytes"), row.key["op"] == "READ"
    processor = "riscv_0" if row.number("noc") == 1 else "riscv_1"
    if row.key["peer"] == "dram":
        return zone_cycles(programs.page_transfers(row.arch, 1, size, reads, processor=processor))
    return zone_cycles(programs.unicasts(row.arch, GRID[row.arch], [(1, 1)], 1, size, reads, processor=processor))


# ===--------------------------------------------------------------------------=== #
# S4, S13
# ===--------------------------------------------------------------------------=== #


def tile_transfers(row):
    """S4: one core sends tiles to another. cpp_baseline waits for each transfer. In cpp_bounded_ring_r*, the
    receiver allows r tiles at once; in cpp_optimized, it allows all of them."""
    variant, tiles = row.key["variant"], 512
    if variant == "cpp_baseline":
        return zone_cycles(programs.waited_transfers(row.arch, 32)) / 32 / CLOCK[row.arch]
    if variant.startswith("cpp_bounded_ring_r"):
        group = int(variant.removeprefix("cpp_bounded_ring_r"))
    elif variant == "cpp_optimized":
        group = tiles
    else:
        return None
    cycles = zone_cycles(programs.rings(row.arch, tiles // group, group, 2048))
    return cycles / (tiles // group * group) / CLOCK[row.arch]


def peak(row):
    """S13: many long transfers of one core, in bytes per cycle."""
    name, grid, size = row.key.get("primitive"), GRID[row.arch], 8192
    others = [(x, y) for x in range(grid[0]) for y in range(grid[1]) if (x, y) != (0, 0)]
    if name in ("dram_read", "dram_write"):
        count, program = 64, programs.page_transfers(row.arch, 64, size, name == "dram_read", 0)
    elif name in ("one_to_one", "one_from_one"):
        count, program = 64, programs.unicasts(row.arch, grid, [(1, 1)], 64, size, name == "one_from_one")
    elif name in ("one_to_all_unicast", "one_from_all"):
        count, program = len(others), programs.unicasts(row.arch, grid, others, 1, size, name == "one_from_all")
    elif name == "one_to_all_multicast":
        last = grid[0] - 1, grid[1] - 1
        count, size = 16, 65536
        program = programs.multicasts(row.arch, grid, (0, 0), last, count, size, True)
    else:
        return None  # linked multicasts, which our compiler does not make, and bounds of tests
    return count * size / zone_cycles(program)
