# ===- _external_arguments.py - arguments of calls of C++ functions -----------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The objects that a program writes into a call of ttl.call_extern_func(). _external.py checks their
# rules.
# ===--------------------------------------------------------------------------=== #

import enum

import _ttjit


class ScalarType(enum.Enum):
    """The types of results of C++ functions: I32 and I64, for result_type= of
    ttl.call_extern_func(). A result that does not fit in 32 bits is a fault.

    Example, in the body of an operation:

        condition = ttl.DispatchCondition(ttl.ScalarType.I32)
    """

    I32 = 32
    I64 = 64


@_ttjit.public_methods
class DispatchCondition:
    """A condition that several calls of C++ functions find, each for itself: condition_result= of
    ttl.call_extern_func(). All calls of a node with one condition have the same truth value in one
    launch.

    Raises a TypeError for a type that is no ttl.ScalarType.

    Example, in the body of an operation:

        condition = ttl.DispatchCondition(ttl.ScalarType.I32)
    """

    def __init__(self, type):
        if not isinstance(type, ScalarType):
            raise TypeError("ttl.DispatchCondition must get ttl.ScalarType.I32 or "
                            f"ttl.ScalarType.I64, found {type!r}")
        self.type = type

    def __repr__(self):
        return f"ttl.DispatchCondition(ttl.{self.type})"


class Argument:
    """An object that stands for an argument of a C++ function, or for a part of its contract. Its
    rules are checked where it is used."""

    def __init__(self, value):
        self.value = value


class uint32(Argument):
    """ttl.uint32(value): an unsigned number of 32 bits, for arguments of ttl.call_extern_func(). A
    number out of range is a ttl.CompileError at the call.

    Example, in the body of an operation:

        flags = ttl.uint32(0xFFFF0000)
    """


class dfb_descriptor(Argument):
    """ttl.dfb_descriptor(dfb): the type ttlang::DFBDescriptor of a buffer, for template_args= of
    ttl.call_extern_func(). Any other argument is a ttl.CompileError at the call.

    Example, in the body of an operation:

        descriptor = ttl.dfb_descriptor(ttl.make_dfb("bf16", (1, 1)))
    """


class get_dfb_id(Argument):
    """ttl.get_dfb_id(dfb): the index of a buffer, for arguments of ttl.call_extern_func(). The
    buffer must be a dependency of the call, or it is a ttl.CompileError.

    Example, in the body of an operation:

        index = ttl.get_dfb_id(ttl.make_dfb("bf16", (1, 1)))
    """


class raw_addr(Argument):
    """ttl.raw_addr(tensor): the address of a tensor in bytes, for func_args= of
    ttl.call_extern_func(). Any other argument is a ttl.CompileError at the call.

    Example, in the body of an operation:

        address = ttl.raw_addr(x)
    """


class Effect:
    def __init__(self, kind, buffer, tiles):
        self.kind, self.buffer, self.tiles = kind, buffer, tiles


class Repeat:
    def __init__(self, count, effects):
        self.count, self.effects = count, effects


class Inspect:
    def __init__(self, buffer):
        self.buffer = buffer


class _EffectMaker:
    """The type of ttl.DFBEffect.reserve, push, wait and pop: calling one makes an Effect."""

    def __init__(self, kind):
        self.kind = self.__name__ = kind
        self.__module__ = "ttl"

    def __call__(self, dfb, *, tiles):
        return Effect(self.kind, dfb, tiles)


class _RepeatMaker:
    """The type of ttl.DFBEffect.repeat: calling it makes a Repeat."""

    __name__, __module__ = "repeat", "ttl"

    def __call__(self, count, effects):
        return Repeat(count, effects)


class _InspectMaker:
    """The type of ttl.DFBAccess.inspect: calling it makes an Inspect."""

    __name__, __module__ = "inspect", "ttl"

    def __call__(self, dfb):
        return Inspect(dfb)


class DFBEffect:
    """What a C++ function does with pages of a buffer: reserve, push, wait and pop of (dfb,
    tiles=n), and repeat(count, effects). For dfb_effects= of ttl.call_extern_func(); tiles counts
    pages.

    A function that does something else is a ttl.ProtocolError at the call.

    Example, in the body of an operation:

        dfb = ttl.make_dfb("bf16", (1, 1))
        effects = [ttl.DFBEffect.wait(dfb, tiles=1), ttl.DFBEffect.pop(dfb, tiles=1)]
    """

    reserve, push = _EffectMaker("reserve"), _EffectMaker("push")
    wait, pop = _EffectMaker("wait"), _EffectMaker("pop")
    repeat = _RepeatMaker()


class DFBAccess:
    """How a C++ function uses a buffer that it leaves as it is: DFBAccess.inspect(dfb), for
    dfb_accesses= of ttl.call_extern_func(). A function that changes the buffer is a
    ttl.ProtocolError.

    Example, in the body of an operation:

        dfb = ttl.make_dfb("bf16", (1, 1))
        access = ttl.DFBAccess.inspect(dfb)
    """

    inspect = _InspectMaker()


_MAKERS = (uint32, dfb_descriptor, get_dfb_id, raw_addr)
MAKER_TYPES = (_EffectMaker, _RepeatMaker, _InspectMaker)


def is_maker(callee):
    """Returns whether a callee makes an argument of ttl.call_extern_func()."""
    return isinstance(callee, MAKER_TYPES) or any(callee is maker for maker in _MAKERS)
