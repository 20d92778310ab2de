# SPDX-License-Identifier: Apache-2.0
"""Decides whether a program ended in a documented way. Import this before ttl: it makes tracebacks keep
the packages' frames, which show where an exception comes from."""

import linecache
import os
import re
import time
import traceback

import _ttjit

_ttjit.public = lambda function: function
_ttjit.public_methods = lambda owner: owner

import ttl  # noqa: E402
from ttl import _errors, _operation, _report  # noqa: E402

PACKAGE = os.path.dirname(ttl.__file__)
# Messages of Python about wrong Python code, and of MLIR about wrong IR: the package must not cause these.
ACCIDENTS = re.compile(
    "internal error|incompatible (function|constructor) arguments|object has no attribute|"
    "unsupported operand type|takes .* positional|required positional|unexpected keyword|"
    "op failed to verify|"
    "op expects|op requires|<_?tt[.\\w]* object at|unordered_map|bad_|vector::|Unable to cast|"
    "null pointer|not convertible|UNREACHABLE"
)
# Messages about exceptions that Python raised in the program's own expression or host function.
OF_PYTHON = re.compile(r"(host function .*\(\): )?\w+(Error|Exception|Iteration|Warning): ")
DELIBERATE = (TypeError, ValueError, RuntimeError, IndexError, ImportError, MemoryError)


STANDARD_ERROR = 2
STATE = "fuzz-state: "


class Judge:
    """Collects how the compiles and launches of one program ended, and what is wrong with that."""

    def __init__(self, folders):
        self.folders = (*folders, PACKAGE.rpartition(os.sep)[0] + "/ttnn")
        self.begin("")

    def begin(self, file):
        self.file, self.findings, self.answers = file, [], []
        self.running = None  # "compile" or "launch" while one of them runs
        self.started = 0  # processor time, in seconds, when it began
        self.is_late = False  # the program's time is over, but a compile or launch still has time

    def run(self, name):
        """Notes what runs now. It also writes this to standard error, for the parent if the child dies."""
        self.running, self.started = name, time.process_time()
        os.write(STANDARD_ERROR, f"\n{STATE}{name or 'program'}\n".encode())

    def seconds(self):
        """Returns the processor time, in seconds, of the compile or launch that runs now; else 0."""
        return time.process_time() - self.started if self.running else 0

    def note(self, kind, text, where=""):
        self.findings.append({"kind": kind, "text": str(text)[:2000], "where": where})

    def check_place(self, kind, message, location):
        """Checks that an error is at a line and a column of the program."""
        self.answers.append(kind)
        file, line, column = location[:3]
        of_program = file.startswith((os.path.dirname(self.file), *self.folders)) or (
            file.endswith(".py") and not os.path.isabs(file))  # a file name that the program made up
        if not of_program or line < 1 or column < 1:
            self.note("no position", f"{kind}: {message}", f"{file}:{line}:{column}")
        elif ACCIDENTS.search(message) and not OF_PYTHON.match(message):
            self.note("accident", f"{kind}: {message}", f"{line}:{column}")

    def check_exception(self, error):
        """Checks an exception that the program itself did not catch."""
        if isinstance(error, (_errors.CompileError, _errors.RuntimeFault)):
            self.check_place(type(error).__name__, error.message, error.location)
            error.render()
            return
        self.answers.append("Python " + type(error).__name__)
        frames = traceback.extract_tb(error.__traceback__)
        if frames and frames[-1].filename.startswith(PACKAGE):
            self._check_own(error, frames[-1])

    def _check_own(self, error, frame):
        """Checks an exception from a line of the package, or from a function that this line called."""
        line = linecache.getline(frame.filename, frame.lineno).strip()
        is_raised = line.startswith("raise ") or "raise " in _statement_before(frame)
        if not is_raised and (not isinstance(error, DELIBERATE) or ACCIDENTS.search(str(error))):
            place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
            self.note("exception inside the package", f"{type(error).__name__}: {error}", place)


def _statement_before(frame):
    """Returns the frame's line and the three before it, in which the `raise` of a long statement is found."""
    lines = [linecache.getline(frame.filename, frame.lineno - back) for back in range(4)]
    return " ".join(lines)


def watch(judge):
    """Wraps functions of the compiler and the device, so that the judge sees each result and error first."""
    compile_operation, frontend_ir = _ttjit.compile_operation, _ttjit.frontend_ir
    settle, fault, launch = _report.settle, _report.fault, _ttjit.launch

    def guarded(function, name):
        def call(*arguments, **keywords):
            before = judge.running
            judge.run(name)
            try:
                return function(*arguments, **keywords)
            except Exception as error:  # diagnostics and faults are results, other exceptions are findings
                judge.note(f"{name} raises", f"{type(error).__name__}: {error}", _tail(error))
                raise
            finally:
                judge.run(before)
                for difference in _ttjit.take_differences():
                    judge.note("the engines differ", difference)

        return call

    def settle_judged(diagnostics):
        for severity, message, location, *_ in diagnostics:
            judge.check_place(severity, message, location)
        settle(diagnostics)

    def fault_judged(record):
        kind, message, location = record[:3]
        judge.check_place(f"fault {kind}", message, location)
        return fault(record)

    _ttjit.compile_operation = guarded(compile_operation, "compile")
    _ttjit.frontend_ir = guarded(frontend_ir, "compile")
    _ttjit.launch = guarded(launch, "launch")
    _report.settle, _report.fault = settle_judged, fault_judged


def _tail(error):
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    return " ".join(f"{os.path.basename(each.filename)}:{each.lineno}" for each in frames)
