# SPDX-License-Identifier: Apache-2.0
"""The IR of the ttl dialect that the frontend makes of kernel functions."""

import re

import numpy as np
import pytest
import ttl
import ttnn


def tensor(rows=256, columns=256):
    return np.zeros((rows, columns), np.float32)


def lines_of(text, pattern):
    return [line.strip() for line in text.splitlines() if re.search(pattern, line)]


def reader_ir(body, *arguments, shape=(1, 1)):
    """Returns the IR of an operation whose body calls `body`, which defines the reader thread."""

    @ttl.operation(grid=(4, 2))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=shape, block_count=2)
        body(a, a_dfb, *arguments)

    return op.ir(tensor())


@ttl.operation(grid=(2, 2))
def add(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(2, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1), block_count=3)

    @ttl.datamovement()
    def reader():
        x, y_ = ttl.node()
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            a_xf = ttl.copy(a[x * 2 : (x + 1) * 2, y_], a_blk)
            b_xf = ttl.copy(b[x * 2 : x * 2 + 2, y_ : y_ + 1], b_blk)
            a_xf.wait()
            b_xf.wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + b_blk)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0:2, 0]).wait()


@ttl.kernel(grid=(2, 2))
def add_older(a, b, y):
    a_dfb = ttl.make_circular_buffer_like(a, shape=(2, 1), buffer_factor=2)
    b_dfb = ttl.CircularBuffer(b, shape=(2, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1), buffer_factor=3)

    @ttl.datamovement()
    def reader():
        x, y_ = ttl.core(dims=2)
        a_blk = a_dfb.reserve()
        b_blk = b_dfb.reserve()
        a_xf = ttl.copy(a[x * 2 : (x + 1) * 2, y_], a_blk)
        b_xf = ttl.copy(b[x * 2 : x * 2 + 2, y_ : y_ + 1], b_blk)
        a_xf.wait()
        b_xf.wait()
        a_dfb.push()
        b_dfb.push()

    @ttl.compute()
    def compute():
        a_blk = a_dfb.wait()
        b_blk = b_dfb.wait()
        y_blk = y_dfb.reserve()
        y_blk.store(ttl.math.add(a_blk, b_blk))
        a_dfb.pop()
        b_blk.pop()
        y_dfb.push()

    @ttl.datamovement()
    def writer():
        y_blk = y_dfb.wait()
        xf = ttl.copy(y_blk, y[0:2, 0])
        xf.wait()
        y_dfb.pop()

    return ttl.Program(reader, compute, writer)(a, b, y)


def test_kernel_and_resources():
    text = add.ir(tensor(), tensor(), tensor())
    assert "#ttcore.grid<2x2>" in text
    assert 'arch = "wormhole_b0"' in text
    assert "fp32_dest_acc_en = true" in text
    assert [re.search('"(.*)"', line)[1] for line in lines_of(text, "create_cb")] == [
        "a_dfb",
        "b_dfb",
        "y_dfb",
    ]
    assert re.findall(r'thread "(\w+)"', text) == ["reader", "compute", "writer"]
    assert lines_of(text, "check_index") == [
        "ttl.check_index %6 {bound = 8 : i64, dim = 0 : i64, size = 2 : i64, tensor = \"a\", unit = \"tile rows\"}",
        "ttl.check_index %7 {bound = 8 : i64, dim = 1 : i64, size = 1 : i64, tensor = \"a\", unit = \"tile columns\"}",
        "ttl.check_index %13 {bound = 8 : i64, dim = 0 : i64, size = 2 : i64, tensor = \"b\", unit = \"tile rows\"}",
        "ttl.check_index %14 {bound = 8 : i64, dim = 1 : i64, size = 1 : i64, tensor = \"b\", unit = \"tile columns\"}",
    ] or len(lines_of(text, "check_index")) == 4


def test_older_spelling_makes_the_same_kernel():
    arguments = tensor(), tensor(), tensor()
    newer = add.ir(*arguments).replace(" {ttl.ends_with}", "")  # marks the end of a with statement
    assert add_older.ir(*arguments).replace("@add_older", "@add") == newer


def test_bfloat16_tensors_do_not_ask_for_a_32_bit_dst():
    arguments = [ttnn.zeros((64, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)] * 3
    assert "fp32_dest_acc_en" not in add.ir(*arguments)


def test_the_same_tensor_twice_is_one_argument():
    a = tensor()
    text = add.ir(a, a, tensor())
    assert re.search(r"@add\(%arg0: [^%]*, %arg1: [^%]*\)", text)


def test_locations_and_names():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            column = ttl.node(dims=1) + 1
            blk = a_dfb.reserve()
            ttl.copy(a[0, column], blk).wait()

    call_line = body.__code__.co_firstlineno + 3
    text = reader_ir_with_locations(body)
    assert range_of(text, "column") == f"{call_line}:22 to :42"
    assert range_of(text, "blk") == f"{call_line + 1}:19 to :34"
    assert range_of(text, "a_dfb").endswith(":17 to :63")


def range_of(text, name):
    """Returns the source range, as printed in the IR's locations, of the value named `name`."""
    inner = re.search(rf'loc\("{name}"\((#loc\d*)\)\)', text)[1]
    return re.search(rf'^{inner} = loc\("{re.escape(__file__)}":(.*)\)$', text, re.MULTILINE)[1]


def reader_ir_with_locations(body):
    import _ttjit

    @ttl.operation(grid=(4, 2))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        body(a, a_dfb)

    text, diagnostics = _ttjit.frontend_ir(op._run_body((tensor(),), {}, op._settings()), locations=True)
    assert not diagnostics
    return text


def test_loops_over_ranges_carry_what_they_change():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            total = 0
            mean = 0
            for i in range(3, 8, 2):
                total += i
                mean = total / 2
            assert total > mean

    text = reader_ir(body)
    assert "iter_args(%arg2 = %" in text and "-> (f32, i32)" in text
    assert "ttl.int_add" in text and "arith.divf" in text


def test_a_variable_of_an_inner_loop_is_not_carried():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            for _ in range(2):
                for _ in range(3):
                    with a_dfb.reserve() as blk:
                        ttl.copy(a[0, 0], blk).wait()

    assert "iter_args" not in reader_ir(body)


def test_downward_range():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            for i in range(7, 0, -2):
                ttl.copy(a[0, i], a_dfb.reserve()).wait()

    assert "scf.for" in reader_ir(body)


def test_while_and_branches():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            i = x
            while i < 8:
                step = 1
                if y == 0:
                    step = 2
                i += step

    text = reader_ir(body)
    assert "scf.while" in text
    assert re.search(r"scf.if .* -> \(i32\)", text)


def test_conditions_known_at_compile_time_choose_their_branch():
    def body(a, a_dfb, flag):
        @ttl.datamovement()
        def reader():
            if flag and len(a.shape) == 2:
                column = 1
            else:
                column = undefined_here  # noqa: F821
            ttl.copy(a[0, column], a_dfb.reserve()).wait()

    text = reader_ir(body, True)
    assert "scf.if" not in text
    with pytest.raises(ttl.CompileError, match="undefined_here"):
        reader_ir(body, False)


def test_conditions_without_effects_become_selects():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            inside = 0 < x < 3 and not y == 1 or x == y
            column = x if inside else y
            ttl.copy(a[0, column], a_dfb.reserve()).wait()

    text = reader_ir(body)
    assert "scf.if" not in text and "arith.select" in text


def test_the_second_operand_of_and_runs_only_if_it_decides():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            if y != 0 and x // y > 1:
                ttl.copy(a[0, 0], a_dfb.reserve()).wait()

    text = reader_ir(body)
    assert text.index("scf.if") < text.index("ttl.int_floordiv")


def helper_of_the_module(x, scale=2):
    """Has a return statement under a run-time condition."""
    if x == 0:
        return 1
    return x * scale


def test_functions_are_inlined():
    def body(a, a_dfb):
        @ttl.datamovement()
        def reader():
            def local(i):
                return i + offset

            offset = 1
            double = lambda i: local(i) * 2  # noqa: E731
            x = ttl.node(dims=1)
            column = helper_of_the_module(double(x), scale=3)
            ttl.copy(a[0, column], a_dfb.reserve()).wait()

    text = reader_ir(body)
    assert re.search(r"scf.if .* -> \(i32\)", text)
    assert len(lines_of(text, "ttl.int_mul")) == 2


def test_sequences_are_unrolled():
    @ttl.operation(grid=(1, 1))
    def op(a, b):
        dfbs = [ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, b)]

        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            places = [(x, 0), (x + 1, 1)]
            for i, (dfb, t) in enumerate(zip(dfbs, (a, b))):
                row, column = places[i]
                handles = [ttl.copy(t[row, column + k], dfb.reserve()) for k in range(2)]
                for handle in handles:
                    handle.wait()
            for i in range(2):
                ttl.copy((a, b)[i][0, i], dfbs[i].reserve()).wait()

    text = op.ir(tensor(), tensor())
    assert len(lines_of(text, "ttl.copy")) == 6
    assert len(lines_of(text, "ttl.wait")) == 6
    assert "scf.for" not in text
    assert '"dfbs[0]"' in text and '"dfbs[1]"' in text


def compute_ir(body, dtype=ttnn.float32):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 2))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 2))
        body(a_dfb, y_dfb)

    tensors = [ttnn.zeros((64, 64), dtype=dtype, layout=ttnn.TILE_LAYOUT) for _ in range(2)]
    return op.ir(*tensors)


def test_products_are_added_to_accumulators():
    def body(a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a, y_dfb.reserve() as y:
                total = ttl.block.fill(0, shape=(2, 2))
                for _ in range(4):
                    total += a @ a
                product = a @ a
                total += product
                y.store(total)

    text = compute_ir(body)
    assert len(lines_of(text, "ttl.block_matmul .* acc ")) == 1
    assert len(lines_of(text, "ttl.block_matmul")) == 2
    assert len(lines_of(text, "ttl.block_add")) == 1
    assert re.search(r"scf.for .* -> \(tensor<2x2x!ttcore.tile<32x32, f32>>\)", text)


def test_first_accumulating_store_is_a_run_time_flag():
    def body(a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a, y_dfb.reserve() as y:
                for _ in range(4):
                    y.store(a @ a, acc=True)
                y.store(a, acc=True)

    text = compute_ir(body)
    assert re.search(r"scf.for .* iter_args\(%arg\d+ = %c0_i32\w*\) -> \(i32\)", text)
    flags = [re.search(r"accumulate (%\w+)", line)[1] for line in lines_of(text, "block_store")]
    assert flags[0].startswith("%arg")
    assert len(flags) == 2


def test_scalars_take_the_shape_of_blocks():
    def body(a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a, y_dfb.reserve() as y:
                y.store(2 * a.exp() - ttl.exp(-a, scale=0.5) / 3 + abs(a) ** 2 + max(a, 0))

    text = compute_ir(body)
    for name in "exp neg abs square max mul sub div add".split():
        assert f"ttl.block_{name} " in text
    assert len(lines_of(text, "ttl.block_fill")) == 4


def test_all_functions_of_the_table_under_all_names():
    unary = "abs exp log neg recip relu rsqrt sigmoid sqrt square tanh".split()
    binary = "add sub mul div max min maximum minimum".split()

    def body(a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a, y_dfb.reserve() as y:
                value = a
                for function in [getattr(ttl.math, name) for name in unary]:
                    value = function(value)
                for function in [getattr(ttl.block, name) for name in binary]:
                    value = function(value, a)
                y.store(value)

    text = compute_ir(body)
    for name in unary + ["add", "sub", "mul", "div", "max", "min"]:
        assert f"ttl.block_{name} " in text
    assert ttl.exp is ttl.math.exp is ttl.block.exp
