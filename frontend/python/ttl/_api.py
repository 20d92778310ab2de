# ===- _api.py - functions that exist only inside kernel functions ------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The compiler recognises an API function by the identity of its object, so a program may give it
# any name. The attribute `key` tells which function it is.
# ===--------------------------------------------------------------------------=== #

import _ttjit


class Text:
    """A descriptor for __doc__: gives the docstring of a function from ttl._docs, and `of_class` for the
    class of the functions."""

    def __init__(self, of_class):
        self.of_class = of_class

    def __get__(self, function, owner):
        if function is None:
            return self.of_class
        from ttl import _docs  # few programs read docstrings

        return _docs.docstring(function.key)


class _Signature:
    """A descriptor for __signature__: gives the signature of a function, from ttl._docs."""

    def __get__(self, function, owner):
        if function is None:
            raise AttributeError("__signature__")
        from ttl import _docs

        return _docs.signature(function.key)


@_ttjit.public_methods
class Function:
    __doc__ = Text("A function of the kernel language. Python cannot call it.")
    __signature__ = _Signature()

    def __init__(self, key):
        self.key = key
        self.__name__ = key
        self.__qualname__ = key
        self.__module__ = "ttl"

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            f"ttl.{self.key}() can only be called inside a kernel function (decorated with "
            "@ttl.compute() or @ttl.datamovement()) while its operation is called"
        )

    def __repr__(self):
        return f"<ttl function {self.key}>"

    def __reduce__(self):
        return self.key


@_ttjit.public_methods
class StaticRange(Function):
    __doc__ = Text("The type of ttl.static_range(), which Python can call.")

    def __call__(self, *bounds):
        return range(*bounds)


# (name, number of operands, parameters that are numbers, summary) of each function that is one tile
# operation.
TILE_FUNCTIONS = _ttjit.tile_functions()


def _of_tiles(operands, has_numbers):
    return [name for name, count, numbers, _ in TILE_FUNCTIONS
            if count == operands and bool(numbers) == has_numbers]


UNARY = _of_tiles(1, False) + "logp1 logical_not".split()
PARAMETRISED = _of_tiles(1, True) + "pow rsub prelu hardtanh round typecast".split()
BINARY = _of_tiles(2, False) + "maximum minimum power".split()
SHAPED = (
    "matmul reduce_sum reduce_max reduce_mean rowsum rowmax broadcast bcast transpose fill zeros "
    "ones where mask mask_posinf squeeze unsqueeze subview"
).split()
BLOCK_FUNCTIONS = UNARY + PARAMETRISED + BINARY + SHAPED
OTHER_FUNCTIONS = (
    "copy GroupTransfer wait_any if_pipe_src if_pipe_dst core_in_pipe raw_element_read raw_element_write "
    "read_index signpost call_extern_func "
    "reset_dataflow_buffers reset_dfbs reset_all_dfbs reconfigure_dfbs"
).split()

TABLE = {name: Function(name) for name in BLOCK_FUNCTIONS + OTHER_FUNCTIONS}
TABLE["static_range"] = StaticRange("static_range")
