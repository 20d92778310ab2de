# SPDX-License-Identifier: Apache-2.0
"""operation.schedule() builds schedules (MLIR's transform dialect) from calls in Python."""

import inspect
import os

import numpy as np
import pytest
import ttl


@ttl.operation(grid=(1, 1))
def chain(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(4, 4), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(4, 4), block_count=2)

    @ttl.datamovement()
    def reader():
        for row in range(4):
            with x_dfb.reserve() as block:
                ttl.copy(x[row * 4 : row * 4 + 4, 0:4], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(4):
            with x_dfb.wait() as a, y_dfb.reserve() as b:
                b.store(ttl.math.exp(a) * 2.0 + a)

    @ttl.datamovement()
    def writer():
        for row in range(4):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row * 4 : row * 4 + 4, 0:4]).wait()


SCHEDULES = {
    "tile": lambda s: s.tile(1, 2),
    "tile one dimension": lambda s: s.tile(0, 2),
    "tile twice": lambda s: s.tile(2, 2).tile(1, 1),
    "fuse": lambda s: s.tile(1, 2).fuse(),
    "fuse and unroll": lambda s: s.tile(2, 2).fuse().unroll(2),
    "unroll": lambda s: s.tile(2, 2).unroll(2),
    "split": lambda s: s.split(1, 3),
    "prefetch": lambda s: s.prefetch("reader", distance=2),
    "pipelined prefetch": lambda s: s.prefetch("reader", distance=3, form="pipeline"),
    "pipeline": lambda s: s.pipeline("reader", strategy="conservative"),
    "buffers": lambda s: s.buffers(max_factor=2),
    "registers": lambda s: s.registers(order="lazy"),
    "all": lambda s: s.tile(1, 2).fuse().prefetch("reader", distance=2).buffers(),
}


@pytest.fixture
def tensors():
    x = np.random.default_rng(0).random((512, 128), dtype=np.float32)
    return x, np.zeros_like(x)


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_bits_stay(name, engine, tensors):
    x, y = tensors
    chain(x, y)
    expected = y.copy()
    y[:] = 0
    with ttl.options(engine=engine):
        SCHEDULES[name](chain.schedule())(x, y)
    assert (y == expected).all()


@ttl.operation(grid=(1, 1))
def unsorted(x, y):
    a_dfb, b_dfb, y_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(3))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a, b_dfb.reserve() as b:
            later, sooner = ttl.copy(x[1, 0], a), ttl.copy(x[0, 0], b)
            later.wait()
            sooner.wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a, b_dfb.wait() as b, y_dfb.reserve() as out:
            out.store(a - b)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


def test_transfers_are_sorted(tensors, capfd):
    x, y = tensors
    with ttl.options(dump="schedule"):
        unsorted.schedule().reorder("reader")(x, y)
    assert (y[:32, :32] == x[32:64, :32] - x[:32, :32]).all()
    copies = [line for line in capfd.readouterr().err.splitlines() if "ttl.copy" in line]
    assert len(copies) == 3


def test_schedules_change_the_kernel(tensors, capfd):
    """--dump=schedule shows the scheduled kernel: tile() makes three loops, fuse() merges two of them."""
    loops = {}
    for name in ("tile", "fuse"):
        with ttl.options(dump="schedule"):
            SCHEDULES[name](chain.schedule())(*tensors)
        text = capfd.readouterr().err
        begin = text.index("compute_thread")
        loops[name] = text[begin:text.index("datamovement_thread", begin)
                           if "datamovement_thread" in text[begin:] else len(text)].count("scf.for")
    assert (loops["tile"], loops["fuse"]) == (3, 2)


def test_a_schedule_is_a_file_for_the_option(tensors, tmp_path):
    schedule = chain.schedule().tile(1, 2)
    schedule.write(tmp_path / "s.mlir")
    assert (tmp_path / "s.mlir").read_text() == schedule.text
    assert os.path.basename(__file__) in schedule.text  # its locations are lines of this file, for errors
    with ttl.options(schedule_file=str(tmp_path / "s.mlir")):
        chain(*tensors)


def test_a_schedule_does_not_change_and_shows_its_calls():
    first = chain.schedule().tile(1, 2)
    assert repr(first.fuse()) == "chain.schedule().tile(1, 2).fuse()"
    assert repr(first) == "chain.schedule().tile(1, 2)"
    assert "coalesce" not in first.text


@pytest.mark.host_numerics("repeated launches measure no cycles")
@pytest.mark.skipif(os.environ.get("TTL_ENGINE") == "emitted", reason="the emitted engine measures no cycles")
def test_schedules_are_candidates(tensors):
    ahead = chain.schedule().prefetch("reader", distance=2)
    found = ttl.tune(chain, tensors, {"schedule_file": [None, ahead, chain.schedule().tile(1, 1)]})
    assert len({each["cycles"] for each in found.candidates}) == 3
    assert repr(ahead) in [each["values"]["schedule_file"] for each in found.candidates]


@pytest.mark.parametrize("step, message", [
    (lambda s: s.fuse(), "call tile() with two or more sizes that are not 0 before it; found nothing before it"),
    (lambda s: s.tile(0, 2).fuse(), "found tile(0, 2) before it"),
    (lambda s: s.unroll(2), "unroll() works on the loop of tile() or fuse()"),
    (lambda s: s.tile(), "tile() needs the sizes of tiles"),
    (lambda s: s.tile(0, 0), "tile() needs the sizes of tiles"),
    (lambda s: s.tile(1.5), "tile(): a size must be an integer of at least 0, found 1.5"),
    (lambda s: s.tile(-1), "tile(): a size must be an integer of at least 0, found -1"),
    (lambda s: s.tile(2, 2).unroll(0), "unroll(): factor must be an integer of at least 1, found 0"),
    (lambda s: s.prefetch("readr"), "operation chain() has no thread 'readr'; did you mean 'reader'?"),
    (lambda s: s.reorder(3), "operation chain() has no thread 3: its functions are reader, compute, writer"),
    (lambda s: s.prefetch("reader", form="group"), "form must be 'groups' or 'pipeline', found 'group'"),
    (lambda s: s.pipeline("reader", strategy="fast"), "strategy must be 'auto', 'aggressive' or 'conservative'"),
    (lambda s: s.registers("eager"), "order must be 'auto', 'arguments' or 'lazy', found 'eager'"),
    (lambda s: s.buffers(0), "buffers(): max_factor must be an integer of at least 1, found 0"),
])
def test_wrong_steps(step, message):
    with pytest.raises(ValueError) as caught:
        step(chain.schedule())
    assert message in str(caught.value)


def line_here():
    return inspect.currentframe().f_back.f_lineno


def test_a_step_without_target_names_its_line(tensors):
    schedule, line = chain.schedule().prefetch("compute"), line_here()
    with pytest.raises(ttl.CompileError) as caught:
        schedule(*tensors)
    error = caught.value
    assert error.message.startswith("prefetch('compute') finds no copy in a loop of thread 'compute'")
    assert (error.file, error.line) == (__file__, line)


def test_transfers_that_cannot_be_sorted(tensors):
    schedule, line = chain.schedule().reorder("reader"), line_here()
    with pytest.raises(ttl.CompileError) as caught:
        schedule(*tensors)
    assert (caught.value.file, caught.value.line) == (__file__, line)


def test_tiles_that_do_not_divide(tensors):
    schedule, line = chain.schedule().tile(1, 3), line_here()
    with pytest.raises(ttl.CompileError) as caught:
        schedule(*tensors)
    error = caught.value
    assert "the tile sizes must divide the extents, and iterator 1 has extent 4" in error.message
    (note,) = error.notes
    assert (note, note.file, note.line) == ("the schedule has tile(1, 3) here", __file__, line)
    assert not error.others
