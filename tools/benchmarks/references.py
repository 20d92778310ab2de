# SPDX-License-Identifier: Apache-2.0
"""What kernels are compared with: native loops, OpenBLAS, numpy and torch, each on one thread, and
processes that run the same kernel."""

import ctypes
import os
import subprocess
import sys

import numpy as np
from benchmarks import measure

_ROW_MAJOR, _NO_TRANSPOSE = 101, 111  # constants of the CBLAS interface


def _address(array):
    return array.ctypes.data_as(ctypes.c_void_p)  # the pointer keeps the array alive


class NativeLoops:
    """The functions of Native.cpp and Buffers.cpp. Arrays are those of numpy; bfloat16 is stored in uint16."""

    def __init__(self, build):
        path = build / "lib/libttjit-bench-native.so"
        if not path.exists():
            raise SystemExit(f"bench: {path} is not built: run tools/test, or ninja -C {build}")
        self._library = ctypes.CDLL(str(path))

    def call(self, name, *arrays):
        """Returns a function that runs the loop; the last array is the result."""
        function = getattr(self._library, f"ttjit_bench_{name}")
        arguments = [*map(_address, arrays), ctypes.c_int64(arrays[0].size)]
        return lambda: function(*arguments)

    def quadruples(self, pages, rounds, switches):
        """Returns a function that moves blocks of `pages` pages through a buffer (Buffers.cpp)."""
        function = self._library.ttjit_bench_quadruples
        arguments = [ctypes.c_int(pages), ctypes.c_int64(rounds), ctypes.c_int(switches)]

        def run():
            if not function(*arguments):
                raise SystemExit(f"bench: the run of ttjit_bench_quadruples with blocks of {pages} pages "
                                 "ended with a fault: run the hw unit tests")

        return run

    def peak(self, rounds=1_000_000):
        """Returns the operations per second of a loop of products and sums in vector registers."""
        loop = self._library.ttjit_bench_peak
        loop.argtypes, loop.restype = [ctypes.c_int64], ctypes.c_float
        seconds = min(measure.seconds(lambda: loop(rounds)) for _ in range(9))
        return 2 * self._library.ttjit_bench_peak_lanes() * rounds / seconds


def openblas(a, b, y):
    """Returns a function that computes y = a @ b in float32 on one thread, or None."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
    except OSError:
        return None
    library.openblas_set_num_threads(1)
    rows, inner = a.shape
    columns = b.shape[1]
    integers = [ctypes.c_int(value) for value in (rows, columns, inner)]
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    arguments = [_ROW_MAJOR, _NO_TRANSPOSE, _NO_TRANSPOSE, *integers, one, _address(a), inner,
                 _address(b), columns, zero, _address(y), columns]
    return lambda: library.cblas_sgemm(*arguments)


def torch_or_numpy(of_torch, of_numpy, *arrays, dtype="float32"):
    """Returns ("torch", a function that calls of_torch(torch, *tensors) on one thread), or the same
    with numpy if torch cannot be imported. torch's tensors have elements of `dtype`."""
    try:
        import torch
    except ImportError:
        return "numpy", lambda: of_numpy(np, *arrays)
    torch.set_num_threads(1)
    tensors = [torch.from_numpy(array).to(getattr(torch, dtype)) for array in arrays]
    return "torch", lambda: of_torch(torch, *tensors)


class Processes:
    """Processes that each run the kernel of a case on one host thread."""

    def __init__(self, name, count, quick):
        command = [sys.executable, "-c", "import sys; from benchmarks import child; "
                   "child.main(sys.argv[1:])", name, "--serve", *["--quick"] * quick]
        self._processes = [
            subprocess.Popen(command, env={**os.environ, "TTL_SCHEDULE": "fair"}, text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)
        ]
        self._answers("ready")

    def _answers(self, expected):
        for process in self._processes:
            found = process.stdout.readline().strip()
            if found != expected:
                raise SystemExit(f"bench: a process of the reference must answer {expected!r}, found {found!r}")

    def launch(self):
        """Lets every process launch its kernel once, all at the same time."""
        for process in self._processes:
            process.stdin.write("launch\n")
            process.stdin.flush()
        self._answers("done")


def limits(native):
    """Returns the speed of one thread of the host: bytes per second that copies read and write, and
    operations per second in vector registers, a product and a sum counting as two."""
    source, target = np.ones(1 << 25, np.float32), np.zeros(1 << 25, np.float32)
    copy_time = min(measure.seconds(lambda: np.copyto(target, source)) for _ in range(7))
    return {"bandwidth": 2 * source.nbytes / copy_time, "peak": native.peak()}
