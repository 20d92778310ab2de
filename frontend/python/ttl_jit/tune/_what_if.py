# SPDX-License-Identifier: Apache-2.0
"""How long a call takes with other grids and blocks: `--what-if` (docs/timing.md). Each change is a run
of its own, on copies of the tensors of before the call."""

import atexit
import itertools
import math
import os
import shlex
import sys
from dataclasses import dataclass

import _ttjit
from ttl import _grid, _operation, _options, _partial
from ttl._ttnn import settings
from ttl_jit.diff.campaign import Progress
from ttl_jit.tune import _bits, _blocks, _script, _text
from ttl_jit.tune._calls import Calls
from ttl_jit.tune._tuning import Tuner

MAX_BYTES = 1 << 28  # the most bytes of tensors that are copied before a call
MAX_STEPS = 1 << 23  # of a run with a change: more is an endless loop, whose recording would fill the memory


@dataclass
class Call:
    """A call of an operation, with the contents that its tensors had before. `pairs` are the options of
    the code around it. `is_kept`: whether the tensors are small enough to be copied."""

    operation: object
    args: list
    kwargs: dict
    pairs: tuple
    is_kept: bool = True

    def __post_init__(self):
        args, kwargs, _ = _partial.unwrap(self.args, self.kwargs)
        tensors = [each for each in (*args, *kwargs.values()) if _ttjit.is_tensor(each)]
        self.is_kept = sum(math.prod(each.shape) * 4 for each in tensors) <= MAX_BYTES
        self.args, self.kwargs = _bits.copies(args, kwargs) if self.is_kept else ((), {})

    @property
    def name(self):
        return self.operation.__name__

    def settings(self):
        """Returns the options with which the call runs."""
        return settings.of((*settings.of_device, *self.pairs, *self.operation.options.given))

    def grid(self):
        return tuple(_grid.chosen_grid(self.operation.options.grid, self.args, self.kwargs, self.settings()))

    @property
    def key(self):
        """The name of the kernel and that of the chip: those of its estimate."""
        return self.name, self.settings().arch.partition("@")[0]


def before(operation, args, kwargs):
    """Returns a Call that is to come, to be given to `changes` later."""
    return Call(operation, args, kwargs, settings.block.get())


# ===--------------------------------------------------------------------------=== #
# The changes of a call
# ===--------------------------------------------------------------------------=== #


def grids(grid, chip):
    """Returns grids with half, twice and all of the nodes in each direction, as far as the chip has them.
    `chip` are its columns and rows."""
    columns, rows = chip
    most = [columns * rows] if len(grid) == 1 else [columns, *[rows] * (len(grid) - 1)]
    choices = [sorted({max(1, extent // 2), extent, 2 * extent, limit}, reverse=True)
               for extent, limit in zip(grid, most)]
    if len(grid) <= 2:
        found = itertools.product(*choices)
    else:  # one direction at a time
        found = [(*grid[:at], extent, *grid[at + 1:]) for at, each in enumerate(choices) for extent in each]

    def fits(other):
        return (all(extent <= limit for extent, limit in zip(other, most)) and
                math.prod(other) <= columns * rows)
    return [other for other in dict.fromkeys(found) if other != tuple(grid) and fits(other)]


def _combinations(call, kinds):
    """Returns the changes to try: dicts of values."""
    chosen, operation, found = call.settings(), call.operation, []
    grid = call.grid()
    names = _blocks.names_of_grid(operation, grid)
    if "grid" in kinds:
        found += filter(None, (_with_names(other, names) for other in grids(grid, chosen.chip_grid)))
    if "blocks" in kinds:
        for name, value in _blocks.numbers(operation, call.args, call.kwargs).items():
            if name not in names:
                found += [{name: other} for other in _blocks.others(value)]
    return found


def _with_names(grid, names):
    """Returns a grid with the values of its names; None if one would have two values."""
    found = {"grid": grid}
    for name, places in names.items():
        values = {grid[place] for place in places} if places else {grid}
        if len(values) > 1:
            return None
        found[name] = values.pop()
    return found


# ===--------------------------------------------------------------------------=== #
# Runs with the changes
# ===--------------------------------------------------------------------------=== #


class _Each:
    """The search of Tuner that tries these combinations."""

    parameters, budget = (), None

    def __init__(self, combinations):
        self.combinations = combinations

    def candidates(self, _):
        return self.combinations

    def rungs(self):
        return [{}]


def _measured(call, combinations):
    """Returns the candidates: first the call as it is."""
    token = settings.block.set(call.pairs)
    progress = Progress()
    try:
        computes = not _ttjit.is_variable_set("TTL_DRY_RUN")
        with _options.options(limit=MAX_STEPS, what_if="off"):
            calls = Calls(call.operation, call.args, call.kwargs, computes)

            def measure(all_values):
                found = []
                for count, values in enumerate(all_values):
                    progress.show(f"{call.name}: {count} of {len(all_values)} runs")
                    found += calls.measure([values])
                return found
            search = _Each(combinations)
            return Tuner(measure, calls.compare, None, computes, "the call").run(search, search).candidates
    finally:
        progress.end()
        settings.block.reset(token)


def changes(call, kinds):
    """Runs a call with each change. Returns (change, cycles, bytes of L1 more, why it is not possible) of
    each, and the command that tries all combinations."""
    words = " and ".join({"grid": "grids", "blocks": "blocks"}[kind] for kind in kinds)
    if not call.is_kept:
        return [(f"other {words}", 0, 0, "the tensors have more than 256 MiB, of which no copies are kept")], ""
    if _is_closed(call):
        return [(f"other {words}", 0, 0, "the mesh of the tensors was closed, and runs with changes follow when the "
                 f"script has ended: leave out ttnn.close_mesh_device(), or call {call.name}.time() before it")], ""
    combinations = _combinations(call, kinds)
    missing = []
    if "blocks" in kinds and all("grid" in each for each in combinations):
        missing.append(("other blocks", 0, 0, _blocks.advice(call.operation)))
    first, *others = _measured(call, [{}, *combinations]) if combinations else [None]
    if first is not None and first.kind:
        return [(f"other {words}", 0, 0, f"the call itself fails with --strict: {first.reason}")], ""
    return [_row(each, first) for each in others] + missing, _command(call, combinations)


def _is_closed(call):
    """Returns whether the mesh of a tensor was closed."""
    try:
        for value in (*call.args, *call.kwargs.values()):
            if getattr(value, "num_devices", 1) > 1:
                value.part(0).bits()
    except ValueError:
        return True
    return False


def _row(candidate, first):
    text = _text.values_text(candidate.values)
    if candidate.kind:
        return text, 0, 0, f"{candidate.kind}: {candidate.reason}"
    return text, candidate.cycles, candidate.l1_bytes - first.l1_bytes, ""


def _command(call, combinations):
    """Returns the command line that tries all combinations; empty if `ttl-jit tune` does not know all
    parameters."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if not script or not script.endswith(".py") or call.operation.function.__code__.co_filename != script:
        return ""
    try:
        parameters = _parameters(_script.Script(script), call, combinations)
    except (ValueError, SyntaxError):
        return ""
    if len(parameters) < 2:
        return ""
    words = ["ttl-jit", "tune", os.path.relpath(script), f"--kernel={call.name}"]
    arch = os.environ.get("TTL_ARCH")
    words += [f"--arch={arch}"] if arch else []
    for name, values in parameters.items():
        words += ["--param", f"{name}={','.join(map(_text.shown, values))}"]
    return shlex.join([*words, *(["--", *sys.argv[1:]] if len(sys.argv) > 1 else [])])


def _parameters(script, call, combinations):
    """Returns the values of each parameter of the combinations, first the present one. Names of the script
    that are the grid stand for it."""
    now = _blocks.values(call.operation, call.args, call.kwargs)
    now["grid"] = call.grid()
    found = {}
    for combination in combinations:
        has_names = len(combination) > 1
        for name, value in combination.items():
            if has_names and name == "grid":
                continue
            script.place(name)  # raises a ValueError for a name that is no parameter
            values = found.setdefault(name, [now[name]])
            if value not in values:
                values.append(value)
    return found


# ===--------------------------------------------------------------------------=== #
# The calls of a program with --time --what-if
# ===--------------------------------------------------------------------------=== #

_last = {}  # the last call of each kernel, by its key


def follow():
    """From now on, keeps the last call of each kernel."""
    _operation.observer = _note
    _ttjit.last_estimate()  # loads what delivers the estimates at the exit, after add_last()
    atexit.register(add_last)


def _note(operation, args, kwargs, options):
    call = before(operation, args, kwargs)
    call.pairs = (*call.pairs, *_options.parse(options))
    _last[call.key] = call


def add_last():
    """Adds to the estimates what changes of the last calls would bring."""
    calls = list(_last.values())
    _last.clear()
    if calls:
        _operation.observer = None
        add(calls)


def add(calls):
    """Adds to the estimates of these calls, which were made, what changes would bring."""
    found = []
    kernels = _ttjit.hold_estimates()
    try:
        found += [(*call.key, *changes(call, call.settings().what_if)) for call in calls if call.key in kernels]
    finally:
        _ttjit.resume_estimates(found)
