# ===- _resets.py - boundaries at which buffers are reset ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A boundary names the kernel functions that meet at it: one compute kernel and two data movement
# kernels. The calls that take a boundary are in frontend/walk/functions/BufferResets.cpp.
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl import _errors, _selectors
from ttl._selectors import Kernel, KernelKind, PipeSourceKernel


def _fail(message):
    raise _errors.CompileError(message)


def _kind(selector):
    return selector if isinstance(selector, KernelKind) else selector.kind


def _is_selector(value):
    if isinstance(value, KernelKind):
        return len(value) == 1
    return isinstance(value, (Kernel, PipeSourceKernel)) and value.kind is not None


class Boundary:
    """A base class of DFBReset and DFBReconfiguration. `participants` are the selectors of the kernel
    functions that meet at the boundary."""

    def __init__(self, participants):
        name = type(self).__name__
        if not isinstance(participants, tuple) or not participants:
            raise TypeError(f"{name} participants must be a nonempty tuple of kernel selectors, such as "
                            f"(compute, reader, writer); found {participants!r}")
        for value in participants:
            if not _is_selector(value):
                raise TypeError(f"{name} participants must contain only KernelKind or Kernel values, "
                                f"each of one kind; found {value!r}")
        if len(set(map(id, participants))) < len(participants):
            raise ValueError(f"{name} participants must be distinct, found {participants!r}")
        kinds = [_kind(value) for value in participants]
        if sorted(kind.name for kind in kinds) != ["COMPUTE", "DATA_MOVEMENT", "DATA_MOVEMENT"]:
            raise ValueError(f"{name} participants must contain one compute kernel and two data movement "
                             f"kernels, found {participants!r}")
        self.participants = participants

    def key_in(self, call):
        """Returns what a compiled kernel depends on: which threads of the call take part."""
        selectors = [thread.selector for thread in call.threads]
        return tuple(
            (_kind(value).name, *(i for i, other in enumerate(selectors) if other is value))
            for value in self.participants
        )

    def __repr__(self):
        return f"ttl.{type(self).__name__}(participants={self.participants!r})"


@_ttjit.public_methods
class DFBReset(Boundary):
    """A point at which buffers become empty: ttl.reset_dfbs(reset, dfbs=[...]),
    ttl.reset_all_dfbs(reset).

    participants are the ttl.Kernel selectors of one compute and two data movement functions, which
    all make the call.

    Raises a TypeError or ValueError for other participants.

    Example:

        c = ttl.Kernel(ttl.KernelKind.COMPUTE)
        r, w = (ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT) for _ in range(2))
        reset = ttl.DFBReset(participants=(c, r, w))
    """

    def __init__(self, *, participants):
        super().__init__(participants)


@_ttjit.public_methods
class DFBReconfiguration(Boundary):
    """A point after which other buffers may use the memory and the indices of buffers that no kernel
    function uses any more: ttl.reconfigure_dfbs(boundary). With discard_dfb_state=True all buffers
    are empty after it.

    participants are the ttl.Kernel selectors of one compute and two data movement functions.

    Raises a TypeError or ValueError for other participants.

    Example:

        c = ttl.Kernel(ttl.KernelKind.COMPUTE)
        r, w = (ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT) for _ in range(2))
        boundary = ttl.DFBReconfiguration(participants=(c, r, w), discard_dfb_state=True)
    """

    def __init__(self, *, participants, discard_dfb_state=False):
        if not isinstance(discard_dfb_state, bool):
            raise TypeError(f"discard_dfb_state must be a bool, found {discard_dfb_state!r}")
        super().__init__(participants)
        self.discard_dfb_state = discard_dfb_state


# ===--------------------------------------------------------------------------=== #
# Use in an operation
# ===--------------------------------------------------------------------------=== #


def new_number(call):
    """Returns the number of a reset that has no boundary object."""
    call.resets.append(None)
    return len(call.resets) - 1


def number_of(call, boundary):
    """Returns the number of a boundary in a call. The same boundary has one number in all kernel
    functions."""
    for number, known in enumerate(call.resets):
        if known is boundary:
            return number
    call.resets.append(boundary)
    return len(call.resets) - 1


def enter(call, boundary, function, thread):
    """Checks that kernel function `thread` takes part in the boundary, and that all participants
    are kernel functions of the call. Returns the boundary's number."""
    if call.is_unified:
        _selectors.threads_of(call, boundary.participants)
        return number_of(call, boundary)
    known = call.walked_threads
    own = [each for each in known if each.name == thread]
    if own and not _takes_part(own[0], boundary):
        _fail(f"{thread}() calls {function}(), but it is no participant of this "
              f"{type(boundary).__name__}: name its selector in participants=, or leave the call out")
    for selector in boundary.participants:
        if isinstance(selector, Kernel) and not any(each.selector is selector for each in known):
            _fail(f"{type(boundary).__name__} participant Kernel must be declared by the enclosing "
                  f"operation: {selector!r} is the kernel= of no kernel function of {call.name}()")
    for kind in (KernelKind.COMPUTE, KernelKind.DATA_MOVEMENT):
        wanted = sum(_kind(selector) is kind for selector in boundary.participants)
        found = {each.name for each in known if _selectors.KINDS[each.kind] is kind}
        if len(found) < wanted:
            _fail(f"{type(boundary).__name__} has {wanted} {kind.name.lower()} "
                  f"participant{'s' * (wanted > 1)}, but {call.name}() has only {len(found)} such kernel "
                  f"function{'s' * (len(found) != 1)}: add the missing one, which may do nothing but "
                  "call this")
    return number_of(call, boundary)


def _takes_part(thread, boundary):
    """Returns whether a thread takes part. If its selector is a Kernel of a kind, the boundary must name
    this Kernel. Other threads take part if the boundary names their KernelKind."""
    kind = _selectors.KINDS[thread.kind]
    if isinstance(thread.selector, Kernel) and thread.selector.kind is not None:
        return any(selector is thread.selector for selector in boundary.participants)
    return any(_kind(selector) is kind and not isinstance(selector, Kernel)
               for selector in boundary.participants)
