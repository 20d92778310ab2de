# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the body of an operation, with pipes and with semaphores."""

import ttl

from . import WARNING, forward, mistake, read, write


@mistake("one compute kernel|compute")
def two_compute_kernels(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)

    @ttl.compute()
    def second():  # HERE: def second
        pass


@mistake("two data movement kernels")
def three_data_movement_kernels(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def third():  # HERE: def third
        pass


@mistake("parameters")
def kernel_with_parameters(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader(dfb):  # HERE: def reader
        dfb.reserve()


@mistake("body of the operation|body of an operation|inside")
def buffer_made_in_a_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))  # HERE: ttl.make_dataflow_buffer_like


@ttl.operation(grid=(1, 1))
def other_operation(a):
    read(a, ttl.make_dataflow_buffer_like(a, shape=(1, 1)))


@mistake("operation other_operation")
def operation_called_in_a_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        other_operation(a)  # HERE: other_operation(a)


@mistake("if_src")
def pipe_outside_its_callback(a, b, y, a_dfb, b_dfb, y_dfb):
    pipe = ttl.Pipe((0, 0), (1, 0))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            ttl.copy(blk, pipe).wait()  # HERE: ttl.copy(blk, pipe)


@mistake("if_src|source|destination", grid=(2, 1))
def send_on_the_receiving_side(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:

            def send(pipe):
                ttl.copy(blk, pipe).wait()  # HERE: ttl.copy(blk, pipe)

            net.if_dst(send)


@mistake("receive|if_dst|partner", grid=(2, 1))
def pipe_without_a_receiver(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()

            def send(pipe):
                ttl.copy(blk, pipe).wait()  # HERE: ttl.copy(blk, pipe)

            net.if_src(send)


@mistake("grid", grid=(2, 1))
def pipe_that_leaves_the_grid(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (4, 0))])  # HERE: ttl.Pipe((0, 0), (4, 0))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            net.if_src(lambda pipe: ttl.copy(blk, pipe).wait())

    @ttl.datamovement()
    def receiver():
        with b_dfb.reserve() as blk:
            net.if_dst(lambda pipe: ttl.copy(pipe, blk).wait())


@mistake("compute")
def pipe_in_a_compute_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))])

    @ttl.compute()
    def compute():
        net.if_src(lambda pipe: None)  # HERE: net.if_src


@mistake("compute")
def semaphore_in_a_compute_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.compute()
    def compute():
        semaphore.wait_eq(1)  # HERE: semaphore.wait_eq(1)


@mistake("Semaphore.. cannot be called inside kernel function 'reader'.*operation's body")
def semaphore_made_in_a_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        semaphore = ttl.Semaphore(0)  # HERE: ttl.Semaphore(0)
        semaphore.wait_eq(0)


@mistake("inc|multicast|range")
def increment_of_a_range_of_semaphores(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.datamovement()
    def reader():
        semaphore.get_remote_multicast().inc(1)  # HERE: semaphore.get_remote_multicast().inc


@mistake("semaphore", kind=ttl.DeadlockError)
def semaphore_that_nobody_sets(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.datamovement()
    def reader():
        semaphore.wait_eq(1)  # HERE: semaphore.wait_eq(1)


@mistake("did you mean 'wait_(eq|ge)|did you mean wait")
def misspelt_semaphore_method(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.datamovement()
    def reader():
        semaphore.wait_qe(1)  # HERE: semaphore.wait_qe


@mistake(r"the value of inc\(\) must be from 0 to 2\*\*31 - 1, like a semaphore's initial value; found -1")
def semaphore_that_is_decremented(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.datamovement()
    def reader():
        for _ in range(ttl.node(dims=1) + 1):
            semaphore.get_remote(0).inc(-1)  # HERE: -1


@mistake(r"the value of wait_ge\(\) must be from 0 to 2\*\*31 - 1")
def wait_for_a_negative_value(a, b, y, a_dfb, b_dfb, y_dfb):
    semaphore = ttl.Semaphore(0)

    @ttl.datamovement()
    def reader():
        if ttl.node(dims=1) == 0:
            semaphore.wait_ge(-1)  # HERE: -1


@mistake("dims|shape=|needs shape")
def buffer_without_a_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a)  # HERE: ttl.make_dataflow_buffer_like(a)


@mistake("block_count")
def buffer_with_too_many_blocks(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=33)  # HERE: ttl.make_dataflow


@mistake("at least 1")
def buffer_of_extent_zero(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a, shape=(1, 0))  # HERE: ttl.make_dataflow


@mistake("did you mean block_count")
def misspelt_buffer_option(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a, shape=(1, 1), blok_count=2)  # HERE: ttl.make_dataflow


@mistake("from 1 to 16")
def node_with_wrong_dims(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.node(dims=0)  # HERE: 0)


@mistake("compile time|run-time|known")
def dims_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.node(dims=ttl.node(dims=1))  # HERE: ttl.node(dims=1))


@mistake("did you mean '?(ttl.)?copy")
def misspelt_ttl_function(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.cpoy(a[0, 0], blk).wait()  # HERE: ttl.cpoy


@mistake("no thread reads it", kind=WARNING)
def result_that_nobody_writes_out(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: y_dfb.reserve()
            out.store(blk)
