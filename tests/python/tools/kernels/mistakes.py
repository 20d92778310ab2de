"""Kernels with one mistake each; the script's argument names the kernel to run. A comment
`# HERE mistake: text` marks the line at which the error must be, and the text
in this line at which it must begin."""

import sys

import numpy as np
import ttl
import ttnn

SIZE = 64


def tensor(size=SIZE):
    return ttnn.from_numpy(np.ones((size, size), np.float32))


def buffers(*tensors, shape=(1, 1), block_count=2):
    return [
        ttl.make_dataflow_buffer_like(t, shape=shape, block_count=block_count) for t in tensors
    ]


@ttl.operation(grid=(1, 1))
def undefined_name(a, y):
    a_dfb, y_dfb = buffers(a, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + missing)  # HERE undefined_name: missing


@ttl.operation(grid=(1, 1))
def unsupported_statement(a, y):
    (a_dfb,) = buffers(a)

    @ttl.datamovement()
    def reader():
        try:  # HERE unsupported_statement: try
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()
        finally:
            pass


@ttl.operation(grid=(1, 1))
def shape_mismatch(a, y):
    (a_dfb,) = buffers(a)
    b_dfb, y_dfb = buffers(a, y, shape=(2, 1))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            ttl.copy(a[0, 0], a_blk).wait()
            ttl.copy(a[0:2, 0], b_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + b_blk)  # HERE shape_mismatch: a_blk + b_blk


@ttl.operation(grid=(1, 1))
def slice_out_of_range(a, y):
    (a_dfb,) = buffers(a)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[0, 2], a_blk).wait()  # HERE slice_out_of_range: 2


@ttl.operation(grid=(1, 1))
def running_slice_out_of_range(a, y):
    (a_dfb,) = buffers(a, block_count=4)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        for i in range(x, x + 3):
            with a_dfb.reserve() as a_blk:
                ttl.copy(a[0, i], a_blk).wait()  # HERE running_slice_out_of_range: i


@ttl.operation(grid=(1, 1))
def arithmetic_in_data_movement(a, y):
    a_dfb, y_dfb = buffers(a, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk, y_dfb.reserve() as y_blk:
            ttl.copy(a[0, 0], a_blk).wait()
            y_blk.store(a_blk + a_blk)  # HERE arithmetic_in_data_movement: a_blk + a_blk


@ttl.operation(grid=(1, 1))
def copy_in_compute(a, y):
    (a_dfb,) = buffers(a)

    @ttl.compute()
    def compute():
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[0, 0], a_blk).wait()  # HERE copy_in_compute: ttl.copy(a[0, 0], a_blk)


@ttl.operation(grid=(2, 1))
def deadlock(a, y):
    a_dfb, y_dfb = buffers(a, y)

    @ttl.datamovement()
    def reader():
        for column in range(2):
            with a_dfb.reserve() as a_blk:
                ttl.copy(a[0, column], a_blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(3):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:  # HERE deadlock: a_dfb.wait()
                y_blk.store(a_blk + a_blk)

    @ttl.datamovement()
    def writer():
        for column in range(3):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0, column % 2]).wait()


@ttl.operation(grid=(2, 1))
def released_on_one_branch(a, y):
    (a_dfb,) = buffers(a)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        a_blk = a_dfb.reserve()  # HERE released_on_one_branch: a_dfb.reserve()
        ttl.copy(a[0, 0], a_blk).wait()
        if x == 0:
            a_blk.push()


@ttl.operation(grid=(1, 1))
def double_pop(a, y):
    a_dfb, y_dfb = buffers(a, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[0, 0], a_blk).wait()

    @ttl.compute()
    def compute():
        a_blk = a_dfb.wait()
        with y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + a_blk)
        a_blk.pop()
        a_blk.pop()  # HERE double_pop: a_blk.pop()


@ttl.operation(grid=(1, 1))
def too_many_buffers(a, y):
    many = buffers(*[a] * 33)  # 33 buffers are one too many

    @ttl.datamovement()
    def reader():
        for dfb in many:
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()


@ttl.operation(grid=(1, 1))
def buffer_larger_than_l1(a, y):
    (a_dfb,) = buffers(a, shape=(8, 8), block_count=7)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0:8, 0:8], blk).wait()


@ttl.operation(grid=(1, 1))
def endless_loop(a, y):
    (a_dfb,) = buffers(a)

    @ttl.datamovement()
    def reader():
        i = 0
        while i < 10:  # HERE endless_loop: while
            i = 0
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()


@ttl.operation(grid=(2, 1))
def int32_overflow(a, y):
    (a_dfb,) = buffers(a)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        i = x + 2000000000
        i = i + i  # HERE int32_overflow: i + i
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, i - i], blk).wait()


@ttl.operation(grid=(1, 1))
def correct(a, y):
    a_dfb, y_dfb = buffers(a, y)

    @ttl.datamovement()
    def reader():
        for column in range(2):
            with a_dfb.reserve() as a_blk:
                ttl.copy(a[0, column], a_blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(2):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + a_blk)

    @ttl.datamovement()
    def writer():
        for column in range(2):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0, column]).wait()


def run_correct():
    y = tensor()
    correct(tensor(), y)
    result = ttnn.to_numpy(y)
    assert np.array_equal(result[:32], np.full((32, SIZE), 2.0)), result
    print("correct")


def main():
    name = sys.argv[1]
    operation = globals()[name]
    if name == "buffer_larger_than_l1":
        return operation(tensor(256), tensor())
    if "--catch" not in sys.argv:
        return operation(tensor(), tensor())
    for _ in range(2):
        try:
            operation(tensor(), tensor())
        except ttl.RuntimeFault as fault:
            print(type(fault).__name__, fault.line, fault.column, fault.node, fault.thread)
    run_correct()


main()
