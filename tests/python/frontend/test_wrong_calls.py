# SPDX-License-Identifier: Apache-2.0
"""Wrong calls of functions of ttl and ttnn: each raises one clear exception, and its
traceback ends at the line of the program that made the call."""

import inspect
import itertools
import re
import traceback

import numpy as np
import pytest
import ttl
import ttnn


def error_of(call):
    with pytest.raises(Exception) as info:
        call()
    return info.value


def check_frames(error):
    """Checks that the traceback has no frames inside ttl, and that the message was written for users."""
    files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    assert files == {__file__}, files
    assert not isinstance(error, (KeyError, AssertionError, UnboundLocalError, RecursionError))
    text = str(error)
    assert "NoneType" not in text and "_ttjit" not in text and text


def in_body(statement):
    """Calls statement(a) in the body of an operation that also has a kernel function."""

    @ttl.operation(grid=(1, 1))
    def op(a):
        statement(a)

        @ttl.datamovement()
        def reader():
            pass

    op.ir(np.zeros((32, 32), np.float32))


TENSOR = ttnn.zeros((32, 32))

CALLS = {
    "zeros()": (lambda: ttnn.zeros(), TypeError, "missing.*'shape'"),
    "zeros(None)": (lambda: ttnn.zeros(None), TypeError, "shape None: expected a sequence"),
    "zeros(3)": (lambda: ttnn.zeros(3), TypeError, "shape 3: expected a sequence"),
    "negative": (lambda: ttnn.full((-1, 32), 0), ValueError, "extent -1 must be at least 1"),
    "huge": (lambda: ttnn.ones((10**9, 10**9)), ValueError, r"more than 2\^44 elements"),
    "huge device": (
        lambda: ttnn.zeros((2**21, 2**21), device=ttnn.open_device()),
        ValueError,
        "2097152",
    ),
    "fill": (lambda: ttnn.full((1,), "x"), TypeError, "fill_value='x': expected a number"),
    "fill None": (lambda: ttnn.full((1,), None), TypeError, "fill_value=None: expected a number"),
    "dtype": (lambda: ttnn.zeros((1,), dtype="float99"), TypeError, "'float99' is not a tensor"),
    "dtype number": (lambda: ttnn.zeros((1,), dtype=3.5), TypeError, "one of: ttnn.float32"),
    "layout": (lambda: ttnn.zeros((1,), layout="tile"), TypeError, "expected ttnn.TILE_LAYOUT"),
    "device": (lambda: ttnn.zeros((1,), device=0), TypeError, "expected a device from ttnn.open_device"),
    "memory": (lambda: ttnn.zeros((1,), memory_config=1), TypeError, "expected ttnn.DRAM_MEMORY"),
    "seed": (lambda: ttnn.manual_seed(-1), ValueError, "seed=-1: expected an integer"),
    "rand seed": (lambda: ttnn.rand((1,), seed="a"), ValueError, "seed='a': expected an integer"),
    "rand low": (lambda: ttnn.rand((1,), low=None), TypeError, "low=None: expected a number"),
    "keyword": (lambda: ttnn.zeros((1,), shade=1), TypeError, "shade"),
    "from_torch": (lambda: ttnn.from_torch(3), TypeError, "expected a torch tensor"),
    "from_numpy": (lambda: ttnn.from_numpy(object()), TypeError, "object"),
    "to_numpy": (lambda: ttnn.to_numpy(3), TypeError, "expected a ttnn.Tensor"),
    "device id": (lambda: ttnn.open_device(device_id="1"), ValueError, "device_id='1'"),
    "close": (lambda: ttnn.close_device(3), TypeError, "device=3"),
    "shape": (lambda: ttnn.Shape(5), TypeError, "shape 5: expected a sequence"),
    "add": (lambda: TENSOR + np.ones((2, 2)), TypeError, "be combined with tensors and numbers"),
    "add shapes": (lambda: TENSOR + ttnn.zeros((2, 2)), ValueError, "shapes"),
    "attribute": (lambda: TENSOR.colour, AttributeError, "no 'colour' on the host"),
    "ttnn name": (lambda: ttnn.warp, AttributeError, "no 'warp' on the host"),
    "ttnn function": (lambda: ttnn.exp(None), TypeError, "expected a ttnn.Tensor, found None"),
    "ttnn option": (lambda: ttnn.exp(TENSOR, colour=1), TypeError, "has no option 'colour'"),
    "ttnn shapes": (lambda: ttnn.matmul(TENSOR, ttnn.ones((3, 5))), ValueError, "do not fit"),
    "ttnn dim": (lambda: TENSOR.sum(dim=7), ValueError, "dim=7: the tensor has"),
    "ttnn operator": (lambda: TENSOR + np.ones(3), TypeError, "ttnn.from_numpy"),
    "ttl name": (lambda: ttl.sinus, AttributeError, "no attribute 'sinus'"),
    "operation": (lambda: ttl.operation(grid=(1, 1))(3), TypeError, "can only decorate a function"),
    "misspelt": (
        lambda: ttl.operation(math_fidelty="LoFi")(in_body),
        TypeError,
        "no option math_fidelty=; did you mean math_fidelity=?",
    ),
    "flag": (
        lambda: ttl.operation(fp32_dest_acc_en="yes")(in_body),
        ValueError,
        "fp32_dest_acc_en must be True or False, found 'yes'",
    ),
    "options": (
        lambda: ttl.operation(options="--fast")(in_body),
        ValueError,
        "options: there is no option --fast; the options are --engine",
    ),
    "options type": (lambda: ttl.operation(options=3)(in_body), TypeError, "options= must be a str"),
    "kernel name": (lambda: ttl.Kernel(3), TypeError, "must be a KernelKind, or the kernel's name"),
    "pipe": (lambda: ttl.Pipe(), ValueError, "one source and one destination"),
    "pipe source": (lambda: ttl.Pipe("a", 1), ValueError, "source of a pipe must be a coord"),
    "pipe None": (lambda: ttl.Pipe((None, 1), (0, 1)), ValueError, "must be a coordinate"),
    "pipe ranks": (lambda: ttl.Pipe((0, 1), 1), ValueError, "the same rank"),
    "pipe range": (
        lambda: ttl.Pipe((0, 0), (slice(None, "a"), 0)),
        ValueError,
        "bounds of a range of nodes must be integers, found 'a'",
    ),
    "pipe step": (lambda: ttl.Pipe((0, 0), (slice(0, 4, 0), 0)), ValueError, "must have step 1 or None"),
    "pipe corners": (
        lambda: ttl.Pipe(src_core=(0, 0), dst_core_range=((0, 0), (1, 1), (2, 2))),
        ValueError,
        "two corners, found 3",
    ),
    "pipe corner": (
        lambda: ttl.Pipe((0, 0), dst_core_range=((-1, 0), (1, 1))),
        ValueError,
        "a corner of the range must be inside the grid",
    ),
    "net": (lambda: ttl.PipeNet(3), ValueError, "must be a list of pipes, found int"),
    "net item": (lambda: ttl.PipeNet([3]), ValueError, "must be a list of pipes, found int"),
    "semaphore": (lambda: ttl.Semaphore("a"), ValueError, r"an integer from 0 .* found 'a'"),
    "semaphore of an object": (lambda: ttl.Semaphore(ttl.Semaphore()), ValueError,
                               r"found an object of type Semaphore$"),
    "semaphore huge": (lambda: ttl.Semaphore(2**40), ValueError, "found 1099511627776"),
    "dims": (lambda: ttl.grid_size(dims="2"), ValueError, "dims must be an integer from 1 to 16"),
    "dims huge": (lambda: ttl.grid_size(10**9), ValueError, "dims must be an integer from 1 to 16"),
    "dims count": (lambda: ttl.grid_size(1, 2), TypeError, "one argument, dims; found 1, 2"),
    "outside": (lambda: ttl.copy(1, 2), RuntimeError, "only be called inside a kernel"),
    "compute outside": (lambda: ttl.compute()(in_body), RuntimeError, "only be used in the body"),
    "buffer outside": (
        lambda: ttl.make_dataflow_buffer_like(TENSOR, shape=(1, 1)),
        RuntimeError,
        "in the body of an operation",
    ),
}

IN_BODY = {
    "buffer of None": (lambda a: ttl.make_dataflow_buffer_like(None, shape=(1, 1)), "found None"),
    "no shape": (lambda a: ttl.make_dataflow_buffer_like(a), "must have shape="),
    "shape": (lambda a: ttl.make_dataflow_buffer_like(a, shape="ab"), "tuple of integers"),
    "extent": (lambda a: ttl.make_dataflow_buffer_like(a, shape=(0, 1)), "at least 1"),
    "huge": (lambda a: ttl.make_dataflow_buffer_like(a, shape=(2**40, 1)), "too large for any"),
    "count": (
        lambda a: ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=0),
        "from 1 to 32, found 0",
    ),
    "count type": (
        lambda a: ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count="2"),
        "from 1 to 32, found '2'",
    ),
    "decorated number": (lambda a: ttl.compute()(3), "only decorate a function, found an"),
    "kernel": (lambda a: ttl.compute(kernel="x")(in_body), "must get a ttl.Kernel"),
    "pipe": (lambda a: ttl.Pipe((0, 0), "x"), "must be a coordinate, found 'x'"),
    "net": (lambda a: ttl.PipeNet(7), "must be a list of pipes"),
    "semaphore": (lambda a: ttl.Semaphore(-1), "found -1"),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_call(name):
    call, kind, message = CALLS[name]
    error = error_of(call)
    check_frames(error)
    assert type(error) is kind
    pytest.raises(kind, call).match(message)


@pytest.mark.parametrize("name", IN_BODY)
def test_wrong_call_in_a_body(name):
    statement, message = IN_BODY[name]
    error = error_of(lambda: in_body(statement))
    check_frames(error)
    assert isinstance(error, ttl.CompileError)
    assert error.file == __file__
    lines, first = inspect.getsourcelines(statement)
    assert first <= error.line < first + len(lines)
    assert re.search(message, error.message)


def test_calls_that_belong_into_the_body():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    error = error_of(lambda: op(TENSOR))
    check_frames(error)
    assert isinstance(error, ttl.CompileError)
    assert "call it in the operation's body" in error.message
    assert error.line == op.function.__code__.co_firstlineno + 4


def test_errors_of_the_body_keep_its_frames():
    error = error_of(lambda: in_body(lambda a: 1 // 0))
    check_frames(error)
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert names[-3:] == ["in_body", "op", "<lambda>"]


def test_arguments_of_an_operation():
    @ttl.operation(grid=(1, 1))
    def add(a, b):
        pass

    for call, message in [
        (lambda: add(TENSOR), "add.*missing a required argument: 'b'"),
        (lambda: add(TENSOR, TENSOR, TENSOR), "add.*too many positional arguments"),
        (lambda: add(TENSOR, b=TENSOR, c=1), "add.*unexpected keyword argument 'c'"),
    ]:
        error = error_of(call)
        check_frames(error)
        pytest.raises(TypeError, call).match(message)


def test_options_of_a_call():
    @ttl.operation(grid=(1, 1))
    def add(a):
        pass

    error = error_of(lambda: add(TENSOR, options="--fast"))
    check_frames(error)
    assert "options: there is no option --fast" in str(error)


# Each of these values is wrong for some arguments of every function.
ODD = [None, -1, 0, 2**70, 1.5, float("nan"), "x", b"x", (), [None], {}, object(), print, TENSOR]
FUNCTIONS = [
    ttnn.zeros, ttnn.ones, ttnn.empty, ttnn.rand, ttnn.full, ttnn.from_numpy, ttnn.from_torch,
    ttnn.to_numpy, ttnn.to_torch, ttnn.Shape, ttnn.Tensor, ttnn.open_device, ttnn.close_device,
    ttnn.manual_seed, ttnn.MemoryConfig, ttnn.CoreCoord, ttl.Pipe, ttl.PipeNet, ttl.Semaphore,
    ttl.Kernel, ttl.Program, ttl.grid_size, ttl.node, ttl.core, ttl.copy, ttl.operation,
    ttl.compute, ttl.datamovement, ttl.make_dataflow_buffer_like,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: getattr(f, "__name__", str(f)))
def test_odd_arguments(function):
    for arguments in itertools.chain(
        [()], itertools.product(ODD), itertools.product(ODD, ODD), [(None,) * 9]
    ):
        for keywords in ({}, {"dtype": arguments[-1]} if arguments else {"wings": 1}):
            try:
                function(*arguments, **keywords)
            except Exception as error:
                inside = [f.filename for f in traceback.extract_tb(error.__traceback__)]
                assert set(inside) == {__file__}, (arguments, error)
                allowed = (TypeError, ValueError, RuntimeError, ImportError, OverflowError)
                assert isinstance(error, allowed), (arguments, repr(error))


def test_signatures_and_documentation_stay():
    assert str(inspect.signature(ttnn.zeros)).startswith("(shape, dtype=None, layout=None")
    assert "Returns a tensor of zeros.\n" in ttnn.zeros.__doc__
    assert str(inspect.signature(ttl.make_dataflow_buffer_like)).startswith("(tensor, shape=None")


def test_a_grid_in_words_is_refused_at_the_decorator():
    with pytest.raises(ValueError, match=r"found '2x1': write grid=\(2, 1\)"):
        ttl.operation(grid="2x1")(lambda a: None)


def test_a_method_is_no_operation():
    with pytest.raises(TypeError, match="drop 'self' and put @staticmethod"):

        class Model:
            @ttl.operation(grid=(1, 1))
            def op(self, a):
                pass


def test_the_argument_of_an_unknown_element_type_is_named():
    @ttl.operation(grid=(1, 1))
    def op(a, scale):
        pass

    with pytest.raises(ValueError, match="argument 'scale': no tensor type exists .* float64"):
        op(np.ones((32, 32), np.float32), np.ones((32, 32)))


def test_messages_about_names_of_other_libraries_name_functions_that_exist():
    from ttl import _habits

    for name, form in _habits._FUNCTIONS.items():
        written = form.removeprefix("-ttl.").partition("(")[0]
        assert callable(getattr(ttl, written)) and not hasattr(ttl, name), name
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; write "):
            getattr(ttl, name)
    assert not any(hasattr(ttl, name) for name in _habits._OTHERS)
