# SPDX-License-Identifier: Apache-2.0
"""The matmul kernel of case s8 of tools/bench multiplies correctly. Its short form takes the same time."""

import pathlib

import numpy as np
import pytest
import ttl
import ttnn

TOOLS = pathlib.Path(__file__).parents[3] / "tools"
PLANS = [  # tiles of M, K and N; A and the result in L1
    ((4, 8, 4), False), ((4, 8, 4), True), ((2, 2, 6), False), ((6, 12, 2), True), ((1, 5, 1), False)]


@pytest.fixture
def multicast(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    from benchmarks import timing_multicast

    return timing_multicast


@pytest.mark.parametrize("arch", ["WH", "BH"])
@pytest.mark.parametrize("tiles, sharded", PLANS)
@pytest.mark.parametrize("format", ["bf16", "bfp_bf8"])
def test_told_steps_cost_what_computed_steps_do(multicast, arch, tiles, sharded, format):
    plan = multicast.Plan(arch, (2, 2), tiles, format, sharded)
    told, computed = (multicast.kernel_cycles(multicast.Kernel(plan, "hifi2", each).program) for each in (False, True))
    assert told == computed > 0


@pytest.mark.parametrize("tiles", [each for each, sharded in PLANS if not sharded])
@pytest.mark.parametrize("engine", ["jit", "interp"])  # these programs have no arguments for C++
def test_it_multiplies(multicast, tiles, engine):
    plan = multicast.Plan("WH", (2, 2), tiles, "bf16", False)
    program = multicast.Kernel(plan, "hifi4", computes_all=True).program
    random = np.random.default_rng(1)
    a, b, y = (random.integers(-2, 3, shape[:2]).astype(np.float32) for shape in program.shapes)
    a, b, y = (ttnn.from_numpy(each, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for each in (a, b, y))
    with ttl.options(arch="wormhole_b0", engine=engine):
        ttl.compile_mlir(program.text())(a, b, y)
    assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(a) @ ttnn.to_numpy(b))


def test_blocks_fill_l1(multicast):
    small = multicast.Plan("WH", (8, 8), (32, 32, 32), "bf16", False)
    assert (small.height, small.width, small.depth, small.steps) == (4, 4, 4, 8)  # all of a core's part
    large = multicast.Plan("WH", (8, 8), (512, 512, 512), "bf16", False)
    assert large.height * large.width < large.rows * large.across and large.depth >= multicast.LEAST_DEPTH
    assert large.fits((large.height, large.width, large.depth))
    assert not large.fits((2 * large.height, large.width, large.depth))
    shallow = multicast.Plan("WH", (8, 8), (16, 16, 16), "bfp_bf4", False)
    assert shallow.share == 2 and shallow.depth == multicast.LEAST_DEPTH
    with pytest.raises(ValueError, match="the shards do not fit into L1"):
        multicast.Plan("WH", (8, 8), (512, 512, 512), "bf16", True)


@ttl.operation(grid=(8, 8), fp32_dest_acc_en=True)
def reading_again(a, b, y):
    """A product of 8 x 8 x 8 tiles. Each node computes one tile, and reads all that it needs."""
    a_dfb, b_dfb, y_dfb = (ttl.make_dataflow_buffer_like(each, shape=(1, 1)) for each in (a, b, y))

    @ttl.datamovement()
    def reader():
        column, line = ttl.node(dims=2)
        for k in range(8):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                of_a = ttl.copy(a[line, k], a_blk)
                of_b = ttl.copy(b[k, column], b_blk)
                of_a.wait()
                of_b.wait()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_blk:
            for _ in range(8):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                    y_blk += a_blk @ b_blk

    @ttl.datamovement()
    def writer():
        column, line = ttl.node(dims=2)
        with y_dfb.wait() as block:
            ttl.copy(block, y[line, column]).wait()


def test_multicasts_of_tiles_beat_reading_again_as_measured(multicast):
    """s15 of docs/timing.md: the time is 5.7 times what peak rates allow with 85 FLOP per byte, and 1.5 times with 15.
    So multicasts take 0.67 of the time of reading again. By peak rates, it would be 0.18."""
    from benchmarks import timing_matmul

    plan = dict(bm=1, bn=1, bk=1, Np=8, Mp=8, K_BPN=8, M_BPN=1, N_BPN=1)
    with ttl.options(arch="wormhole_b0"):
        tensors = [ttnn.zeros((256, 256), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for _ in range(3)]
        sent, read = (each.time(*tensors).cycles for each in (timing_matmul.operation(plan), reading_again))
    assert 0.4 < sent / read < 0.9
