# SPDX-License-Identifier: Apache-2.0
"""Comparisons between all kinds of values: each gives the result of Python, or is an error."""
# feature: Conditions; Operators

import importlib.util
import math
import operator

import numpy as np
import pytest
import ttl
import ttnn
from kernels import run, zeros
from test_block_functions import SIZE, compute

OPERATORS = {
    "is": operator.is_,
    "is not": operator.is_not,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}

# ===--------------------------------------------------------------------------=== #
# All operators between all pairs of kinds of values
# ===--------------------------------------------------------------------------=== #


def helper():
    return 1


def other_helper():
    return 1


NAN = float("nan")
BIG = tuple(range(70))

# One expression for each kind of value, separated by '|'. Python evaluates these too, with `zero`
# as 0. For expressions of OF_KERNELS, Python takes Opaque objects.
SAME_IN_PYTHON = """zero+3|zero+4|zero+2.5|zero+3.0|zero==0|zero==1|(zero+3,1)|(zero+3,1,2)|[zero+3,1]
    ((zero+3,1),2)|{"a":zero+3}|slice(zero+3,None)|range(zero+4)|f"{zero}"|lambda:zero|None|True|False
    3|2.5|1|0|2**40|"s"|"0"|""|b"s"|(3,1)|[3,1]|{"a":3}|{3,1}|range(4)|range(2,9,2)|slice(3,None)|helper
    other_helper|NAN|BIG|int|print|...|()|[]|(NAN,)|(None,zero+3)""".replace("\n", "|").split("|")
OF_KERNELS = ("a|y|ttnn.float32|ttnn.bfloat16|np.float32|d|e|net|other|net.is_src()|blk|blk2|blk.pop|tx|tx2|group|word|"
              "word.get_remote((0,0))|a[0,0]|(blk,1)").split("|")


class Opaque:
    """In Python, takes the place of an object that only kernels have, such as a buffer."""

    __contains__ = None

    def pop(self):
        return None

    def is_src(self):
        return True

    def get_remote(self, node):
        return Opaque()

    def __getitem__(self, index):
        return Opaque()


def python_values():
    objects = {name: Opaque() for name in ("d", "e", "net", "other", "blk", "blk2", "tx", "tx2", "group", "word")}
    scope = {**globals(), **objects, "zero": 0, "a": Opaque(), "y": Opaque()}
    return lambda text: eval(text, scope)


KINDS = [text.strip() for text in SAME_IN_PYTHON] + OF_KERNELS

PROGRAM = """
import numpy as np, ttl, ttnn
from test_comparisons import helper, other_helper, NAN, BIG, note

@ttl.operation(grid=(1, 1))
def op(a, y):
    d = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    e = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    net, other = (ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))]) for _ in range(2))
    word = ttl.Semaphore(initial=0)

    @ttl.datamovement()
    def reader():
        zero = ttl.node(dims=1)
        group = ttl.GroupTransfer()
        blk, blk2 = d.reserve(), e.reserve()
        tx, tx2 = ttl.copy(a[0, 0], blk), ttl.copy(a[0, 0], blk2)
        x = {left}
{lines}
        tx.wait(), tx2.wait()
        blk.push(), blk2.push()
        d.wait().pop(), e.wait().pop()
"""

found = {}


@ttl.host_function
def note(number, result: bool):
    found[number] = bool(result)


def load(tmp_path, text):
    path = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.op


def answers(tmp_path, left, comparisons):
    """Returns {number: result} of `comparisons`, {number: 'x OP right'}, without those refused."""
    while True:
        lines = [f"        note({number}, {text})" for number, text in comparisons.items()]
        program = PROGRAM.format(left=left, lines="\n".join(lines))
        first = program[: program.index("        note(")].count("\n") + 1 if lines else 0
        found.clear()
        try:
            load(tmp_path, program)(zeros(), zeros())
            return dict(found)
        except ttl.CompileError as error:
            if "on the card" in error.message:
                raise  # the emitted engine cannot call note()
            refused = {each.line - first for each in (error, *error.others)}
            numbers = list(comparisons)
            assert all(0 <= line < len(numbers) for line in refused), str(error)
            comparisons = {n: comparisons[n] for i, n in enumerate(numbers) if i not in refused}


def python_answer(function, left, right):
    try:
        result = function(left, right)
    except TypeError:
        return None
    return result if isinstance(result, bool) else None


@pytest.mark.parametrize("left", KINDS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_all_pairs(left, tmp_path):
    value_of = python_values()
    cases = [(symbol, right) for right in [*KINDS, "x"] for symbol in OPERATORS]
    comparisons = {n: f"x {symbol} ({right})" for n, (symbol, right) in enumerate(cases)}
    results = answers(tmp_path, left, comparisons)
    x, wrong = value_of(left), []
    for number, result in results.items():
        symbol, right = cases[number]
        expected = python_answer(OPERATORS[symbol], x, x if right == "x" else value_of(right))
        if result is not expected:
            wrong.append(f"{left} {symbol} {right}: {result}, in Python {expected}")
    assert not wrong, "\n".join(wrong)
    assert results, "no comparison was accepted, so the test has compared nothing"


# ===--------------------------------------------------------------------------=== #
# Comparisons that must not be refused
# ===--------------------------------------------------------------------------=== #


def test_identity_of_bools():
    def body(zero):
        yes, no = zero == 0, zero == 1
        assert yes is True and no is False and yes is not False and no is not True
        assert not (yes is False) and not (no is True) and True is yes
        assert yes is (zero < 1) and yes is not no
        count = 0
        for i in range(zero + 5):
            even = i % 2 == 0
            if even is True:
                count += 1
            if (i > 2) is not False:
                count += 10
        assert count == 23
        while (count > 20) is True:
            count -= 1
        assert count == 20 and yes is not None and (yes is None) is False

    run(body)


def test_identity_of_questions_to_nets():
    seen = []
    note_role = ttl.host_function(lambda x, src, dst: seen.append((x, src, dst)))

    @ttl.operation(grid=(2, 1))
    def op(a):
        d, e = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            note_role(x, 1 if net.is_src() is True else 0, 1 if net.is_dst() is not False else 0)
            net.if_src(lambda pipe: ttl.copy(d.wait(), pipe).wait())
            net.if_dst(lambda pipe: ttl.copy(pipe, e.reserve()).wait())

        @ttl.datamovement()
        def writer():
            if net.is_src() == True:  # noqa: E712
                ttl.copy(a[0, 0], d.reserve()).wait()
            if net.is_dst():
                e.wait().pop()

    op(zeros())
    assert sorted(seen) == [(0, 1, 0), (1, 0, 1)]


def test_integers_are_compared_with_floats_exactly():
    def body(zero):
        big = zero + 16777217
        assert big != 16777216.0 and big > 16777216.0 and not big == 16777216.0
        assert big < 16777217.5 and big <= 16777217.5 and big >= 16777216.5 and 16777216.5 < big
        assert big < 2.5e9 and big > -1e300 and big != math.inf and big > -math.inf
        assert not big < NAN and not big == NAN and big != NAN and not NAN >= big
        assert (zero - 3) < -2.5 and (zero - 3) >= -3.0 and (zero == 0) > 0.5

    run(body)


def test_a_chain_stops_at_the_first_comparison_that_fails():
    calls = []

    def two(n):
        calls.append(n)
        return 2

    f = ttl.host_function(two, restype=int)

    def body(zero):
        assert not (zero > 1 < f(zero))
        assert zero < 1 < f(zero + 1) < 3
        assert not (2 < 1 < f(zero + 2))
        assert 0 <= zero < 4 and not 1 <= zero < 4 and zero in (2, zero, 1) not in ((), 3)

    run(body)
    assert calls == [1]


def test_sequences():
    def body(zero):
        x = zero + NAN
        assert (x, 1) == (x, 1) and x in (1, x) and not x == x and (x, 1) != (zero + NAN, 1)
        assert (zero, (1, zero)) == (0, (1, 0)) and [zero, 1] != (0, 1) and (zero, 1) != (0, 1, 2)
        assert (zero,) * 70 == (0,) * 70 and (zero, None) == (0, None) and (zero, None) != (0, 1)
        assert 0 in (zero + 1, zero) and 2 not in [zero, 1] and None not in (zero, 1)
        count = 0
        for i in range(zero + 6):
            count += 1 if (i, i % 2) in ((zero, 0), (3, 1), (4, 1)) else 0
        assert count == 2

    run(body)


def test_identity_of_blocks_and_handles():
    def body(zero, d, e, a):
        first, second = d.reserve(), d.reserve()
        same = first
        assert same is first and first is not second and second is not None
        tx, tx2 = ttl.copy(a[0, 0], first), ttl.copy(a[0, 0], second)
        assert tx is not tx2 and tx is tx
        tx.wait(), tx2.wait()
        first.push(), second.push()
        with d.wait() as x, d.wait() as y:
            assert x is not y and x is not first and x is x

    @ttl.operation(grid=(1, 1))
    def op(a):
        d = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        e = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            body(ttl.node(dims=1), d, e, a)

    op(zeros())


def helper_of_two_kinds(flag):
    if flag is None:
        return 0
    return 1 if flag is True else 2


def test_a_helper_that_asks_for_kinds():
    def body(zero):
        assert helper_of_two_kinds(None) == 0 and helper_of_two_kinds(zero == 0) == 1
        assert helper_of_two_kinds(zero == 1) == 2 and helper_of_two_kinds("x") == 2

    run(body)


# ===--------------------------------------------------------------------------=== #
# Comparisons of blocks
# ===--------------------------------------------------------------------------=== #

BLOCK_OPERATORS = {s: f for s, f in OPERATORS.items() if s in ("==", "!=", "<", "<=", ">", ">=")}
FUNCTIONS = {
    "==": (lambda x, z: x == z, lambda x, z: x == 0.5, lambda x, z: 0.5 == x, lambda x, z: x + z == z * 2),
    "!=": (lambda x, z: x != z, lambda x, z: x != 0.5, lambda x, z: 0.5 != x, lambda x, z: x + z != z * 2),
    "<": (lambda x, z: x < z, lambda x, z: x < 0.5, lambda x, z: 0.5 < x, lambda x, z: x + z < z * 2),
    "<=": (lambda x, z: x <= z, lambda x, z: x <= 0.5, lambda x, z: 0.5 <= x, lambda x, z: x + z <= z * 2),
    ">": (lambda x, z: x > z, lambda x, z: x > 0.5, lambda x, z: 0.5 > x, lambda x, z: x + z > z * 2),
    ">=": (lambda x, z: x >= z, lambda x, z: x >= 0.5, lambda x, z: 0.5 >= x, lambda x, z: x + z >= z * 2),
}


@pytest.mark.parametrize("symbol", BLOCK_OPERATORS)
def test_elements_of_blocks(symbol):
    a = np.resize(np.float32([0.5, 1, -2, 0.5, -0.0, np.nan, np.inf]), (SIZE, SIZE))
    b = np.resize(np.float32([0.5, 0, 0.5, np.nan, 0.0]), (SIZE, SIZE))
    function = OPERATORS[symbol]
    with np.errstate(invalid="ignore"):
        expected = [function(a, b), function(a, np.float32(0.5)), function(np.float32(0.5), a), function(a + b, b * 2)]
    for result, golden in zip(compute(list(FUNCTIONS[symbol]), a, b), expected):
        assert np.array_equal(result, golden.astype(np.float32))


def test_a_mask_of_a_comparison():
    a = np.arange(SIZE * SIZE, dtype=np.float32).reshape(SIZE, SIZE) - 500
    (result,) = compute([lambda x: (x > 0) * x + (x == -500)], a)
    assert np.array_equal(result, np.maximum(a, 0) + (a == -500))


CONTEXTS = """
import ttl

def pick(x, z):
    return (x >= z) * x

@ttl.operation(grid=(1, 1))
def op(a, b, y):
    ad, bd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, b))
    yd = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range({count}):
            with ad.reserve() as x, bd.reserve() as z:
                ttl.copy(a[0, i], x).wait()
                ttl.copy(b[0, i], z).wait()

    @ttl.compute()
    def compute():
        i = ttl.node(dims=1)
{loop}
            with ad.wait() as x, bd.wait() as z, yd.reserve() as o:
{body}

    @ttl.datamovement()
    def writer():
        for i in range({count}):
            with yd.wait() as x:
                ttl.copy(x, y[0, i]).wait()
"""
LOOPS = {
    "static": "        for i in range(3):",
    "run time": "        for i in range(i + 3):",
    "long": "        for i in range(100):",
    "while": "        while i < 3:\n            i += 1",
}
BODIES = {
    "plain": "                o.store((x >= z) * x)",
    "helper": "                o.store(pick(x, z))",
    "branch": "                if i >= 0:\n                    o.store((x >= z) * x)\n"
              "                else:\n                    o.store(x)",
    "variable": "                m = x >= z\n                m *= x\n                o.store(m)",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("body", BODIES)
def test_comparisons_of_blocks_in_every_place(loop, body, tmp_path):
    count = 100 if loop == "long" else 3
    a, b = (np.random.default_rng(i).integers(-3, 3, (32, 32 * count)).astype(np.float32) for i in range(2))
    y = np.zeros_like(a)
    load(tmp_path, CONTEXTS.format(count=count, loop=LOOPS[loop], body=BODIES[body]))(a, b, y)
    assert np.array_equal(y, (a >= b) * a)


def test_comparisons_in_a_unified_body():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        ad, yd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        for i in range(2):
            ttl.copy(a[0, i], ad.reserve()).wait()
            x = ad.wait()
            o = yd.reserve()
            o.store((x != 0) * 2 + (1 > x))
            ttl.copy(yd.wait(), y[0, i]).wait()

    a = np.random.default_rng(3).integers(-2, 3, (32, 64)).astype(np.float32)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(y, (a != 0) * 2 + (1 > a))


def test_comparisons_of_integers():
    a = ttnn.from_numpy(np.arange(1024, dtype=np.int32).reshape(32, 32) - 500)
    y = ttnn.zeros((32, 32), dtype=ttnn.int32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        ad, yd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        ttl.copy(a[0, 0], ad.reserve()).wait()
        x = ad.wait()
        yd.reserve().store((x < 7) + (x == 9))
        ttl.copy(yd.wait(), y[0, 0]).wait()

    op(a, y)
    values = np.arange(1024).reshape(32, 32) - 500
    assert np.array_equal(ttnn.to_numpy(y), (values < 7).astype(int) + (values == 9))


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x, z: x if x == z else z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: x if not x == z else z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: (x == z) and z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: x if bool(x != z) else z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: x if x in (z, x) else z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: x if (x, 1) == (z, 1) else z, "'a is b' asks whether two names have the same block"),
        (lambda x, z: x < z < 1, "a chain of comparisons cannot compare blocks"),
        (lambda x, z: x == "a", "found a str; 'is' asks whether two names have the same block"),
        (lambda x, z: x < None, "found None; 'is' asks whether two names have the same block"),
        (lambda x, z: x == (1, 2), "found a tuple; 'is' asks whether"),
    ],
)  # fmt: skip
def test_refusals_of_blocks(function, message):
    with pytest.raises(ttl.CompileError) as caught:
        compute([function], np.zeros((SIZE, SIZE), np.float32), np.zeros((SIZE, SIZE), np.float32))
    assert message in str(caught.value)


def test_blocks_in_data_movement_threads():
    @ttl.operation(grid=(1, 1))
    def op(a):
        d = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            x, z = d.reserve(), d.reserve()
            if x == z:  # this line
                x.push()

    with pytest.raises(ttl.CompileError, match="'==' of blocks is not possible in the data movement thread "
                                               "'reader', which cannot compute on elements.*or write 'is'") as caught:
        op(zeros())
    assert "this line" in open(__file__).read().splitlines()[caught.value.line - 1]


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda zero: zero is int(3), "not known whether a run-time int and an int are one object, which 'is'"),
        (lambda zero: zero is not zero + 1, "which 'is not' asks: compare their values with '!='"),
        (lambda zero: zero is True, "compare their values with '=='"),
        (lambda zero: (zero, 1) is (zero, 1), "not known whether a tuple and a tuple are one object"),
        (lambda zero: (zero, 1) < (zero, 2), "'<' cannot compare a tuple with a tuple"),
        (lambda zero: zero == "a", "'==' cannot compare a run-time int with a str"),
        (lambda zero: zero in "abc", "'in' cannot look for a run-time int in a str"),
        (lambda zero: [zero] in {1, 2}, "'in' cannot look for a list in a set"),
        (lambda zero: zero in zero, "the value after 'in' must be a tuple, list or range"),
        (lambda zero: (zero, 1) == np.float32, "'==' cannot compare a tuple with a type: a tuple or list with items"),
    ],
)  # fmt: skip
def test_refusals(function, message):
    def body(zero):
        if function(zero):
            pass

    with pytest.raises(ttl.CompileError) as caught:
        run(body)
    assert message in str(caught.value)


def test_tensors():
    @ttl.operation(grid=(1, 1))
    def op(a, b):
        @ttl.datamovement()
        def reader():
            assert a is not b and a is a and a is not None and a != None  # noqa: E711
            if a == b:  # this line
                pass

    with pytest.raises(ttl.CompileError, match="'==' cannot compare tensors in a kernel function"):
        op(zeros(), zeros())


def test_membership_in_a_tensor():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            if 1 in a:
                pass

    with pytest.raises(ttl.CompileError, match="'in' cannot look into a tensor in a kernel function: expected a tuple"):
        op(zeros())
