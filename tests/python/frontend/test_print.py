# SPDX-License-Identifier: Apache-2.0
"""print(), f-strings, signposts and messages of assert with run-time values, on every engine."""
# feature: print; Signposts

import contextlib
import io
import itertools
import sys
import textwrap
import warnings

import numpy as np
import pytest
import ttl
from kernels import fault, run, zeros

PREFIX = "(0, 0) reader: "


def printed(capsys, body, *arguments):
    run(body, *arguments)
    lines = capsys.readouterr().out.splitlines(keepends=True)
    assert all(line.startswith(PREFIX) for line in lines)
    return "".join(line[len(PREFIX) :] for line in lines)


def test_arguments_as_python_prints_them(capsys):
    def body(zero):
        half = float(zero) + 0.5
        print("text", zero, zero + 7, -half, zero == 0, None, (1, "a"), [2.5])
        print()
        print(zero, half, sep=", ", end=";\n")
        print("a", "b", sep="")
        print("no", end=" ")
        print("newline", flush=True)
        print("two\nlines", zero)
        print("{braces}", "{}", zero, "%d")
        print((zero,), ())

    assert printed(capsys, body) == textwrap.dedent("""\
        text 0 7 -0.5 True None (1, 'a') [2.5]

        0, 0.5;
        ab
        no newline
        two
        lines 0
        {braces} {} 0 %d
        (0,) ()
        """)


def test_lists_and_tuples(capsys):
    def body(zero):
        pair = [zero, 2]
        print(pair, (pair, zero), f"{pair}", str([zero]))
        print([zero + x for x in (1, 2)], pair + [3], list((zero, 1)), [])

    assert printed(capsys, body) == "[0, 2] ([0, 2], 0) [0, 2] [0]\n[1, 2] [0, 2, 3] [0, 1] []\n"


@pytest.mark.not_emitted("DPRINT has fewer formats")
def test_texts_in_tuples_have_quotes(capsys):
    """Inside tuples and lists, a string of run-time numbers is printed as by repr(): with quotes and escapes."""

    def body(zero):
        word = f"n {zero + 1}"
        print((word, "a"), [word], f"{(word,)}", str([word]), word)
        print(f"{word!r} {word!s} {word!a} {word}")
        print((f"it's {zero}", f'say "{zero}"', f"""it's "{zero}" '""", f"{{{zero}}} \\ \n\t \x7f é"))
        for i in range(zero + 2):
            names = (f"{i:>3}", (f"{i}", i))
            print(names, f"{names[0]!r}", f"{'é'!a}{i}")
        print(f"{f'é{zero}'!a} {(f'{zero:é>3}',)}")

    expected = io.StringIO()
    with contextlib.redirect_stdout(expected):
        body(0)
    assert printed(capsys, body) == expected.getvalue()
    assert "('it\\'s" not in expected.getvalue() and '"it\'s 0"' in expected.getvalue()


def test_texts_are_joined_by_plus(capsys):
    def body(zero):
        line = "{a}"
        for i in range(3):  # unrolled, because each iteration adds a number to the string
            line += f" {zero + i}" + ("," if i < 2 else ".")
        print(line + "", str(zero) + str(zero + 1))
        assert zero == 0, "zero is " + f"{zero}"

    assert printed(capsys, body) == "{a} 0, 1, 2. 01\n"
    with pytest.raises(ttl.CompileError, match="must be numbers or blocks, found a run-time string and an int"):
        run(lambda zero: print(f"{zero}" + 1))


@pytest.mark.not_emitted("DPRINT has fewer formats")
def test_f_strings(capsys):
    def body(zero, width):
        n = zero + 255
        x = float(zero) + 2.71828
        print(f"{n} {n:5d}|{n:<6}|{n:#x} {n:,} {n!r:>5} {x:.3f} {x:10.2e}|{x:>{width}.1f}")
        print(f"{n=} {x=:.1f} {{literal}} {'static':>8} {width}")
        text = f"n is {n}"
        print(text, f"and {text}", str(n))

    assert printed(capsys, body, 8) == (
        "255   255|255   |0xff 255   255 2.718   2.72e+00|     2.7\n"
        "n=255 x=2.7 {literal}   static 8\n"
        "n is 255 and n is 255 255\n"
    )


FLOATS = [0.0, -0.0, 0.1, 1 / 3, 1e16, 123456789.0, 1e-5, 3.4e38, 16777216.0, -2.5, 1e-42]


def test_floats_read_back(capsys):
    def body(zero, values):
        for value in values:
            print(float(zero) + value)

    texts = printed(capsys, body, [v for v in FLOATS if str(v) != "-0.0"]).split()
    values = [np.float32(v) for v in FLOATS if str(v) != "-0.0"]
    assert [np.float32(text) for text in texts] == values
    assert all(len(text) <= len(str(value)) + 1 for text, value in zip(texts, values))
    assert texts[1] == "0.1" and texts[4] == "123456790.0"


SPECS = ["", "8", "<8", "^9", "+", " ", "08", ".2f", "e", ".3g", "g", "%", "012,.1f", "#.0f", "_"]
INT_SPECS = ["", "6", "<6", "+d", "x", "#X", "b", "#o", "08", ",", "_x", ".1f", "e", "*^7", "n"]


@pytest.mark.not_emitted("DPRINT has fewer formats")
def test_every_format_is_python_s(capsys):
    def all_floats(zero):
        a = float(zero) + 1234.5
        print(
            f"{a:8}|{a:<8}|{a:^9}|{a:+}|{a: }|{a:08}|{a:.2f}|{a:e}|{a:.3g}|{a:g}|{a:%}|"
            f"{a:012,.1f}|{a:#.0f}|{a:_}"
        )

    def all_ints(zero):
        m = zero - 1234567
        print(
            f"{m:6}|{m:<6}|{m:+d}|{m:x}|{m:#X}|{m:b}|{m:#o}|{m:08}|{m:,}|{m:_x}|{m:.1f}|{m:e}|"
            f"{m:*^7}|{m:n}"
        )

    assert printed(capsys, all_floats).rstrip("\n").split("|") == [
        format(1234.5, spec) for spec in SPECS[1:]
    ]
    assert printed(capsys, all_ints).rstrip("\n").split("|") == [
        format(-1234567, spec) for spec in INT_SPECS[1:]
    ]


def test_each_thread_of_each_node(capsys):
    @ttl.operation(grid=(2, 2))
    def op(a):
        @ttl.compute()
        def compute():
            x, y = ttl.node()
            print("node", x, y, thread="math")

        @ttl.datamovement()
        def reader():
            print("hello")

    op(zeros())
    lines = capsys.readouterr().out.splitlines()
    expected = [f"({x}, {y}) compute: node {x} {y}" for x, y in itertools.product((0, 1), (0, 1))]
    expected += [f"({x}, {y}) reader: hello" for x, y in itertools.product((0, 1), (0, 1))]
    assert sorted(lines) == sorted(expected)


def test_control_flow(capsys):
    def body(zero):
        for i in range(zero + 3):
            for j in range(i):
                if i == 2 and j == zero:
                    continue
                print(i, j)
            if i == 1:
                print("one")
        n = zero
        while n < 5:
            n += 2
            if n == 4:
                break
            print("n", n)
        if n == 4:
            print("end")
            return
        print("never")

    assert printed(capsys, body) == "1 0\none\n2 1\nn 2\nend\n"


def shown(operation, capsys, *tensors):
    operation(*tensors)
    return capsys.readouterr().out


@pytest.mark.not_emitted("DPRINT prints only a part of a tensor")
def test_blocks_buffers_tensors(capsys):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            print(a, num_pages=1)
            with a_dfb.reserve() as blk:
                print(blk)
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, y_dfb.reserve() as r:
                print("x:", x)
                r.store(x + 1)
                print(r)
                print(y_dfb)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    a = np.arange(1024, dtype=np.float32).reshape(32, 32)
    y = zeros()
    out = shown(op, capsys, a, y)
    assert np.array_equal(y, a + 1)
    lines = out.splitlines()
    assert lines[0] == "(0, 0) reader: <Tensor shape=(32, 32) dtype=float32>"
    assert lines[1] == "(0, 0) reader: Printing first 1 page(s):"
    assert lines[3].split() == "(0, 0) reader: [[ 0.0 1.0 2.0 ... 29.0 30.0 31.0]".split()
    compute = [line.removeprefix("(0, 0) compute: ") for line in lines if "compute" in line]
    assert compute[0] == "x: <Block shape=(1, 1)>"
    assert compute[1].split() == "[[ 0.0 1.0 2.0 ... 29.0 30.0 31.0]".split()
    assert compute[7].endswith("1023.0]]")
    assert compute[8] == "<Block shape=(1, 1)>" and compute[15].endswith("1024.0]]")
    assert compute[16] == (
        "<DataflowBuffer y_dfb shape=(1, 1) block_count=2 size=8192 page_size=4096 rd_ptr=0 "
        "wr_ptr=0 wr_tile_ptr=1>"
    )
    reader = [line.removeprefix("(0, 0) reader: ") for line in lines if "reader" in line]
    assert "[[? ? ? ... ? ? ?]" in reader


@pytest.mark.finds("protocol")
@pytest.mark.not_emitted("DPRINT cannot print row-major blocks")
def test_rows_and_integers(capsys):
    @ttl.operation(grid=(1, 1), tiled=False)
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 4), block_count=2)

        @ttl.datamovement()
        def reader():
            blk = dfb.reserve()
            ttl.copy(a[0:2, 0:4], blk).wait()
            print(blk)
            blk.push()

    a = np.array([[1, -2, 3, 4], [5, 6, 7, 80]], np.int32)
    out = shown(op, capsys, a)
    assert out == (
        "(0, 0) reader: <Block shape=(2, 4)>\n"
        "(0, 0) reader: [[ 1 -2  3  4]\n"
        "(0, 0) reader:  [ 5  6  7 80]]\n"
    )


def test_a_released_block_cannot_be_printed():
    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            blk = dfb.wait()
            blk.pop()
            print(blk)  # HERE

    with pytest.raises(ttl.CompileError, match="cannot print block 'blk' of 'dfb'.*released"):
        op(zeros())


def test_the_cache_sees_printed_values(capsys):
    box = [1]

    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            print(box, box[0])

    op(zeros())
    box[0] = 2
    op(zeros())
    assert capsys.readouterr().out == "(0, 0) reader: [1] 1\n(0, 0) reader: [2] 2\n"


def test_an_exception_of_stdout_ends_the_run(monkeypatch):
    class Full(io.StringIO):
        def write(self, text):
            raise BlockingIOError("full")

    def body(zero):
        while zero == 0:
            print("again")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(BlockingIOError, match="full"):
        run(body)
    monkeypatch.undo()
    run(lambda zero: None)


@pytest.mark.parametrize(
    "body, words",
    [
        (lambda zero: print(f"{zero:q}"), "Invalid format specifier|Unknown format code"),
        (lambda zero: print(f"{zero:c}"), "format"),
        (lambda zero: print(f"{zero:.2d}"), "Precision not allowed"),
        (lambda zero: print((f"{zero:'>3}",)), "filled with \"'\" has no repr"),
        (lambda zero: print(f"{f'{zero:é>3}'!a}"), "filled with 'é' has no repr"),
        (lambda zero: print(zero, sep=1), "sep= must be a string or None"),
        (lambda zero: print(zero, file=3), "can only print to standard output"),
        (lambda zero: print(range(zero)), "has no text"),
        (lambda zero: print(f"{1:{zero}}"), "must be known at compile time"),
    ],
)
def test_refusals(body, words):
    with pytest.raises(ttl.CompileError, match=words):
        run(body)


def test_a_tensor_in_the_compute_thread():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.compute()
        def compute():
            print(a)

    words = r"move this line into a @ttl.datamovement\(\) function, or print a block here"
    with pytest.raises(ttl.CompileError, match=words) as caught:
        op(zeros())
    assert caught.value.line == op.function.__code__.co_firstlineno + 4


# ===--------------------------------------------------------------------------=== #
# Messages of assert
# ===--------------------------------------------------------------------------=== #


def test_messages_have_the_values():
    def body(zero, limit):
        for i in range(zero + 10):
            assert i < limit, f"i is {i}, {float(i):.2f} of {limit} {{}}"

    error = fault(body, 3)
    assert error.message == "i is 3, 3.00 of 3 {}"
    assert error.line == body.__code__.co_firstlineno + 2


def test_raise_has_the_values():
    def body(zero):
        n = zero + 4
        if n > 3:
            raise ValueError(f"n = {n}")

    assert fault(body).message == "ValueError: n = 4"
    assert fault(lambda zero: helper(zero + 2)).message == "RuntimeError: 2"


def helper(n):
    if n == 2:
        raise RuntimeError(n)


def test_a_message_is_evaluated_only_if_it_is_needed():
    def body(zero):
        assert zero == 0, f"{1 // zero}"

    run(body)

    def wrong(zero):
        assert zero == 1, f"half is {7 // (zero + 2)}"

    assert fault(wrong).message == "half is 3"


# ===--------------------------------------------------------------------------=== #
# Signposts
# ===--------------------------------------------------------------------------=== #


def test_signposts_change_nothing():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            ttl.signpost("start")
            with ttl.signpost("read"), dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with ttl.signpost("all"):
                with dfb.wait() as x, y_dfb.reserve() as r:
                    with ttl.signpost("store"):
                        r.store(x * 2)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    a, y = np.ones((32, 32), np.float32), zeros()
    op(a, y)
    assert np.array_equal(y, 2 * a)
    ir = op.ir(a, y)
    assert ir.count("ttl.signpost begin") == 3 and ir.count("ttl.signpost end") == 3
    assert 'ttl.signpost point "start"' in ir


def test_the_name_of_a_signpost_is_static():
    with pytest.raises(ttl.CompileError, match="a string known at compile time, found a run-time int"):
        run(lambda zero: ttl.signpost(zero))


ODD_NAME = (
    "the name of this signpost, 'a sum', has other characters than letters, digits, '_' and '-': "
    "tt-lang's compiler refuses this for a card; choose a name without them"
)
TOO_MANY = (
    r"this is signpost 126 of node \(0,.*\), but a card has room for 125: "
    "tt-lang's compiler refuses this for a card; remove some"
)


@pytest.mark.parametrize("strict", [False, True])
def test_names_of_signposts_for_a_card(strict):
    def body(zero):
        for i in range(2):
            with ttl.signpost("a sum"):
                pass

    with ttl.options(strict=strict):
        if strict:
            with pytest.raises(ttl.CompileError, match=ODD_NAME):
                run(body)
        else:
            with pytest.warns(ttl.CardWarning, match=ODD_NAME):
                run(body)


def test_a_card_has_room_for_125_signposts():
    def body(zero):
        for i in ttl.static_range(126):
            ttl.signpost("again")

    with pytest.warns(ttl.CardWarning, match=TOO_MANY):
        run(body)


def test_the_signposts_of_all_threads_of_a_node_count():
    @ttl.operation(grid=(1, 1))
    def op(y):
        @ttl.datamovement()
        def one():
            for i in ttl.static_range(63):
                ttl.signpost("one")

        @ttl.datamovement()
        def two():
            for i in ttl.static_range(63):
                ttl.signpost("two")

    with pytest.warns(ttl.CardWarning, match=TOO_MANY):
        op(np.zeros((32, 32), np.float32))


def test_signposts_on_other_nodes_do_not_count():
    @ttl.operation(grid=(2, 1))
    def op(y):
        @ttl.datamovement()
        def one():
            if ttl.node(dims=1) == 0:
                for i in ttl.static_range(100):
                    ttl.signpost("here")

        @ttl.datamovement()
        def two():
            if ttl.node(dims=1) == 1:
                for i in ttl.static_range(100):
                    ttl.signpost("there")

    with warnings.catch_warnings():
        warnings.simplefilter("error", ttl.CardWarning)
        op(np.zeros((32, 32), np.float32), options="--strict")


def test_a_signpost_has_no_value():
    def body(zero):
        with ttl.signpost("sum") as post:
            pass

    with pytest.raises(ttl.CompileError, match="a signpost has no value: leave 'as' out"):
        run(body)


@pytest.mark.parametrize("thread", ["fpu", 3])
def test_the_thread_that_prints(thread):
    with pytest.raises(ttl.CompileError, match="thread must be 'math', 'pack' or 'unpack', found"):
        run(lambda zero: print("x", thread=thread))


def test_dst_registers(capfd):
    run(lambda zero: print(_dump_dst_registers=True, label="after"))
    run(lambda zero: print(_dump_dst_registers=False, label="after"))
    out = capfd.readouterr().out
    assert out.count("after: no DST registers are live between statements") == 1
    with pytest.raises(ttl.CompileError, match="prints registers only: print other values"):
        run(lambda zero: print("x", _dump_dst_registers=True))


def test_profiles_exclude_each_other(monkeypatch):
    monkeypatch.setenv("TTLANG_AUTO_PROFILE", "1")
    run(lambda zero: None)
    monkeypatch.setenv("TTLANG_SIGNPOST_PROFILE", "1")
    with pytest.raises(ValueError, match="TTLANG_AUTO_PROFILE and TTLANG_SIGNPOST_PROFILE exclude"):
        run(lambda zero: None)


def test_with_takes_no_other_values():
    def body(zero):
        with None:
            pass

    with pytest.raises(ttl.CompileError, match="the expression after 'with' must be"):
        run(body)
