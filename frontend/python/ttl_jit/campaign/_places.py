# SPDX-License-Identifier: Apache-2.0
"""Where the runs of a campaign happen. A place has an executor of concurrent.futures, the function that
it runs, and how many batches run at the same time."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

from ttl_jit.campaign._children import Children

CONNECT_SECONDS = 10


def count(text):
    """Returns a number from 1 of a command line."""
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
    """The workers of a Dask scheduler that runs already. Raises a ValueError if it cannot be used."""

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
        executor.shutdown(wait=False)  # cancels what has not ended


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
    """Does what Children.answers() does, on a worker of a cluster: in a new process, because the worker
    has threads that hold locks. Its Python must find ttl_jit."""
    import ttl_jit

    folder = os.path.dirname(os.path.dirname(ttl_jit.__file__))
    path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    request = json.dumps([function, batch, seconds])
    process = subprocess.run([sys.executable, "-m", "ttl_jit.campaign"], input=request, text=True,
                             capture_output=True, env={**os.environ, "PYTHONPATH": path})
    if process.returncode:
        raise RuntimeError(f"a worker of the cluster failed: {process.stderr.strip()}")
    return json.loads(process.stdout)
