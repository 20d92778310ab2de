# SPDX-License-Identifier: Apache-2.0
"""Messages of errors of the frontend, and the places that they name.

A comment `# HERE: text` marks the line of a mistake; the error must name the column of this text."""
# feature: What is refused; Errors

import inspect

import numpy as np
import pytest
import ttl
import ttnn


def tensor(rows=64, columns=64, dtype=np.float32):
    return np.zeros((rows, columns), dtype)


def operation(threads, shape=(1, 1), grid=(2, 2), y_shape=None):
    @ttl.operation(grid=grid)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=shape)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=y_shape or shape)
        threads(a, y, a_dfb, y_dfb)

    return op


def marked_place(function):
    lines, first = inspect.getsourcelines(function)
    for number, line in enumerate(lines, first):
        code, marker, wanted = line.rstrip("\n").partition("# HERE: ")
        if marker:
            return number, code.index(wanted) + 1
    raise AssertionError("no marker")


def check(threads, message, **options):
    with pytest.raises(ttl.CompileError, match=message) as caught:
        operation(threads, **options).ir(tensor(), tensor())
    error = caught.value
    assert (error.line, error.column) == marked_place(threads), str(error)
    assert error.file == inspect.getsourcefile(threads)
    assert isinstance(error, ValueError)
    source = inspect.getsource(threads)
    excerpt, caret = str(error).splitlines()[2:4]
    assert excerpt.strip() in source
    assert caret.lstrip().startswith("^")
    return error


def test_undefined_name():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 0], a_dbf.reserve())  # HERE: a_dbf

    check(threads, r"name 'a_dbf' is not defined; did you mean 'a_dfb'\?")


def test_name_read_before_it_has_a_value():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, i], a_dfb.reserve())  # HERE: i
            i = 1

    check(threads, "'i' is read before it has a value")


def test_name_with_a_value_after_one_branch_only():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            if ttl.node(dims=1) == 0:
                column = 1
            ttl.copy(a[0, column], a_dfb.reserve())  # HERE: column

    check(threads, "'column' has a value after only one of the branches")


def test_integers_that_change_their_type_in_a_loop():
    def body(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            value = ttl.block.fill(1, shape=(1, 1), dtype=ttnn.uint32)
            for i in range(ttl.node(dims=1)):  # HERE: for
                value = ttl.max(value, ttl.block.fill(1, shape=(1, 1), dtype=ttnn.int32))
            y_dfb.reserve().store(ttl.typecast(value, ttnn.float32))

    check(body, r"shape \(1, 1\) of uint32 before this loop and .* of int32 after an iteration")


def test_tuple_that_changes_its_length():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            place = (ttl.node(dims=1), 0)
            for i in range(ttl.node(dims=1)):
                ttl.copy(a[place], a_dfb.reserve()).wait()  # HERE: place
                place = (i,)

    check(threads, "cannot be carried from one iteration to the next")


@pytest.mark.parametrize(
    "statement, advice",
    [
        ("try:\n  pass\n finally:\n  pass", "a fault of the kernel"),
        ("import math", "outside"),
        ("global z", "argument"),
        ("del x", "not supported"),
        ("class X: pass", "outside"),
        ("x = yield", "not supported"),
    ],
)
def test_unsupported_statements(statement, advice, tmp_path):
    file = tmp_path / "unsupported.py"
    file.write_text(
        "import ttl\n"
        "@ttl.operation(grid=(1, 1))\n"
        "def op(a):\n"
        " @ttl.datamovement()\n"
        " def reader():\n"
        "  x = 1\n"
        "  for i in range(2):\n"
        "   " + statement.replace("\n", "\n  ") + "\n"
    )
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    with pytest.raises(ttl.CompileError, match=advice) as caught:
        scope["op"].ir(tensor())
    assert caught.value.line == 8
    assert caught.value.file == str(file)


def test_shape_mismatch_prints_both_shapes():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.wait() as y_blk:
                a_blk + y_blk  # HERE: a_blk + y_blk

    error = check(threads, r"\(1, 1\) \+ \(2, 1\)", y_shape=(2, 1))
    assert [note.line for note in error.notes] == [error.line - 1] * 2


def test_shape_mismatch_of_products_and_stores():
    def product(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk:
                a_blk @ a_blk  # HERE: a_blk @ a_blk

    def store(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk)  # HERE: y_blk.store(a_blk)

    check(product, r"\(2, 1\) @ \(2, 1\)", shape=(2, 1))
    check(store, r"\(1, 1\).*\(2, 1\)", y_shape=(2, 1))


@pytest.mark.parametrize("index", ["2", "-3"])
def test_index_out_of_range(index):
    def two(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 2], a_dfb.reserve())  # HERE: 2

    def minus_three(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, -3], a_dfb.reserve())  # HERE: -3

    threads = two if index == "2" else minus_three
    check(threads, f"index {index} is out of range: dimension 1 of tensor 'a' has 2 tiles")


def test_slice_out_of_range():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[1:3, 0], a_dfb.reserve())  # HERE: 1:3

    check(threads, "slice 1:3 is out of range: dimension 0 of tensor 'a' has 2 tiles")


def test_slice_with_an_extent_that_is_not_known():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            r, c = ttl.node()
            ttl.copy(a[r : r * 2, c], a_dfb.reserve())  # HERE: r : r * 2

    check(threads, "extent of this slice .* must be known")


def test_copies_between_unequal_ends():
    def shapes(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0:2, 0], a_dfb.reserve())  # HERE: ttl.copy(a[0:2, 0], a_dfb.reserve())

    def buffer(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 0], a_dfb)  # HERE: ttl.copy(a[0, 0], a_dfb)

    check(shapes, r"\(2, 1\).* has shape \(1, 1\)")
    check(buffer, "reserve")


def test_arithmetic_in_data_movement():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            blk = a_dfb.reserve()
            blk.store(blk + blk)  # HERE: blk + blk

    check(threads, "data movement thread 'reader'")


def test_copy_in_compute():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            ttl.copy(a[0, 0], a_dfb.reserve())  # HERE: ttl.copy(a[0, 0], a_dfb.reserve())

    check(threads, "compute thread 'compute'")


def test_augmented_assignment_to_a_reserved_block():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk += a_blk
                y_blk -= a_blk  # HERE: y_blk -= a_blk

    check(threads, r"only '\+=' works on a reserved block")


def test_release_of_nothing():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 0], a_dfb.reserve()).wait()
            a_dfb.push()
            a_dfb.push()  # HERE: a_dfb.push()

    check(threads, "no block that a_dfb")


def failing_helper(block):
    return block.missing_method()


def test_error_in_an_inlined_function_names_the_call():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk:
                failing_helper(a_blk)

    with pytest.raises(ttl.CompileError, match="missing_method") as caught:
        operation(threads).ir(tensor(), tensor())
    assert caught.value.line == failing_helper.__code__.co_firstlineno + 1
    (note,) = caught.value.notes
    assert note == "called"
    assert note.line == threads.__code__.co_firstlineno + 4


def test_numbers_that_do_not_fit():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            x + 2**31  # HERE: x + 2**31

    check(threads, "2147483648 does not fit")


def test_integers_that_nobody_would_print():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            x + 10**5000  # HERE: x + 10**5000

    check(threads, "an integer of 16610 bits does not fit in a run-time integer of 32 bits")


@pytest.mark.parametrize("number, message", [(1e39, "1e\\+39 does not fit in a run-time float"),
                                             (10**400, "int too large to convert to float")])
def test_floats_that_do_not_fit(number, message):
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            x * 1.0 + number  # HERE: x * 1.0 + number

    check(threads, message)


def test_a_function_that_calls_itself_is_named_once():
    def again():
        again()

    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            again()

    with pytest.raises(ttl.CompileError, match="levels deep") as caught:
        operation(threads).ir(tensor(), tensor())
    assert [note.line for note in caught.value.notes] == [
        again.__code__.co_firstlineno + 1, threads.__code__.co_firstlineno + 3]


def test_a_function_that_calls_itself_twice_ends():
    def again():
        again()
        again()

    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            again()
            unknown_name  # HERE: unknown_name

    with pytest.raises(ttl.CompileError, match="levels deep") as caught:
        operation(threads).ir(tensor(), tensor())
    assert "name 'unknown_name' is not defined" in str(caught.value)


def test_grids_that_nobody_has():
    with pytest.raises(ValueError, match="integers from 1 to 1048576"):
        operation(lambda a, y, a_dfb, y_dfb: None, grid=(10**30, 1))(tensor(), tensor())


def test_python_errors_in_constant_expressions():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            1 // 0  # HERE: 1 // 0

    check(threads, "ZeroDivisionError")


def test_functions_of_the_language_outside_kernels():
    with pytest.raises(RuntimeError, match="kernel function"):
        ttl.copy(1, 2)
    with pytest.raises(RuntimeError, match="kernel function"):
        ttl.math.exp(1)
    with pytest.raises(RuntimeError, match="core not available"):
        ttl.node()
    with pytest.raises(RuntimeError, match="body of an operation"):
        ttl.make_dataflow_buffer_like(tensor(), shape=(1, 1))


def test_too_many_threads():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def one():
            pass

        @ttl.datamovement()
        def two():
            pass

        @ttl.datamovement()
        def three():  # HERE: def three
            pass

    check(threads, r"one, two, three")


def test_buffers_with_wrong_shapes():
    @ttl.operation(grid=(1, 1))
    def op(a, shape, count):
        ttl.make_dataflow_buffer_like(a, shape=shape, block_count=count)

    for shape, count in [((0, 1), 2), ((), 2), ("x", 2), (None, 2), ((1, 1), 0), ((1, 1), 33)]:
        with pytest.raises(ttl.CompileError) as caught:
            op.ir(tensor(), shape, count)
        assert caught.value.line == op.__wrapped__.__code__.co_firstlineno + 2


def test_unknown_options():
    with pytest.raises(ValueError, match="memory_space"):
        ttl.operation(memory_space="SRAM")(lambda a: None)
    with pytest.raises(TypeError, match="unknown option"):
        ttl.operation(colour=[1])(lambda a: None)
    with pytest.raises(ValueError, match="math_fidelity"):
        ttl.operation(math_fidelity="HiFi9")(lambda a: None)


SEVERAL = np.array([1, 2, 3])


def test_array_as_condition():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            if SEVERAL:  # HERE: SEVERAL
                pass

    check(threads, "truth value of an array with more than one element is ambiguous")


def test_array_as_index():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[SEVERAL, 0], block).wait()  # HERE: SEVERAL

    check(threads, "the indices of a tensor must be integers or slices, found ")


def test_array_of_indices():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[SEVERAL], block).wait()  # HERE: SEVERAL

    check(threads, "the indices of a tensor must be integers or slices, found ")


def test_list_of_indices():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with a_dfb.reserve() as block:
                ttl.copy(a[[x, 0]], block).wait()  # HERE: [x

    check(threads, "the indices of a tensor must be integers or slices, found a list")


def test_array_as_number():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            row = ttl.node(dims=1) + SEVERAL  # HERE: ttl.node
            with a_dfb.reserve() as block:
                ttl.copy(a[row, 0], block).wait()

    check(threads, r"the operands of '\+' must be numbers or blocks, found ")


def test_index_beyond_64_bits():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[10**30, 0], block).wait()  # HERE: 10**30

    check(threads, "is out of range: dimension 0 of tensor 'a' has 2 tiles")


@pytest.mark.parametrize("bounds", [range(10**400), range(10**15)])
def test_ranges_that_no_kernel_counts(bounds):
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            for _ in bounds:  # HERE: for
                ttl.node(dims=1)

    check(threads, "does not fit in a run-time integer of 32 bits")


def test_a_search_of_too_many():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            if ttl.node(dims=1) in range(10**12):  # HERE: ttl.node(dims=1) in
                pass

    check(threads, "the value after 'in' must be a tuple, list or range")


def test_spread_indices():
    place = (0, 3)

    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[*place], block).wait()  # HERE: *place

    check(threads, "index 3 is out of range: dimension 1 of tensor 'a' has 2 tiles")


def test_the_least_of_arrays_and_numbers():
    array = np.array([1, 2])

    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            min(array, 3, ttl.node(dims=1))  # HERE: min

    check(threads, "truth value of an array")


def test_an_error_in_a_library_points_at_the_call():
    @ttl.operation(grid=(1, 1))
    def op():
        @ttl.datamovement()
        def reader():
            pytest.approx(3)

    with pytest.raises(ttl.CompileError) as caught:
        op()
    error = caught.value
    assert error.file == __file__ and error.line == op.function.__code__.co_firstlineno + 4
    assert "this call cannot be compiled into a kernel function: 'import'" in error.message
    assert any("the library's code is here" in str(note) for note in error.notes)
