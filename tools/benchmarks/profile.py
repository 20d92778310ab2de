# SPDX-License-Identifier: Apache-2.0
"""Shows where the time of a case goes: counts samples of Linux' profiler perf by part of the program and
by function. Needs perf (package linux-perf)."""

import os
import re
import shutil
import subprocess
import tempfile

from benchmarks.svg import Picture

# One case for each class of kernels, and a description of the class.
CLASSES = {
    "multiply_add": "element by element, bfloat16",
    "exponentials": "element by element, exponentials, float32",
    "softmax": "rows, float32",
    "matmul_float32_1024_block8": "products, float32",
    "matmul_multicast": "products with multicast",
    "ring": "pipes between nodes",
    "launches": "many small launches",
}
SECONDS = 3
RATE = 999  # samples per second; 1000 could coincide with the timer's ticks
LEAST = 0.004  # a function with a smaller share of the samples gets no box of its own
WIDTH, ROW = 960, 24

_PARTS = (
    ("compiled kernels", r"\[JIT\]|perf-\d+\.map", "#f4a582"),
    ("emulated device", r"libttjit-(device|session)", "#92c5de"),
    ("copies (libc)", r"libc\.so", "#b8e186"),
    ("thread switches", r"libboost_context", "#fddbc7"),
    ("Python", r"python3|_ttjit|numpy|\.cpython-", "#d9d9d9"),
    ("operating system", r"kernel|vdso", "#c2a5cf"),
    ("other", r"", "#eeeeee"),
)


def missing():
    """Returns the reason why no profile can be made; None if one can."""
    if shutil.which("perf") is None:
        return "perf is not installed (package linux-perf)"
    return None


def samples(start_child):
    """Returns a dict from (part, function) to its share of the samples. `start_child` starts a
    process that writes a line and then launches a case again and again. perf finds the names of
    compiled functions in the map of that process."""
    process = start_child()
    try:
        process.stdout.readline()
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "perf.data")
            _perf("record", "-e", "cpu-clock", "-F", str(RATE), "-p", str(process.pid), "-o", data,
                  "--", "sleep", str(SECONDS))
            text = _perf("report", "-i", data, "--stdio", "-F", "overhead,dso,sym", "-g", "none")
    finally:
        process.kill()
        process.wait()
        _remove(f"/tmp/perf-{process.pid}.map")
    return shares(text)


def _perf(*arguments):
    run = subprocess.run(["perf", *arguments], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"perf {arguments[0]} failed: {run.stderr.strip().splitlines()[-1:]}")
    return run.stdout


def _remove(file):
    if os.path.exists(file):
        os.remove(file)


def shares(report):
    """Returns a dict from (part, function) to its share of all samples, from 0 to 1, in a report of perf."""
    found = {}
    for line in report.splitlines():
        match = re.match(r"\s*([\d.]+)%\s+(\S.*?)\s+\[[.k]\]\s+(.*)", line)
        if match:
            share, library, function = float(match[1]) / 100, match[2], match[3].strip()
            part = next(name for name, pattern, _ in _PARTS if re.search(pattern, library))
            function = short(function) if not function.startswith("0x") else library
            found[part, function] = found.get((part, function), 0.0) + share
    return found


def short(function):
    """Returns the name of a function without ttl-jit's namespaces and without ABI tags. For the wrapper
    Guarded<&F, TYPE>::call returns the name of F."""
    guarded = re.match(r"ttjit::hw::Guarded<&(\w+),", function)
    if guarded:
        return guarded[1]
    return re.sub(r"\bttjit::(?:[a-z]\w*::)*|\(anonymous namespace\)::|\[abi:\w+\]", "", function)


def picture(title, found):
    """Returns the profile as a picture: all time, its parts, and the functions of each part."""
    drawn = Picture(WIDTH, 4 * ROW + 8, title)
    total = sum(found.values()) or 1.0
    drawn.box(0, 4, WIDTH, ROW, "#f7f7f7", title, 12)
    x = 0.0
    for name, _, colour in _PARTS:
        functions = {function: share for (part, function), share in found.items() if part == name}
        width = WIDTH * sum(functions.values()) / total
        if width > 0:
            drawn.box(x, 4 + ROW, width, ROW, colour, f"{name} {100 * width / WIDTH:.0f} %")
            _functions(drawn, x, functions, total, colour)
            x += width
    return str(drawn)


def _functions(drawn, x, functions, total, colour):
    for function, share in sorted(functions.items(), key=lambda item: -item[1]):
        if share / total >= LEAST:
            width = WIDTH * share / total
            drawn.box(x, 4 + 2 * ROW, width, ROW, colour, f"{function} {100 * share / total:.0f} %")
            x += width
