# ===- _pykernel.py - operations in the oldest spelling -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# @pykernel_gen(grid=..., block_factors=[...]) decorates an operation whose kernel functions have
# parameters (_pykernel_bind.py).
# ===--------------------------------------------------------------------------=== #

import contextvars
import inspect

import _ttjit
from ttl import _environment, _operation, _partial, _threads
from ttl._ttnn import settings

# Keywords that are accepted but do nothing: the compiler itself chooses how it lowers matrix products.
_WITHOUT_EFFECT = ("verbose", "use_tile_matmul")
_OWN = ("block_factors", "kernel_source_dir", "kernel_source_mode", *_WITHOUT_EFFECT)
_INJECTED = ("grid", "block_factors")  # parameters of the body that get the decorator's values

# the block_factors of the call whose body is running
_factors = contextvars.ContextVar("ttl_pykernel_factors", default=None)


def _check_source_mode(keywords):
    mode = keywords.get("kernel_source_mode")
    if mode == "load":
        raise ValueError(
            'kernel_source_mode="load" is not possible: the Python source is compiled at each run. '
            'Use "store" to write the C++ of the kernels into a folder'
        )
    if mode not in (None, "store"):
        raise ValueError(f'kernel_source_mode must be None or "store", found {mode!r}')
    return mode


class PykernelOperation(_operation.Operation):
    """An operation of @pykernel_gen. Its block_factors say how tensors are divided into blocks."""

    def __init__(self, function, keywords):
        self.source_mode = _check_source_mode(keywords)
        self.source_folder = keywords.get("kernel_source_dir")
        self.stored = None  # the program whose sources are in the folder
        factors = keywords.get("block_factors")
        super().__init__(function, {k: value for k, value in keywords.items() if k not in _OWN})
        self.options.block_factors = factors
        self.options.is_pykernel = True
        # Ignore memory_space=: tensors are placed in DRAM, and only buffers are in L1.
        self.options.memory_space = "DRAM"

    def call_once(self, args, kwargs, options):
        from ttl import _pykernel_bind

        token = _pykernel_bind.partial.set(frozenset(_partial.unwrap(args, kwargs)[2]))
        try:
            return super().call_once(args, kwargs, options)
        finally:
            _pykernel_bind.partial.reset(token)

    def _run_body(self, args, kwargs, chosen):
        args, kwargs, _ = _partial.unwrap(args, kwargs)
        filled = {name: _evaluated(getattr(self.options, name), args, kwargs) for name in _INJECTED}
        parameters = self.signature.parameters
        given = {name: value for name, value in filled.items() if name in parameters}
        token = _factors.set(filled["block_factors"])
        try:
            call = super()._run_body(args, {**given, **kwargs}, chosen)
        finally:
            _factors.reset(token)
        if call.checks_outputs:
            call.settings = _checking_outputs(call.settings)
        return call

    def _call_body(self, call, bound):
        """Runs the body. If it calls no Program with tensors, the kernel functions get a buffer for
        each tensor of the call, in the order of the parameters."""
        call.block_factors = _factors.get()
        result = super()._call_body(call, bound)
        if result is None or isinstance(result, _threads.Program):
            from ttl import _pykernel_bind  # few programs have parameters to bind

            tensors = [value for value in bound.arguments.values() if _ttjit.is_tensor(value)]
            _pykernel_bind.bind(call, tensors)
        return result

    def _grid(self, args, kwargs, chosen):
        """Returns the grid. @pykernel_gen gives it as (rows, columns); everywhere else columns come
        first."""
        kwargs = {name: value for name, value in kwargs.items() if name not in _INJECTED}
        return super()._grid(args, kwargs, chosen)[::-1]

    def _launch(self, call, args):
        from ttl import _pykernel_collapse

        super()._launch(call, None if call.collapsed else args)
        _pykernel_collapse.copy_back(call)

    def compile(self, *args, options=None, **kwargs):
        ranks = [len(value.shape) for value in (*args, *kwargs.values()) if _ttjit.is_tensor(value)]
        if any(rank > 2 for rank in ranks):
            raise ValueError(
                f"{self.function.__name__}.compile() takes tensors with two dimensions, found one with "
                f"{max(ranks)}: reshape it to (rows, columns)"
            )
        return super().compile(*args, options=options, **kwargs)

    def _compiled(self, call):
        program, tables = super()._compiled(call)
        if self.source_mode == "store" and program is not self.stored:
            folder = self.source_folder or f".pykernel_gen/{call.name}"
            _environment.write_sources(folder, program, "kernel_source_mode")
            self.stored = program
        return program, tables


def _evaluated(value, args, kwargs):
    """Returns a keyword of the decorator, which may be a function of the arguments."""
    return value(*args, **kwargs) if callable(value) else value


def _checking_outputs(chosen):
    """Returns the options with check=outputs added, unless they have a check= already."""
    if "check" in dict(chosen.changes):
        return chosen
    return settings.of((*chosen.changes, ("check", "outputs")))


@_ttjit.public
def pykernel_gen(grid=None, block_factors=None, **keywords):
    """Decorates operations in the oldest spelling, whose kernel functions have parameters."""
    if inspect.isfunction(grid) and block_factors is None and not keywords:
        return PykernelOperation(grid, {})
    keywords = {"grid": grid, "block_factors": block_factors, **keywords}

    def decorate(function):
        return PykernelOperation(function, keywords)

    return _ttjit.public(decorate)


kernel = pykernel_gen
ttl_kernel = pykernel_gen
