# ===- _keys.py - keys of Python values ---------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# If two values have equal keys, kernels that use them compile to the same program. Attributes of
# an object are not part of its key: the attributes that a kernel reads have keys of their own
# (_reads.py).
# ===--------------------------------------------------------------------------=== #

import types

import _ttjit
import numpy
from ttl import (
    _api,
    _buffers,
    _domains,
    _effects,
    _external_arguments,
    _host,
    _pipes,
    _resets,
    _transfer_graphs,
    _values,
)

_MAX_DEPTH = 50
_NAMED = (
    _pipes.Pipe,
    _pipes.PipeNet,
    _pipes.Semaphore,
    _pipes.RemoteSemaphore,
    _buffers.DataflowBuffer,
)
_BY_IDENTITY = (
    type,
    types.ModuleType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    numpy.ufunc,
    _api.Function,
    _host.HostFunction,
    _external_arguments.DispatchCondition,
    *_external_arguments.MAKER_TYPES,
)
# The walk uses objects with these methods as numbers, truth values or sequences.
_NUMBER_METHODS = ("__index__", "__int__", "__float__", "__bool__", "__len__")


def array_key(array):
    """Returns the key of a numpy array's elements, or None if the elements are Python objects."""
    if array.dtype.hasobject:
        return None
    return (array.dtype.str, array.shape, _values.digest(array.tobytes()))


class Keys:
    """Makes the keys of the values of one call. Objects are numbered in the order of their first
    appearance, so that equal keys imply equal aliasing. `is_comparable` becomes False when a value
    cannot be described by a key."""

    def __init__(self, call):
        self.call = call
        self.numbers = {}
        self.is_comparable = True

    def note(self, value, path, kind, name):
        """Called for each part `value` of a value, which is reached by the step (kind, name) from
        `path`. Subclasses return the path of the part."""
        return None

    def unknown(self, value):
        self.is_comparable = False
        return ("unknown",)

    def of(self, value, path=None, depth=0):
        """Returns the key of a value."""
        known = _values.constant(value)
        if known is not None:
            return known
        if depth > _MAX_DEPTH:
            return self.unknown(value)
        if isinstance(value, _BY_IDENTITY):
            return _values.Same(value)
        if not isinstance(value, tuple):
            number = self.numbers.get(id(value))
            if number is not None:
                return ("seen", number)
            self.numbers[id(value)] = len(self.numbers)
        return self._of_object(value, path, depth + 1)

    def _of_object(self, value, path, depth):
        kind = type(value)
        if kind in _NAMED:
            return (kind, *value.key(), *self._parts(value, depth))
        if isinstance(value, (_domains.DeviceDomain, _domains.DeviceRef)):
            return (kind, value)
        if isinstance(value, (_transfer_graphs.TransferGraph, _domains.NodeSelection)):
            return (kind, *value.key())
        if isinstance(value, _resets.Boundary):
            return (kind, getattr(value, "discard_dfb_state", False), *value.key_in(self.call))
        if _ttjit.is_tensor(value):
            return self._of_tensor(value)
        if kind is types.FunctionType:
            code = value.__code__
            return (kind, code, code.co_filename, *self._members(value, path, depth))
        if kind in _effects.CALLABLES:
            name = getattr(value, "__name__", "")
            return (kind, name, *self._members(value, path, depth))
        return self._of_data(value, path, depth)

    def _parts(self, value, depth):
        """Returns the keys of the objects on which a resource depends: the pipes of a net, the semaphore
        of a RemoteSemaphore, or the nets of a pipe."""
        if isinstance(value, _pipes.PipeNet):  # value.key() has the properties of the pipes
            return [self.numbers.setdefault(id(pipe), len(self.numbers)) for pipe in value.pipes]
        if isinstance(value, _pipes.RemoteSemaphore):
            return [self.of(value.semaphore, None, depth)]
        # A copy over a pipe uses the net that has the pipe, so the kernel depends on this net.
        return _pipes.nets_key(self.call, value) if isinstance(value, _pipes.Pipe) else ()

    def _members(self, value, path, depth):
        for name in _effects.members(value):
            part = getattr(value, name)
            yield self.of(part, self.note(part, path, "member", name), depth)

    def _of_tensor(self, value):
        entry = self.call.tensor(value)
        if entry is not None:
            return ("tensor", self.call.tensors.index(entry), _ttjit.tensor_key(entry.argument))
        if type(value) is numpy.ndarray:
            return array_key(value) or self.unknown(value)
        facts = [getattr(value, name, None) for name in ("shape", "dtype", "layout")]
        if hasattr(value, "item") and hasattr(value, "numel") and value.numel() == 1:
            facts.append(value.item())  # the walk may use a tensor with one element as a number
        return (type(value), *(self.of(fact) for fact in facts))

    def _of_data(self, value, path, depth):
        kind = type(value)
        if _values.is_sequence(value):
            return (kind, *self._steps(path, "item", enumerate(value), depth))
        if kind in _values.MAPPINGS:
            names = tuple(self.of(key, None, depth) for key in value)
            return (kind, names, *self._steps(path, "entry", value.items(), depth))
        if kind in _values.SETS:
            return (kind, frozenset(self.of(item, None, depth) for item in value))
        if kind in _values.VIEWS:
            return (kind, *(self.of(item, None, depth) for item in value))
        if kind in _values.BYTES:
            return (kind, _values.digest(value))
        if kind is slice:
            return (slice, *(self.of(part) for part in (value.start, value.stop, value.step)))
        if any(hasattr(kind, name) for name in _NUMBER_METHODS):
            return self.unknown(value)
        return ("object", _values.Same(kind), self.numbers[id(value)])

    def _steps(self, path, kind, items, depth):
        for name, item in items:
            yield self.of(item, self.note(item, path, kind, name), depth)
