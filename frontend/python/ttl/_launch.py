# ===- _launch.py - launches, and what the last one did -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import threading

import _ttjit
from ttl import _ranks, _report
from ttl._ttnn import settings, trace, words

_last = threading.local()


def run_options():
    """Returns the options of the `with ttl.options()` blocks around the running code, but only those
    that change launches and not compilations."""
    return [pair for pair in settings.block.get() if pair[0] in _ttjit.launch_options()]


def launch(program, arguments, names, numbers, chosen, resources=None):
    """Runs a program, unless the option compile-only is set. Raises the fault that ended it, if one
    did. A trace of ttnn that is being captured records the launch. `resources` are the run-time
    resources of the kernel's C++ functions (_runtime_resources.py), or None."""
    if chosen.compile_only:
        return
    trace.run(_launch, program, arguments, names, numbers, chosen, resources)


def _launch(program, arguments, names, numbers, chosen, resources):
    _last.program = program
    _last.running = dict(zip(names, arguments))
    _ranks.compare_launch(program.name, arguments, numbers)
    try:
        if chosen.emit_folder:
            record = _launch_recorded(program, arguments, names, numbers, chosen, resources)
        else:
            record = _ttjit.launch(program, arguments, names, numbers, chosen, resources)
    except KeyboardInterrupt as interrupt:
        _report.explain(interrupt)
        raise
    finally:
        _last.running = {}
    if record is not None:
        raise _report.fault(record)


def _launch_recorded(program, *arguments):
    from ttl import _recorded_launches  # slow to import, and rarely needed

    return _recorded_launches.launch(program, *arguments)


def running_tensors():
    """Returns {name: tensor} of the launch that runs on this host thread, for a debugger."""
    return getattr(_last, "running", {})


class LastRun:
    """The last launch of this thread: `stats` is a dict of counts, `fault` the exception that ended
    the launch, or None. ttl.last_run() returns it.

    Example:

        scale(x, y, 2.0)
        assert ttl.last_run().fault is None and ttl.last_run().stats["steps"] > 0
    """

    def __init__(self, stats, fault):
        self.stats, self.fault = stats, fault

    def __repr__(self):
        end = "no fault" if self.fault is None else type(self.fault).__name__
        return f"<last run: {words.plural(self.stats['steps'], 'step')}, {end}>"


LastRun.__module__ = "ttl"


@_ttjit.public
def last_run():
    """Returns what the last launch of this thread did, as a ttl.LastRun; None if there was no
    launch. It raises no error; the fault of the launch is in it.

    Example:

        scale(x, y, 2.0)
        print(ttl.last_run().stats)
    """
    program = getattr(_last, "program", None)
    if program is None:
        return None
    stats, record = program.last_run()
    return LastRun(stats, None if record is None else _report.fault(record))
