# SPDX-License-Identifier: Apache-2.0
"""Reads and changes MXCSR, the x86 register for rounding and denormals of the calling thread."""

import contextlib
import ctypes
import mmap
import platform

import pytest

FLUSH, DENORMALS_ARE_ZERO = 0x8000, 0x0040
UPWARD, DOWNWARD, TOWARDS_ZERO = 0x4000, 0x2000, 0x6000
DEFAULT = 0x1F80
_FLAGS = 0x3F  # bits of MXCSR for floating-point exceptions that have occurred

_RETURN = b"\xc3"
_LOAD, _STORE = b"\x0f\xae\x17" + _RETURN, b"\x0f\xae\x1f" + _RETURN  # code of ldmxcsr, stmxcsr [rdi]

needs_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86 has MXCSR")


class _Register:
    def __init__(self):
        self.code = mmap.mmap(-1, mmap.PAGESIZE,
                              prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.code.write(_LOAD + _STORE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.code))
        kind = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint32))
        self.load, self.store = kind(start), kind(start + len(_LOAD))


_register = _Register() if platform.machine() == "x86_64" else None


def read():
    """Returns the thread's MXCSR without the exception flags."""
    value = ctypes.c_uint32()
    _register.store(ctypes.byref(value))
    return value.value & ~_FLAGS


def write(value):
    _register.load(ctypes.byref(ctypes.c_uint32(value)))


@contextlib.contextmanager
def changed(bits):
    """Sets MXCSR to DEFAULT | bits. Checks that the body leaves it so, and restores it."""
    before = read()
    write(DEFAULT | bits)
    try:
        yield
        after = read()
    finally:
        write(before)
    assert after == DEFAULT | bits
