# SPDX-License-Identifier: Apache-2.0
"""A repeated launch runs the operation's body again only if its result could have changed."""
# feature: Arguments

import sys

import _ttjit
import numpy as np
import pytest
import ttl
import ttnn
from ttl import _operation

SCALE = 3.0
LIST = [3.0]
SIZE = 1


@pytest.fixture
def bodies(monkeypatch):
    """Returns a list to which each run of an operation's body appends the operation's name."""
    ran = []
    original = _operation.Operation._run_body

    def run_body(self, args, kwargs, chosen):
        ran.append(self.function.__name__)
        return original(self, args, kwargs, chosen)

    monkeypatch.setattr(_operation.Operation, "_run_body", run_body)
    return ran


def zeros(shape=(32, 32)):
    return np.zeros(shape, np.float32)


def make():
    """Returns an operation that fills a tensor with SCALE + count."""

    @ttl.operation(grid=(1, 1))
    def fill(y, count=1):
        """Fills y."""
        blocks = y.shape[0] // ttl.TILE_SHAPE[0]
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(SIZE, 1), block_count=max(1, 2))

        @ttl.compute()
        def compute():
            for _ in range(blocks):
                with y_dfb.reserve() as blk:
                    blk.store(ttl.math.fill(SCALE + count, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            for block in range(blocks):
                with y_dfb.wait() as blk:
                    ttl.copy(blk, y[block, 0]).wait()

    return fill


def test_the_body_runs_once(bodies):
    fill = make()
    hits = ttl._cache_info().hits
    for _ in range(5):
        y = zeros()
        fill(y, 1)
        assert (y == SCALE + 1).all()
    assert bodies == ["fill"]
    assert ttl._cache_info().hits == hits + 4


@pytest.mark.parametrize("place", ("noc0", "noc1", None))
def test_bound_functions_repeat(bodies, place):
    @ttl.operation(grid=(1, 1))
    def fill(y, where):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute(hint="math")
        def compute():
            y_dfb.reserve().store(ttl.block.fill(SCALE, shape=(1, 1)))

        @ttl.datamovement(processor=where)
        def writer():
            ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    for where in (place, place, "noc1", "noc1"):
        y = zeros()
        fill(y, where)
        assert (y == SCALE).all()
        assert fill.compile(y, where).processors["writer"] == (where or "noc0")
    # Each of four compile() calls runs the body, and so does the first launch with each processor.
    assert bodies.count("fill") == 4 + len({place, "noc1"})


def test_other_arguments_are_other_calls(bodies):
    fill = make()
    for _ in range(3):
        for shape, count in ((32, 32), 1), ((64, 32), 1), ((32, 32), 2), ((32, 32), True):
            y = zeros(shape)
            fill(y, count)
            assert (y == SCALE + count).all()
    assert bodies == ["fill"] * 4
    y = ttnn.from_numpy(zeros(), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
    fill(y, 1)
    assert bodies == ["fill"] * 5
    assert (ttnn.to_numpy(y) == SCALE + 1).all()


def shards(orientation, cores):
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(cores - 1, 0))})
    spec = ttnn.ShardSpec(grid, (64 // cores, 32), orientation)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, spec)


def test_keys_tell_arguments_apart():
    device = ttnn.open_device(device_id=0)
    row, column = ttnn.ShardOrientation.ROW_MAJOR, ttnn.ShardOrientation.COL_MAJOR

    def tensor(shape, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, memory=ttnn.DRAM_MEMORY_CONFIG):
        return ttnn.zeros(shape, dtype=dtype, layout=layout, device=device, memory_config=memory)

    def arguments():
        return [
            1, True, 1.0, 0.0, -0.0, "1", None, zeros(), zeros((64, 32)), tensor((32, 64)), tensor((32, 64, 1)),
            tensor((64, 32), ttnn.bfloat16), tensor((64, 32), layout=ttnn.ROW_MAJOR_LAYOUT),
            tensor((64, 32), memory=ttnn.L1_MEMORY_CONFIG), tensor((64, 32), memory=shards(row, 1)),
            tensor((64, 32), memory=shards(row, 2)), tensor((64, 32), memory=shards(column, 2)),
        ]

    def keys(*options):
        return [_ttjit.replay_key(options, (each,), True, "DRAM", ())[0] for each in arguments()]

    assert len(set(keys())) == len(arguments())
    assert keys() == keys() and not set(keys()) & set(keys(("seed", "1")))
    assert _ttjit.replay_key((), ([1.5],), True, "DRAM", ()) == (None, (), ())


def test_a_changed_variable_is_seen(bodies, monkeypatch):
    fill = make()

    def filled():
        y = zeros()
        fill(y, 1)
        return y[0, 0]

    assert filled() == filled() == 4.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert filled() == filled() == 6.0
    monkeypatch.setitem(globals(), "max", min)  # a global variable now hides the builtin
    assert filled() == 6.0
    monkeypatch.setattr(ttl, "TILE_SHAPE", (16, 16))
    with pytest.raises(ttl.RuntimeFault):  # the body reads TILE_SHAPE, and now makes two blocks
        filled()
    monkeypatch.setattr(ttl, "TILE_SHAPE", (32, 32))
    before = len(bodies)
    assert filled() == 6.0
    assert len(bodies) <= before + 1


def test_a_changed_closure_is_seen():
    scale = 1.0

    @ttl.operation(grid=(1, 1))
    def fill(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as blk:
                blk.store(ttl.math.fill(scale, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    for scale in (1.0, 1.0, 2.0, 2.0, 1.0):
        y = zeros()
        fill(y)
        assert y[0, 0] == scale


def counted(y, step=1):
    """The body of an operation calls this function and halved()."""
    tiles = y.shape[0] // 32
    return tiles * step, halved(2 * step)


def halved(count):
    return count // 2


def scaled(blk):
    """A kernel function calls this function."""
    return blk * SCALE


def make_with_functions(function):
    @ttl.operation(grid=(1, 1))
    def apply(x, y):
        count, _ = counted(y)
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for _ in range(count):
                with x_dfb.reserve() as blk:
                    ttl.copy(x[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(count):
                with x_dfb.wait() as read, y_dfb.reserve() as blk:
                    blk.store(function(read))

        @ttl.datamovement()
        def writer():
            for _ in range(count):
                with y_dfb.wait() as blk:
                    ttl.copy(blk, y[0, 0]).wait()

    return apply


def applied(apply):
    y = zeros()
    apply(y + 1, y)
    return y[0, 0]


def test_functions_of_the_program_are_repeated(bodies):
    apply = make_with_functions(scaled)
    assert [applied(apply) for _ in range(3)] == [3, 3, 3]
    assert bodies == ["apply"]


def test_functions_of_ttl_in_closures_are_repeated(bodies):
    apply = make_with_functions(ttl.math.neg)
    assert [applied(apply) for _ in range(3)] == [-1, -1, -1]
    assert bodies == ["apply"]


def twice(blk):
    return blk + blk


def counting(y):
    LIST.append(0)
    return (y.shape[0] // 32, LIST.pop())


CHANGES = {
    "variable": (globals(), "SCALE", 5.0, 5),
    "code": (scaled, "__code__", twice.__code__, 2),
    "function of a function": (halved, "__code__", (lambda count: count).__code__, 3),
    "defaults": (counted, "__defaults__", (2,), 3),
    "attribute": (scaled, "note", 1, 3),
    "impure function": (globals(), "counted", counting, 3),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_function_is_seen(name, bodies, monkeypatch):
    apply = make_with_functions(scaled)
    assert [applied(apply), applied(apply)] == [3, 3]
    owner, part, value, result = CHANGES[name]
    if isinstance(owner, dict):
        monkeypatch.setitem(owner, part, value)
    else:
        monkeypatch.setattr(owner, part, value, raising=False)
    assert applied(apply) == result
    assert bodies == ["apply"] * 2


def test_a_deleted_variable_is_seen():
    factor = 2.0
    function = lambda blk: blk * factor  # noqa: E731
    apply = make_with_functions(function)
    assert [applied(apply), applied(apply)] == [2, 2]
    del factor
    with pytest.raises((NameError, ttl.CompileError)):
        applied(apply)


NOT_REPEATED = {
    "print": "print(end='')",
    "append": "CALLS.append(1)",
    "list": "x = VALUES[0]",
    "elements": "x = y[0, 0]",
    "alias": "x = y",
    "other facts": "x = y.itemsize",
    "helper": "x = helper()",
    "helper that prints": "x = show(1)",
    "helper that returns a tensor": "x = same(y)",
    "helper with any arguments": "x = take(1)",
    "format": "x = f'{y}'",
    "loop": "for i in range(2): pass",
    "walrus": "(x := 1)",
}


@pytest.mark.parametrize("name", NOT_REPEATED)
def test_other_bodies_run_each_time(name, bodies, tmp_path):
    file = tmp_path / "body.py"
    file.write_text(f"""
import ttl
CALLS, VALUES = [], [1]

def helper():
    return len(CALLS)

def show(x):
    print(end='')
    return x

def same(x):
    return x

def take(*x):
    return 1

@ttl.operation(grid=(1, 1))
def fill(y):
    {NOT_REPEATED[name]}
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as blk:
            blk.store(ttl.math.fill(2.0, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, 0]).wait()
""")
    scope = {"__name__": "body"}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    for count in range(1, 4):
        y = zeros()
        scope["fill"](y)
        assert y[0, 0] == 2.0
        assert len(bodies) == count


def test_a_mutable_variable_of_a_kernel_is_read_each_time():
    @ttl.operation(grid=(1, 1))
    def fill(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as blk:
                blk.store(ttl.math.fill(LIST[0], shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    for value in (1.0, 1.0, 2.0):
        LIST[0] = value
        y = zeros()
        fill(y)
        assert y[0, 0] == value


def test_the_same_tensor_twice_is_another_call():
    @ttl.operation(grid=(1, 1))
    def double(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, y_dfb.reserve() as blk:
                blk.store(x + x)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    for _ in range(3):
        a, y = zeros() + 1, zeros()
        double(a, y)
        assert (y == 2).all() and (a == 1).all()
        double(y, y)
        assert (y == 4).all()


def test_a_debugger_sees_the_body(bodies):
    fill = make()
    fill(zeros())
    fill(zeros())
    before = len(bodies)
    outer = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)
    try:
        fill(zeros())
    finally:
        sys.settrace(outer)
    assert len(bodies) == before + 1


def test_wrong_arguments_are_refused_as_at_the_first_call():
    fill = make()
    for _ in range(3):
        fill(zeros(), 1)
        with pytest.raises(TypeError, match="too many positional arguments"):
            fill(zeros(), 1, 2)
        with pytest.raises(TypeError, match="missing a required argument"):
            fill()
