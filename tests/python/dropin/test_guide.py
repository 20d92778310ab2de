"""Programs in the forms that the guide to the pykernel spelling shows, on every engine."""
# feature: The pykernel spelling

import inspect
import math
import subprocess

import numpy as np
import pytest

import ttl
from ttl.ttl_api import *  # scripts in this spelling import it so

RNG = np.random.default_rng(11)
ENGINES = pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def zeros(*shape):
    return np.full(shape, np.nan, np.float32)


def notes(operation, *arguments):
    return "\n".join(operation.compile(*arguments).notes)


def error_of(operation, *arguments):
    with pytest.raises(ttl.CompileError) as caught:
        operation(*arguments)
    return caught.value


def line_of(error):
    assert error.file == __file__
    return open(__file__).readlines()[error.line - 1].strip()


# ===--------------------------------------------------------------------------=== #
# Arguments whose shards are spread over the grid
# ===--------------------------------------------------------------------------=== #


def adder(grid=(2, 2), factor=(1, 1)):
    """Returns an operation in which each node adds its shards of lhs and rhs, indexed by node number."""

    @pykernel_gen(grid=grid, block_factors=[factor] * 3)
    def add(lhs, rhs, out, block_factors=None, grid=None):
        lhs_stream, rhs_stream = Stream(lhs), Stream(rhs)
        GX = grid[1]

        @compute()
        async def sums(lhs_cb: CircularBuffer, rhs_cb: CircularBuffer, out_cb: CircularBuffer):
            left = lhs_cb.pop()
            right = rhs_cb.pop()
            target = out_cb.reserve()
            target.store(left + right)
            out_cb.pop()

        @datamovement()
        async def loads(lhs_cb: CircularBuffer, rhs_cb: CircularBuffer, out_cb: CircularBuffer):
            number = core_index(0) * GX + core_index(1)
            left = lhs_cb.reserve()
            tx = dma(lhs_stream[number, 0], left)
            tx.wait()
            right = rhs_cb.reserve()
            tx = dma(rhs_stream[number, 0], right)  # the right operand
            tx.wait()

        return Program(sums, loads)(lhs, rhs, out)

    return add


@ENGINES
@pytest.mark.parametrize("grid, shape, factor", [
    ((2, 2), (128, 128), (1, 1)), ((2, 2), (64, 64), (1, 1)), ((1, 3), (64, 288), (2, 3)),
    ((2, 2), (256, 128), (2, 2)), ((4, 1), (128, 96), (1, 3)),
])
def test_each_node_adds_its_shard(engine, grid, shape, factor):
    lhs, rhs, out = random(*shape), random(*shape), zeros(*shape)
    with ttl.options(engine=engine):
        adder(grid, factor)(lhs, rhs, out)
    assert np.array_equal(out, lhs + rhs)


def test_the_chosen_reading_is_in_the_notes():
    text = notes(adder(), random(128, 128), random(128, 128), zeros(128, 128))
    assert ("arguments: sharded over the grid, a block is a shard: lhs 2x2 of [2, 2, 2, 2], "
            "rhs 2x2 of [2, 2, 2, 2], out 2x2 of [2, 2, 2, 2]") in text
    assert "index [i, 0] of lhs: the i-th shard, row by row" in text


def multiplier(factor=(1, 1), GK=2, **keywords):
    """Returns a matrix product. Nodes of the first column send blocks of lhs along their row, nodes of the
    first row send blocks of rhs along their column. The compute function stores one product per step."""

    @pykernel_gen(grid=(2, 2), block_factors=[factor] * 3, **keywords)
    def matmul(lhs, rhs, out, block_factors=None, grid=None):
        GY, GX = grid
        M, N, K = block_factors[0][0], block_factors[1][1], block_factors[0][1] * GK
        lhs_stream = Stream(lhs)
        rhs_stream = Stream(rhs)

        @compute()
        async def products(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            for k in range(K):
                for m in range(M):
                    left = lhs_cb.pop()
                    for n in range(N):
                        right = rhs_cb.pop()
                        target = out_cb.reserve()
                        out = left @ right
                        target.store(out)
                        out_cb.pop()

        @datamovement()
        async def rows(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy = core_index(0)
            cx = core_index(1)
            for k in range(K):
                for m in range(M):
                    left = lhs_cb.reserve()
                    if cx == 0:
                        tx = dma(lhs_stream[cy * M + m, k], left)
                        tx.wait()
                        lhs_ready.wait(GX - 1, reset=0)
                        tx = dma(left, left, core=(cy, 1), mcast=(1, GX - 1))
                        tx.wait()
                        lhs_sent.set(1, core=(cy, 1), mcast=(1, GX - 1))
                    else:
                        lhs_ready.inc(1, core=(cy, 0))
                        lhs_sent.wait(1, reset=0)

        @datamovement()
        async def columns(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy = core_index(0)
            cx = core_index(1)
            for k in range(K):
                for m in range(M):
                    for n in range(N):
                        right = rhs_cb.reserve()
                        if cy == 0:
                            tx = dma(rhs_stream[k, cx * N + n], right)
                            tx.wait()
                            rhs_ready.wait(GY - 1, reset=0)
                            tx = dma(right, right, core=(1, cx), mcast=(GY - 1, 1))
                            tx.wait()
                            rhs_sent.set(1, core=(1, cx), mcast=(GY - 1, 1))
                        else:
                            rhs_ready.inc(1, core=(0, cx))
                            rhs_sent.wait(1, reset=0)

        return Program(products, rows, columns)(lhs, rhs, out)

    return matmul


def close(found, expected):
    return np.allclose(found, expected, rtol=1e-3, atol=1e-3)


@ENGINES
def test_products_are_partial_sums(engine):
    lhs, rhs, out = random(128, 128), random(128, 128), zeros(128, 128)
    with ttl.options(engine=engine):
        multiplier()(lhs, rhs, out)
    assert close(out, lhs @ rhs)


def test_the_sums_are_in_the_notes():
    text = notes(multiplier(), random(128, 128), random(128, 128), zeros(128, 128))
    assert "sums: the products that products() stores into a block of 'out_cb' are added" in text


def test_sums_of_several_blocks_are_refused():
    error = error_of(multiplier(factor=(2, 2)), random(256, 256), random(256, 256), zeros(256, 256))
    assert "would be the sum of 4 products" in error.message, error.message
    assert line_of(error).startswith("async def products")


# ===--------------------------------------------------------------------------=== #
# Nodes that send in turns
# ===--------------------------------------------------------------------------=== #


def in_turns(G):
    """Returns a matrix product. In step k, the node of column k sends its shard of lhs to its row, and the
    node of row k sends its shard of rhs to its column."""

    @pykernel_gen(grid=(G, G), block_factors=[(1, 1)] * 3)
    def matmul(lhs, rhs, out, block_factors=None, grid=None):
        @compute()
        async def products(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            for k in range(G):
                left = lhs_cb.pop()
                right = rhs_cb.pop()
                out_cb.reserve().store(left @ right)
                out_cb.pop()

        @datamovement()
        async def rows(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy, cx = core_index(0), core_index(1)
            for k in range(G):
                left = lhs_cb.reserve()
                if k == cx:
                    lhs_ready.wait(G - 1, reset=0)
                    tx = dma(left, left, core=(cy, 0), mcast=(1, G))
                    tx.wait()
                    lhs_sent.set(1, core=(cy, 0), mcast=(1, G))
                else:
                    lhs_ready.inc(1, core=(cy, k))
                lhs_sent.wait(1, reset=0)

        @datamovement()
        async def columns(lhs_cb, rhs_cb, out_cb, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
            cy, cx = core_index(0), core_index(1)
            for k in range(G):
                right = rhs_cb.reserve()
                if k == cy:
                    rhs_ready.wait(G - 1, reset=0)
                    tx = dma(right, right, core=(0, cx), mcast=(G, 1))
                    tx.wait()
                    rhs_sent.set(1, core=(0, cx), mcast=(G, 1))
                else:
                    rhs_ready.inc(1, core=(k, cx))
                rhs_sent.wait(1, reset=0)

        return Program(products, rows, columns)(lhs, rhs, out)

    return matmul


@ENGINES
@pytest.mark.parametrize("G", [2, 3])
def test_turns(engine, G):
    size = 32 * G * (2 if G == 2 else 1)
    lhs, rhs, out = random(size, size), random(size, size), zeros(size, size)
    with ttl.options(engine=engine):
        in_turns(G)(lhs, rhs, out)
    assert close(out, lhs @ rhs)


@pykernel_gen(grid=(2, 2), block_factors=[(1, 1)] * 3, kernel_source_mode=None)
def awaiting(lhs, rhs, out, block_factors=None, grid=None):
    """Kernel functions get blocks as parameters, wait for them by `await` and release them by `yield`."""
    GY, GX = grid
    K = 2

    @compute()
    async def products(lhs_shard, rhs_shard, out_shard, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
        for k in range(K):
            await lhs_shard
            await rhs_shard
            out_shard = lhs_shard @ rhs_shard
            yield out_shard

    @datamovement()
    async def rows(lhs_shard, rhs_shard, out_shard, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
        cy = core_index(0)
        cx = core_index(1)
        for k in range(K):
            if k == cx:
                lhs_ready.wait(K - 1, reset=0)
                tx = dma(lhs_shard, lhs_shard, core=(cy, 0), mcast=(1, GX))
                lhs_sent.set(1, core=(cy, 0), mcast=(1, GX))
            else:
                lhs_ready.inc(1, core=(cy, k))
                lhs_sent.wait(1, reset=0)
            yield lhs_shard

    @datamovement()
    async def columns(lhs_shard, rhs_shard, out_shard, lhs_ready, lhs_sent, rhs_ready, rhs_sent):
        cy = core_index(0)
        cx = core_index(1)
        for k in range(K):
            if k == cy:
                rhs_ready.wait(K - 1, reset=0)
                tx = dma(rhs_shard, rhs_shard, core=(0, cx), mcast=(GY, 1))
                rhs_sent.set(1, core=(0, cx), mcast=(GY, 1))
            else:
                rhs_ready.inc(1, core=(k, cx))
                rhs_sent.wait(1, reset=0)
            yield rhs_shard

    return Program(products, rows, columns)(lhs, rhs, out)


@ENGINES
def test_blocks_that_are_awaited_and_yielded(engine):
    lhs, rhs, out = random(128, 128), random(128, 128), zeros(128, 128)
    with ttl.options(engine=engine):
        awaiting(lhs, rhs, out)
    assert close(out, lhs @ rhs)


@ENGINES
def test_a_node_that_sends_to_a_rectangle_around_it(engine):
    """In step k, node (k, k) sends to all nodes of the 3x3 grid."""

    @pykernel_gen(grid=(3, 3), block_factors=[(1, 1)] * 2)
    def diagonal(x, out):
        @compute()
        def total(x_cb, out_cb):
            result = fill(0, (1, 1))
            for k in range(3):
                result = result + x_cb.pop()
            out_cb.reserve().store(result)
            out_cb.pop()

        @datamovement()
        def turns(x_cb, out_cb):
            cy, cx = core_index(0), core_index(1)
            for k in range(3):
                for again in range(1):
                    shard = x_cb.reserve()
                    if cy == k and cx == k:
                        dma(x[k, k], shard).wait()
                        dma(shard, shard, core=(0, 0), mcast=(3, 3)).wait()

        return Program(total, turns)(x, out)

    x, out = random(96, 96), zeros(96, 96)
    with ttl.options(engine=engine):
        diagonal(x, out)
    assert np.array_equal(out, np.tile(x[:32, :32] + x[32:64, 32:64] + x[64:, 64:], (3, 3)))


# ===--------------------------------------------------------------------------=== #
# Parts of several blocks
# Shards of several blocks


@ENGINES
def test_attention_with_several_blocks_of_a_shard(engine):
    """Each node has two blocks of q and out. It reads k and v block by block from every node."""
    HEADS, BLOCKS, DEPTH = 2, 4, 32
    TILE = (1, 1)

    @pykernel_gen(grid=(HEADS, 1), block_factors=[TILE] * 4)
    def attention(q, k, v, out, block_factors=None, grid=None):
        k_stream, v_stream = Stream(k), Stream(v)

        @compute()
        async def rows(q_cb, k_cb, v_cb, out_cb):
            for _ in range(2):
                q_block = q_cb.pop()
                largest, weights, total = fill(-math.inf, TILE), fill(0, TILE), fill(0, TILE)
                for i in range(BLOCKS):
                    k_block, v_block = k_cb.pop(), v_cb.pop()
                    scores = (q_block @ transpose(k_block)) * (1 / math.sqrt(DEPTH))
                    larger = rowmax(scores, largest)
                    power, correction = exp(scores - larger), exp(largest - larger)
                    weights = weights * correction + rowsum(power)
                    total = total * correction + power @ v_block
                    largest = larger
                out_cb.reserve().store(total / weights)
                out_cb.pop()

        @datamovement()
        async def reader(q_cb, k_cb, v_cb, out_cb):
            for _ in range(2):
                for i in range(BLOCKS):
                    dma(k_stream[i, 0], k_cb.reserve()).wait()
                    dma(v_stream[i, 0], v_cb.reserve()).wait()

        return Program(rows, reader)(q, k, v, out)

    q, k, v, out = random(128, 32), random(128, 32), random(128, 32), zeros(128, 32)
    with ttl.options(engine=engine):
        attention(q, k, v, out)
    scores = q.astype(np.float64) @ k.T / math.sqrt(DEPTH)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert np.abs(out - weights @ v / weights.sum(axis=1, keepdims=True)).max() < 1e-5
    text = notes(attention, q, k, v, out)
    assert ("block_factors are the tiles of a block: q 1x1 of [2, 1, 2, 1], k 1x1 of [2, 1, 2, 1], "
            "v 1x1 of [2, 1, 2, 1], out 1x1 of [2, 1, 2, 1]") in text


def halves(count):
    @pykernel_gen(grid=(2, 1), block_factors=[(1, 1), (1, 1)])
    def operation(x, out):
        @compute()
        def mover(x_cb, out_cb):
            for i in range(count):
                out_cb.reserve().store(x_cb.pop() * 2.0)
                out_cb.pop()

        return Program(mover)(x, out)

    return operation


@ENGINES
@pytest.mark.parametrize("count, blocks", [(6, "tiles of a block: x 1x1 of [2, 1, 3, 2]"),
                                           (1, "sharded over the grid, a block is a shard: x 3x2")])
def test_the_number_of_blocks_decides(engine, count, blocks):
    x, out = random(192, 64), zeros(192, 64)
    with ttl.options(engine=engine):
        halves(count)(x, out)
    assert np.array_equal(out, x * 2) and blocks in notes(halves(count), x, out)


def test_block_factors_as_blocks_of_a_shard():
    """Each node has 2x2 blocks of 2x2 tiles. The kernel indexes blocks by their place in the whole tensor."""

    @pykernel_gen(grid=(2, 2), block_factors=[(2, 2)] * 2)
    def negative(x, out, block_factors=None):
        R, C = block_factors[0]

        @compute()
        def mover(x_cb, out_cb):
            for i in range(R * C):
                out_cb.reserve().store(-x_cb.pop())
                out_cb.pop()

        @datamovement()
        def loads(x_cb, out_cb):
            for r in range(R):
                for c in range(C):
                    dma(x[core_index(0) * R + r, core_index(1) * C + c], x_cb.reserve()).wait()

        return Program(mover, loads)(x, out)

    x, out = random(256, 256), zeros(256, 256)
    negative(x, out)
    assert np.array_equal(out, -x)
    # of 8x8 tiles, blocks of 2x2 tiles are both: 2x2 tiles, and 2x2 of a shard
    assert "block_factors are the tiles of a block: x 2x2 of [2, 2, 4, 4]" in notes(negative, x, out)
    x, out = random(128, 128), zeros(128, 128)
    negative(x, out)
    assert np.array_equal(out, -x)
    assert "block_factors are the blocks of a shard: x 1x1 of [2, 2, 2, 2]" in notes(negative, x, out)


# ===--------------------------------------------------------------------------=== #
# Partial sums
# ===--------------------------------------------------------------------------=== #


@ENGINES
@pytest.mark.parametrize("form", ["reserved before", "with", "in the loop", "named"])
def test_partial_sums_over_k(engine, form):
    K = 3

    @pykernel_gen(grid=(1, 2), block_factors=[(2, 1), (1, 2), (2, 2)])
    def matmul(lhs, rhs, out):
        @compute()
        def before(lhs_cb, rhs_cb, out_cb):
            target = out_cb.reserve()
            for k in range(K):
                target.store(lhs_cb.pop() @ rhs_cb.pop())
            out_cb.pop()

        @compute()
        def using_with(lhs_cb, rhs_cb, out_cb):
            for k in range(K):
                with lhs_cb.wait() as left, rhs_cb.wait() as right, out_cb.reserve() as target:
                    target.store(left @ right)

        @compute()
        def inside(lhs_cb, rhs_cb, out_cb):
            for k in range(K):
                out_cb.reserve().store(lhs_cb.pop() @ rhs_cb.pop())
                out_cb.pop()

        @compute()
        def explicit(lhs_cb, rhs_cb, out_cb):
            total = fill(0, (2, 2))
            for k in range(K):
                total = total + lhs_cb.pop() @ rhs_cb.pop()
            out_cb.reserve().store(total)
            out_cb.pop()

        @datamovement()
        def loads(lhs_cb, rhs_cb, out_cb):
            for k in range(K):
                dma(lhs[0, k], lhs_cb.reserve()).wait()
                dma(rhs[k, core_index(1)], rhs_cb.reserve()).wait()

        forms = {"reserved before": before, "with": using_with, "in the loop": inside}
        return Program(forms.get(form, explicit), loads)(lhs, rhs, out)

    lhs, rhs, out = random(64, 32 * K), random(32 * K, 128), zeros(64, 128)
    with ttl.options(engine=engine):
        matmul(lhs, rhs, out)
    assert close(out, lhs @ rhs)


# ===--------------------------------------------------------------------------=== #
# Keywords of the decorator, and ranks
# ===--------------------------------------------------------------------------=== #


def doubled(**keywords):
    """Returns an operation on two rows of nodes, and `seen`: a list of the values that its body gets."""
    seen = []

    @pykernel_gen(**keywords)
    def operation(x, out, block_factors=None, grid=None):
        seen.append((grid, block_factors))

        @compute()
        async def twice(x_cb, out_cb):
            out_cb.reserve().store(x_cb.pop() * 2.0)
            out_cb.pop()

        return Program(twice)(x, out)

    return operation, seen


@ENGINES
def test_functions_of_the_arguments(engine):
    operation, seen = doubled(grid=lambda x, out: (x.shape[0] // 64, 1),
                              block_factors=lambda *tensors: [(2, t.shape[1] // 32) for t in tensors])
    for rows, columns in ((128, 32), (64, 96)):
        x, out = random(rows, columns), zeros(rows, columns)
        with ttl.options(engine=engine):
            operation(x, out)
        assert np.array_equal(out, 2 * x)
        assert seen[-1] == ((rows // 64, 1), [(2, columns // 32)] * 2)


@pytest.mark.parametrize("tile", [True, False])
def test_the_choice_of_matrix_instructions_changes_nothing(tile):
    lhs, rhs, out = random(128, 128), random(128, 128), zeros(128, 128)
    multiplier(use_tile_matmul=tile)(lhs, rhs, out)
    first = zeros(128, 128)
    multiplier()(lhs, rhs, first)
    assert np.array_equal(out, first) and close(out, lhs @ rhs)


@pytest.mark.parametrize("folder", [None, "sources"])
def test_sources_are_stored(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    operation, _ = doubled(grid=(2, 2), block_factors=[(1, 1)] * 2, kernel_source_mode="store",
                           kernel_source_dir=folder)
    x, out = random(64, 64), zeros(64, 64)
    operation(x, out)
    written = {path.name: path for path in (tmp_path / (folder or ".pykernel_gen/operation")).iterdir()}
    assert np.array_equal(out, 2 * x) and "program.json" in written
    texts = [path.read_text() for name, path in written.items() if name.endswith(".cpp")]
    assert any("mul" in text for text in texts)


@pytest.mark.parametrize("mode, message", [("load", "is not possible"), ("both", 'must be None or "store"')])
def test_wrong_source_modes(mode, message):
    with pytest.raises(ValueError, match=message):
        doubled(grid=(2, 2), kernel_source_mode=mode)


@ENGINES
@pytest.mark.parametrize("shape, grid", [((2, 64, 64), (2, 2)), ((3, 2, 32, 32), (3, 1)), ((4, 32, 96), (2, 3))])
def test_tensors_of_more_than_two_dimensions(engine, shape, grid):
    operation, _ = doubled(grid=grid, block_factors=[(1, 1)] * 2)
    x, out = random(*shape), zeros(*shape)
    with ttl.options(engine=engine):
        operation(x, out)
        assert np.array_equal(out, 2 * x)
        operation(-x, out)
        assert np.array_equal(out, -2 * x)


def test_tensors_whose_memory_is_not_contiguous():
    operation, _ = doubled(grid=(2, 1))
    x, whole = random(2, 32, 64), zeros(2, 64, 64)
    operation(x, whole[:, ::2])
    assert np.array_equal(whole[:, ::2], 2 * x) and np.isnan(whole[:, 1::2]).all()


def test_tensors_of_torch_with_three_dimensions():
    torch = pytest.importorskip("torch")
    operation, _ = doubled(grid=(2, 2))
    x, out = torch.randn(2, 64, 64), torch.zeros(2, 64, 64)
    operation(x, out)
    assert torch.equal(out, 2 * x)
    turned = torch.zeros(64, 64, 2).permute(2, 0, 1)
    operation(x, turned)
    assert torch.equal(turned, 2 * x)


@pytest.mark.parametrize("is_on_device", [False, True])
def test_tensors_of_ttnn_with_three_dimensions(is_on_device):
    import ttnn

    operation, _ = doubled(grid=(2, 2))
    x = random(2, 64, 64)
    a, y = (ttnn.from_numpy(each, layout=ttnn.TILE_LAYOUT) for each in (x, np.zeros_like(x)))
    if is_on_device:
        device = ttnn.open_device(device_id=0)
        a, y = ttnn.to_device(a, device), ttnn.to_device(y, device)
    operation(a, y)
    assert np.array_equal(np.asarray(y), 2 * x)


def test_a_kernel_object_takes_matrices():
    operation, _ = doubled(grid=(2, 2))
    with pytest.raises(ValueError, match="found one with 3: reshape it"):
        operation.compile(random(2, 64, 64), zeros(2, 64, 64))


# ===--------------------------------------------------------------------------=== #
# Semaphores
# ===--------------------------------------------------------------------------=== #


@ENGINES
def test_semaphores(engine):
    """Node (y, 0) sets `go` on the other nodes of its row; each of them increments `arrived` on node (y, 0)."""
    GY, GX = 2, 3

    @pykernel_gen(grid=(GY, GX), block_factors=[(1, 1)] * 2)
    def operation(x, out):
        @compute()
        async def copies(x_cb, out_cb, go, arrived):
            out_cb.reserve().store(x_cb.pop())
            out_cb.pop()

        @datamovement()
        async def loads(x_cb, out_cb, go, arrived):
            cy, cx = core_index(0), core_index(1)
            for turn in range(2):
                if cx == 0:
                    go.set(1, core=(cy, 1), mcast=(1, GX - 1))
                    arrived.wait(GX - 1, reset=0)
                else:
                    go.wait(1, reset=0)
                    arrived.inc(1, core=(cy, 0))
            dma(x[cy, cx], x_cb.reserve()).wait()

        return Program(copies, loads)(x, out)

    x, out = random(64, 96), zeros(64, 96)
    with ttl.options(engine=engine):
        operation(x, out)
    assert np.array_equal(out, x)


# ===--------------------------------------------------------------------------=== #
# Broken programs
# ===--------------------------------------------------------------------------=== #


def writer(index, count=2, grid=(2, 1)):
    """Returns an operation whose data movement function writes block `index(row, i)` of the output."""
    first, second = index

    @pykernel_gen(grid=grid, block_factors=[(1, 1)] * 2)
    def operation(x, out):
        @compute()
        async def copies(x_cb, out_cb):
            for i in range(count):
                out_cb.reserve().store(x_cb.pop())
                out_cb.pop()

        @datamovement()
        async def loads(x_cb, out_cb):
            for i in range(count):
                dma(x[core_index(0), i], x_cb.reserve()).wait()

        @datamovement()
        async def stores(x_cb, out_cb):
            for i in range(count):
                dma(out_cb.pop(), out[core_index(0) * first, i * second]).wait()  # here

        return Program(copies, loads, stores)(x, out)

    return operation


def test_a_writer_that_writes_every_block():
    x, out = random(64, 64), zeros(64, 64)
    writer((1, 1))(x, out)
    assert np.array_equal(out, x)


@pytest.mark.parametrize("index", [(0, 1), (1, 0)])
def test_blocks_that_no_statement_writes(index):
    x, out = random(64, 64), zeros(64, 64)
    error = error_of(writer(index), x, out)
    assert "writes 2 of the 4 blocks of 1x1 tiles that output 'out' has" in error.message
    assert "block_factors (1, 2) for 'out' cover it" in error.message
    assert line_of(error).endswith("# here")
    writer(index)(x, ttl.partial(out))


def test_an_index_outside_of_the_blocks():
    error = error_of(writer((2, 1)), random(64, 64), zeros(64, 64))
    assert "'out' (2x2 tiles) has 2x2 blocks of 1x1 tiles, and index [2, 0] is outside of them" in str(error)
    assert line_of(error).endswith("# here")


def test_an_output_that_nothing_writes():
    @pykernel_gen(grid=(1, 1))
    def operation(x, out):
        @compute()
        def nothing(x_cb, out_cb):
            x_cb.pop()

        return Program(nothing)(x, out)

    error = error_of(operation, random(32, 32), zeros(32, 32))
    assert "no kernel function writes output 'out'" in error.message


def by_data(columns):
    """Returns an operation whose data movement function writes only if a number in the data says so."""

    @pykernel_gen(grid=(1, 1), block_factors=[(1, 1)] * 2)
    def operation(x, out):
        @compute()
        def copies(x_cb, out_cb):
            for i in range(2):
                out_cb.reserve().store(x_cb.pop())
                out_cb.pop()

        @datamovement()
        def loads(x_cb, out_cb):
            for i in range(2):
                dma(x[0, i], x_cb.reserve()).wait()

        @datamovement()
        def stores(x_cb, out_cb):
            for i in range(2):
                block = out_cb.pop()
                if ttl.raw_element_read(block, 0, 0) > 0:
                    dma(block, out[0, i]).wait()

        return Program(copies, loads, stores)(x, out)

    return operation


def test_outputs_whose_blocks_depend_on_data_are_checked_at_the_launch():
    x, out = np.ones((32, 64), np.float32), zeros(32, 64)
    by_data(2)(x, out)
    assert np.array_equal(out, x)
    x[0, 32] = -1
    with pytest.raises(ttl.RuntimeFault, match="tensor 'out' is written in part"):
        by_data(2)(x, out)
    assert "outputs: checked at each launch" in notes(by_data(2), x, out)


def test_turns_that_depend_on_data():
    @pykernel_gen(grid=(1, 2))
    def operation(x, out):
        @compute()
        def copies(x_cb, out_cb):
            out_cb.reserve().store(x_cb.pop())
            out_cb.pop()

        @datamovement()
        def loads(x_cb, out_cb):
            shard = x_cb.reserve()
            dma(x[0, core_index(1)], shard).wait()
            if ttl.raw_element_read(shard, 0, 0) > 0:  # here
                dma(shard, shard, core=(0, 1)).wait()

        return Program(copies, loads)(x, out)

    error = error_of(operation, random(32, 64), zeros(32, 64))
    assert "must be known before the kernel runs" in error.message
    assert line_of(error).endswith("# here")


def test_a_block_that_is_reserved_outside_of_the_turns():
    @pykernel_gen(grid=(1, 2))
    def operation(x, out):
        @compute()
        def copies(x_cb, out_cb):
            out_cb.reserve().store(x_cb.pop())
            out_cb.pop()

        @datamovement()
        def loads(x_cb, out_cb):
            shard = x_cb.reserve()
            for k in range(2):
                if core_index(1) == k:
                    dma(shard, shard, core=(0, 0), mcast=(1, 2)).wait()  # here

        return Program(copies, loads)(x, out)

    error = error_of(operation, random(32, 64), zeros(32, 64))
    assert "depend on 'k', the counter of a loop inside the statements that reserve 'shard'" in error.message
    assert line_of(error).endswith("# here")


def run(script, *options):
    command = [ttl.__file__.rpartition("/python/")[0] + "/bin/ttl-jit", "run", *options, script]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_script_ends_with_0_only_if_its_output_is_whole(tmp_path):
    text = "\n".join(["import numpy as np", "from pykernel.d2m_api import *", inspect.getsource(writer), """
x, out = np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32)
writer(INDEX)(x, out)
assert out.all()
"""])
    for index, status in (("(1, 1)", 0), ("(0, 1)", 3)):
        script = tmp_path / "script.py"
        script.write_text(text.replace("INDEX", index))
        result = run(script, "--stats")
        assert result.returncode == status, result.stderr
        shown = result.stdout + result.stderr
        assert ("arguments: " in shown) == (status == 0)


# ===--------------------------------------------------------------------------=== #
# Programs that use streams, such as lhs_stream, without making them
# ===--------------------------------------------------------------------------=== #

FORGETFUL = """
import numpy as np
import sys
from pykernel.d2m_api import *

@pykernel_gen(
    grid=(2, 2),
    block_factors=[
        (1, 1),
        (1, 1),
        (1, 1),
    ],
)
def add(lhs, rhs, out, block_factors=None, grid=None):
    @compute()
    async def add_kernel(
        lhs_cb: CircularBuffer,
        rhs_cb: CircularBuffer,
        out_cb: CircularBuffer,
    ):
        lhs_shard = lhs_cb.pop()
        rhs_shard = rhs_cb.pop()
        out_shard = out_cb.reserve()
        result = lhs_shard + rhs_shard
        out_shard.store(result)
        out_cb.pop()

    @datamovement()
    async def dm_reader(
        lhs_cb: CircularBuffer,
        rhs_cb: CircularBuffer,
        out_cb: CircularBuffer,
    ):
        cy = core_index(0)
        cx = core_index(1)
        idx = cy * 2 + cx

        lhs_shard = lhs_cb.reserve()
        tx = dma(lhs_stream[idx, 0], lhs_shard)
        tx.wait()

        rhs_shard = rhs_cb.reserve()
        tx = dma(rhs_stream[idx, 0], rhs_shard)
        tx.wait()

    return Program(add_kernel, dm_reader)(lhs, rhs, out)

rng = np.random.default_rng(0)
lhs, rhs = (rng.standard_normal(SHAPE, dtype=np.float32) for _ in range(2))
out = np.full(SHAPE, np.nan, np.float32)
add(lhs, rhs, out)
print("wrong elements:", np.count_nonzero(out != lhs + rhs))
"""


@ENGINES
@pytest.mark.parametrize("shape", [(128, 128), (64, 64), (128, 64), (256, 128), (64, 320)])
def test_streams_that_the_script_forgets(tmp_path, engine, shape):
    script = tmp_path / "add.py"
    script.write_text(FORGETFUL.replace("SHAPE", str(shape)))
    done = run(script, f"--engine={engine}")
    assert (done.returncode, done.stdout) == (0, "wrong elements: 0\n"), done.stderr


def test_shapes_that_do_not_divide_are_errors(tmp_path):
    script = tmp_path / "add.py"
    script.write_text(FORGETFUL.replace("SHAPE", "(96, 96)"))
    done = run(script)
    assert done.returncode == 3 and "'lhs' (3x3 tiles) cannot be sharded evenly over the grid" in done.stderr


def test_a_stream_of_no_buffer_is_an_unknown_name(tmp_path):
    script = tmp_path / "add.py"
    script.write_text(FORGETFUL.replace("SHAPE", "(64, 64)").replace("lhs_stream", "left_stream"))
    done = run(script)
    assert done.returncode == 3 and "name 'left_stream' is not defined" in done.stderr
    assert "add.py:39:18" in done.stderr


def test_the_guides_attention_names_what_it_lacks(tmp_path):
    """The guide prints a program that does not define some of its names: each is an error at its line."""
    script = tmp_path / "attention.py"
    script.write_text(ATTENTION.replace("DEFINED", ""))
    done = run(script)
    assert done.returncode == 3
    for name in ("inf", "shape", "d_head"):
        assert f"name '{name}' is not defined" in done.stderr, done.stderr


ATTENTION = """
import numpy as np
from pykernel.d2m_api import *

@pykernel_gen(grid=(1, 1), block_factors=[(1, 1), (1, 1), (1, 1), (1, 1)])
def flash_attention(Q, K, V, out, block_factors=None, grid=None):
    Q_stream = Stream(Q)
    K_stream = Stream(K)
    V_stream = Stream(V)
    NUM_KV_BLOCKS = 4

    @compute()
    async def attention_compute(Q_cb, K_cb, V_cb, out_cb):
        m_old = fill(-inf, shape)
        l_old = fill(0, shape)
        O_acc = fill(0, shape)

        for kv_idx in range(NUM_KV_BLOCKS):
            Q_block = Q_cb.pop()
            K_block = K_cb.pop()
            V_block = V_cb.pop()

            S = Q_block @ transpose(K_block)
            S_scaled = S * (1.0 / sqrt(d_head))

            m_new = rowmax(S_scaled, m_old)
            P = exp(S_scaled - m_new)
            correction = exp(m_old - m_new)
            l_new = correction * l_old + rowsum(P)

            O_acc = (l_old / l_new) * correction * O_acc + (P / l_new) @ V_block

            m_old = m_new
            l_old = l_new

        out_block = out_cb.reserve()
        out_block.store(O_acc)
        out_cb.pop()

    @datamovement()
    async def dm_reader(Q_cb, K_cb, V_cb, out_cb):
        idx = core_index(0) * 1 + core_index(1)

        for kv_idx in range(NUM_KV_BLOCKS):
            Q_shard = Q_cb.reserve()
            dma(Q_stream[idx, 0], Q_shard).wait()

            K_shard = K_cb.reserve()
            dma(K_stream[kv_idx, 0], K_shard).wait()

            V_shard = V_cb.reserve()
            dma(V_stream[kv_idx, 0], V_shard).wait()

    return Program(attention_compute, dm_reader)(Q, K, V, out)

rng = np.random.default_rng(0)
DEFINED
Q, K, V = (rng.standard_normal((rows, 32), dtype=np.float32) for rows in (32, 128, 128))
out = np.full((32, 32), np.nan, np.float32)
flash_attention(Q, K, V, out)
scores = Q.astype(np.float64) @ K.T / 32 ** 0.5
weights = np.exp(scores - scores.max(1, keepdims=True))
wanted = weights / weights.sum(1, keepdims=True) @ V
print("error below 1e-4:", np.abs(out - wanted).max() < 1e-4)
"""


@ENGINES
def test_the_guides_attention_with_these_names(tmp_path, engine):
    script = tmp_path / "attention.py"
    script.write_text(ATTENTION.replace("DEFINED", "inf, shape, d_head = float('inf'), (1, 1), 32"))
    done = run(script, f"--engine={engine}")
    assert (done.returncode, done.stdout) == (0, "error below 1e-4: True\n"), done.stderr
