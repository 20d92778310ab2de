# SPDX-License-Identifier: Apache-2.0
"""A place is where the jobs of a campaign run: this machine or a Dask cluster. start() returns an executor
of concurrent.futures, `task` is the function that the executor calls for a batch of jobs, and `count` is how
many batches run at the same time."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

from ttl_jit.campaign._children import Children

CONNECT_SECONDS = 10


def count(text):
    """Returns the number that an option's text contains. It must be at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found '{text}'")
    return int(text)


class Workers:
    """Processes of this machine. Each thread of the executor waits for one child at a time."""

    def __init__(self, number=None):
        self.count = number or len(os.sched_getaffinity(0))

    def start(self):
        self.children = Children()
        self.task = self.children.answers
        return concurrent.futures.ThreadPoolExecutor(self.count)

    def stop(self, executor):
        executor.shutdown(wait=False, cancel_futures=True)
        self.children.stop()
        executor.shutdown()


class Cluster:
    """The workers of a running Dask scheduler. The constructor raises a ValueError if it cannot connect, or
    if the scheduler has no workers."""

    def __init__(self, address):
        self.client = _connected(address)
        self.count = sum(self.client.ncores().values())
        self.task = answers_of_a_worker
        if not self.count:
            self.client.close()
            raise ValueError(f"--cluster: the Dask scheduler at {address} has no workers: start some, for example "
                             f"with dask-worker {address}")

    def start(self):
        # Dask must not reuse an answer for equal arguments: a job may read files, which may have changed.
        return self.client.get_executor(pure=False)

    def stop(self, executor):
        executor.shutdown(wait=False)  # Dask cancels the batches that have not ended


def _connected(address):
    try:
        import distributed
    except ImportError:
        raise ValueError("--cluster needs Dask: install the Debian package python3-distributed, or with "
                         "pip install distributed") from None
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"--cluster: no Dask scheduler answers at {address}: {reason}; expected an address such as "
                         "tcp://host:8786") from None


def answers_of_a_worker(function, batch, seconds):
    """Calls the function with each argument in `batch` on a worker of a cluster, and returns [value, failure]
    for each. Starts a new process to do so, because the worker has threads that may hold locks, and so it
    must not fork. The worker must be able to import ttl_jit."""
    import ttl_jit

    folder = os.path.dirname(os.path.dirname(ttl_jit.__file__))
    path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    request = json.dumps([function, batch, seconds])
    process = subprocess.run([sys.executable, "-m", "ttl_jit.campaign"], input=request, text=True,
                             capture_output=True, env={**os.environ, "PYTHONPATH": path})
    if process.returncode:
        raise RuntimeError(f"a worker of the cluster failed: {process.stderr.strip()}")
    return json.loads(process.stdout)
