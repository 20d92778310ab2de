# ===- _pykernel.py - operations in the oldest spelling ----------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# @pykernel_gen(grid=..., block_factors=[...]) decorates an operation whose kernel functions have
# parameters (_pykernel_bind.py).
# ===----------------------------------------------------------------------------===//

import inspect

import _ttjit
from ttl import _operation, _threads

# Keywords of another compiler that stores the generated sources in files. Here an option of the
# tool does this.
_SOURCE_FILES = ("kernel_source_dir", "kernel_source_mode")


def _check_keywords(keywords):
    for name in _SOURCE_FILES:
        if keywords.get(name) is not None:
            raise ValueError(
                f"{name}={keywords[name]!r} has no effect here: run `ttl-jit run --emit=DIR FILE` "
                "to write the C++ sources of the kernels into a folder"
            )


class PykernelOperation(_operation.Operation):
    """An operation that knows how many tiles of each tensor a node works on."""

    def __init__(self, function, keywords):
        _check_keywords(keywords)
        others = (*_SOURCE_FILES, "verbose")
        keywords = {name: value for name, value in keywords.items() if name not in others}
        factors = keywords.pop("block_factors", None)
        super().__init__(function, keywords)
        self.options.block_factors = factors
        self.options.is_pykernel = True
        # The placement of tensors does not matter here: only buffers are in L1.
        self.options.memory_space = "DRAM"

    def _run_body(self, args, kwargs, chosen):
        parameters = self.signature.parameters
        filled = {"grid": self.options.grid, "block_factors": self.options.block_factors}
        for name, value in filled.items():
            if name in parameters and name not in kwargs:
                kwargs = {**kwargs, name: value(*args) if callable(value) else value}
        return super()._run_body(args, kwargs, chosen)

    def _call_body(self, call, bound):
        """Runs the body. If it calls no Program with tensors, the kernel functions get a buffer for
        each tensor of the call, in the order of the parameters."""
        result = super()._call_body(call, bound)
        if result is None or isinstance(result, _threads.Program):
            from ttl import _pykernel_bind  # few programs have parameters to bind

            tensors = [value for value in bound.arguments.values() if _ttjit.is_tensor(value)]
            _pykernel_bind.bind(call, tensors)
        return result

    def _grid(self, args, kwargs, chosen):
        """Returns the grid. In this spelling it is given as (rows, columns); everywhere else
        columns come first."""
        return super()._grid(args, kwargs, chosen)[::-1]


@_ttjit.public
def pykernel_gen(grid=None, block_factors=None, **keywords):
    """Decorates operations in the oldest spelling."""
    if inspect.isfunction(grid) and block_factors is None and not keywords:
        return PykernelOperation(grid, {})
    keywords = {"grid": grid, "block_factors": block_factors, **keywords}

    def decorate(function):
        return PykernelOperation(function, keywords)

    return _ttjit.public(decorate)


kernel = pykernel_gen
ttl_kernel = pykernel_gen
