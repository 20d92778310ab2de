# SPDX-License-Identifier: Apache-2.0
"""Mistakes outside of threads: decorators, arguments, grids and misspelt names of ttl. Each
function is a whole program."""

import ttl
import ttnn

from . import program


def ones(rows=64, columns=64, **facts):
    return ttnn.ones((rows, columns), **facts)


@program(AttributeError, "module 'ttl' has no attribute 'operaton'; did you mean 'operation'?")
def misspelt_name_of_the_package():
    @ttl.operaton(grid=(1, 1))  # HERE: ttl.operaton
    def op(a):
        pass


@program(
    AttributeError,
    "module 'ttl' has no attribute 'make_dataflow_bufer_like'; did you mean "
    "'make_dataflow_buffer_like'?",
)
def misspelt_maker_of_buffers():
    @ttl.operation(grid=(1, 1))
    def op(a):
        ttl.make_dataflow_bufer_like(a, shape=(1, 1))  # HERE: ttl.make

        @ttl.datamovement()
        def reader():
            pass

    op(ones())


@program(
    RuntimeError,
    "ttl.make_dataflow_buffer_like() can only be called in the body of an operation: write "
    "@ttl.operation() above the function that calls it",
)
def operation_without_its_decorator():
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))  # HERE: ttl.make

    op(ones())


@program(
    RuntimeError,
    "@ttl.compute() can only be used in the body of an operation: write @ttl.operation() above "
    "the function around it",
)
def thread_outside_of_an_operation():
    @ttl.compute()  # HERE: ttl.compute
    def compute():
        pass


@program(
    RuntimeError,
    "ttl.copy() can only be called inside a kernel function (decorated with @ttl.compute() or "
    "@ttl.datamovement()) while its operation is called",
)
def copy_outside_of_an_operation():
    ttl.copy(ones(), ones())  # HERE: ttl.copy


@program(
    ttl.CompileError,
    "operation op() returns an object of type Tensor: an operation must not return a value; "
    "write its results into tensors",
)
def value_returned_from_an_operation():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        @ttl.datamovement()
        def reader():
            pass

        return y  # HERE: return y

    op(ones(), ones())


@program(
    ttl.CompileError,
    "operation op() returns an object of type Tensor: an operation must not return a value; "
    "write its results into tensors",
)
def one_of_two_values_returned_from_an_operation():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        @ttl.datamovement()
        def reader():
            pass

        if a is y:
            return a  # HERE: return a
        return y

    op(ones(), ones())


@program(
    ttl.CompileError,
    "operation op() returns a block of shape (1, 1): an operation must not return a value; "
    "write its results into tensors",
)
def value_returned_from_a_unified_operation():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        ttl.copy(a[0, 0], d.reserve()).wait()
        return d.wait()  # HERE: return d

    op(ones(), ones())


@program(
    ttl.CompileError,
    "operation half() returns an int: an operation must not return a value; write its results "
    "into tensors",
)
def value_returned_from_an_operation_that_another_one_calls():
    @ttl.operation(grid=(1, 1))
    def half(x):
        return x.shape[0] // 2  # HERE: return

    @ttl.operation(grid=(1, 1))
    def op(a):
        half(a)

    op(ones())


@program(TypeError, "op(): missing a required argument: 'y'")
def argument_left_out_of_a_call():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        @ttl.datamovement()
        def reader():
            pass

    op(ones())  # HERE: op(


@program(TypeError, "an operation has no option gird=; did you mean grid=?")
def operation_with_a_misspelt_option():
    @ttl.operation(gird=(1, 1))  # HERE: ttl.operation
    def op(a):
        pass


@program(
    ValueError,
    'grid must be "auto", "full", a function of the arguments, or a tuple of integers from 1 '
    "to 1048576, found 8: write grid=(8,)",
)
def grid_that_is_a_number():
    @ttl.operation(grid=8)  # HERE: ttl.operation
    def op(a):
        pass


@program(
    ValueError,
    'grid must be "auto", "full", a function of the arguments, or a tuple of integers from 1 '
    "to 1048576, found (4.0, 1): to divide integers, write '//' in place of '/'",
)
def grid_of_floats():
    @ttl.operation(grid=(8 / 2, 1))  # HERE: ttl.operation
    def op(a):
        pass


@program(
    ValueError,
    'grid must be "auto", "full", a function of the arguments, or a tuple of integers from 1 '
    "to 1048576, found (0, 1)",
)
def grid_of_zero():
    @ttl.operation(grid=(0, 1))  # HERE: ttl.operation
    def op(a):
        pass


@program(
    TypeError,
    "@ttl.operation() can only decorate a function written with 'def', found the class Op",
)
def operation_above_a_class():
    @ttl.operation(grid=(1, 1))  # HERE: ttl.operation
    class Op:
        pass


@program(
    TypeError,
    "@ttl.operation() cannot decorate forward(), a method of "
    "operation_above_a_method.<locals>.Model: an operation is a function of tensors; drop "
    "'self' and put @staticmethod above the decorator, or move the function out of the class",
)
def operation_above_a_method():
    class Model:
        @ttl.operation(grid=(1, 1))  # HERE: ttl.operation
        def forward(self, a):
            pass


@program(
    ttl.CompileError,
    "operation op() cannot be called inside kernel function 'reader', because an operation "
    "runs on the whole grid: call it before or after this operation; write code that kernel "
    "functions share as a plain function",
)
def operation_called_by_its_thread():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            op(a)  # HERE: op(a)

    op(ones())


@program(
    ttl.CompileError,
    "@ttl.compute() can only decorate a function, found an object of type staticmethod: write "
    "it above 'def', without other decorators below it",
)
def decorator_below_another_one():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.compute()  # HERE: ttl.compute
        @staticmethod
        def compute():
            pass

    op(ones())


@program(
    ttl.CompileError,
    "the first argument of make_dataflow_buffer_like() must be a tensor, or an object with an "
    "attribute dtype, found list: pass numpy.array(x) in its place",
)
def list_in_place_of_a_tensor_argument():
    @ttl.operation(grid=(1, 1))
    def op(a):
        ttl.make_dataflow_buffer_like(a, shape=(1, 1))  # HERE: ttl.make

        @ttl.datamovement()
        def reader():
            pass

    op([[1.0, 2.0], [3.0, 4.0]])


@program(
    ttl.CompileError,
    "list indices must be integers or slices, found a tuple: write x[i][j]; to copy from the "
    "list, pass numpy.array(x) to the operation in place of x",
)
def copy_of_a_list_argument():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with d.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()  # HERE: a[0, 0]

    op([[1.0, 2.0], [3.0, 4.0]], ones())


@program(
    ttl.CompileError,
    "the argument of store() must be a block or a block expression, found a float; "
    "ttl.block.fill(value, shape=block.shape) makes a block of a number",
)
def float_argument_as_a_block():
    @ttl.operation(grid=(1, 1))
    def op(scale, y):
        d = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            with d.reserve() as out:
                out.store(scale)  # HERE: out.store

    op(0.5, ones())


@program(
    ttl.CompileError,
    "shapes differ: the source of ttl.copy() has shape (32, 32), its destination has shape (1, "
    "1): tensor 'a' consists of elements and the block of tiles: make buffer 'd' like a tensor "
    "of the same layout",
)
def row_major_tensor_in_a_tiled_copy():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with d.reserve() as blk:
                ttl.copy(a[0:32, 0:32], blk).wait()  # HERE: ttl.copy

    op(ones(layout=ttnn.ROW_MAJOR_LAYOUT), ones())


@program(
    ttl.CompileError,
    "operation op() defined no kernel functions in this call, but its body mentions "
    "@ttl.compute() or @ttl.datamovement(): define kernel functions on every path, or remove "
    "these decorators",
)
def operation_without_any_thread_on_this_path():
    @ttl.operation(grid=(1, 1))  # HERE:     @ttl
    def op(a, wanted):
        if wanted:

            @ttl.datamovement()
            def reader():
                pass

    op(ones(), False)


@program(
    ttl.CompileError,
    "operation op() has 3 @ttl.datamovement() functions (reader, reader, reader): a node can "
    "have at most two data movement kernels; join functions of this kind into one",
)
def operation_with_three_readers():
    @ttl.operation(grid=(1, 1))
    def op(a):
        for _ in range(3):

            @ttl.datamovement()
            def reader():  # HERE: def reader
                pass

    op(ones())


@program(ValueError, "memory_space must be \"L1\" or \"DRAM\", found 'SRAM'")
def memory_space_that_does_not_exist():
    @ttl.operation(grid=(1, 1), memory_space="SRAM")  # HERE: ttl.operation
    def op(a):
        pass


@program(ValueError, "math_fidelity must be one of LoFi, HiFi2, HiFi3, HiFi4, found 'HiFi5'")
def fidelity_that_does_not_exist():
    @ttl.operation(grid=(1, 1), math_fidelity="HiFi5")  # HERE: ttl.operation
    def op(a):
        pass


@program(
    RuntimeError,
    "methods of dataflow buffer 'a_dfb' can only be called inside kernel functions: write the "
    "call in a function with @ttl.compute() or @ttl.datamovement()",
)
def push_in_the_body():
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        a_dfb.push()  # HERE: a_dfb.push

        @ttl.datamovement()
        def reader():
            pass

    op(ones())


@program(
    RuntimeError,
    "ttl.copy() can only be called inside a kernel function (decorated with @ttl.compute() or "
    "@ttl.datamovement()) while its operation is called",
)
def copy_in_the_body():
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        ttl.copy(a[0, 0], a_dfb)  # HERE: ttl.copy

        @ttl.datamovement()
        def reader():
            pass

    op(ones())


@program(
    RuntimeError,
    "methods of 'net' can only be called inside kernel functions: write the call in a function "
    "with @ttl.datamovement()",
)
def callback_in_the_body():
    @ttl.operation(grid=(2, 1))
    def op(a):
        net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])
        net.if_src(lambda pipe: None)  # HERE: net.if_src

        @ttl.datamovement()
        def reader():
            pass

    op(ones())
