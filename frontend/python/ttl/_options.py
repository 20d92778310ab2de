# ===- _options.py - options of kernels, calls and blocks of code -------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Options of ttl-jit that need not hold for the whole process are given as text,
# options="--engine=interp", or as the keywords of ttl.options(engine="interp"). Text may also contain
# flags that tune tt-lang's own compiler; these have no effect.
# ===--------------------------------------------------------------------------=== #

import contextlib
import functools
import os

import _ttjit
from ttl import _location, _source, _warnings
from ttl._ttnn import settings

# Flags of tt-lang's compiler, which ttl-jit ignores because it makes these choices itself. Flags
# that are switches may also be written with "no-" before the name.
SWITCHES = (
    "block-matmul combine-pack-tiles compiler-dfbs fpu-binary-ops matmul-full-fp32 maximize-dst "
    "pipe-capacity-sync pipe-computed-addresses pipe-global-semaphores-only reduce-full-fp32 "
    "relax-dfb-spsc reuse-user-dfbs specialize-cores strict-f32-acc subblock-sync "
    "unsafe-assume-dfb-allocation-groups"
).split()
VALUES = (
    "accumulation-strategy dfb-exact-coloring-search-limit l1-allocation-strategy l1-budget "
    "memory-model pipe-batch-tiles sram-allocation-strategy"
).split()
_IGNORED = {
    **{f"ttl-{name}": "" for name in SWITCHES},
    **{f"no-ttl-{name}": "" for name in SWITCHES},
    **{f"ttl-{name}": "VALUE" for name in VALUES},
}

_warned = set()


@functools.cache
def _known():
    """Returns {name of an option: the text that --help shows for its value}."""
    return dict(_ttjit.kernel_options())


# ===--------------------------------------------------------------------------=== #
# Text


def parse(text):
    """Returns the options in a string as (name, value) pairs. Warns of flags that have no effect, once
    for each line of the program. Raises a ValueError for an unknown option or a wrong value."""
    if text is None:
        return ()
    if not isinstance(text, str):
        raise TypeError(f"options= must be a string, found {type(text).__name__}")
    found, tokens = [], _tokens(text)
    while tokens:
        name, value = _next(tokens, {**_IGNORED, **_known()})
        if name in _IGNORED:
            _warn(name)
            continue
        found.append((name, value))
    _check(found, "options: ")
    return tuple(found)


def _check(pairs, where):
    for pair in pairs:
        try:
            settings.of((pair,))
        except ValueError as error:
            raise ValueError(f"{where}{error}") from None


def _tokens(text):
    import shlex  # slow to import

    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"options={text!r}: {error}") from None


def _next(tokens, shapes):
    """Removes the first option from the tokens; returns its name without dashes, and its value."""
    token = tokens.pop(0)
    name, equals, value = token.removeprefix("--").partition("=")
    if name in _ttjit.process_options():
        settings.of(((name, value),))  # raises a ValueError: the option is for the whole process
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
        text = f"--{name} has no effect: ttl-jit makes this choice itself"
        _warnings.warn(_warnings.OptionWarning(text, location))


# ===--------------------------------------------------------------------------=== #
# Blocks of code


class _Block(contextlib.ContextDecorator):
    """Sets options for the code in a `with` statement, or for a decorated function."""

    def __init__(self, pairs):
        self.pairs = pairs
        self.tokens = []

    def __enter__(self):
        pairs = (*settings.block.get(), *self.pairs)
        settings.of(pairs)  # reports options that contradict those of the blocks around this one
        self.tokens.append(settings.block.set(pairs))
        return self

    def __exit__(self, *error):
        settings.block.reset(self.tokens.pop())

    def __repr__(self):
        return f"ttl.options({', '.join(f'{name}={value!r}' for name, value in self.pairs)})"


@_ttjit.public
def options(text=None, /, **named):
    """Sets options for a block of code, or for the calls of a function that it decorates.

    The names are those of ttl-jit's options, with _ in place of -. text may have them as on the
    command line. Options of the whole process, such as record and stats, cannot be given here.

    Raises a ValueError or TypeError for an unknown name or a wrong value; the message names the one
    that was probably meant.

    Example:

        with ttl.options(engine="interp", schedule="random", seed=3):
            scale(x, y, 2.0)
    """
    return _Block((*parse(text), *_parse_named(named)))


def _parse_named(named):
    pairs = []
    for name, value in named.items():
        option = name.replace("_", "-")
        if option not in _known() and option not in _ttjit.process_options():
            raise TypeError(f"ttl.options() has no option {name}={_keyword_hint(option)}")
        pairs.append((option, _text_of(name, value)))
    _check(pairs, "ttl.options(): ")
    return pairs


def _keyword_hint(option):
    similar = _source.similar(option, _known())
    if similar:
        return f"; did you mean {similar.replace('-', '_')}=?"
    return "; the options are " + ", ".join(name.replace("-", "_") for name in _known())


def _text_of(name, value):
    """Returns a Python value as the text of an option."""
    if isinstance(value, bool):
        is_switch = not _known().get(name.replace("_", "-"))
        return str(int(value)) if is_switch else ("on" if value else "off")
    if isinstance(value, (tuple, list)):
        return ",".join(str(part) for part in value)
    if isinstance(value, (str, int, os.PathLike)):
        return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    raise TypeError(f"ttl.options({name}=) must be text, a number or a sequence of these, found "
                    f"{type(value).__name__}")
