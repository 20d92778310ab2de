# ===- _compile_options.py - the options="..." of an operation or a call -----------===
# SPDX-License-Identifier: Apache-2.0
#
# Some options of ttl-jit can be set for one kernel. Scripts may also contain flags that tune
# tt-lang's own compiler; these have no effect.
# ===----------------------------------------------------------------------------===//

import shlex

import _ttjit
from ttl import _location, _report, _source

# Flags of tt-lang's compiler, which ttl-jit ignores because it makes these choices itself. Flags
# that are switches may also be written with "no-" before the name.
_SWITCHES = (
    "block-matmul combine-pack-tiles compiler-dfbs fpu-binary-ops maximize-dst "
    "pipe-capacity-sync pipe-computed-addresses pipe-global-semaphores-only reduce-full-fp32 "
    "reuse-user-dfbs specialize-cores strict-f32-acc subblock-sync"
).split()
_VALUES = "accumulation-strategy l1-budget pipe-batch-tiles".split()
_IGNORED = {
    **{f"ttl-{name}": "" for name in _SWITCHES},
    **{f"no-ttl-{name}": "" for name in _SWITCHES},
    **{f"ttl-{name}": "VALUE" for name in _VALUES},
}

_warned = set()


def parse(text):
    """Returns the options in a string as (name, value) pairs. Warns of flags that have no effect,
    once at each place. Raises a ValueError for an unknown option."""
    if text is None:
        return ()
    if not isinstance(text, str):
        raise TypeError(f"options= must be a string, found {type(text).__name__}")
    known = dict(_ttjit.kernel_options())
    found, tokens = [], _tokens(text)
    while tokens:
        name, value = _next(tokens, {**_IGNORED, **known})
        if name in _IGNORED:
            _warn(name)
            continue
        mistake = _ttjit.kernel_option_error(name, value)
        if mistake:
            raise ValueError(f"options: {mistake}")
        found.append((name, value))
    return tuple(found)


def _tokens(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"options={text!r}: {error}") from None


def _next(tokens, shapes):
    """Removes the first option from the tokens; returns its name without dashes, and its value."""
    token = tokens.pop(0)
    name, equals, value = token.removeprefix("--").partition("=")
    if not token.startswith("--") or name not in shapes:
        raise ValueError("options: there is no option "
                         f"{token.partition('=')[0]}{_hint(name, shapes)}")
    if equals:
        return name, value
    if not shapes[name]:
        return name, "1"
    if not tokens:
        raise ValueError(f"options: --{name} must have a value: write --{name}={shapes[name]}")
    return name, tokens.pop(0)


def _hint(name, shapes):
    similar = _source.similar(name, shapes)
    if similar:
        return f"; did you mean --{similar}?"
    return "; the options are " + ", ".join(f"--{name}" for name in shapes if name not in _IGNORED)


def _warn(name):
    location = _location.program_location()
    if (name, location) not in _warned:
        _warned.add((name, location))
        _report.warn(f"--{name} has no effect: ttl-jit makes this choice itself", location)
