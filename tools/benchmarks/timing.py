"""tools/bench timing: compares the time model with the measured rows of tests/timing/data. README.md there
describes the tables: s1.csv is S1, and so on."""
# SPDX-License-Identifier: Apache-2.0

import math
import statistics
import sys

import ttl
import ttnn

from benchmarks import timing_core as core
from benchmarks import timing_exp, timing_fabric, timing_matmul, timing_multicast, timing_traces
from benchmarks import timing_noc as noc
from benchmarks import timing_products as products
from benchmarks.timing_noc import MOST_TRANSFERS
from benchmarks.timing_programs import ARCHES
from benchmarks.timing_rows import rows


def whole_matmul(row):
    """S1: estimates a matmul on all nodes in a dry run, which computes no tiles. Returns None for plans that split
    K between nodes (Kp), or that give a node several blocks of the result."""
    plan = {name: int(value) for name, value in row.key.items()}
    if plan["Kp"] != 1 or plan["M_BPN"] * plan["N_BPN"] > 1:
        return None
    shapes = [(plan["M"], plan["K"]), (plan["K"], plan["N"]), (plan["M"], plan["N"])]
    with ttl.options(arch=ARCHES[row.arch], dry_run=True):
        tensors = [ttnn.zeros(shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for shape in shapes]
        return timing_matmul.operation(plan).time(*tensors).us / 1000


def exponential(row):
    """S11: ttnn.exp. Rows with the same number of tiles, format and memory are estimated by one kernel."""
    dtype = timing_exp.FORMATS.get(row.key["dtype"])
    if dtype is None:
        return None
    return timing_exp.nanoseconds(ARCHES[row.arch], timing_exp.tiles_of(row.key["shape"]), dtype, row.key["memory"])


SUBTABLES = {  # the functions that predict the rows of each table and subtable
    "s1": {"ttlang_device": whole_matmul},
    "s2": {
        **dict.fromkeys(["mb2", "mb2_full_sync", "mb2_expr", "mb2_block_count"], core.accumulation),
        **dict.fromkeys(["mb3", "mb3_fp32", "mb3_gelu", "mb3_full_sync"], products.inner_loop),
        "mb1": core.self_cycle, "mb4_unary": core.marginal, "mb4_binary": core.binary_operation,
        "mb5b": core.subblocks, "mb5e": core.chain, "llk_reference": core.isolated,
        "mb3_ladder": products.ladder, "mb5c": products.accumulation_in_subblocks, "mb5d": products.scaled_sum},
    "s3": {"twocb_half": core.pass_through},
    "s4": {"per_transfer": noc.tile_transfers},
    "s5": {"all_gather_only": timing_fabric.relay},
    "s6": dict.fromkeys([
        "one_from_one_unicast_l1", "one_to_one_unicast_l1", "one_from_one_unicast_dram_interleaved",
        "one_to_one_unicast_dram_interleaved", "one_from_all_unicast_dram_interleaved",
        "one_to_all_unicast_dram_interleaved", "one_from_all_unicast_l1", "one_to_all_unicast_l1",
        "one_to_row_unicast_l1", "row_to_row_unicast_l1", "all_to_all_unicast_l1",
        "one_to_all_multicast_l1", "one_to_row_multicast_l1"], noc.transfers),
    "s7": dict.fromkeys(["barrier", "barrier_wait"], timing_traces.predictor()),
    "s8": dict.fromkeys(["N150_8x8", "P150_13x10"], timing_multicast.cycles),
    "s9": dict.fromkeys([
        "all_gather_ring_DRAM", "all_gather_ring_L1", "all_gather_line_DRAM", "all_reduce_ring_DRAM",
        "all_reduce_line_DRAM", "reduce_scatter_line_DRAM"], timing_fabric.collective),
    "s11": {"ttnn_exp": exponential},
    "s13": {"peak": noc.peak},
    "s14": {"dram_interleaved_read": noc.reads_of_pages},
    "s17": {
        **dict.fromkeys(["noc_hops", "noc_size", "noc_readport", "noc_shared", "noc_sizes_shared"], noc.flow_of),
        **dict.fromkeys(["nocread_burst", "nocread_dist", "nocread_dstspread", "nocread_size", "nocread_srcfan",
                         "nocread_srcspread"], noc.read_issue),
        "dram_scaling": noc.dram_scaling, "tensix_slope": products.loop_of_products,
        "event_latency": noc.one_transfer},
}


# ===--------------------------------------------------------------------------=== #
# Tables of errors
# ===--------------------------------------------------------------------------=== #


SAMPLE = {"s11": 17}  # a row of this table takes long: only every 17th is predicted
QUICK = 23  # --quick predicts only every 23rd row


def events_of(row):
    return int(row.key.get("n", 1)) * max(1, int(row.key.get("bytes", 1)) // 16384)


def predict(table, quick):
    """Returns [(row, prediction)] of a table; a prediction is None if the row is not modelled. Skips rows that
    would take long."""
    result = []
    for number, row in enumerate(rows(table)):
        function = SUBTABLES[table].get(row.subtable)
        step = SAMPLE.get(table, 1) * (QUICK if quick else 1)
        is_large = events_of(row) > MOST_TRANSFERS or table == "s8" and timing_multicast.is_large(row)
        skipped = function and (is_large or number % step)
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
    bias = statistics.median([math.log2(each / row.value) for row, each in known if each > 0] or [0])
    p95 = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
    worst = max(known, key=lambda each: error_of(*each))
    return (f"{len(pairs):5} {len(known):5} {statistics.median(errors):7.1f}% {p95:7.1f}% "
            f"{errors[-1]:7.1f}% {bias:+8.2f}  {worst[0].text[:60]}")


def tau(pairs):
    """Returns Kendall's tau between predicted and measured times, or None. Ignores pairs of rows whose measured times
    differ by less than 1 %."""
    agree = differ = 0
    for i, (first, a) in enumerate(pairs):
        for second, b in pairs[:i]:
            if abs(first.value - second.value) < 0.01 * first.value:
                continue
            same = (first.value - second.value) * (a - b)
            agree += same > 0
            differ += same < 0
    return (agree - differ) / (agree + differ) if agree + differ else None


def alternatives(pairs):
    """Compares rows that differ only in strategy, subblock or block_count. Prints Kendall's tau, and how often the
    row with the shortest predicted time is the fastest one."""
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


def group_of(row):
    """Returns the key of a line in the table of errors. Collectives on more chips have lines of their own."""
    chips = row.key.get("devices")
    return row.subtable if chips is None else f"{row.subtable}, {chips} chips", row.arch


def main(arguments):
    quick, verbose = "--quick" in arguments, "--rows" in arguments
    tables = [each for each in arguments if not each.startswith("-")] or list(SUBTABLES)
    unknown = [each for each in tables if each not in SUBTABLES]
    if unknown:
        print(f"bench: timing has no table '{unknown[0]}'; it has {', '.join(SUBTABLES)}", file=sys.stderr)
        return 2
    print("table  subtable                              arch  rows known   median      p95    worst     bias  "
          "worst row")
    for table in tables:
        groups, pairs_of_table = {}, predict(table, quick)
        for row, each in pairs_of_table:
            groups.setdefault(group_of(row), []).append((row, each))
            if verbose and each is not None:
                print(f"    {row.subtable} {row.arch} {row.text}: {each:.4g}, measured {row.value:.4g}, "
                      f"{100 * (each / row.value - 1):+.1f} %")
        for (subtable, arch), pairs in groups.items():
            print(f"{table:6} {subtable:38} {arch}  {summary(pairs)}")
        alternatives(pairs_of_table)
    return 0
