# ===- compiler_options.py - ttl.compiler_options, flags of tt-lang's own compiler === #
# SPDX-License-Identifier: Apache-2.0
#
# Programs read and write flags of tt-lang's compiler as an object. No flag changes what ttl-jit does.
# ===--------------------------------------------------------------------------=== #

import dataclasses
import shlex
import sys

import _ttjit
from ttl._options import SWITCHES, VALUES

# The fields whose names are not those of their flags, and the switches that are off by default.
_FIELDS = {"fpu-binary-ops": "enable_fpu_binary_ops", "block-matmul": "use_block_matmul"}
_OFF = ("strict-f32-acc", "subblock-sync", "pipe-global-semaphores-only", "relax-dfb-spsc",
        "specialize-cores", "unsafe-assume-dfb-allocation-groups")
_DEFAULTS = {
    "accumulation-strategy": "auto", "dfb-exact-coloring-search-limit": 1000000,
    "l1-allocation-strategy": "first-fit-decreasing", "memory-model": "metal-cb",
    "sram-allocation-strategy": "first-fit-decreasing",
}
_argv_result = None  # the flags of the command line, once they were read


def _field(flag):
    return _FIELDS.get(flag, flag.replace("-", "_"))


def _default(flag):
    return flag not in _OFF if flag in SWITCHES else _DEFAULTS.get(flag, 0)


def _read(tokens):
    """Returns (the flags in these tokens as fields, the other tokens)."""
    found, rest, tokens = {}, [], list(tokens)
    while tokens:
        name, equals, value = tokens.pop(0).partition("=")
        on = not name.startswith("--no-ttl-")
        flag = name.removeprefix("--no-ttl-" if not on else "--ttl-")
        if flag == name or (flag not in SWITCHES and not (on and flag in VALUES)):
            rest.append(name + equals + value)
        elif flag in SWITCHES:
            found[_field(flag)] = on
        else:
            value = value if equals else (tokens.pop(0) if tokens else "")
            found[_field(flag)] = _number(name, value) if isinstance(_default(flag), int) else value
    return found, rest


def _number(name, value):
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{name} must be an integer, found {value!r}") from None


def _print_help():
    print("The flags of tt-lang's compiler. ttl-jit makes these choices itself.")
    for flag in SWITCHES:
        print(f"  --ttl-{flag}, --no-ttl-{flag} (default: {'on' if _default(flag) else 'off'})")
    for flag in VALUES:
        print(f"  --ttl-{flag} VALUE (default: {_default(flag)})")


class _Methods:
    @classmethod
    def from_string(cls, text):
        """Returns the flags in a string of options."""
        found, rest = _read(shlex.split(text or ""))
        if rest:
            raise ValueError(f"Unknown kernel option(s): {rest}")
        return cls(**found, _explicit=frozenset(found))

    @classmethod
    def from_argv(cls):
        """Returns the flags of the command line. Prints their list and ends the program if it has
        --ttl-help."""
        global _argv_result
        if _argv_result is None:
            if "--ttl-help" in sys.argv[1:]:
                _print_help()
                raise SystemExit(0)
            found, _ = _read(sys.argv[1:])
            _argv_result = cls(**found, _explicit=frozenset(found))
        return _argv_result

    def merge(self, override):
        """Returns these options with the flags that `override` sets."""
        given = {name: getattr(override, name) for name in override._explicit}
        return dataclasses.replace(self, **given, _explicit=self._explicit | override._explicit)


def _fields():
    for flag in SWITCHES + VALUES:
        yield _field(flag), type(_default(flag)), dataclasses.field(default=_default(flag))
    yield "_explicit", frozenset, dataclasses.field(default=frozenset(), compare=False, repr=False)


CompilerOptions = dataclasses.make_dataclass(
    "CompilerOptions", _fields(), bases=(_Methods,), frozen=True, namespace={"__module__": "ttl"}
)
_ttjit.public_methods(CompilerOptions)

__all__ = ["CompilerOptions"]
