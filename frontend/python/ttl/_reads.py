# ===- _reads.py - records which Python values a compiled kernel reads --------=== #
# SPDX-License-Identifier: Apache-2.0
#
# While the compiler walks kernel functions, a Recorder records every Python value that the walk
# reads. A record has the value's access path, with one Slot per step, and the value's key. All
# slots together are the plan of the compiled program. Before the next launch, Plan.evaluate reads
# the same paths again: the program fits if the keys are equal. If a value cannot be compared, the
# program is not kept in the cache.
# ===--------------------------------------------------------------------------=== #

import collections
import types

import _ttjit
import numpy
from ttl import _effects, _habits, _source, _values
from ttl._keys import Keys, array_key


class NoMatch(Exception):
    """An access path of a plan does not exist in this call."""


class Slot(collections.namedtuple("Slot", "parent kind name")):
    """One step of an access path: it reads a part of the value of slot `parent`. The kinds of
    steps are "thread" (the thread with number `name`), "cell" (number `name` of a function's
    closure), "global" (or a builtin), "attribute", "getter" (the function of a property), "absent"
    (an attribute that does not exist), "item", "entry" (of a mapping), "member" (a C attribute of
    a function or method), "contents" (of an array) and "capture" (a tensor that is not an
    argument)."""

    __slots__ = ()


def _take(value, kind, name):
    """Reads one step of a path. Raises NoMatch, a LookupError or a ValueError if the value has no
    such part: it may be of another type than when the path was recorded."""
    if type(value) is types.FunctionType:
        if kind == "cell":
            return value.__closure__[name].cell_contents
        if kind == "global":
            return _values.global_value(value, name)
    if kind in ("attribute", "getter", "absent"):
        found = _values.attribute(value, name)
        if found.kind != ("value" if kind == "attribute" else kind):
            raise NoMatch
        return found.value
    if kind == "item" and _values.is_sequence(value) and name < len(value):
        return value[name]
    if kind == "entry" and type(value) in _values.MAPPINGS and name in value:
        return value[name]
    if kind == "member" and name in _effects.members(value):
        return getattr(value, name)
    if kind == "contents" and type(value) is numpy.ndarray:
        return value
    if kind == "capture" and _ttjit.is_tensor(value):
        return value
    raise NoMatch


class Plan(collections.namedtuple("Plan", "slots first_read")):
    """The reads of a compiled program, in the order of the walk. The first slots are the threads.
    The slots before `first_read` lead to captured tensors."""

    __slots__ = ()

    def evaluate(self, call):
        """Returns the keys of the values at these paths in this call, or None if they cannot be
        read. Adds the captured tensors to the call."""
        try:
            return self._keys(call)
        except (NoMatch, LookupError, AttributeError, TypeError, ValueError):
            return None

    def _keys(self, call):
        values = []
        for parent, kind, name in self.slots[: self.first_read]:
            is_thread = kind == "thread"
            owner = call.walked_threads[name].function if is_thread else values[parent]
            values.append(owner if is_thread else _take(owner, kind, name))
            if kind == "capture":
                _capture(call, values[-1])
        maker, keys = Keys(call), []
        for number, slot in enumerate(self.slots[: self.first_read]):
            if slot.kind in ("thread", "capture"):
                keys.append(maker.of(values[number]))
        for parent, kind, name in self.slots[self.first_read :]:
            value = _take(values[parent], kind, name)
            values.append(value)
            if type(value) in _values.CONSTANTS:
                keys.append((type(value), value))
            else:
                keys.append(array_key(value) if kind == "contents" else maker.of(value))
        return tuple(keys) if maker.is_comparable else None


def _is_walked(value):
    """Returns whether the value is a function of the kernel that the walk passes to Python code as a
    callback. The walk itself records what such a function reads."""
    return type(value) is types.BuiltinFunctionType and value.__name__ == "walked_function"


def _capture(call, value):
    if call.tensor(value) is None:
        call.capture_tensor(value)


def _suggestion(owner, name):
    """Returns text that suggests an existing attribute instead of a missing one; "" for the package
    ttl, whose __getattr__() adds such a text to its errors."""
    if getattr(owner, "__name__", "") == "ttl":
        return ""
    if getattr(owner, "__name__", "") in ("ttl.math", "ttl.block") and _habits.advice(name):
        return _habits.advice(name)
    names = [known for known in dir(owner) if not known.startswith("_")]
    similar = _source.similar(name, names)
    return f"; did you mean '{similar}'?" if similar else ""


class Recorder(Keys):
    """Records the values that one walk reads. `is_comparable` becomes False when the walk reads a
    value that a later call cannot compare."""

    def __init__(self, call):
        super().__init__(call)
        self.slots = []
        # the value of each slot; this also keeps objects alive whose ids are used
        self.values = []
        self.keys = []
        self.known = {}  # slot -> its number
        self.paths = {}  # id of an object -> (number of a slot, steps below it)
        self.resources = set()  # ids of buffers, nets and other resources that the walk made
        self.containers = set()  # ids of containers that the program made, and not the walk
        for number, thread in enumerate(call.walked_threads):
            self._add(Slot(-1, "thread", number), thread.function)
        self._capture_tensors()
        self.first_read = len(self.slots)
        self.known.clear()  # steps to captured tensors do not count as reads
        for number, slot in enumerate(self.slots):
            if slot.kind in ("thread", "capture"):
                self.paths.setdefault(id(self.values[number]), (number, ()))
                self.keys.append(self.of(self.values[number], (number, ())))

    def plan(self):
        return Plan(tuple(self.slots), self.first_read)

    # Methods that the walk calls

    def made(self, resource):
        """Called when the walk made a buffer, pipe, net or semaphore from values that it had
        read."""
        self.resources.add(id(resource))

    def name(self, function, name):
        """Called when the walk reads a variable of a Python function."""
        self._read_below(function, *_effects.variable(function, name))

    def numbers_of_nodes(self, function, name):
        """Called when the walk reads a variable with numbers that differ between nodes. The call's facts
        describe it (_nodes.py); this notes only where the items of a tuple are."""
        number = self._slot_of(function)
        if number is None:
            return self._give_up()
        kind, place = _effects.variable(function, name)
        value = _take(function, kind, place)
        self._note_items(value, (number, ((kind, place),)))

    def _note_items(self, value, path):
        self.paths.setdefault(id(value), path)
        if type(value) in (tuple, list):
            for place, item in enumerate(value):
                self._note_items(item, (path[0], (*path[1], ("item", place))))

    def attribute(self, owner, name):
        """Called when the walk reads `owner.name`; returns the value."""
        if owner is None and not hasattr(None, name):
            raise AttributeError(f"the object is None, which has no attribute '{name}'")
        found = self._note_attribute(owner, name)
        if found is not None and found.kind == "getter":
            return self.call_python(found.value, (owner,), {})
        try:
            return getattr(owner, name)
        except AttributeError as error:
            raise AttributeError(f"{error}{_suggestion(owner, name)}") from None

    def call_python(self, function, args, keywords):
        """Called when the walk calls a Python function; returns the result."""
        if not self.is_comparable:
            return function(*args, **keywords)
        if function in (getattr, hasattr) and not keywords:
            return self._call_getattr(function, args)
        if function in (isinstance, issubclass, callable, type) and not keywords:
            return function(*args)  # the keys of the arguments include their types
        values = [v for v in (*args, *keywords.values()) if not _is_walked(v)]
        if self._is_harmless(function) and self._are_plain(values):
            return function(*args, **keywords)
        return self._watched(function, args, keywords)

    def used(self, *values):
        """Called when the walk applies an operator, a conversion or a builtin to the values."""
        if not self._are_plain(values):
            self._give_up()

    def item(self, owner, index):
        """Called when the walk reads `owner[index]`."""
        kind = type(owner)
        is_container = _values.is_sequence(owner) or kind in _values.MAPPINGS
        if is_container or kind in (range, *_values.BYTES, str, bytes):
            self.used(index)
        else:
            self.used(owner, index)

    def iterated(self, value):
        """Called when the walk reads all items of a container."""
        kind = type(value)
        known = (range, str, bytes, *_values.MAPPINGS, *_values.VIEWS)
        if kind is numpy.ndarray or kind in _values.SETS:
            self.used(value)
        elif not _values.is_sequence(value) and kind not in known:
            self._give_up()

    # Slots

    def note(self, value, path, kind, name):
        if path is None or (kind == "entry" and _values.constant(name) is None):
            return None
        number, steps = path
        path = (number, (*steps, (kind, name)))
        self.paths.setdefault(id(value), path)
        return path

    def _give_up(self):
        self.is_comparable = False

    def _add(self, slot, value):
        number = self.known[slot] = len(self.slots)
        self.slots.append(slot)
        self.values.append(value)
        return number

    def _read(self, parent, kind, name):
        """Records a step from a slot, once; returns the number of the step's slot."""
        slot = Slot(parent, kind, name)
        number = self.known.get(slot)
        if number is not None:
            return number
        value = _take(self.values[parent], kind, name)
        number = self._add(slot, value)
        self.paths.setdefault(id(value), (number, ()))
        self.keys.append(array_key(value) if kind == "contents" else self.of(value, (number, ())))
        return number

    def _slot_of(self, value):
        """Returns the number of the slot of a value that was read before, or None for other
        values."""
        path = self.paths.get(id(value))
        if path is None:
            return None
        number, steps = path
        for kind, name in steps:
            number = self._read(number, kind, name)
        self.paths[id(value)] = (number, ())
        return number

    def _read_below(self, owner, kind, name):
        parent = self._slot_of(owner)
        if parent is None:
            return self._give_up()
        try:
            return self._read(parent, kind, name)
        except (NoMatch, LookupError, ValueError):
            return self._give_up()

    # Attributes and calls

    def _note_attribute(self, owner, name):
        """Records that an attribute was read. Returns what _values.attribute() found, or None if it
        was not needed."""
        if _values.constant(owner) is not None:
            return None
        if _ttjit.is_tensor(owner):
            if name not in _values.TENSOR_FACTS:
                self._note_contents(owner)
            return None
        if self._slot_of(owner) is None:
            # The walk made this object from values that are compared already.
            self.used(owner)
            return None
        found = _values.attribute(owner, name)
        if found.kind == "unsafe":
            return self._give_up()
        kind = "attribute" if found.kind == "value" else found.kind
        self._read_below(owner, kind, name)
        return found

    def _note_contents(self, tensor):
        """Records that the elements of a tensor are read. Only numpy arrays can be compared."""
        if type(tensor) is not numpy.ndarray or tensor.dtype.hasobject:
            return self._give_up()
        if self._slot_of(tensor) is not None:
            self._read_below(tensor, "contents", None)

    def _are_plain(self, values):
        for value in values:
            if id(value) in self.resources:
                continue
            if not _values.is_plain(value):
                return False
            if type(value) is numpy.ndarray:
                self._note_contents(value)
        return True

    def _call_getattr(self, function, args):
        if len(args) in (2, 3) and type(args[1]) is str:
            found = self._note_attribute(args[0], args[1])
            if function is getattr and isinstance(found, _values.Attribute):
                if found.kind == "getter":
                    return self.call_python(found.value, args[:1], {})
        return function(*args)

    def _is_harmless(self, function):
        """Returns whether a function computes its result from its arguments and changes
        nothing."""
        if _effects.is_pure(function):
            return True
        owner = getattr(function, "__self__", None)
        is_method = isinstance(function, types.BuiltinMethodType) and _values.is_plain(owner)
        # A method of a container may change a container that the walk made, but not one of the
        # program.
        return is_method and self._slot_of(owner) is None and id(owner) not in self.paths

    def _watched(self, function, args, keywords):
        result, trace = _effects.watch(function, args, keywords)
        if trace is None:
            self._give_up()
            return result
        codes = set()
        for value in (function, *args, *keywords.values()):
            if not self._are_plain((value,)):
                self._enter(value, trace.names, codes, set())
        if not trace.codes <= codes:
            self._give_up()
        return result

    def _enter(self, value, names, codes, seen):
        """Records everything that code which mentions `names` can read from a value."""
        if id(value) in seen or not self.is_comparable:
            return
        seen.add(id(value))
        if isinstance(value, types.FunctionType):
            codes |= _effects.codes_of(value.__code__)
        if not _effects.is_readable(value):
            return self._give_up()
        number = self._slot_of(value)
        for kind, name, child in _effects.children(value, names):
            if number is not None:
                self._read_below(value, kind, name)
            self._enter(child, names, codes, seen)
        if type(value) is numpy.ndarray:
            self._note_contents(value)

    # Tensors that are not arguments

    def _capture_tensors(self):
        """Finds the tensors that the kernel functions mention, in a fixed order."""
        seen = set()
        for number, thread in enumerate(self.call.walked_threads):
            self._search(thread.function, (number, ()), frozenset(), seen)

    def _search(self, value, path, names, seen):
        if (id(value), names) in seen or len(path[1]) > 20:
            return
        seen.add((id(value), names))
        if _ttjit.is_tensor(value):
            return self._capture(value, path)
        if isinstance(value, types.FunctionType):
            names = _values.names_of(value.__code__)
        number, steps = path
        for kind, name, child in _effects.children(value, names):
            self._search(child, (number, (*steps, (kind, name))), names, seen)

    def _capture(self, value, path):
        if self.call.tensor(value) is not None:
            return
        try:
            self.call.capture_tensor(value)
        except ValueError:  # the array's element type has no tensor type
            return
        number, steps = path
        for kind, name in (*steps, ("capture", None)):
            slot = Slot(number, kind, name)
            if slot not in self.known:
                self._add(slot, _take(self.values[number], kind, name))
            number = self.known[slot]
