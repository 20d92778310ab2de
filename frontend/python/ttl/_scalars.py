# ===- _scalars.py - numbers of a call that a kernel reads when it runs -------=== #
# SPDX-License-Identifier: Apache-2.0
#
# An argument of an operation that is a number is a run-time argument of its kernels if they then
# compute the same as with a constant. Calls with other numbers run the same program. Python computes
# with a constant in 64 bits, and a kernel with a run-time argument in 32. RunTimeNumbers.h tells for
# which uses of a number both give the same result.
#
# The compiler tries each number as a run-time argument. If the walk uses a number in another way, or an
# integer gives the compiler something to report, the kernel is compiled again with the number as a
# constant, and later calls of the operation make it a constant at once. Annotations decide instead:
# ttl.constexpr, ttl.runtime.
# ===--------------------------------------------------------------------------=== #

import collections
import copy
import math
import types
import weakref

import _ttjit
from ttl import _annotations, _nodes, _report

_constant = weakref.WeakKeyDictionary()  # code -> names of the parameters that must be constants
_reports = weakref.WeakKeyDictionary()  # code -> number of diagnostics if all integers are constants


def choose(call, parameters):
    """Chooses the numbers of a call that become run-time arguments. `parameters` are those of the
    operation's signature, by name."""
    if call.scalars is not None:
        return
    if call.asks_node or call.settings.debugged or not _ttjit.shares_numbers():
        return
    arguments = call.arguments
    names = [name for name, value in arguments.items() if _is_number(value)]
    if not names:
        return
    code = call.body_code
    values = {name: arguments[name] for name in names
              if _is_run_time(code, name, parameters[name].annotation)}
    if values:
        forced = {name for name in values if _wants(parameters[name].annotation, "runtime")}
        call.scalars = Scalars(call, values, forced)
        call.scalars.begin()


def note(call, diagnostics):
    """Notes the number of diagnostics of a call, if its integers are constants. If the call was compiled
    before with integers at run time, and had as many diagnostics, later calls may try that again."""
    if call.scalars is not None and call.scalars.integers():
        return
    _reports[call.body_code] = len(diagnostics)
    if call.reported is not None and call.reported.count <= len(diagnostics):
        _constant[call.body_code] -= call.reported.integers


def facts(call, others):
    """Returns what a compiled program depends on: `others`, and which numbers are run-time
    arguments."""
    if call.scalars is None:
        return others
    return (others, tuple((name, type(value), _is_small(value)) for name, value in call.scalars.values.items()))


def _is_small(value):
    """Returns whether the value is an integer of the range of programs for small integers."""
    return type(value) is int and abs(value) <= _ttjit.SMALL_INTEGER


def _is_number(value):
    """Returns whether the value fits in 32 bits; a float may be rounded."""
    if type(value) is float:
        return abs(value) < 2.0**128 - 2.0**103 or not math.isfinite(value)
    return type(value) is int and -(2**31) <= value < 2**31


def _wants(annotation, name):
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2] == name
    return annotation is getattr(_annotations, name)


def _is_run_time(code, name, annotation):
    if _wants(annotation, "constexpr"):
        return False
    if _wants(annotation, "runtime"):
        return True
    return name not in _constant.get(code, ())


# The number of diagnostics of a kernel with integers at run time, and the names of the integers.
Reported = collections.namedtuple("Reported", "count integers")


class Scalars:
    """The run-time numbers of a call. The compiler asks it for them as it asks the groups of
    _nodes.py, and gets one number for all nodes."""

    is_common = True

    def __init__(self, call, values, forced):
        self.call, self.values, self.forced = call, values, forced
        self.threads = call.threads
        self.refused = ()  # the names of the numbers that must be constants

    def begin(self):
        """Prepares the call for the walk."""
        call = self.call
        call.tables.clear()
        call.groups = [self]
        self.threads = [self._without_numbers(thread) for thread in call.threads]

    def _without_numbers(self, thread):
        """Returns the thread. In the defaults of a unified thread's function, the type of a run-time
        number replaces the number, because the cache compares the defaults."""
        if thread.kind != "unified":
            return thread
        old = thread.function
        names = old.__code__.co_varnames
        defaults = zip(names, old.__defaults__ or ())
        keywords = (old.__kwdefaults__ or {}).items()
        function = types.FunctionType(old.__code__, old.__globals__, old.__name__,
                                      tuple(self._kind(*each) for each in defaults), old.__closure__)
        function.__kwdefaults__ = {name: self._kind(name, value) for name, value in keywords} or None
        bound = copy.copy(thread)
        bound.function = function
        return bound

    def _kind(self, name, value):
        return type(value) if name in self.values else value

    # Methods that the compiler calls

    def captured(self, function, name):
        """Returns ("numbers", [number], number of its table) for a variable of a function that is
        one of the numbers, else None."""
        if name not in self.values or name not in function.__code__.co_freevars:
            return None
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        try:
            is_same = cell.cell_contents is self.values[name]
        except ValueError:  # the variable has no value yet
            return None
        return self.parameter(name) if is_same else None

    def parameter(self, name):
        if name not in self.values:
            return None
        table = self.call.tables.setdefault(("scalar", name), len(self.call.tables))
        return ("numbers", [self.values[name]], table)

    def range_of(self, table):
        """Returns the least and the greatest number for which the program is compiled."""
        name = next(name for (_, name), number in self.call.tables.items() if number == table)
        small = _ttjit.SMALL_INTEGER
        return (-small, small) if _is_small(self.values[name]) else (-(2**31), 2**31 - 1)

    def integers(self):
        return {name for name, value in self.values.items() if type(value) is int}

    def refuse(self, tables):
        """Notes the tables whose numbers must be constants. Returns whether there are any."""
        names = {name for (_, name), table in self.call.tables.items() if table in tables}
        self.refused = names - self.forced
        return bool(self.refused)

    # After the walk

    def dropped(self, diagnostics):
        """Returns whether the kernel must be compiled again, with fewer numbers at run time: the
        walk needs constants, or the compiler reports more than for a kernel with constants."""
        names, integers = set(self.refused), self.integers() - self.forced
        if _report.has_errors(diagnostics):
            names = set(self.values) - self.forced
        elif integers and len(diagnostics) > _reports.get(self.call.body_code, 0):
            names |= integers
            self.call.reported = Reported(len(diagnostics), integers - set(self.refused))
        if not names:
            return False
        _constant.setdefault(self.call.body_code, set()).update(names)
        rest = {name: value for name, value in self.values.items() if name not in names}
        call = self.call
        call.__dict__.pop("reads", None)
        call.tables.clear()
        call.groups, call.scalars = None, None
        if rest:
            call.scalars = Scalars(call, rest, self.forced)
            call.scalars.begin()
        return True

    def column(self, _, name):
        """Returns the only column of a table: the value of argument `name`, of a float its bits."""
        value = self.values[name]
        return [_nodes.float_bits(value) if type(value) is float else value]
