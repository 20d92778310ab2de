# ===- _calls.py - the last call of an operation, which commands look at ------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import math

import _ttjit
from ttl import _operation, ttnn
from ttl._errors import Located

MAX_SAVED = 1 << 28  # the most bytes of tensors that are copied before a call


class NothingToShow(Exception):
    """A command needs a kernel that ran, and there is none."""


class Call:
    """One call of an operation. `inputs` are its arguments with the contents from before the call."""

    def __init__(self, operation, args, kwargs, options):
        self.operation, self.args, self.kwargs, self.text = operation, args, kwargs, options
        self.inputs = _copies(args), dict(zip(kwargs, _copies(kwargs.values())))
        self._kernel = self._chosen = None

    def repeat(self):
        """Runs the call again on the program's own tensors."""
        self.operation(*self.args, options=self.text, **self.kwargs)

    def on_inputs(self):
        """Runs the call on copies of its inputs; returns the tensors, by parameter."""
        args, kwargs = _copies(self.inputs[0]), self.inputs[1]
        kwargs = dict(zip(kwargs, _copies(kwargs.values())))
        self.operation(*args, options=self.text, **kwargs)
        bound = self.operation.signature.bind(*args, **kwargs).arguments
        return {name: value for name, value in bound.items() if _ttjit.is_tensor(value)}

    def kernel(self):
        """Returns the call's kernel, compiled with the present options."""
        from ttl._ttnn import settings

        chosen = settings.block.get()
        if self._kernel is None or self._chosen != chosen:
            self._kernel = self.operation.compile(*self.args, options=self.text, **self.kwargs)
            self._chosen = chosen
        return self._kernel


class Calls:
    """Follows the calls of operations."""

    def __init__(self):
        self._last = self._previous = None
        _operation.observer = self._note

    def _note(self, operation, args, kwargs, options):
        self._previous, self._last = self._last, Call(operation, args, kwargs, options)

    def forget_last(self):
        """Makes the call before the last one the last one."""
        self._last = self._previous

    def stop(self):
        _operation.observer = None

    @property
    def last(self):
        if self._last is None:
            raise NothingToShow("no kernel was called yet: call one, or :load a script that does")
        return self._last

    def quiet(self):
        """Calls in a `with` statement of this are not noted."""
        return _Quiet(self)


class _Quiet:
    def __init__(self, calls):
        self.calls = calls

    def __enter__(self):
        _operation.observer = None

    def __exit__(self, *error):
        _operation.observer = self.calls._note


def _copies(values):
    """Returns copies of the tensors among the values, and the other values themselves. Tensors
    that are too large stay themselves."""
    values = list(values)
    size = sum(_bytes(value) for value in values if _ttjit.is_tensor(value))
    if size > MAX_SAVED:
        return values
    known = {}
    return [known.setdefault(id(value), _copy(value)) for value in values]


def _bytes(value):
    return math.prod(value.shape) * 4  # about


def _copy(value):
    if not _ttjit.is_tensor(value):
        return value
    if isinstance(value, ttnn.Tensor):
        return ttnn.clone(value)
    return value.clone() if hasattr(value, "clone") else value.copy()


def kernels_of(namespace):
    """Returns the operations of a namespace, by name."""
    return {name: value for name, value in namespace.items()
            if isinstance(value, _operation.Operation) and not name.startswith("_")}


def fault_text(error):
    """Returns an error as ttl-jit prints it."""
    if isinstance(error, Located):
        return error.render("error").rstrip("\n")
    return f"{type(error).__name__}: {error}"
