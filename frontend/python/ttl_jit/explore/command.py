# SPDX-License-Identifier: Apache-2.0
"""The command `ttl-jit explore`. Each run of the campaign tries some orders, with a seed of its own. Of
several runs that find something, the one with the lowest number is reported, not the first to end."""

import argparse
import os
import sys

from ttl_jit import campaign
from ttl_jit.diff.campaign import Progress
from ttl_jit.explore import _runs

USAGE, FAILED = 2, 1
SECONDS = 3600  # for one run
# Options that choose orders, or write files of one run.
_EXCLUDED = "explore", "schedule", "record", "bisect", "compare", "debug", "trace"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise ValueError(message)


def _parser():
    from ttl_jit.campaign import _places

    parser = _Parser(prog="ttl-jit explore", allow_abbrev=False)
    add = parser.add_argument
    add("file")
    add("--orders", type=_places.count, default=1000)
    add("--orders-per-run", type=_places.count, default=50)
    add("--replay", default="explore.replay")
    campaign.add_options(parser)
    return parser


def _jobs(options, script_arguments):
    seed = int(os.environ.get("TTL_SEED") or 0)
    common = {"file": options.file, "script": script_arguments, "folder": os.getcwd(),
              "options": _kept_options()}
    counts = [min(options.orders_per_run, options.orders - first)
              for first in range(0, options.orders, options.orders_per_run)]
    return [campaign.Job(f"seed {seed + number}", {**common, "seed": seed + number, "orders": count})
            for number, count in enumerate(counts)]


def _kept_options():
    """Returns the variables with options, without the seed, which each run has for itself."""
    given = {name: value for name, value in os.environ.items() if name.startswith("TTL_") and value}
    for name in _EXCLUDED:
        if f"TTL_{name.upper()}" in given:
            raise ValueError(f"explore chooses the orders of threads itself: leave out --{name}")
    given.pop("TTL_SEED", None)
    return given


def _answers(jobs, options):
    """Returns the answers in the order of the jobs, up to the first one that is no success."""
    # The text only names the journal; Python reads the script, in the encoding that it declares.
    with open(options.file, encoding="latin-1") as stream:
        source = stream.read()
    journal = campaign.journal_of(options, [source, [job.arguments for job in jobs]])
    place, progress = campaign.place_of(options), Progress()
    order = {job.key: number for number, job in enumerate(jobs)}
    found = [None] * len(jobs)
    for job, answer in campaign.run("ttl_jit.explore._runs:explore", jobs, place, seconds=SECONDS, journal=journal):
        found[order[job.key]] = answer
        progress.show(f"{sum(map(bool, found))} of {len(jobs)} runs")
        end = _end(found)
        if end is not None:
            found = found[:end]
            break
    progress.end()
    return found


def _end(found):
    """Returns how many answers count: all before the first failure, and that one; None if one of them is
    not there yet."""
    for number, answer in enumerate(found):
        if answer is None:
            return None
        if answer.value is None or answer.value["status"] != _runs.SUCCESS:
            return number + 1
    return len(found)


def _summary(answers):
    """Returns a line for each launch: the runs launch the same kernels in the same order."""
    lines = []
    for launches in zip(*(answer.value["launches"] for answer in answers)):
        orders, pairs = sum(each[1] for each in launches), max(each[2] for each in launches)
        lines.append(f"explore: kernel {launches[0][0]}: {orders} orders in {len(launches)} runs give the same "
                     f"results; a run shows up to {pairs} pairs of events")
    return lines or ["explore: no kernel was launched"]


def _report(answers, options):
    """Prints what was found; returns the exit status."""
    last = answers[-1]
    if last.value is None:
        print(f"ttl-jit explore: a run has no answer: {last.failure.splitlines()[-1]}", file=sys.stderr)
        return FAILED
    if last.value["status"] == _runs.SUCCESS:
        print(*_summary(answers), sep="\n")
        return _runs.SUCCESS
    file = os.path.abspath(options.replay)
    print(last.value["errors"].replace("FILE", file), end="", file=sys.stderr)
    if last.value["decisions"]:
        _runs.write_decisions(last.value["decisions"], file)
    return last.value["status"]


def main(arguments):
    """Returns the exit status. `arguments` are those of the command, "--", and those of the script."""
    split = arguments.index("--")
    try:
        import numpy  # noqa: F401  imported before the children are forked
        import ttl  # noqa: F401

        options = _parser().parse_args(arguments[:split])
        return _report(_answers(_jobs(options, arguments[split + 1:]), options), options)
    except (ValueError, OSError) as error:
        print(f"ttl-jit explore: {error}", file=sys.stderr)
        return USAGE
