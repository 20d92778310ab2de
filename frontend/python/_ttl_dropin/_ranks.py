# ===- _ranks.py - the processes of mpirun ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Under `mpirun -n N ttl-jit run FILE` each of N processes, the ranks, runs the whole script, and a
# part of the devices of each mesh. The output of rank 0 is shown.
# ===--------------------------------------------------------------------------=== #

import os
import random
import shutil
import signal
import sys
import tempfile

import _ttjit

_END = "ends with status"
# Options that name files. Ranks other than 0 write theirs into a folder that is removed.
_FILES = ("TTL_TRACE", "TTL_RECORD", "TTL_STATS", "TTL_NUMERICS_FILES")


def join():
    """Makes the processes of mpirun the ranks of this one, before `import ttl`. Returns the number of
    this rank."""
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
    """Calls work(), which returns the exit status, as one of the ranks. Returns the status of all."""
    _seed()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # mpirun passes Ctrl-C on as SIGTERM
    hidden = _hide_output() if rank > 0 else None
    status = work()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    try:
        _ttjit.compare_ranks(f"{_END} {status}")
    except RuntimeError as error:
        if hidden and _END in str(error):
            _show(rank, hidden)
        if rank == 0 and status == 0:
            print(f"error: {error}", file=sys.stderr, flush=True)
        status = status or 1
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # mpirun ends all ranks when the first one ends
    _ttjit.leave_ranks()
    if rank > 0:
        shutil.rmtree(_redirect_files.folder, ignore_errors=True)
    return status


def _seed():
    """Unseeded random numbers must be equal on all ranks. torch begins with a fixed seed."""
    import numpy as np

    random.seed(0)
    np.random.seed(0)


def _hide_output():
    """Drops what this process prints. Keeps its errors; returns their file and the former one."""
    errors, former = tempfile.TemporaryFile(), os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(errors.fileno(), 2)
    return errors, former


def _show(rank, hidden):
    """Shows the errors, each line after the number of the rank."""
    errors, former = hidden
    os.dup2(former, 2)
    errors.seek(0)
    for line in errors.read().decode(errors="replace").splitlines():
        print(f"rank {rank}: {line}", file=sys.stderr)
