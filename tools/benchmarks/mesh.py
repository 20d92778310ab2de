# SPDX-License-Identifier: Apache-2.0
"""`tools/bench mesh`: measures the cost of emulated cores, from one chip to 160. Each row is measured in a
process of its own, which prints a line of JSON. Times are processor time of one thread, because elapsed
time depends on what else a busy machine runs. Only runs with several threads or ranks have elapsed times."""

import json
import pathlib
import resource
import shutil
import subprocess
import sys
import time
import warnings

FORMAT = "{:<24} {:>6} {:>7} {:>10} {:>14} {:>16} {:>10}"
HEAD = ("kernel", "chips", "cores", "ms", "us/core-round", "bytes received", "KiB/core")
SIZES = [(4, 4, 4), (4, 8, 8), (16, 8, 8), (64, 8, 8)]  # chips, columns, rows
ROWS = [*(("local", *size) for size in [(1, 8, 8), *SIZES[1:]]),
        *((name, *size) for name in ("shift", "all_gather", "gather_slices", "all_reduce") for size in SIZES),
        ("all_gather", 160, 8, 8)]
QUICK = [(name, *SIZES[0]) for name in ("local", "shift", "all_gather", "gather_slices", "all_reduce")]
GATHERS = "all_gather", "gather_slices"
CHILD = "import sys; from benchmarks import mesh; mesh.child(sys.argv[1:])"

# Ways to emulate the chips of a mesh in parallel: name, host threads, and ranks (processes of mpirun).
TOGETHER = [("1 thread", 1, 1), ("2 threads", 2, 1), ("2 ranks", 1, 2), ("4 ranks", 1, 4)]

# A program that makes one transfer between two chips. It is timed from the start of its process to the end.
ONE_TRANSFER = """
import warnings; warnings.simplefilter("ignore")
import numpy as np, ttl, ttnn
ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
full = np.arange(2048, dtype=np.float32).reshape(64, 32)
x = ttnn.from_torch(full, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
y = ttnn.point_to_point(x, (0, 0), (0, 1))
assert (ttnn.get_device_tensors(y)[1].to_numpy() == full[:32]).all()
"""


def memory():
    """Returns the resident memory of this process in KiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


# ===--------------------------------------------------------------------------=== #
# One row


def tensors(name, mesh, grid):
    """Returns the tensors of a kernel, and what the parts of the result must be."""
    import numpy as np
    import ttnn

    chips, (columns, rows) = mesh.get_num_devices(), grid

    def put(parts, layout, dtype):
        return ttnn.from_torch(np.concatenate(parts), dtype=dtype, layout=layout, device=mesh,
                               mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))

    if name in ("local", "all_reduce"):
        parts = [np.full((rows * 32, columns * 32), chip % 7, np.float32) for chip in range(chips)]
        whole = [parts[0] * 0 + sum(chip % 7 for chip in range(chips))] * chips
        expected = whole if name == "all_reduce" else [2 * part for part in parts]
        kind = ttnn.TILE_LAYOUT, ttnn.bfloat16
    else:
        parts = [np.arange(columns * rows * 16, dtype=np.float32).reshape(-1, 16) + 1000 * chip
                 for chip in range(chips)]
        expected = [parts[chip - 1] for chip in range(chips)]
        expected = [np.concatenate(parts)] * chips if name in GATHERS else expected
        kind = ttnn.ROW_MAJOR_LAYOUT, ttnn.float32
    x = put(parts, *kind)
    y = ttnn.zeros(expected[0].shape, dtype=kind[1], layout=kind[0], device=mesh)
    return x, y, expected


def closed_form(name, chips, cores):
    """Returns how many rounds a kernel has, and how many bytes all cores must receive from other chips."""
    from benchmarks.mesh_kernels import BLOCK, ROUNDS, TILE

    if name in GATHERS:
        return chips - 1, cores * (chips - 1) * BLOCK
    if name == "all_reduce":
        return ROUNDS, ROUNDS * cores // chips * 2 * (chips - 1) * TILE
    return ROUNDS, ROUNDS * cores * BLOCK * (name == "shift")


def run(name, chips, columns, rows, clock=time.process_time):
    """Measures one row: launches the kernel four times, checks it, and returns the figures of the fastest."""
    import numpy as np
    import ttl
    import ttnn
    from benchmarks import mesh_kernels

    warnings.simplefilter("ignore")  # ignore the warning that the machine has one chip
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_2D)
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(chips, 1)) if chips > 1 else ttnn.open_device()
    domain, grid = ttl.DeviceDomain((chips, 1)), (columns, rows)
    x, y, expected = tensors(name, mesh, grid)
    kernel = getattr(mesh_kernels, name)(domain, grid)
    before, times = memory(), []
    for _ in range(4):
        start = clock()
        kernel(x, y)
        times.append(clock() - start)
    used = memory() - before
    cores = chips * columns * rows
    rounds, received = closed_form(name, chips, cores)
    found = ttl.last_run().stats["bytes_received"]
    if found != received:
        sys.exit(f"bench: {name} on {chips} chips: {found} bytes were received, expected {received}")
    for number in {0, chips // 2, chips - 1}:
        if not np.array_equal(ttnn.get_device_tensors(y)[number].to_numpy(), expected[number]):
            sys.exit(f"bench: {name} on {chips} chips: chip {number} has a wrong result")
    best = min(times)
    return {"name": name, "chips": chips, "cores": cores, "seconds": best, "bytes": received,
            "cost": best / (cores * rounds) * 1e6, "memory": used / cores}


def run_together(name, *numbers):
    """Measures one row in this process, which may be a rank, and prints it. Only the output of rank 0 is shown."""
    print(json.dumps({**run(name, *numbers, clock=time.perf_counter), "process": memory()}))


def untouched():
    """Returns the KiB of memory that each chip of a mesh uses after the mesh was opened."""
    import ttnn

    warnings.simplefilter("ignore")
    ttnn.open_device()
    before = memory()
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(32, 32))
    return (memory() - before) / mesh.get_num_devices()


def child(arguments):
    if arguments == ["untouched"]:
        print(json.dumps(untouched()))
        return
    name, *numbers = arguments
    print(json.dumps(run(name, *map(int, numbers))))


# ===--------------------------------------------------------------------------=== #
# The table


def _python(environment, code, *arguments):
    command = [sys.executable, "-c", code, *arguments]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    if process.returncode:
        print(f"mesh {' '.join(arguments)}: {process.stderr.strip()}", file=sys.stderr)
        return None
    return process.stdout.splitlines()


def _row(found):
    return (found["name"], found["chips"], found["cores"], f"{found['seconds'] * 1e3:.2f}",
            f"{found['cost']:.3f}", f"{found['bytes']:,}", f"{found['memory']:.1f}")


def _one_transfer(environment, quick):
    """Runs ONE_TRANSFER several times. Returns its shortest elapsed time and its least processor time, in
    seconds."""
    times, used = [], []
    for _ in range(2 if quick else 6):  # the first one fills the cache of compiled kernels
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        if _python(environment, ONE_TRANSFER) is None:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(time.perf_counter() - start)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times), min(used)


def _together(environment, row, threads, ranks):
    """Runs a row on these host threads or ranks; returns what rank 0 has measured, or None."""
    program = pathlib.Path(environment["TTJIT_BUILD"]) / "bin" / "ttl-jit"
    command = [program, "run", pathlib.Path(__file__).with_name("mesh_together.py"), "--", *map(str, row)]
    if ranks > 1:
        command = ["mpirun", "--oversubscribe", "-n", str(ranks), *command]
    variables = {"TTL_SCHEDULE": f"parallel({threads})", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    process = subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True)
    if process.returncode:
        print(f"mesh {row} on {ranks} ranks: {process.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(process.stdout.splitlines()[-1])


def _ranks_table(environment, quick):
    """Prints the elapsed times of runs on several host threads or ranks; returns the rows."""
    results = []
    print("\n{:<24} {:>6} {:>7} {:>10} {:>10} {:>20}".format("kernel", "chips", "cores", "on", "ms",
                                                             "MiB of one process"))
    for row in QUICK[1:2] if quick else [("shift", 16, 8, 8), ("all_gather", 16, 8, 8), ("all_reduce", 16, 8, 8)]:
        for how, threads, ranks in TOGETHER:
            if ranks > 1 and shutil.which("mpirun") is None:
                continue
            tries = [_together(environment, row, threads, ranks) for _ in range(1 if quick else 3)]
            if None in tries:
                return None
            found = min(tries, key=lambda each: each["seconds"])
            results.append({**found, "name": f"{row[0]}, {how}"})
            print(f"{row[0]:<24} {found['chips']:>6} {found['cores']:>7} {how:>10} {found['seconds'] * 1e3:>10.2f} "
                  f"{found['process'] / 1024:>20.0f}", flush=True)
    return results


def table(environment, quick):
    """Prints all rows; returns them, or None if one failed."""
    print(FORMAT.format(*HEAD))
    results = []
    for row in QUICK if quick else ROWS:
        lines = _python(environment, CHILD, *map(str, row))
        if lines is None:
            return None
        results.append(json.loads(lines[-1]))
        print(FORMAT.format(*_row(results[-1])), flush=True)
    lines, start = _python(environment, CHILD, "untouched"), _one_transfer(environment, quick)
    together = _ranks_table(environment, quick)
    if lines is None or start is None or together is None:
        return None
    print(f"an untouched chip of an open mesh: {float(lines[-1]):.1f} KiB")
    print(f"point_to_point between two chips, from the start of the process to its end: {start[0]:.3f} s, "
          f"{start[1]:.3f} s of the processor")
    return [*results, *together, {"name": "untouched", "memory": float(lines[-1])},
            {"name": "start", "seconds": start[0], "processor": start[1]}]
