# SPDX-License-Identifier: Apache-2.0
"""Runs a program under each variant and compares what the runs did: the bits of the tensors after
each launch, the printed lines, and the error that ended the run."""

import contextlib
import os
import re
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from unittest import mock

import numpy as np

_THREAD = re.compile(r"(?:device \d+ )?\([\d, ]+\) \w+: ")  # a node and the name of a thread
LIMIT = 10_000_000  # steps of one launch; a longer one ends with a fault


@dataclass
class Launch:
    kernel: str
    tensors: list  # (name, array) pairs


@dataclass
class Outcome:
    launches: list = field(default_factory=list)
    printed: str = ""
    error: tuple = ()  # type, message, line; empty if the program ended without an exception
    reasons: list = field(default_factory=list)  # why the results may depend on the order of threads, in words


class Program:
    """A program as text. If it has a function main(), a run calls that; otherwise a run executes
    the file."""

    def __init__(self, text, file):
        self.file = file
        with open(file, "w") as stream:  # messages quote lines of the file
            stream.write(text)
        self.code = compile(text, file, "exec", dont_inherit=True)
        self.main = None
        if "\ndef main():" in text and "\nif __name__ ==" in text:
            self.main = self._scope("ttl_diff_program").get("main")

    def _scope(self, name):
        scope = {"__name__": name, "__file__": self.file, "__builtins__": __builtins__}
        exec(self.code, scope)
        return scope

    def __call__(self):
        if self.main is not None:
            self.main()
        else:
            sys.argv = [self.file]
            self._scope("__main__")

    def run(self, variant):
        """Returns the outcome of a run."""
        import ttl

        outcome = Outcome()
        keywords = {"limit": LIMIT, **variant.keywords()}
        _order_reasons()  # those of launches before
        with _recorded(outcome.launches), _captured_output() as output:
            try:
                with warnings.catch_warnings(), ttl.options(**keywords):
                    warnings.simplefilter("ignore")
                    self()
            except (Exception, SystemExit) as error:
                outcome.error = _described(error)
        outcome.printed, outcome.reasons = output(), _order_reasons()
        _close_mesh()
        return outcome


def _order_reasons():
    """Returns why results of the launches since the last call may depend on the order of threads."""
    import _ttjit

    return list(_ttjit.take_order_reasons())


def _close_mesh():
    """Closes a mesh that the program has left open, and its fabric: the next run begins without both."""
    from ttl import ttnn
    from ttnn import fabric

    mesh = fabric.open_mesh()
    if mesh is not None:
        ttnn.close_mesh_device(mesh)
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def _described(error):
    message = str(error).split("\n")[0]
    return type(error).__name__, message, getattr(error, "line", None)


@contextlib.contextmanager
def _recorded(launches):
    """Notes the tensors of each call of an operation, a kernel in MLIR or a function of a module, as they are
    after it."""
    from ttl._mlir import MlirKernel
    from ttl._model_calls import ModelFunction
    from ttl._operation import Operation

    original, launch, call = Operation.__call__, MlirKernel._launch, ModelFunction.__call__

    def recording(self, *args, **kwargs):
        try:
            original(self, *args, **kwargs)
        finally:
            names = self.signature.parameters
            named = {name: value for name, value in kwargs.items() if name in names}  # the others are options
            bound = self.signature.bind_partial(*args, **named).arguments
            tensors = [pair for name in names if name in bound for pair in arrays_of(name, bound[name])]
            launches.append(Launch(self.function.__name__, tensors))

    def launching(self, tensors):
        try:
            launch(self, tensors)
        finally:
            launches.append(Launch(self.name, [pair for name, tensor in tensors for pair in arrays_of(name, tensor)]))

    def calling(self, *tensors):
        results = call(self, *tensors)
        arrays = results if isinstance(results, tuple) else (results,)
        tensors = [pair for n, each in enumerate(arrays) for pair in arrays_of(f"result {n}", each)]
        launches.append(Launch(self.name, tensors))
        return results

    with (mock.patch.object(Operation, "__call__", recording), mock.patch.object(MlirKernel, "_launch", launching),
          mock.patch.object(ModelFunction, "__call__", calling)):
        yield


def arrays_of(name, value):
    """Returns copies of a tensor as (name, array) pairs: one, or one for each device of its mesh. Other values have
    none."""
    import _ttjit
    from ttl import ttnn

    if isinstance(value, _ttjit.Tensor) and value.num_devices > 1:
        parts = enumerate(ttnn.get_device_tensors(value))
        return [(f"{name} of device {number}", array_of(part)) for number, part in parts]
    array = array_of(value)
    return [] if array is None else [(name, array)]


def array_of(value):
    """Returns a copy of a tensor of one device as a numpy array; None for other values."""
    import _ttjit
    from ttl import ttnn

    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, ttnn.Tensor):
        return np.array(ttnn.to_numpy(value))
    if isinstance(value, _ttjit.Tensor):
        return np.array(value.bits())
    if type(value).__module__ == "torch":
        return value.detach().float().numpy().copy()
    return None


@contextlib.contextmanager
def _captured_output():
    """Redirects standard output and error of the process; yields a function that returns the lines
    that were printed to standard output."""
    sys.stdout.flush()
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as ignored:
        os.dup2(printed.fileno(), 1)
        os.dup2(ignored.fileno(), 2)
        lines = []
        try:
            yield lambda: lines[0]
        finally:
            sys.stdout.flush()
            for number, copy in zip((1, 2), kept):
                os.dup2(copy, number)
                os.close(copy)
            printed.seek(0)
            lines.append(_kernel_lines(printed.read().decode(errors="replace")))


def _kernel_lines(text):
    """Returns the lines that kernel threads printed, thread after thread: the order of the threads
    depends on the schedule. What the program itself prints may be times."""
    found = [(match[0], line) for line in text.splitlines() if (match := _THREAD.match(line))]
    return "\n".join(line for _, line in sorted(found, key=lambda item: item[0]))


# ===--------------------------------------------------------------------------=== #
# Comparing
# ===--------------------------------------------------------------------------=== #


def difference(first, second, orders_differ):
    """Returns how two outcomes differ, in a line or two; "" if they do not."""
    if bool(first.error) != bool(second.error) or (not orders_differ and first.error != second.error):
        return f"one run ends with {_error_text(first)}, the other with {_error_text(second)}"
    if first.error:
        return ""  # tensors of runs that fault are not compared
    if len(first.launches) != len(second.launches):
        return f"{len(first.launches)} launches in one run, {len(second.launches)} in the other"
    for number, (one, other) in enumerate(zip(first.launches, second.launches)):
        for (name, expected), (_, found) in zip(one.tensors, other.tensors):
            text = _different_bits(expected, found)
            if text:
                return f"launch {number} of {one.kernel}, tensor {name}: {text}"
    return "" if first.printed == second.printed else "the printed lines differ"


def _error_text(outcome):
    if not outcome.error:
        return "no error"
    kind, message, line = outcome.error
    return f"{kind} at line {line}: {message}"


def _different_bits(expected, found):
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return f"{expected.shape} {expected.dtype} in one run, {found.shape} {found.dtype} in the other"
    if not expected.size:
        return ""
    unsigned = np.dtype(f"u{expected.dtype.itemsize}")
    one, other = (np.ascontiguousarray(each).view(unsigned) for each in (expected, found))
    places = np.argwhere(one != other)
    if not len(places):
        return ""
    at = tuple(int(each) for each in places[0])
    digits = 2 * expected.dtype.itemsize
    return (
        f"{len(places)} of {expected.size} elements differ, first at {list(at)}: "
        f"{expected[at]} (0x{int(one[at]):0{digits}x}) and {found[at]} (0x{int(other[at]):0{digits}x})"
    )


def _is_refused(variant, outcome):
    """Whether emission refuses the program, with a reason: not every program has a form in Metalium
    C++. C++ that does not compile is a finding."""
    kind, message, _ = outcome.error or ("", "", None)
    return (dict(variant.options).get("engine") == "emitted" and kind == "CompileError"
            and not message.startswith(("Clang cannot compile", "internal error")))


def _stage(variant):
    """Returns the stage that a variant interprets. Each stage has other steps, so under the same schedule
    another thread may come first."""
    return dict(variant.options).get("stage")


def compare(text, file, variants):
    """Runs a program under the variants. Returns a dict: `error` of the first run, `runs`,
    `refused`, why the emitted engine cannot run it, `depends`, why runs in other orders have other
    results, and `finding`, None or a dict with `variants`, two of them as text, and `text`."""
    program = Program(text, file)
    first, report = None, {"error": "", "runs": 0, "refused": "", "depends": "", "finding": None}
    for variant in variants:
        if report["refused"] and dict(variant.options).get("engine") == "emitted":
            continue
        outcome = program.run(variant)
        report["runs"] += 1
        if first is None:
            first = outcome
            report["error"] = " ".join(map(str, outcome.error[:2]))
            continue
        if not first.error and _is_refused(variant, outcome):
            report["refused"] = outcome.error[1]
            continue
        orders_differ = variant.order() != variants[0].order()
        found = difference(first, outcome, orders_differ)
        if found and first.reasons and (orders_differ or _stage(variant) != _stage(variants[0])):
            report["depends"] = first.reasons[0]
        elif found:
            report["finding"] = {"variants": [str(variants[0]), str(variant)], "text": found}
            break
    return report
