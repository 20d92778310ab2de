# SPDX-License-Identifier: Apache-2.0
"""Pushes of blocks that still have what the thread wrote there before: --kept-blocks=on."""
# feature: Blocks that are used again

import numpy as np
import pytest
import ttl

ENGINES = ["--engine=jit", "--engine=interp", "--engine=emitted", "--stage=ttl",
           "--engine=jit --schedule=random --seed=2", "--engine=interp --schedule=greedy",
           "--aliases=off", "--schedule=parallel(2)", "--check=race,protocol,memory"]
COLUMNS = 2


def in_a_loop(buffer, fill, turns):
    for turn in range(turns):
        for column in range(COLUMNS):
            block = buffer.reserve()
            if turn == 0:
                fill(column, block)
            block.push()


def in_a_with(buffer, fill, turns):
    for turn in range(turns):
        for column in range(COLUMNS):
            with buffer.reserve() as block:
                if turn == 0:
                    fill(column, block)


def in_a_while(buffer, fill, turns):
    turn = 0
    while turn < turns:
        for column in range(COLUMNS):
            with buffer.reserve() as block:
                if turn == 0:
                    fill(column, block)
        turn += 1


def after_a_loop(buffer, fill, turns):
    for column in range(COLUMNS):
        with buffer.reserve() as block:
            fill(column, block)
    for turn in range(1, turns):
        for column in range(COLUMNS):
            buffer.reserve()
            buffer.push()


def with_an_early_end(buffer, fill, turns):
    for turn in range(turns + 3):
        if turn == turns:
            break
        for column in range(COLUMNS):
            with buffer.reserve() as block:
                if turn == 0:
                    fill(column, block)


FORMS = [in_a_loop, in_a_with, in_a_while, after_a_loop, with_an_early_end]


def repeat_with(form, turns, block_count=COLUMNS):
    @ttl.operation(grid=(2, 1))
    def repeat(x, y):
        kept = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=block_count)
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def read():
            row, _ = ttl.node(dims=2)

            def fill(column, block):
                ttl.copy(x[row, column], block).wait()

            form(kept, fill, turns)

        @ttl.compute()
        def compute():
            for _ in range(turns * COLUMNS):
                with kept.wait() as block, out.reserve() as result:
                    result.store(block * 2.0)

        @ttl.datamovement()
        def write():
            row, _ = ttl.node(dims=2)
            for step in range(turns * COLUMNS):
                with out.wait() as block:
                    ttl.copy(block, y[row, step]).wait()

    return repeat


def check(operation, turns, options):
    x = np.random.default_rng(0).normal(size=(64, 32 * COLUMNS)).astype(np.float32)
    y = np.zeros((64, 32 * COLUMNS * turns), np.float32)
    operation(x, y, options=options + " --kept-blocks=on")
    assert np.array_equal(y, np.tile(x, turns) * 2)


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.filterwarnings("ignore:.*nobody")
@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("form", FORMS)
def test_the_reader_gets_the_blocks_again(form, options):
    check(repeat_with(form, 3), 3, options)


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.filterwarnings("ignore:.*nobody")
@pytest.mark.parametrize("options", ENGINES[:3])
def test_in_a_long_loop(options):
    check(repeat_with(in_a_loop, 70), 70, options)


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.parametrize("options", ENGINES[:3])
def test_blocks_that_compute_threads_write(options):
    @ttl.operation(grid=(1, 1))
    def twice(x, y):
        given = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        kept = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def read():
            for column in range(2):
                with given.reserve() as block:
                    ttl.copy(x[0, column], block).wait()

        @ttl.compute()
        def compute():
            for turn in range(2):
                for _ in range(2):
                    with kept.reserve() as result:
                        if turn == 0:
                            with given.wait() as block:
                                result.store(block + 1.0)

        @ttl.datamovement()
        def write():
            for step in range(4):
                with kept.wait() as block:
                    ttl.copy(block, y[0, step]).wait()

    x = np.arange(32 * 64, dtype=np.float32).reshape(32, 64)
    y = np.zeros((32, 128), np.float32)
    twice(x, y, options=options + " --kept-blocks=on")
    assert np.array_equal(y, np.tile(x, 2) + 1)


@pytest.mark.finds("memory")
def test_a_place_that_nobody_wrote_yet_is_a_fault():
    """With three places, the third push is the first of its place."""
    with pytest.raises(ttl.UninitializedReadError, match="pushes a block of 'kept' that nobody wrote") as error:
        check(repeat_with(in_a_loop, 3, block_count=3), 3, "--engine=interp")
    assert "a card pushes" not in str(error.value)


@pytest.mark.finds("memory")
def test_without_the_option_the_fault_names_it():
    x, y = np.zeros((64, 64), np.float32), np.zeros((64, 192), np.float32)
    with pytest.raises(ttl.UninitializedReadError, match="pushes a block of 'kept' that nobody wrote") as error:
        repeat_with(in_a_loop, 3)(x, y)
    assert ("a card pushes the block that was in this place before; if that is meant, use the option kept-blocks=on"
            in str(error.value))


@pytest.mark.filterwarnings("ignore:.*nobody")
def test_python_sets_the_option():
    x, y = np.ones((64, 64), np.float32), np.zeros((64, 192), np.float32)
    with ttl.options(kept_blocks="on"):
        repeat_with(in_a_loop, 3)(x, y)
    assert np.array_equal(y, np.full((64, 192), 2, np.float32))


def test_a_wrong_value():
    x, y = np.zeros((64, 64), np.float32), np.zeros((64, 192), np.float32)
    with pytest.raises(ValueError, match="--kept-blocks: .*found 'maybe'"):
        repeat_with(in_a_loop, 3)(x, y, options="--kept-blocks=maybe")
