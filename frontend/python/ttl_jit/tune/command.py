# SPDX-License-Identifier: Apache-2.0
"""The command `ttl-jit tune`."""

import argparse
import json
import sys
import time

from ttl_jit import campaign
from ttl_jit.diff.campaign import Progress
from ttl_jit.tune import _measure, _script, _space, _text
from ttl_jit.tune._tuning import Candidate, Tuner

SUCCESS, FAILED, USAGE = 0, 1, 2
BATCH = 32  # candidates of one child: its first one compiles more slowly


class UsageError(ValueError):
    """The arguments are wrong."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def _parser():
    parser = _Parser(prog="ttl-jit tune", allow_abbrev=False)
    add = parser.add_argument
    add("file")
    add("--param", action="append", default=[])
    add("--search", default="exhaustive")
    add("--budget")
    add("--tolerance", type=_tolerance)
    add("--kernel")
    add("--top", type=_count, default=20)
    add("--json", nargs="?", const="-")
    campaign.add_options(parser)
    return parser


def _tolerance(text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, found '{text}'")
    return value


def _count(text):
    from ttl_jit.campaign import _places

    return _places.count(text)


class _Runs:
    """Measures candidates in a campaign."""

    def __init__(self, script, options):
        self.script, self.options = script, options
        self.place = campaign.place_of(options)
        self.computes = not _is_dry()
        facts = [script.source, script.arguments, options.param, options.search, options.budget, options.kernel,
                 self.computes, _environment()]
        self.journal = campaign.journal_of(options, facts)
        self.progress = Progress()

    def _job(self, kind, **values):
        arguments = {"file": self.script.file, "source": self.script.source, "script": self.script.arguments,
                     "kernel": self.options.kernel, "computes": self.computes}
        for key, each in values.items():
            arguments[key] = {name: repr(value) for name, value in each.items()}
        return campaign.Job(f"{kind} {values}", arguments)

    def _answers(self, function, jobs):
        """Returns the answers in the order of the jobs."""
        order = {job.key: number for number, job in enumerate(jobs)}
        found = [None] * len(jobs)
        running = campaign.run(f"ttl_jit.tune._script:{function}", jobs, self.place, BATCH, journal=self.journal)
        for count, (job, answer) in enumerate(running):
            found[order[job.key]] = answer.value or {"kind": "ended", "reason": answer.failure.splitlines()[-1]}
            self.progress.show(f"{count + 1} of {len(jobs)}")
        self.progress.end()
        return found

    def measure(self, combinations):
        answers = self._answers("measure", [self._job("measure", values=each) for each in combinations])
        return [Candidate(values, answer.get("launches", []), answer.get("kind", ""), answer.get("reason", ""),
                          used=frozenset(answer.get("used", ())))
                for values, answer in zip(combinations, answers)]

    def compare(self, candidates, reference):
        jobs = [self._job("compare", values=each.values, reference=reference.values) for each in candidates]
        return [answer["reason"] if "reason" in answer else answer["difference"]
                for answer in self._answers("compare", jobs)]


def _environment():
    import os

    return sorted((name, value) for name, value in os.environ.items() if name.startswith("TTL_"))


def _is_dry():
    import _ttjit

    return _ttjit.is_variable_set("TTL_DRY_RUN")


def _checked_options(script, space):
    """Fails for values that options of ttl-jit do not take."""
    import ttl

    for parameter in space:
        kind, _ = script.place(parameter.name)
        for value in parameter.values if kind == "options" else ():
            if value is not None:
                ttl.options(**{parameter.name.replace("-", "_"): value})


def _use(script, best):
    """Returns the lines that say how to use the best candidate."""
    if best is None:
        return []
    values = script.sorted(best.values)
    lines = [f"  {name} = {value!r}, at {script.place(name)[1]}" for name, value in values.names.items()]
    given = {**values.arguments, **values.keywords}
    lines += [f"  {name}={value!r}, {script.place(name)[1]}" for name, value in given.items()]
    flags = " ".join(f"--{_measure.option_names()[name]}={_option_text(value)}"
                     for name, value in values.options.items() if value is not None)
    return [*lines, *([f"  ttl-jit run {script.file} {flags}"] if flags else [])]


def _option_text(value):
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def _tune(words, script_arguments):
    options = _parser().parse_args(words)
    if not options.file.endswith(".py"):
        raise UsageError(f"tune runs scripts (.py), found {options.file}")
    script = _script.Script(options.file, script_arguments)
    parameters = [_space.parsed(text) for text in options.param]
    budget = _space.parsed(options.budget, "--budget") if options.budget else None
    space, search = _space.Space(parameters), _space.Search(options.search, budget)
    if budget and budget.name in (each.name for each in parameters):
        raise UsageError(f"--budget: {budget.name} is a parameter, too")
    _checked_options(script, [*parameters, *([budget] if budget else [])])
    search.candidates(space)  # reports a space that is too large
    start = time.monotonic()
    runs = _Runs(script, options)
    tuning = Tuner(runs.measure, runs.compare, options.tolerance, runs.computes).run(space, search)
    _print(options, script, tuning, time.monotonic() - start)
    return SUCCESS if tuning.best else FAILED


def _print(options, script, tuning, seconds):
    use = _use(script, tuning.best)
    facts = _text.as_json(tuning, file=script.file, search=options.search, use=use)
    if options.json == "-":
        print(json.dumps(facts, indent=1))
        return
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(facts, indent=1) + "\n")
    print(_text.text(tuning, options.top, seconds, use), end="")


def main(arguments):
    """Returns the exit status. `arguments` are those of the command, "--", and those of the script."""
    split = arguments.index("--")
    try:
        import numpy  # noqa: F401  imported before the children are forked
        import ttl  # noqa: F401
        from ttl import ttnn  # noqa: F401

        return _tune(arguments[:split], arguments[split + 1:])
    except (ValueError, TypeError, SyntaxError, OSError) as error:
        print(f"ttl-jit tune: {error}", file=sys.stderr)
        return USAGE
