# SPDX-License-Identifier: Apache-2.0
"""Times a kernel and its reference alternately, so that both see the same load of the machine."""

import dataclasses
import resource
import statistics
import time


@dataclasses.dataclass
class Case:
    """A kernel on its tensors. `launch()` runs it once. `reference()` computes the same; None: no reference.
    `work` is what one launch does: a number and its unit. `counts` is the number of arithmetic
    operations of a launch and of bytes of its tensors, or None. `check()` raises if the result is wrong."""

    launch: callable
    reference: callable = None
    reference_name: str = ""
    work: tuple = (0, "")
    check: callable = lambda: None
    counts: tuple = None


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def alternate(functions, budget, least):
    """Calls the functions in turn, until `budget` seconds have passed and each has run at least `least` times.
    Returns a list of the times in seconds for each function."""
    times = [[] for _ in functions]
    end = time.perf_counter() + budget
    while len(times[0]) < least or time.perf_counter() < end:
        for function, found in zip(functions, times):
            found.append(seconds(function))
    return times


def run(case, quick):
    """Returns the measurements of a case: times in seconds, memory in bytes."""
    first = seconds(case.launch)
    case.check()
    functions = [case.launch] + [case.reference] * (case.reference is not None)
    for function in functions:
        function()
    times = alternate(functions, 0 if quick else 1.0, 2 if quick else 7)
    medians = [statistics.median(each) for each in times]
    amount, unit = case.work
    found = {"first": first, "median": medians[0], "fastest": min(times[0]), "repeats": len(times[0]),
             "throughput": amount / medians[0], "unit": unit}
    if case.reference is not None:
        found |= {"reference": case.reference_name, "reference_median": medians[1],
                  "ratio": medians[0] / medians[1]}
    if case.counts is not None:
        found["operations"], found["bytes"] = case.counts
    found["peak_memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return found
