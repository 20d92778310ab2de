# ===- _ranks.py - the processes of mpirun ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Under `mpirun -n N ttl-jit run FILE` each of N processes, the ranks, runs the whole script, and
# emulates a part of the devices of each mesh. Only rank 0 shows its output; with --rank-output all do.
# ===--------------------------------------------------------------------------=== #

import os
import random
import shutil
import signal
import sys
import tempfile
import threading

import _ttjit

_END = "ends with status"
_OFF = ("", "0", "off", "false")
# Options that name files. Ranks other than 0 write theirs into a folder that is removed.
_FILES = ("TTL_TRACE", "TTL_RECORD", "TTL_STATS", "TTL_NUMERICS_FILES")


def join():
    """Connects this process to the other processes of mpirun. Must run before `import ttl`. Returns the
    number of this rank."""
    rank = _ttjit.join_ranks()
    if rank > 0:
        _redirect_files(tempfile.mkdtemp(prefix="ttl-jit-rank"))
    return rank


def _redirect_files(folder):
    for name in _FILES:
        files = os.environ.get(name, "").split(",")
        if any("." in file for file in files):
            os.environ[name] = ",".join(os.path.join(folder, os.path.basename(file)) for file in files)
    _redirect_files.folder = folder


def run(rank, work):
    """Calls work() on this rank, and returns the exit status: that of work(), or at least 1 if the ranks end
    with different ones."""
    _seed()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # mpirun passes Ctrl-C on as SIGTERM
    output = _output_of(rank)
    status = work()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    try:
        _ttjit.compare_ranks(f"{_END} {status}")
    except RuntimeError as error:
        if _END in str(error):
            output.show_errors()
        if rank == 0 and status == 0:
            print(f"error: {error}", file=sys.stderr, flush=True)
        status = status or 1
    output.end()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # mpirun ends all ranks when the first one ends
    _ttjit.leave_ranks()
    if rank > 0:
        shutil.rmtree(_redirect_files.folder, ignore_errors=True)
    return status


def _seed():
    """Seeds random numbers equally on all ranks, for scripts that set no seed. torch has a fixed first seed."""
    import numpy as np

    random.seed(0)
    np.random.seed(0)


def _output_of(rank):
    if os.environ.get("TTL_RANK_OUTPUT", "off") not in _OFF:
        return _Prefixed(rank)
    return _Hidden(rank) if rank else _Shown()


class _Shown:
    """Shows the output of this process as it is: that of rank 0."""

    def show_errors(self):
        pass

    def end(self):
        pass


class _Hidden(_Shown):
    """Drops what this process prints, and keeps its errors: show_errors() shows them."""

    def __init__(self, rank):
        self.rank, self.errors, self.former = rank, tempfile.TemporaryFile(), os.dup(2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(self.errors.fileno(), 2)

    def show_errors(self):
        os.dup2(self.former, 2)
        self.errors.seek(0)
        for line in self.errors:
            os.write(2, f"rank {self.rank}: ".encode() + line)


class _Prefixed(_Shown):
    """Shows what this process prints, each line after the number of the rank."""

    def __init__(self, rank):
        self.prefix = f"rank {rank}: ".encode()
        self.threads = [self._redirect(number) for number in (1, 2)]

    def _redirect(self, number):
        reader, writer = os.pipe()
        former = os.dup(number)
        os.dup2(writer, number)
        os.close(writer)
        thread = threading.Thread(target=self._pass_on, args=(reader, former), daemon=True)
        thread.start()
        return number, former, thread

    def _pass_on(self, reader, former):
        with open(reader, "rb") as lines:
            for line in lines:
                os.write(former, self.prefix + line.rstrip(b"\n") + b"\n")

    def end(self):
        for number, former, thread in self.threads:
            os.dup2(former, number)  # closes the pipe's last writer, so that the thread ends
            thread.join(1)
