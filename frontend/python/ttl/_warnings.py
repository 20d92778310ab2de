# ===- _warnings.py - the warnings that a program can filter ------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Each kind of warning is a class, so that one filter of Python's `warnings` silences it or makes it
# an error. ir/Messages/Warnings.h has the kinds of the compiler.
# ===--------------------------------------------------------------------------=== #

import warnings

from ttl._errors import Located


class KernelWarning(Located, UserWarning):
    """A warning about a kernel: the base class of the others. Filters of `warnings` take it.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.KernelWarning)
    """

    severity = "warning"

    def __str__(self):
        # Python shows the position itself.
        return self.message


class ReleaseWarning(KernelWarning):
    """A thread acquires a block and never releases it, so the compiler does.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.ReleaseWarning)
    """


class UnusedBlockWarning(KernelWarning):
    """Nothing reads a block: it is popped unread, or no thread waits for it.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.UnusedBlockWarning)
    """


class TransferWarning(KernelWarning):
    """Nothing waits for a transfer, or nothing receives it.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.TransferWarning)
    """


class LimitWarning(KernelWarning):
    """The kernel exceeds the chip, or a limit of the options. --strict makes this an error.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.LimitWarning)
    """


class EmissionWarning(KernelWarning):
    """The kernel runs here, but its emitted C++ would not run on a card.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.EmissionWarning)
    """


class CardWarning(KernelWarning):
    """The kernel runs here, but tt-lang's compiler refuses it for a card. --strict and --emit make
    this an error.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.CardWarning)
    """


class EngineWarning(KernelWarning):
    """The program runs in another way than asked: the interpreter runs a thread that the JIT cannot
    compile, or a schedule file is not applied.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.EngineWarning)
    """


class NumericsWarning(KernelWarning):
    """With --numerics=device: the card's result of an operation is not known. --strict makes this an
    error.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.NumericsWarning)
    """


class OptionWarning(KernelWarning):
    """An option has no effect.

    It has the fields of an error: `message`, `file`, `line`, `column` and `notes`.

    Example:

        import warnings
        warnings.simplefilter("error", ttl.OptionWarning)
    """


KINDS = {
    kind.__name__: kind
    for kind in (
        KernelWarning, ReleaseWarning, UnusedBlockWarning, TransferWarning, LimitWarning,
        EmissionWarning, CardWarning, EngineWarning, NumericsWarning, OptionWarning,
    )
}

for _class in KINDS.values():
    _class.__module__ = "ttl"


def warn(warning):
    """Gives the warning to Python's `warnings`, at its position in the program. Raises it if a
    filter makes it an error."""
    file, line = (warning.file, warning.line) if warning.line else ("ttl", 1)
    # With a registry, Python would show a warning of a second compilation only once.
    warnings.warn_explicit(warning, type(warning), file, line, registry=None)


def _format(message, category, *rest, **keywords):
    if isinstance(message, KernelWarning):
        return message.render() + "\n"
    return _plain_format(message, category, *rest, **keywords)


_plain_format = warnings.formatwarning
warnings.formatwarning = _format
