# SPDX-License-Identifier: Apache-2.0
"""Runs numbered cases in forked child processes. A child runs a batch of cases, one after the other. If a
case ends its child, by a signal or because it takes too long, it is a finding; the next child continues
with the next case.

A kind of cases is an object whose `run(random)` returns what is wrong with a case, or None."""

import json
import multiprocessing
import os
import pathlib
import random
import resource
import select
import signal
import tempfile
import traceback
import warnings

SECONDS = 5  # limit of processor time for one case
WALL_SECONDS = 120  # limit of elapsed time, much larger because machines may be loaded


def add_arguments(parser):
    parser.add_argument("--count", type=int, default=100, help="number of cases")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other cases")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--batch", type=int, default=50, help="number of cases that one child runs")


def run(make_kind, chosen):
    """Yields (number, finding) for the cases that the arguments choose; the finding is mostly None.
    `make_kind(folder)` makes the kind of cases in each process that forks children."""

    def work(numbers):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            yield from run_batches(make_kind(pathlib.Path(folder)), numbers, chosen.seed, chosen.batch)
            os.chdir(before)

    numbers = range(chosen.first, chosen.first + chosen.count)
    yield from work(numbers) if chosen.jobs == 1 else in_jobs(chosen.jobs, numbers, work)


def in_jobs(jobs, numbers, work):
    """Splits the numbers among `jobs` processes; yields what `work(numbers)` yields in each of them."""
    fork = multiprocessing.get_context("fork")
    queue = fork.SimpleQueue()

    def job(part):
        try:
            for each in work(part):
                queue.put(each)
        finally:
            queue.put(None)

    processes = [fork.Process(target=job, args=(numbers[i::jobs],)) for i in range(jobs)]
    for process in processes:
        process.start()
    running = jobs
    while running:
        each = queue.get()
        if each is None:
            running -= 1
        else:
            yield each
    for process in processes:
        process.join()
        assert process.exitcode == 0, f"a process of the fuzzer ended with {process.exitcode}"


def run_batches(kind, numbers, seed, batch):
    """Yields (number, finding) for each of the numbers."""
    rest = list(numbers)
    while rest:
        found = fork_batch(kind, rest[:batch], seed) or {rest[0]: "the child did not begin"}
        rest = [number for number in rest if number not in found]
        yield from found.items()


def fork_batch(kind, numbers, seed):
    """Returns {number: finding} for the cases that one child ran, and for the case at which it died."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _be_the_child(kind, numbers, seed, write_end)
    os.close(write_end)
    records, is_silent = _read(read_end)
    if is_silent:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found = {record["ended"]: record["finding"] for record in records if "ended" in record}
    begun = [record["begins"] for record in records if "begins" in record]
    if begun and begun[-1] not in found:
        is_hang = -code in (signal.SIGPROF, signal.SIGKILL)
        found[begun[-1]] = "hangs" if is_hang else f"signal {-code}" if code < 0 else f"status {code}"
    return found


def _read(read_end):
    """Returns the records that a child wrote, and whether it stopped writing without ending."""
    data = b""
    with os.fdopen(read_end, "rb", buffering=0) as stream:
        while select.select([stream], [], [], WALL_SECONDS)[0]:
            part = stream.read(1 << 16)
            if not part:
                return _parse(data), False
            data += part
    return _parse(data), True


def _parse(data):
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def _be_the_child(kind, numbers, seed, write_end):
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        warnings.simplefilter("ignore")
        for number in numbers:
            _write(write_end, {"begins": number})
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            finding = _run_case(kind, random.Random(f"{seed}:{number}"))
            signal.setitimer(signal.ITIMER_PROF, 0)
            _write(write_end, {"ended": number, "finding": finding})
        os._exit(0)
    finally:
        os._exit(1)


def _run_case(kind, chance):
    try:
        return kind.run(chance)
    except BaseException:
        return traceback.format_exc()


def _write(write_end, record):
    data = json.dumps(record).encode() + b"\n"
    while data:
        data = data[os.write(write_end, data):]
