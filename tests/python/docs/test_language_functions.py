# SPDX-License-Identifier: Apache-2.0
"""docs/language/block-arithmetic.md lists functions of blocks and says which take integers. It must list each
function that is not in the table of docs/accuracy.md. Functions that only that table has take floats only."""

import re

import pytest
import ttl
import ttnn
from language_page import status
from ttl import _api

KERNEL = """
import ttl, ttnn

@ttl.operation(grid=(1, 1))
def operation(tensor, shape):
    dfb = ttl.make_dataflow_buffer_like(tensor, shape=shape)

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(tensor, block).wait()

    @ttl.compute()
    def compute():
        n, decimals, hi, lo, slope, alpha, scale, beta, t, v, value = (2, 1, 2, 0, 1, 1, 1, 1, 0, 1, 1)
        dtype = ttnn.float32
        with dfb.wait() as block:
            x = a = b = cond = m = block
            ttl.math.CALL
"""


def rows():
    """Yields (call, whether it takes integers) for each function of the list."""
    page = status.pages()["block-arithmetic"]
    start = page.index("## List of the functions")
    table = page[start : page.index("\n## ", start + 1)]
    for calls, integers in re.findall(r"^\| (`.*?\)`) \|.*\| (yes|no) \|$", table, re.MULTILINE):
        for call in re.findall(r"`([^`]+)`", calls):
            yield call, integers == "yes"


def of_tiles(listed):
    """Yields (call, False) for tile functions that are not in the list."""
    for name, operands, numbers, _ in _api.TILE_FUNCTIONS:
        if name not in listed:
            arguments = ["a", "b"][:operands] if operands > 1 else ["x"]
            required = ["1" for _, default in numbers if default is None]
            yield f"{name}({', '.join(arguments + required)})", False


def names_of(calls):
    return {call[: call.index("(")] for call in calls}


CALLS = dict(rows())
CALLS |= dict(of_tiles(names_of(CALLS)))
OF_TWO_DIMENSIONS = [call for call in CALLS if re.match("transpose|matmul|broadcast|bcast", call)]
NOT_LISTED = {"squeeze", "unsqueeze", "subview"}  # functions on shapes of blocks, which the list leaves out


@pytest.fixture
def accepts(tmp_path):
    """Returns accepts(call, dtype, shape): True if a kernel with this call on such blocks compiles."""

    def accepts(call, dtype, shape):
        file = tmp_path / "kernel.py"
        file.write_text(KERNEL.replace("CALL", call))
        scope = {}
        exec(compile(file.read_text(), str(file), "exec"), scope)
        extents = [*shape[:-2], *(32 * extent for extent in shape[-2:])]
        try:
            scope["operation"].ir(ttnn.zeros(extents, dtype=dtype), shape)
        except ttl.CompileError as error:
            assert "integers" in error.message, error
            return False
        return True

    return accepts


def test_each_function_is_listed():
    names = names_of(CALLS)
    assert names - NOT_LISTED == set(ttl.math.__all__) - NOT_LISTED


@pytest.mark.parametrize("call", CALLS)
def test_element_types(accepts, call):
    assert accepts(call, ttnn.float32, (1, 1))
    assert accepts(call, ttnn.bfloat16, (1, 1))
    for dtype in (ttnn.int32, ttnn.uint32, ttnn.uint16, ttnn.uint8):
        assert accepts(call, dtype, (1, 1)) == CALLS[call], dtype


@pytest.mark.parametrize("call", [call for call in CALLS if call not in OF_TWO_DIMENSIONS])
def test_ranks(accepts, call):
    for shape in ((2,), (3, 1, 2), (2, 1, 1, 2)):
        assert accepts(call, ttnn.float32, shape), shape
