# SPDX-License-Identifier: Apache-2.0
"""Measures what a call of kernels takes on a card, with other arguments, keywords and options, and keeps
what it computed."""

import contextlib
import hashlib
import json
import os
import random
import sys
import warnings
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
from ttl_jit.tune import _bits, _left_out

KEYWORDS = ("grid", "math_fidelity", "fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode")
# These options cannot be parameters: they do not change the kernel, or the estimate needs them as they are.
NO_PARAMETERS = ("time", "what-if", "debug", "compile-only", "strict", "explain-numerics", "host-cpu", "cache")


# How candidates run unless the user says otherwise: the interpreter starts each kernel sooner, and other
# candidates use the other processors. Neither changes a time or a bit.
DEFAULTS = {"engine": "interp", "schedule": "fair"}


class Refused(Exception):
    """A candidate cannot be measured. `kind` is a word, the text says why."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


@dataclass
class Launch:
    """The launches of a kernel in a run. `bits` are, of each tensor of the last one, whether it changed
    and its digest; `tensors` are the tensors themselves."""

    kernel: str
    cycles: float = 0
    us: float = 0
    l1_bytes: int = 0  # of the buffers of a core
    bits: dict = field(default_factory=dict)
    tensors: dict = field(default_factory=dict)

    def keep(self, before, tensors):
        """Keeps what the last launch computed. `before` are the elements before it."""
        self.tensors = tensors
        self.bits = {key: _compared(key, before[key], _bits.of(tensor)) for key, tensor in tensors.items()}

    def arrays(self):
        """Returns the values of the tensors as they are now."""
        return {name: _bits.array_of(tensor) for name, tensor in self.tensors.items()}


@dataclass
class Values:
    """The values of a candidate, by what they are: arguments of operations, keywords of the decorator,
    names that the bodies read, and options of ttl-jit."""

    arguments: dict = field(default_factory=dict)
    keywords: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    used: set = field(default_factory=set)  # names of parameters that some launch used


def option_names():
    """Returns the options of ttl-jit that may be parameters, by their names with _ in place of -."""
    import _ttjit

    return {name.replace("-", "_"): name for name, _ in _ttjit.kernel_options() if name not in NO_PARAMETERS}


def seed_all():
    """Makes the random numbers of a run the same as those of other runs."""
    from ttl import ttnn

    random.seed(0)
    np.random.seed(0)
    ttnn.manual_seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


@contextlib.contextmanager
def measured(values, kernel=None, computes=True):
    """Yields a dict that gets the launches of the calls in the block, by kernel. `kernel` is the only one
    to measure. Without `computes`, tensors are not kept."""
    import ttl
    from ttl._operation import Operation

    original, launches, variants = Operation.__call__, {}, {}

    def calling(self, *args, options=None, **kwargs):
        name = self.function.__name__
        if kernel not in (None, name):
            return original(self, *args, options=options, **kwargs)
        operation, args, kwargs = _changed(self, args, kwargs, values, variants)
        tensors = _bits.tensors_of(operation, args, kwargs) if computes else {}
        before = {key: np.array(_bits.of(tensor)) for key, tensor in tensors.items()}

        def run(*args, **kwargs):
            original(operation, *args, options=options, **kwargs)
        run(*args, **kwargs)
        launch = _note(launches, name)
        if launch is not None:
            launch.keep(before, _left_out.shown(operation, args, kwargs, before, run) if tensors else {})

    keywords = {name: value for name, value in DEFAULTS.items() if not os.environ.get(f"TTL_{name.upper()}")}
    keywords.update((name, value) for name, value in values.options.items() if value is not None)
    values.used.update(values.options)
    try:
        with (mock.patch.object(Operation, "__call__", calling), warnings.catch_warnings(),
              ttl.options(time="cycles", strict=True, **keywords)):
            warnings.simplefilter("ignore")
            yield launches
    except (ttl.CompileError, ttl.RuntimeFault) as error:
        raise Refused(_kind(error), located(error)) from None


def _changed(operation, args, kwargs, values, variants):
    """Returns the operation and its arguments with the values of a candidate."""
    own = {name: value for name, value in values.arguments.items() if name in operation.signature.parameters}
    if own:
        bound = operation.signature.bind_partial(*args, **kwargs)
        bound.arguments.update(own)
        args, kwargs = bound.args, bound.kwargs
    constants = {name: value for name, value in values.keywords.items()
                 if name in KEYWORDS or name in operation.options.constants}
    values.used.update(own, constants, values.names)
    if not constants and not values.names:
        return operation, args, kwargs
    if id(operation) not in variants:
        # The operation is kept, too, so that no other one gets its id.
        variants[id(operation)] = operation.changed(constants, values.names), operation
    return variants[id(operation)][0], args, kwargs


def _note(launches, name):
    """Adds the estimate of the launch that ended; returns the launches of its kernel, or None."""
    import _ttjit

    found = _ttjit.last_estimate()
    if found is None:  # the operation called others, and these were measured
        return None
    figures = json.loads(found[0])
    if "failure" in figures:
        raise Refused("failed", f"no estimate: {figures['failure']}")
    launch = launches.setdefault(name, Launch(name))
    launch.cycles += figures["cycles"]
    launch.us += figures["us"]
    launch.l1_bytes = max(launch.l1_bytes, figures["l1_bytes"])
    return launch


_digests = {}  # the last tensor of each name, as a launch left it, and its digest


def _compared(name, before, after):
    """Returns whether a tensor changed, and the digest of its new bits. Most candidates have the same
    results, whose digest is computed once: comparing bits is ten times as fast as a digest."""
    is_changed = not has_same_bits(before, after)
    known = _digests.get(name)
    if known is None or not has_same_bits(known[0], after):
        known = _digests[name] = np.array(after) if is_changed else before, digest(after)
    return [is_changed, known[1]]


def has_same_bits(one, other):
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    one, other = (np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (one, other))
    words = one.size // 8 * 8
    return (np.array_equal(one[:words].view(np.uint64), other[:words].view(np.uint64)) and
            np.array_equal(one[words:], other[words:]))


def digest(array):
    """Returns a text that tells an array from others."""
    text = hashlib.blake2b(f"{array.dtype} {array.shape}".encode(), digest_size=16)
    text.update(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")
    return text.hexdigest()


def _kind(error):
    import ttl

    if isinstance(error, ttl.CompileError):
        return "refused"
    return "deadlock" if isinstance(error, ttl.DeadlockError) else "fault"


def located(error):
    """Returns the first line of an error, with its place."""
    text = error.message.splitlines()[0]
    return f"{error.file}:{error.line}: {text}" if error.line else text


def largest_difference(found, expected):
    """Returns how far arrays are apart at most, as a part of the largest value of `expected`."""
    if found.shape != expected.shape:
        return float("inf")
    if not found.size or digest(found) == digest(expected):
        return 0.0
    one, other = found.astype(np.float64), expected.astype(np.float64)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    largest = np.max(np.abs(other[np.isfinite(other)]), initial=0.0)
    with np.errstate(invalid="ignore"):
        apart = np.max(np.abs(one - other), where=~same, initial=0.0)
    return float(apart / largest) if largest and np.isfinite(apart) else float("inf")
