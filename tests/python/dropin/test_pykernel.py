"""The oldest spelling of kernels: kernel functions have buffers as parameters."""
# feature: The pykernel spelling

import inspect
import math
import pathlib
import subprocess

import numpy as np
import pytest

import ttl
from ttl.ttl_api import *  # scripts in this spelling import it so

TTL_JIT = pathlib.Path(ttl.__file__).parents[2] / "bin" / "ttl-jit"
RNG = np.random.default_rng(3)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


# ===--------------------------------------------------------------------------=== #
# The guide's examples
# ===--------------------------------------------------------------------------=== #

KV_BLOCKS = 4
d_head = 32
inf = math.inf
shape = (1, 1)


@pykernel_gen(grid=(1, 1), block_factors=[(1, 1), (1, 1), (1, 1), (1, 1)])
def flash_attention(Q, K, V, out, block_factors=None, grid=None):
    Q_stream = Stream(Q)
    K_stream = Stream(K)
    V_stream = Stream(V)

    @compute()
    async def attention(Q_cb, K_cb, V_cb, out_cb):
        m_old = fill(-inf, shape)
        l_old = fill(0, shape)
        O_acc = fill(0, shape)
        for kv in range(KV_BLOCKS):
            Q_block = Q_cb.pop()
            K_block = K_cb.pop()
            V_block = V_cb.pop()
            S = (Q_block @ transpose(K_block)) * (1.0 / sqrt(d_head))
            m_new = rowmax(S, m_old)
            P = exp(S - m_new)
            correction = exp(m_old - m_new)
            l_new = correction * l_old + rowsum(P)
            O_acc = (l_old / l_new) * correction * O_acc + (P / l_new) @ V_block
            m_old = m_new
            l_old = l_new
        out_block = out_cb.reserve()
        out_block.store(O_acc)
        out_cb.pop()

    @datamovement()
    async def reader(Q_cb, K_cb, V_cb, out_cb):
        row = core_index(0) + core_index(1)
        for kv in range(KV_BLOCKS):
            Q_shard = Q_cb.reserve()
            dma(Q_stream[row, 0], Q_shard).wait()
            dma(K_stream[kv, 0], K_cb.reserve()).wait()
            dma(V_stream[kv, 0], V_cb.reserve()).wait()

    return Program(attention, reader)(Q, K, V, out)


def test_flash_attention():
    Q, K, V = random(32, 32), random(KV_BLOCKS * 32, 32), random(KV_BLOCKS * 32, 32)
    out = np.zeros((32, 32), dtype=np.float32)
    flash_attention(Q, K, V, out)
    scores = Q.astype(np.float64) @ K.T / math.sqrt(d_head)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    golden = weights @ V / weights.sum(axis=1, keepdims=True)
    assert np.abs(out - golden).max() < 1e-5


def adder(factors, grid=(1, 1)):
    @pykernel_gen(grid=grid, block_factors=factors)
    def add(lhs, rhs, out):
        lhs_stream = Stream(lhs)

        @compute()
        async def add_kernel(lhs_cb, rhs_cb, out_cb):
            for i in range(2):
                l = lhs_cb.pop()
                r = rhs_cb.pop()
                out_cb.reserve().store(l + r)
                out_cb.pop()

        @datamovement()
        async def reader(lhs_cb, rhs_cb, out_cb):
            for i in range(2):
                dma(lhs_stream[core_index(0), core_index(1)], lhs_cb.reserve()).wait()

        return Program(add_kernel, reader)(lhs, rhs, out)

    return add


@pytest.mark.parametrize("grid, factor", [((1, 1), (1, 1)), ((2, 3), (1, 1)), ((3, 2), (2, 1)),
                                          ((2, 2), (1, 3))])
def test_every_node_has_its_part_of_a_tensor(grid, factor):
    """rhs and out have no data movement function of their own: each node uses its own part of both."""
    extents = tuple(32 * nodes * tiles for nodes, tiles in zip(grid, factor))
    lhs, rhs = random(*extents), random(*extents)
    out = np.zeros(extents, dtype=np.float32)
    adder([factor] * 3, grid)(lhs, rhs, out)
    assert np.array_equal(out, lhs + rhs)


def adder_without_program(end):
    """Returns an operation without a Program. `end` maps the kernel functions to what its body returns."""

    @pykernel_gen(grid=(2, 1), block_factors=[(1, 1)] * 3)
    def add(lhs, rhs, out, block_factors=None):
        lhs_stream = Stream(lhs)

        @compute()
        async def add_kernel(lhs_cb, rhs_cb, out_cb):
            l, r = lhs_cb.pop(), rhs_cb.pop()
            out_cb.reserve().store(l - r)
            out_cb.pop()

        @datamovement()
        async def reader(lhs_cb, rhs_cb, out_cb):
            dma(lhs_stream[core_index(0), core_index(1)], lhs_cb.reserve()).wait()

        return end(add_kernel, reader)

    return add


@pytest.mark.parametrize("end", [lambda *threads: None, Program], ids=["nothing", "no tensors"])
def test_kernel_functions_without_a_call_of_program(end):
    lhs, rhs, out = random(64, 32), random(64, 32), np.zeros((64, 32), dtype=np.float32)
    adder_without_program(end)(lhs, rhs, out)
    assert np.array_equal(out, lhs - rhs)


def test_one_tensor_for_two_parameters_without_a_call_of_program():
    lhs, out = random(64, 32), np.ones((64, 32), dtype=np.float32)
    adder_without_program(lambda *threads: None)(lhs, lhs, out)
    assert not out.any()


def test_too_few_parameters_without_a_call_of_program():
    @pykernel_gen(grid=(1, 1))
    def op(a, y):
        @compute()
        def copies(a_cb):
            pass

    with pytest.raises(ttl.CompileError, match="for the buffer of each of the program's 2 tensors") as caught:
        op(random(32, 32), random(32, 32))
    assert caught.value.line == inspect.getsourcelines(op.function)[1] + 3


def test_a_tensor_that_cannot_be_sharded():
    """96 rows are 3 tiles, which 2 nodes cannot share equally."""
    lhs, rhs = random(96, 64), random(96, 64)
    out = np.zeros((96, 64), dtype=np.float32)
    with pytest.raises(ttl.CompileError) as failed:
        adder([(1, 1)] * 3, (2, 1))(lhs, rhs, out)
    assert ("the nodes write 2x1 of the 3x2 tiles of output 'out', in blocks of 1x1; the rest of this "
            "output would not be written: 3x2 tiles do not divide over 2x1 nodes; grid=(1, 1) with block_factors "
            "(3, 2) for 'out' covers it") in failed.value.message and not out.any()
    assert "async def add_kernel" in str(failed.value)
    assert "'lhs' (3x2 tiles) cannot be sharded evenly over the grid of 2x1 nodes" in str(failed.value)


def test_a_program_that_leaves_a_part_of_an_output_unwritten_ends_with_status_3(tmp_path):
    script = tmp_path / "partly.py"
    script.write_text(inspect.getsource(adder).join(["""
import numpy as np
from ttl.ttl_api import *

""", """
x, y = np.ones((96, 32), np.float32), np.zeros((96, 32), np.float32)
adder([(1, 1)] * 3, (2, 1))(x, x, y)
"""]))
    result = subprocess.run([TTL_JIT, "run", script], capture_output=True, text=True)
    assert result.returncode == 3 and "the rest of this output would not be written" in result.stderr


def test_flat_block_factors():
    lhs, rhs, out = random(64, 32), random(64, 32), np.zeros((64, 32), dtype=np.float32)
    adder([2, 1] * 3)(lhs, rhs, out)
    assert np.array_equal(out, lhs + rhs)


# ===--------------------------------------------------------------------------=== #
# Releases
# Releases of blocks


def test_a_buffer_of_the_compute_function_alone():
    """Only the compute function uses this buffer. It may read a block after its pop()."""

    @pykernel_gen(grid=(1, 1), block_factors=[(1, 1)] * 2)
    def chain(x, out):
        x_accessor = TensorAccessor(x)

        @compute()
        def compute_chain(x_cb, out_cb):
            block = x_cb.wait()
            o = out_cb.reserve()
            o.store(exp(block))
            out_cb.push()
            first = out_cb.wait()
            out_cb.pop()
            o = out_cb.reserve()
            o.store(recip(first))
            x_cb.pop()
            out_cb.push()

        @datamovement()
        def loader(x_cb, out_cb):
            shard = x_cb.reserve()
            dma(x_accessor[0, 0], shard).wait()
            x_cb.push()

        return Program(compute_chain, loader)(x, out)

    x, out = random(32, 32), np.zeros((32, 32), dtype=np.float32)
    chain(x, out)
    assert np.allclose(out, np.exp(-x), rtol=1e-5)


def test_branches_and_nested_loops():
    @pykernel_gen(grid=(2, 1), block_factors=[(1, 1)] * 2)
    def copy_some(x, out):
        stream = Stream(x)

        @compute()
        def mover(x_cb, out_cb):
            count = 1 + core_index(0)
            for i in range(count):
                for j in range(2):
                    if j == 0:
                        block = x_cb.pop()
                        out_block = out_cb.reserve()
                        out_block.store(block + block)
                        out_cb.pop()

        @datamovement()
        def reader(x_cb, out_cb):
            i = 0
            while i < 1 + core_index(0):
                if i >= 0:
                    shard = x_cb.reserve()
                    dma(stream[core_index(0), 0], shard).wait()
                i = i + 1

        return Program(mover, reader)(x, out)

    x, out = random(64, 32), np.zeros((64, 32), dtype=np.float32)
    copy_some(x, out)
    assert np.array_equal(out, x + x)


def test_early_ends():
    """Node (1, 0) returns at once. The other nodes skip some iterations of a while loop."""

    @pykernel_gen(grid=(2, 2), block_factors=[(1, 1)] * 2)
    def some(x, out):
        @compute()
        def mover(x_cb, out_cb):
            if core_index(0) == 1 and core_index(1) == 0:
                return
            i = 0
            while i < 9:
                i += 1
                if i == 2:
                    continue
                if i == 4:
                    break
                block = x_cb.pop()
                out_block = out_cb.reserve()
                out_block.store(block * 2.0)
                out_cb.pop()
            for j in range(2):
                if core_index(1) == 1:
                    for k in range(j):
                        out_cb.reserve().store(x_cb.pop() * 3.0)
                        out_cb.pop()

        return Program(mover)(x, out)

    x, out = random(64, 64), np.zeros((64, 64), dtype=np.float32)
    error = error_of(some, x, out)
    assert "node (1, 0) writes 0 blocks of 1x1 tiles" in error.message
    some(x, ttl.partial(out))
    factors = np.kron([[2, 3], [0, 3]], np.ones((32, 32))).astype(np.float32)
    assert np.array_equal(out, x * factors)


def test_with_statements():
    @pykernel_gen(grid=(2, 2), block_factors=[(1, 1)] * 3)
    def add(lhs, rhs, out):
        @compute()
        def add_kernel(lhs_cb, rhs_cb, out_cb):
            for i in range(3):
                with lhs_cb.wait() as l, rhs_cb.wait() as r, out_cb.reserve() as o:
                    o.store(l + r)

        @datamovement()
        def nothing(lhs_cb, rhs_cb, out_cb):
            pass

        return Program(add_kernel, nothing)(lhs, rhs, out)

    lhs, rhs, out = random(64, 64), random(64, 64), np.zeros((64, 64), dtype=np.float32)
    add(lhs, rhs, out)
    assert np.array_equal(out, lhs + rhs)


def test_two_readers_leave_the_output_to_the_second():
    @pykernel_gen(grid=(1, 1), block_factors=[(1, 1)] * 3)
    def add(lhs, rhs, out):
        @compute()
        def add_kernel(lhs_cb, rhs_cb, out_cb):
            l = lhs_cb.pop()
            r = rhs_cb.pop()
            out_cb.reserve().store(l + r)
            out_cb.pop()

        @datamovement()
        def dm0(lhs_cb, rhs_cb, out_cb):
            dma(lhs[0, 0], lhs_cb.reserve()).wait()

        @datamovement()
        def dm1(lhs_cb, rhs_cb, out_cb):
            with rhs_cb.reserve() as shard:
                dma(rhs[0, 0], shard).wait()

        return Program(add_kernel, dm0, dm1)(lhs, rhs, out)

    lhs, rhs, out = random(32, 32), random(32, 32), np.zeros((32, 32), dtype=np.float32)
    add(lhs, rhs, out)
    assert np.array_equal(out, lhs + rhs)


def test_semaphores_of_neighbours():
    """Node (0, 0) sets a semaphore of the other node once its own block is in DRAM."""

    @pykernel_gen(grid=(1, 2), block_factors=[(1, 1)] * 2)
    def in_turn(x, out):
        @compute()
        def mover(x_cb, out_cb, ready):
            out_cb.reserve().store(x_cb.pop() + 1.0)
            out_cb.pop()

        @datamovement()
        def reader(x_cb, out_cb, ready):
            if core_index(1) == 1:
                ready.wait(1, reset=0)
            dma(x[0, core_index(1)], x_cb.reserve()).wait()
            if core_index(1) == 0:
                ready.set(1, core=(0, 1))

        return Program(mover, reader)(x, out)

    x, out = random(32, 64), np.zeros((32, 64), dtype=np.float32)
    in_turn(x, out)
    assert np.array_equal(out, x + 1)


def test_a_semaphore_is_set_on_a_rectangle_and_counted():
    @pykernel_gen(grid=(2, 2), block_factors=[(1, 1)] * 2)
    def meet(x, out):
        @compute()
        def mover(x_cb, out_cb, arrived, go):
            out_cb.reserve().store(x_cb.pop())
            out_cb.pop()

        @datamovement()
        def reader(x_cb, out_cb, arrived, go):
            y = core_index(0)
            if y == 0:
                arrived.wait(2, reset=0)
                go.set(1, core=(1, 0), mcast=(1, 2))
            else:
                arrived.inc(1, core=(0, 0))
                arrived.inc(1, core=(0, 1))
                go.wait(1, reset=0)
            dma(x[y, core_index(1)], x_cb.reserve()).wait()

        return Program(mover, reader)(x, out)

    x, out = random(64, 64), np.zeros((64, 64), dtype=np.float32)
    meet(x, out)
    assert np.array_equal(out, x)


# ===--------------------------------------------------------------------------=== #
# Copies between nodes
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("GY, GX", [(2, 2), (2, 3), (3, 1)])
def test_matmul_with_multicast(GY, GX):
    """Nodes of the first column read blocks of lhs and send them along their row. Nodes of the first row
    read blocks of rhs and send them along their column."""
    GK = 3

    @pykernel_gen(grid=(GY, GX), block_factors=[(1, 1)] * 3)
    def matmul(lhs, rhs, out, block_factors=None, grid=None):
        lhs_accessor = TensorAccessor(lhs)
        rhs_accessor = TensorAccessor(rhs)

        @compute()
        def mm(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            total = fill(0, (1, 1))
            for k in range(GK):
                lhs_shard = lhs_cb.pop()
                rhs_shard = rhs_cb.pop()
                total = total + lhs_shard @ rhs_shard
            out_cb.reserve().store(total)
            out_cb.pop()

        @datamovement()
        def dm0(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy = core_index(0)
            cx = core_index(1)
            for k in range(GK):
                lhs_shard = lhs_cb.reserve()
                if cx == 0:
                    tx = dma(lhs_accessor[cy, k], lhs_shard)
                    tx.wait()
                    if GX > 1:
                        lhs_ready.wait(GX - 1, reset=0)
                        tx = dma(lhs_shard, lhs_shard, core=(cy, 1), mcast=(1, GX - 1))
                        tx.wait()
                        lhs_sent.set(1, core=(cy, 1), mcast=(1, GX - 1))
                else:
                    lhs_ready.inc(1, core=(cy, 0))
                    lhs_sent.wait(1, reset=0)

        @datamovement()
        def dm1(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy = core_index(0)
            cx = core_index(1)
            for k in range(GK):
                rhs_shard = rhs_cb.reserve()
                if cy == 0:
                    dma(rhs_accessor[k, cx], rhs_shard).wait()
                    rhs_ready.wait(GY - 1, reset=0)
                    dma(rhs_shard, rhs_shard, core=(1, cx), mcast=(GY - 1, 1)).wait()
                    rhs_sent.set(1, core=(1, cx), mcast=(GY - 1, 1))
                else:
                    rhs_ready.inc(1, core=(0, cx))
                    rhs_sent.wait(1, reset=0)

        return Program(mm, dm0, dm1)(lhs, rhs, out)

    lhs, rhs = random(32 * GY, 32 * GK), random(32 * GK, 32 * GX)
    out = np.zeros((32 * GY, 32 * GX), dtype=np.float32)
    matmul(lhs, rhs, out)
    assert np.allclose(out, lhs @ rhs, rtol=1e-4, atol=1e-4)


def test_a_copy_to_one_node():
    @pykernel_gen(grid=(1, 2), block_factors=[(1, 1)] * 2)
    def shift(x, out):
        @compute()
        def mover(x_cb, out_cb):
            out_cb.reserve().store(x_cb.pop())
            out_cb.pop()

        @datamovement()
        def reader(x_cb, out_cb):
            shard = x_cb.reserve()
            if core_index(1) == 0:
                dma(x[0, 1], shard).wait()
                dma(shard, shard, core=(0, 1)).wait()

        return Program(mover, reader)(x, out)

    x, out = random(32, 64), np.zeros((32, 64), dtype=np.float32)
    shift(x, out)
    assert np.array_equal(out, np.hstack([x[:, 32:], x[:, 32:]]))


# ===--------------------------------------------------------------------------=== #
# Launches and mistakes
# ===--------------------------------------------------------------------------=== #


def test_a_second_call_compiles_nothing():
    lhs, rhs, out = random(32, 32), random(32, 32), np.zeros((32, 32), dtype=np.float32)
    add = adder([(1, 1)] * 3)
    add(lhs, rhs, out)
    before = ttl._cache_info()
    other = random(32, 32)
    add(other, rhs, out)
    after = ttl._cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)
    assert np.array_equal(out, other + rhs)


def error_of(operation, *arguments):
    with pytest.raises(ttl.CompileError) as caught:
        operation(*arguments)
    return caught.value


def test_errors_are_at_the_users_lines():
    @pykernel_gen(grid=(1, 1), block_factors=[(1, 1)] * 2)
    def wrong(x, out):
        @compute()
        async def mover(x_cb, out_cb):
            block = x_cb.pop()
            out_cb.reserve().store(block + unknown_name)  # here
            out_cb.pop()

        return Program(mover)(x, out)

    error = error_of(wrong, random(32, 32), random(32, 32))
    line = open(__file__).readlines()[error.line - 1]
    assert error.file == __file__ and "# here" in line
    assert "unknown_name" in error.message


@pytest.mark.parametrize("factors, message", [
    ([(1, 1)], "one for each of the program's 2 tensors, found"),
    ([(1, 1), (1,)], "block_factors must be a list of"), ("ab", "block_factors must be a list of"),
])
def test_wrong_block_factors(factors, message):
    @pykernel_gen(grid=(1, 1), block_factors=factors)
    def wrong(x, out):
        @compute()
        def mover(x_cb, out_cb):
            pass

        return Program(mover)(x, out)

    assert message in error_of(wrong, random(32, 32), random(32, 32)).message


def test_wrong_parameters_and_tensors():
    def operation(make, *tensors):
        @pykernel_gen(grid=(1, 1))
        def wrong(x, out):
            @compute()
            def mover(x_cb):
                pass

            return Program(mover)(*make(x, out))

        return error_of(wrong, *tensors).message

    flat, line = random(32, 32), random(32)
    assert "of each of the program's 2 tensors, found 1" in operation(
        lambda x, out: (x, out), flat, random(32, 32))
    assert "arguments of the operation, found int" in operation(lambda x, out: (x, 3), flat, flat)
    assert "at least two dimensions, found 'x' of shape (32,)" in operation(
        lambda x, out: (x,), line, flat)


def test_parameters_need_pykernel_gen():
    @ttl.operation(grid=(1, 1))
    def wrong(x):
        @ttl.compute()
        def mover(x_cb):
            pass

        return ttl.Program(mover)(x)

    assert "decorate the operation with @pykernel_gen" in error_of(wrong, random(32, 32)).message


@pytest.mark.parametrize("statement, message", [
    ("dma(shard, shard, core=(0, unknown)).wait()", "'(0, unknown)' is not"),
    ("dma(shard, other, core=(0, 1)).wait()", "this function reserves, found 'other'"),
])
def test_wrong_copies_to_other_nodes(tmp_path, statement, message):
    file = tmp_path / "kernels.py"
    file.write_text(f"""
from ttl.ttl_api import *

@pykernel_gen(grid=(2, 2), block_factors=[(1, 1)] * 2)
def multicast(x, out):
    @compute()
    def mover(x_cb, out_cb):
        out_cb.reserve().store(x_cb.pop())
        out_cb.pop()

    @datamovement()
    def reader(x_cb, out_cb):
        for i in range(2):
            shard = x_cb.reserve()
            unknown = raw_element_read(shard, 0)
            {statement}

    return Program(mover, reader)(x, out)
""")
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    error = error_of(scope["multicast"], random(64, 64), random(64, 64))
    assert message in error.message
    assert (error.file, error.line) == (str(file), 16)
