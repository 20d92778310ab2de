# SPDX-License-Identifier: Apache-2.0
"""Campaigns: many runs that need nothing of each other, such as the programs of ttl-diff and the
candidates of ttl-jit tune. They run in processes of this machine or on a Dask cluster, and an
interrupted campaign goes on where it was (docs/campaigns.md)."""

import collections
import concurrent.futures
import itertools

# A run. `key` names it in the journal; `arguments` are what JSON can hold.
Job = collections.namedtuple("Job", "key arguments")

# What became of a job: the value that the function returned, or why there is none: an exception,
# a signal, too much time.
Answer = collections.namedtuple("Answer", "value failure")

SECONDS = 120  # for one job; a longer one hangs
LEAST = 4  # jobs of a child, if there are enough for all


def run(function, jobs, place, batch=1, seconds=SECONDS, journal=None):
    """Yields (job, answer) pairs as they come. `function` is the text "module:name" of a function of
    a job's arguments; it returns what JSON can hold. `place` is Workers or Cluster. One child
    process runs up to `batch` jobs. Near the end of a list it runs fewer, so that no child works
    while the others have ended. `journal` knows the answers of an earlier campaign."""
    known, started = collections.deque(), 0
    todo = _unknown(jobs, journal, known)
    executor, running = place.start(), {}
    try:
        while True:
            while len(running) < place.count:
                left = len(jobs) - started if isinstance(jobs, list) else None
                chosen = list(itertools.islice(todo, _size(batch, left, place.count)))
                started += len(chosen)
                if not chosen:
                    break
                texts = [job.arguments for job in chosen]
                running[executor.submit(place.task, function, texts, seconds)] = chosen
            while known:
                yield known.popleft()
            if not running:
                return
            yield from _completed(running, journal)
    finally:
        place.stop(executor)


def _size(batch, left, places):
    """Returns how many of the jobs that are left one child runs. A child needs time to begin."""
    if left is None:
        return batch
    least = min(LEAST, max(1, left // places))
    return min(batch, max(least, left // (2 * places)))


def _unknown(jobs, journal, known):
    """Yields the jobs that the journal has no answer of. Adds the others to `known`."""
    for job in jobs:
        if journal and job.key in journal.known:
            known.append((job, Answer(*journal.known[job.key])))
        else:
            yield job


def _completed(running, journal):
    """Waits for a batch; yields its jobs with their answers."""
    done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
    for future in done:
        for job, answer in zip(running.pop(future), map(Answer._make, future.result())):
            if journal:
                journal.note(job, answer)
            yield job, answer


def workers(number=None):
    """Returns the place of so many processes of this machine; by default, as many as it has threads."""
    from ttl_jit.campaign import _places

    return _places.Workers(number)


def add_options(parser):
    """Adds the options of a campaign to a parser of command lines: where it runs, and its journal."""
    from ttl_jit.campaign import _places

    add = parser.add_argument
    add("--workers", "--jobs", type=_places.count, default=None, metavar="N",
        help="runs at the same time (default: as many as the host has threads)")
    add("--cluster", default=None, metavar="ADDRESS",
        help="run on the workers of the Dask scheduler at this address, such as tcp://host:8786")
    add("--journal", default=None, metavar="FILE",
        help="keep the answers in FILE; with the same FILE, an interrupted campaign goes on")


def place_of(options):
    """Returns the place that the options of add_options() name. Raises a ValueError if there is none."""
    from ttl_jit.campaign import _places

    if options.cluster is None:
        return workers(options.workers)
    if options.workers is not None:
        raise ValueError("--workers and --cluster exclude each other: a cluster has as many workers as it has")
    return _places.Cluster(options.cluster)


def journal_of(options, facts):
    """Returns the journal that --journal names, or None. `facts` are what JSON can hold; they tell this
    campaign from others."""
    from ttl_jit.campaign import _journal

    return _journal.Journal(options.journal, facts) if options.journal else None
