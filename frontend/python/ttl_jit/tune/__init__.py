# SPDX-License-Identifier: Apache-2.0
"""Searches the parameters with which a kernel takes the least time on a card: ttl.tune() and `ttl-jit
tune` (docs/tune.md)."""

import _ttjit
from ttl_jit.tune import _space, _text
from ttl_jit.tune._calls import Calls
from ttl_jit.tune._tuning import Tuner


class Result:
    """What ttl.tune() found.

    best is a dict of the fastest values, or None; cycles and us are the estimate of that call. call() does the
    call with other arguments. candidates are dicts, the fastest first, then those that were skipped, with
    the reason. str() gives the table.

    Example:

        found = ttl.tune(scale, (x, y, 2.0), {"grid": [(1, 1), (2, 2)]})
        print(found.best, found.cycles)
        found.call(x, y, 2.0)
    """

    def __init__(self, operation, tuning, split):
        self._operation, self._tuning, self._split = operation, tuning, split
        facts = _text.as_json(tuning)
        self.candidates = facts["candidates"]
        best = tuning.best
        self.best = best.values if best else None
        self.cycles, self.us = (best.cycles, best.us) if best else (None, None)
        self.text = _text.text(tuning, use=_use(operation, split(best.values)) if best else ())

    def call(self, *args, **kwargs):
        """Calls the operation with the best values. Values of this call replace those of the
        arguments."""
        import ttl

        if self.best is None:
            raise ValueError("no candidate can be used; print the result to see why")
        values = self._split(self.best)
        bound = self._operation.signature.bind_partial(*args, **kwargs)
        bound.arguments.update(values.arguments)
        options = {name: value for name, value in values.options.items() if value is not None}
        with ttl.options(**options):
            self._operation.changed(values.keywords, values.names)(*bound.args, **bound.kwargs)

    def to_json(self):
        """Returns the outcome as text of JSON."""
        import json  # slow to import

        return json.dumps(_text.as_json(self._tuning), indent=1)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<ttl.tune(): {self.best}, {self.cycles} cycles>"


def _use(operation, values):
    """Returns the line that calls the operation with the best values."""
    name = operation.__name__
    arguments = "".join(f", {key}={value!r}" for key, value in values.arguments.items())
    lines = [f"  {name}(...{arguments})"]
    if values.keywords:
        lines.insert(0, f"  @ttl.operation({', '.join(f'{key}={value!r}' for key, value in values.keywords.items())})")
    lines += [f"  {key} = {value!r}" for key, value in values.names.items()]
    options = ", ".join(f"{key}={value!r}" for key, value in values.options.items() if value is not None)
    return [f"  with ttl.options({options}):", *lines] if options else lines


def _parameters(given):
    if not isinstance(given, dict):
        raise TypeError("ttl.tune(): parameters must be a dict of names and lists of values, found "
                        f"{type(given).__name__}")
    return [_parameter(name, values) for name, values in given.items()]


def _parameter(name, values):
    if not isinstance(name, str):
        raise TypeError(f"ttl.tune(): the name of a parameter must be a string, found {name!r}")
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"ttl.tune(): parameter {name!r} must have a list of values, such as [1, 2], found {values!r}")
    return _space.Parameter(name, tuple(values))


@_ttjit.public
def tune(operation, args, parameters, *, kwargs=None, search="exhaustive", budget=None, tolerance=None, compute=True):
    """Calls an operation with all combinations of values, and returns which takes the least time on
    a card.

    args and kwargs are the arguments of the call; its tensors keep their contents. parameters are
    names and lists of values: of arguments, of keywords of the decorator such as grid, of global
    names that the body reads, and of options of ttl-jit. search is "exhaustive", "random:N",
    "random:N:SEED", or "halving" with a budget, such as ("k_tiles", [2, 8, 32]). All candidates must
    have the bits of the first, or results within a tolerance, a part of the largest value. With
    compute=False nothing is computed or compared.

    Raises a ValueError or TypeError for an empty search space, a name that is no parameter, and a
    wrong value.

    Example:

        found = ttl.tune(scale, (x, y, 2.0), {"grid": [(1, 1), (2, 2)]})
        print(found)
    """
    from ttl._operation import Operation

    if not isinstance(operation, Operation):
        raise TypeError(f"ttl.tune() needs an operation, found {type(operation).__name__}")
    if tolerance is not None and not 0 <= tolerance < 1:
        raise ValueError(f"ttl.tune(): tolerance must be a number from 0 to 1, found {tolerance!r}")
    space = _space.Space(_parameters(parameters))
    search = _space.Search(search, _parameter(*budget) if budget else None)
    calls = Calls(operation, list(args), dict(kwargs or {}), compute)
    options = {} if compute else {"dry_run": True}
    for parameter in (*space.parameters, *([search.budget] if budget else [])):
        _check(calls, parameter)
    import ttl

    _ttjit.hold_estimates()  # those of the program itself
    try:
        with ttl.options(**options):
            tuning = Tuner(calls.measure, calls.compare, tolerance, compute).run(space, search)
    finally:
        _ttjit.resume_estimates([])
    return Result(operation, tuning, calls.split)


def _check(calls, parameter):
    """Fails for a name that is no parameter, and for values that an option does not take."""
    import ttl

    if calls.kind(parameter.name) == "options":
        for value in parameter.values:
            if value is not None:
                ttl.options(**{parameter.name.replace("-", "_"): value})


tune.__module__ = "ttl"
Result.__module__ = "ttl"
