# ===- _api.py - functions that exist only inside kernel functions -------------===//
# SPDX-License-Identifier: Apache-2.0
#
# The compiler recognises an API function by the identity of its object, so a program may give it
# any name. The attribute `key` tells which function it is.
# ===----------------------------------------------------------------------------===//

import _ttjit


@_ttjit.public_methods
class Function:
    """A function of the kernel language. Python cannot call it."""

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
    """ttl.static_range(): a range whose loops are compiled once for each number. Outside of kernel
    functions it is Python's range()."""

    def __call__(self, *bounds):
        return range(*bounds)


# (name, number of operands, numbers, summary) of each function that is one tile operation.
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
