# SPDX-License-Identifier: Apache-2.0
"""A campaign is a set of independent jobs, such as the programs of ttl-diff or the candidates of
ttl-jit tune. The jobs run in processes of this machine or on a Dask cluster. With a journal, an
interrupted campaign can be started again and does not repeat finished jobs (docs/campaigns.md)."""

import collections
import concurrent.futures
import itertools

# One call of the campaign's function. `key` names the job in the journal; `arguments` is one value that
# JSON can represent.
Job = collections.namedtuple("Job", "key arguments")

# The outcome of a job: the `value` that the function returned, or as `failure` the text of an exception,
# a signal or a timeout.
Answer = collections.namedtuple("Answer", "value failure")

SECONDS = 120  # time limit of one job: a job that takes longer is killed
LEAST = 4  # the fewest jobs that one child process gets, if there are enough jobs for all children


def run(function, jobs, place, batch=1, seconds=SECONDS, journal=None):
    """Yields a (job, answer) pair when each job ends. `function` is the text "module:name" of a function that
    takes a job's arguments and returns a value that JSON can represent. `place` is a Workers or a Cluster.
    One child process runs up to `batch` jobs. Near the end of a list a child gets fewer jobs, so that all
    children end at about the same time. `journal` has the answers of an interrupted campaign."""
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
    """Returns how many of the `left` jobs the next child runs; `left` is None if the number is unknown.
    A child gets several jobs because starting it takes time."""
    if left is None:
        return batch
    least = min(LEAST, max(1, left // places))
    return min(batch, max(least, left // (2 * places)))


def _unknown(jobs, journal, known):
    """Yields the jobs without an answer in the journal. Appends the other jobs, with their answers, to
    `known`."""
    for job in jobs:
        if journal and job.key in journal.known:
            known.append((job, Answer(*journal.known[job.key])))
        else:
            yield job


def _completed(running, journal):
    """Waits until at least one running batch has ended; yields the jobs of the ended batches with their
    answers."""
    done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
    for future in done:
        for job, answer in zip(running.pop(future), map(Answer._make, future.result())):
            if journal:
                journal.note(job, answer)
            yield job, answer


def workers(number=None):
    """Returns a place that runs `number` processes of this machine at a time; by default one for each CPU."""
    from ttl_jit.campaign import _places

    return _places.Workers(number)


def add_options(parser):
    """Adds --workers, --cluster and --journal to an argparse parser."""
    from ttl_jit.campaign import _places

    add = parser.add_argument
    add("--workers", "--jobs", type=_places.count, default=None, metavar="N",
        help="runs at the same time (default: as many as the host has threads)")
    add("--cluster", default=None, metavar="ADDRESS",
        help="run on the workers of the Dask scheduler at this address, such as tcp://host:8786")
    add("--journal", default=None, metavar="FILE",
        help="keep the answers in FILE; with the same FILE, an interrupted campaign goes on")


def place_of(options):
    """Returns the place that --workers or --cluster names. Raises a ValueError if both are given or the
    cluster cannot be used."""
    from ttl_jit.campaign import _places

    if options.cluster is None:
        return workers(options.workers)
    if options.workers is not None:
        raise ValueError("--workers and --cluster exclude each other: a cluster has as many workers as it has")
    return _places.Cluster(options.cluster)


def journal_of(options, facts):
    """Returns the journal that --journal names, or None without the option. `facts` is a value that JSON can
    represent; a journal that was written with other facts is refused."""
    from ttl_jit.campaign import _journal

    return _journal.Journal(options.journal, facts) if options.journal else None
