# ===- _partial.py - arguments that a launch may write in part ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# --check=outputs reports tensors that a launch writes in part. `kernel(x, ttl.partial(y))` says that
# the rest of y shall keep its values. The kernel sees the tensor itself.
# ===--------------------------------------------------------------------------=== #

import contextlib

import _ttjit


class Partial:
    """What ttl.partial() returns. An operation looks for arguments of this class."""

    def __init__(self, tensor):
        self.tensor = tensor


@_ttjit.public
def partial(tensor):
    """Says that a launch shall write only a part of this argument: check="outputs" then reports
    nothing about the rest, which keeps its values.

    Raises a TypeError for an argument that is no tensor.

    Example:

        scale(x, ttl.partial(y), 2.0)
    """
    if not _ttjit.is_tensor(tensor):
        raise TypeError(
            f"ttl.partial() takes a tensor, found {type(tensor).__name__}: write "
            "kernel(x, ttl.partial(y))"
        )
    return Partial(tensor)


def is_used(args, kwargs):
    """Returns whether an argument is the result of partial()."""
    return any(type(value) is Partial for value in (*args, *kwargs.values()))


def unwrap(args, kwargs):
    """Returns the arguments with the tensors themselves, and the ids of the tensors that were
    wrapped."""
    wrapped = [value for value in (*args, *kwargs.values()) if type(value) is Partial]
    args = tuple(value.tensor if type(value) is Partial else value for value in args)
    kwargs = {name: value.tensor if type(value) is Partial else value
              for name, value in kwargs.items()}
    return args, kwargs, {id(value.tensor) for value in wrapped}


@contextlib.contextmanager
def marked(arguments):
    """Lets launches in the `with` block write only a part of these arguments."""
    arguments = list(arguments)
    for argument in arguments:
        _ttjit.set_partial(argument, True)
    try:
        yield
    finally:
        for argument in arguments:
            _ttjit.set_partial(argument, False)
