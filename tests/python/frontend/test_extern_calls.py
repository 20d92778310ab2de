# SPDX-License-Identifier: Apache-2.0
"""ttl.call_extern_func(): C++ functions of the user in kernels."""
# feature: External calls

import pathlib
import re

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ["jit", "interp", "emitted"]
FOLDER = pathlib.Path(__file__).parent / "external"
HEADER = "external/functions.hpp"
pytestmark = pytest.mark.filterwarnings("ignore")


def tile(number=0.0, rows=1, columns=1):
    return np.full((32 * rows, 32 * columns), number, np.float32)


def ramp(rows=1, columns=1):
    return np.arange(1024 * rows * columns, dtype=np.float32).reshape(32 * rows, 32 * columns) / 64


def results(run):
    """Calls `run()` on each engine. All results must be equal; returns the first."""
    found = []
    for engine in ENGINES:
        with ttl.options(engine=engine):
            found.append(run())
    assert all(np.array_equal(each, found[0]) for each in found)
    return found[0]


def writes(*call, **keywords):
    """Returns an operation whose compute thread calls `call[0](out)`, which must push a page of `out`."""

    @ttl.operation(grid=(1, 1))
    def op(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))

        @ttl.compute()
        def compute():
            call[0](out)

        @ttl.datamovement()
        def writer():
            with out.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return op


def written(body):
    def run():
        y = tile()
        writes(body)(y)
        return y

    return results(run)


# ===--------------------------------------------------------------------------=== #
# Arguments and results of C++ functions
# ===--------------------------------------------------------------------------=== #


def test_a_number_and_a_buffer():
    def body(out):
        ttl.call_extern_func(HEADER, "fill_int", func_args=[out, 42])

    assert np.all(written(body) == 42)


def test_numbers_of_each_kind():
    assert np.all(written(lambda out: ttl.call_extern_func(HEADER, "fill_page", func_args=[out, 1.5])) == 1.5)
    assert np.all(written(lambda out: ttl.call_extern_func(HEADER, "fill_bool", func_args=[out, True])) == 1)
    assert np.all(written(lambda out: ttl.call_extern_func(
        HEADER, "fill_uint", func_args=[out, ttl.uint32(0xFFFF0000)])) == 65535)


def test_numbers_known_at_run_time():
    def body(out):
        x, y = ttl.node(dims=2)
        ttl.call_extern_func(HEADER, "fill_page", func_args=[out, (x + 3) * 0.5])

    assert np.all(written(body) == 1.5)


def test_template_arguments():
    def body(out):
        ttl.call_extern_func(
            HEADER, "fill_templates",
            template_args=[-3, True, ttl.uint32(1 << 31), 0.25, ttl.get_dfb_id(out),
                           ttl.dfb_descriptor(out)],
            func_args=[out])

    assert np.all(written(body) == -3 + 0.5 + 2 + 0.25)


def test_get_dfb_id_in_function_arguments():
    def body(out):
        ttl.call_extern_func(HEADER, "fill_int", func_args=[ttl.get_dfb_id(out), 5],
                             dfb_dependencies=[out])

    assert np.all(written(body) == 5)


@ttl.operation(grid=(1, 1))
def moved_by_cpp(x, y):
    buffer = ttl.make_dataflow_buffer_like(x, (1, 1))

    @ttl.datamovement()
    def reader():
        for page in range(2):
            ttl.call_extern_func(HEADER, "read_page", func_args=[x, buffer, page],
                                 dfb_effects=[ttl.DFBEffect.reserve(buffer, tiles=1),
                                              ttl.DFBEffect.push(buffer, tiles=1)])

    @ttl.datamovement()
    def writer():
        for page in range(2):
            ttl.call_extern_func(HEADER, "write_page", func_args=[y, buffer, page])


def test_tensors_in_data_movement_threads():
    def run():
        y = tile(columns=2)
        moved_by_cpp(ramp(columns=2), y)
        return y

    assert np.array_equal(results(run), ramp(columns=2))


@ttl.operation(grid=(1, 1))
def moved_by_objects(x, y):
    buffer = ttl.make_dataflow_buffer_like(x, (1, 1))

    @ttl.datamovement()
    def reader():
        for page in range(2):
            ttl.call_extern_func(HEADER, "read_object", func_args=[x, buffer, page],
                                 dfb_effects=[ttl.DFBEffect.reserve(buffer, tiles=1),
                                              ttl.DFBEffect.push(buffer, tiles=1)])

    @ttl.datamovement()
    def writer():
        for page in range(2):
            ttl.call_extern_func(HEADER, "write_object", func_args=[y, buffer, page])


def test_classes_of_the_api():
    def run():
        y = tile(columns=2)
        moved_by_objects(ramp(columns=2), y)
        return y

    assert np.array_equal(results(run), ramp(columns=2))


def test_sizes_of_tiles():
    """get_tile_size() in a header returns the size of a tile of the buffer: 2048 bytes for bfloat16."""
    @ttl.operation(grid=(1, 1))
    def op(y):
        half = ttl.make_dfb("bfloat16", (1, 1))

        @ttl.datamovement()
        def reader():
            size = ttl.call_extern_func(HEADER, "tile_bytes", func_args=[half], result_type=ttl.ScalarType.I32,
                                        dfb_accesses=[ttl.DFBAccess.inspect(half)])
            assert size == 2048

    results(lambda: op(tile()) or 0)


def test_addresses_of_tensors():
    @ttl.operation(grid=(1, 1))
    def op(x):
        @ttl.datamovement()
        def reader():
            ttl.call_extern_func(HEADER, "check_address", func_args=[x, ttl.raw_addr(x)])

    results(lambda: op(tile()) or 0)


def sharded(array):
    device = ttnn.open_device(device_id=0)
    config = ttnn.create_sharded_memory_config(
        array.shape, core_grid=ttnn.CoreGrid(x=1, y=1), strategy=ttnn.ShardStrategy.HEIGHT)
    return ttnn.from_torch(array, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=config)


def test_a_tensor_in_l1_in_the_compute_thread():
    @ttl.operation(grid=(1, 1))
    def op(y):
        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, "write_shard", func_args=[y, 1024])

    def run():
        y = sharded(tile())
        op(y)
        return np.asarray(ttnn.to_torch(y))

    assert np.all(results(run) == 7)


def test_results():
    def body(out):
        answer = ttl.call_extern_func(HEADER, "ops::answer", result_type=ttl.ScalarType.I32)
        wide = ttl.call_extern_func(HEADER, "ops::wide", func_args=[2],
                                    result_type=ttl.ScalarType.I64)
        more = ttl.call_extern_func(HEADER, "ops::add", template_args=[100], func_args=[answer],
                                    result_type=ttl.ScalarType.I32)
        if more > 100:
            ttl.call_extern_func(HEADER, "fill_int", func_args=[out, more + wide])

    assert np.all(written(body) == 142 + 12)


def test_a_result_beyond_32_bits_is_a_fault():
    def body(out):
        wide = ttl.call_extern_func(HEADER, "ops::wide", func_args=[40],
                                    result_type=ttl.ScalarType.I64)
        ttl.call_extern_func(HEADER, "fill_int", func_args=[out, wide])

    for engine in ENGINES:
        with ttl.options(engine=engine), pytest.raises(ttl.RuntimeFault, match="32 bits cannot hold") as caught:
            writes(body)(tile())
        assert caught.value.location.file == __file__


# ===--------------------------------------------------------------------------=== #
# Calls between statements, in branches and loops, and in several threads
# ===--------------------------------------------------------------------------=== #


def test_between_block_expressions():
    """After a C++ function, the compute thread configures its unpackers and packer again."""

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        c = ttl.make_dataflow_buffer_like(x, (1, 1))
        d = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            for i in range(3):
                with a.wait() as block, b.reserve() as out:
                    out.store(ttl.exp(block * 0.125) + block)
                if i != 1:
                    ttl.call_extern_func(HEADER, "copy_one", func_args=[b, c])
                else:
                    with b.wait() as block, c.reserve() as out:
                        out.store(block)
                with c.wait() as block, d.reserve() as out:
                    out.store(ttl.math.reduce_sum(block, dims=[0, 1]) if i > 5 else block @ block)

        @ttl.datamovement()
        def reader():
            for i in range(3):
                ttl.copy(x[0, 0], a.reserve()).wait()

        @ttl.datamovement()
        def writer():
            for i in range(3):
                ttl.copy(d.wait(), y[i, 0]).wait()

    def run():
        y = tile(rows=3)
        op(ramp() / 64, y)
        return y

    y = results(run)
    x = (ramp() / 64).astype(np.float64)
    expected = np.exp(x / 8) + x
    assert np.allclose(y[:32], expected @ expected, rtol=1e-2)
    assert np.array_equal(y[:32], y[32:64]) and np.array_equal(y[:32], y[64:])


@pytest.mark.parametrize("effects", [True, False])
def test_blocks_that_the_kernel_holds(effects):
    """The kernel acquires and releases the blocks; the C++ function only reads and fills them."""

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        c = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            with a.wait() as _, b.wait() as _, c.reserve() as _:
                ttl.call_extern_func(HEADER, "add_fronts", func_args=[a, b, c],
                                     dfb_accesses=[ttl.DFBAccess.inspect(a)] if effects else None)

        @ttl.datamovement()
        def reader():
            ttl.copy(x[0, 0], a.reserve()).wait()
            block = b.reserve()
            ttl.call_extern_func(HEADER, "fill_reserved", func_args=[b, 0.5])
            block.push()

        @ttl.datamovement()
        def writer():
            ttl.copy(c.wait(), y[0, 0]).wait()

    def run():
        y = tile()
        op(ramp(), y)
        return y

    assert np.allclose(results(run), ramp() + 0.5)


def helper(buffer, value):
    ttl.call_extern_func(HEADER, "fill_int", func_args=[buffer, value])


def test_helper_functions_and_node_guards():
    @ttl.operation(grid=(2, 1))
    def op(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))

        @ttl.compute()
        def compute():
            x, _ = ttl.node(dims=2)
            if x == 0:
                helper(out, 3)
            else:
                helper(out, 4)

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node(dims=2)
            ttl.copy(out.wait(), y[0, x]).wait()

    def run():
        y = tile(columns=2)
        op(y)
        return y

    assert np.array_equal(results(run), np.hstack([tile(3), tile(4)]))


def test_unified_bodies():
    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        for page in range(2):
            ttl.call_extern_func(HEADER, "read_page", func_args=[x, a, page],
                                 kernel=ttl.KernelKind.DATA_MOVEMENT)
            ttl.call_extern_func(HEADER, "copy_one", func_args=[a, b],
                                 kernel=ttl.KernelKind.COMPUTE)
            ttl.copy(b.wait(), y[0, page]).wait()

    def run():
        y = tile(columns=2)
        op(ramp(columns=2), y)
        return y

    assert np.array_equal(results(run), ramp(columns=2))


def test_one_statement_for_several_threads():
    mover = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        ttl.call_extern_func("external/both.hpp", "run",
                             func_args={ttl.KernelKind.COMPUTE: [a, b],
                                        ttl.KernelKind.DATA_MOVEMENT: [x, a], mover: [b, y]},
                             kernel=(ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, mover))

    def run():
        y = tile()
        op(ramp(), y)
        return y

    assert np.array_equal(results(run), ramp())


def test_one_result_for_several_threads():
    """With kernel=(three threads), each thread calls the function and uses its own result."""
    mover = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        column = ttl.call_extern_func(
            HEADER, "ops::column", result_type=ttl.ScalarType.I32,
            kernel=(ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, mover))
        for page in range(2):
            if column == page:
                ttl.call_extern_func(HEADER, "read_page", func_args=[x, a, page],
                                     kernel=ttl.KernelKind.DATA_MOVEMENT)
                ttl.call_extern_func(HEADER, "copy_one", func_args=[a, b],
                                     kernel=ttl.KernelKind.COMPUTE)
                ttl.call_extern_func(HEADER, "write_page", func_args=[y, b, column], kernel=mover)

    def run():
        y = tile(columns=2)
        op(ramp(columns=2), y)
        return y

    assert np.array_equal(results(run), ramp(columns=2))


def test_a_thread_without_the_result():
    def body(x, a, b):
        column = ttl.call_extern_func(HEADER, "ops::column", result_type=ttl.ScalarType.I32,
                                      kernel=ttl.KernelKind.COMPUTE | ttl.KernelKind.DATA_MOVEMENT)
        with a.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with a.wait() as block:
            ttl.copy(block, x[column, 1]).wait()  # x[column, 1] is not read, so another thread may write it

    error = refused(body, unified=True)
    assert "needs 'column', which" in error.message, error.message


def test_conditions():
    condition = ttl.DispatchCondition(ttl.ScalarType.I32)

    def operation(column):
        mover = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

        @ttl.operation(grid=(2, 1))
        def op(y):
            out = ttl.make_dataflow_buffer_like(y, (1, 1))
            if ttl.call_extern_func(HEADER, "ops::column", condition_result=condition,
                                    kernel=ttl.KernelKind.COMPUTE):
                ttl.call_extern_func(HEADER, "fill_int", func_args=[out, 9],
                                     kernel=ttl.KernelKind.COMPUTE)
            if ttl.call_extern_func(HEADER, column, condition_result=condition, kernel=mover):
                ttl.copy(out.wait(), y[0, 0]).wait()

        return op

    def run():
        y = tile()
        operation("ops::column")(y)
        return y

    assert np.all(results(run) == 9)
    for engine in ENGINES:
        with ttl.options(engine=engine), pytest.raises(
                ttl.ProtocolError, match="finds its ttl.DispatchCondition"):
            operation("ops::answer")(tile())


# ===--------------------------------------------------------------------------=== #
# Declared effects and accesses, compared with what the C++ function does
# ===--------------------------------------------------------------------------=== #

EFFECT = ttl.DFBEffect


def copies(effects=None, accesses=None, unknown=False, arguments=lambda a, b: [a, b],
           dependencies=lambda a, b: None, callee="copy_one", engine="jit", templates=lambda a, b: None):
    """Runs a C++ function that copies a tile from buffer a to b, with these declared effects."""

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, callee, func_args=arguments(a, b), template_args=templates(a, b),
                                 dfb_dependencies=dependencies(a, b),
                                 dfb_effects=effects and effects(a, b),
                                 dfb_accesses=accesses and accesses(a, b),
                                 unknown_dfb_access=unknown)

        @ttl.datamovement()
        def reader():
            ttl.copy(x[0, 0], a.reserve()).wait()

        @ttl.datamovement()
        def writer():
            ttl.copy(b.wait(), y[0, 0]).wait()

    y = tile()
    with ttl.options(engine=engine):
        op(ramp(), y)
    return y


def all_effects(a, b):
    return [EFFECT.wait(a, tiles=1), EFFECT.reserve(b, tiles=1), EFFECT.push(b, tiles=1),
            EFFECT.pop(a, tiles=1)]


@pytest.mark.parametrize("engine", ENGINES)
def test_contracts_that_hold(engine):
    for contract in [{}, {"effects": all_effects}, {"unknown": True},
                     {"effects": lambda a, b: [EFFECT.repeat(1, all_effects(a, b)),
                                               EFFECT.repeat(0, [EFFECT.pop(a, tiles=1)])]},
                     {"effects": lambda a, b: [EFFECT.wait(a, tiles=1), EFFECT.pop(a, tiles=1)]}]:
        assert np.array_equal(copies(engine=engine, **contract), ramp())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("contract, message", [
    ({"effects": lambda a, b: [EFFECT.wait(a, tiles=1), EFFECT.reserve(b, tiles=1)]},
     r"'copy_one' pushes 1 page of 'b', but its dfb_effects state nothing more"),
    ({"effects": lambda a, b: all_effects(a, b)[1:]},
     r"'copy_one' waits for 1 page of 'a', but its dfb_effects state that it next reserves 1 page of 'b'"),
    ({"effects": lambda a, b: [*all_effects(a, b)[:2], EFFECT.push(b, tiles=2)]},
     r"'copy_one' pushes 1 page of 'b', but its dfb_effects state that it next pushes 2 pages of 'b'"),
    ({"effects": lambda a, b: [*all_effects(a, b), EFFECT.wait(a, tiles=1)]},
     r"'copy_one' returns, but its dfb_effects state that it next waits for 1 page of 'a'"),
    ({"accesses": lambda a, b: [ttl.DFBAccess.inspect(a)]},
     r"'copy_one' pops 1 page of 'a', but its dfb_accesses state that it only inspects"),
])
def test_contracts_that_are_broken(engine, contract, message):
    with pytest.raises(ttl.ProtocolError, match=message) as caught:
        copies(engine=engine, **contract)
    assert caught.value.location.file == __file__


@pytest.mark.parametrize("engine", ENGINES)
def test_a_buffer_that_is_no_dependency(engine):
    @ttl.operation(grid=(1, 1))
    def op(x, unknown):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, "fill_int", func_args=[0, 5], unknown_dfb_access=unknown)

        @ttl.datamovement()
        def writer():
            ttl.copy(a.wait(), x[0, 0]).wait()

    x = tile()
    with ttl.options(engine=engine):
        op(x, True)
        assert np.all(x == 5)
        with pytest.raises(ttl.CompileError, match="no thread produces any"):
            op(x, False)


# ===--------------------------------------------------------------------------=== #
# Calls that are refused
# ===--------------------------------------------------------------------------=== #


def refused(body, unified=False):
    """Returns the error of an operation whose compute thread, or unified body, runs body(x, a, b)."""

    @ttl.operation(grid=(1, 1))
    def op(x):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            body(x, a, b)

    @ttl.operation(grid=(1, 1))
    def whole(x):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))
        body(x, a, b)

    with pytest.raises(ttl.CompileError) as caught:
        whole(ramp(columns=2)) if unified else op(tile())
    assert caught.value.location.file == __file__
    return caught.value


@pytest.mark.parametrize("body, message", [
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f<1>"), "must be the name of a C\\+\\+ function"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, ""), "callee must be a string"),
    (lambda x, a, b: ttl.call_extern_func(1, "f"), "header must be a string that is known at compile time, found 1"),
    (lambda x, a, b: ttl.call_extern_func("missing.hpp", "f"), "cannot find the header 'missing.hpp': looked in"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", include_paths=["nowhere"]), "there is no folder 'nowhere'"),
    (lambda x, a, b: ttl.call_extern_func(HEADER), "callee"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", arguments=[]), "arguments"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[a]),
     "a buffer itself cannot be a template argument"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[1 << 31]), r"write ttl.uint32\(2147483648\)"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[1 << 40]), "does not fit in 32 bits"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[ttl.uint32(-1)]), "from 0 to 4294967295"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[ttl.uint32(True)]), "from 0 to 4294967295"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[ttl.node(dims=1)]), "found a run-time number"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=["text"]), "found 'text'"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[ttl.dfb_descriptor(x)]), "must be a buffer"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=5), "template_args= must be a list, found 5"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", template_args=[ttl.get_dfb_id(a)]),
     "the function gets the index of 'a', which is none of its dependencies"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[ttl.get_dfb_id(a)]),
     "the function gets the index of 'a', which is none of its dependencies"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[x]), "only if it is sharded in L1"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[x[0, 0]]), "pass the whole tensor"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a.reserve()]), "pass the buffer"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[ttl.dfb_descriptor(a)]), "is a type"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[ttl.raw_addr(a)]),
     "must be a tensor of the operation"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[None]), "found None"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_dependencies=[a]),
     "'a' is a dependency already"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", dfb_dependencies=[b, b]), "'b' is a dependency already"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", dfb_dependencies=[x]), "must be a buffer"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", dfb_effects=[EFFECT.wait(a, tiles=1)]),
     r"ttl.DFBEffect.wait\(\) names 'a', which is none of the function's dependencies"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.wait(a, tiles=0)]),
     "from 1 to 2"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.wait(a, tiles=3)]),
     "from 1 to 2"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.wait(a, tiles=True)]),
     "must be an integer"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a],
                                          dfb_effects=[EFFECT.wait(a, tiles=ttl.node(dims=1))]),
     "found a run-time number"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.wait(a)]), "tiles"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[a]),
     "must have ttl.DFBEffect objects"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a],
                                          dfb_effects=[EFFECT.repeat(-1, [EFFECT.pop(a, tiles=1)])]), "at least 0"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.repeat(1, [])]),
     "at least one effect"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a],
                                          dfb_effects=[EFFECT.repeat(4097, [EFFECT.pop(a, tiles=1)])]),
     "more than 4096 effects"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_effects=[EFFECT.pop(a, tiles=1)],
                                          dfb_accesses=[ttl.DFBAccess.inspect(a)]), "in one of them only"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", dfb_accesses=[ttl.DFBAccess.inspect(a)]),
     "none of the function's dependencies"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args=[a], dfb_accesses=[a]),
     "must have ttl.DFBAccess objects"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", unknown_dfb_access=1), "must be a bool, found 1"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", result_type="i32"), "found 'i32'"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", condition_result=1), "must be a ttl.DispatchCondition"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", condition_result=CONDITION, result_type=ttl.ScalarType.I32),
     "leave result_type= out"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", condition_result=CONDITION, func_args=[a]),
     "must use no buffers"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", condition_result=CONDITION, unknown_dfb_access=True),
     "must use no buffers"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", kernel="compute"), "kernel= must be a ttl.KernelKind"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", kernel=ttl.KernelKind.DATA_MOVEMENT),
     "names no thread of this kind"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", func_args={ttl.KernelKind.COMPUTE: [a]}),
     "only if kernel= names the threads"),
])
def test_rules(body, message):
    assert re.search(message, refused(body).message), refused(body).message


CONDITION = ttl.DispatchCondition(ttl.ScalarType.I32)


@pytest.mark.parametrize("body, message", [
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f"), "must say which thread runs the C\\+\\+ function"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", kernel=ttl.KernelKind.COMPUTE,
                                          func_args={ttl.KernelKind.DATA_MOVEMENT: [a]}),
     "which kernel= does not name"),
    (lambda x, a, b: ttl.call_extern_func(HEADER, "f", kernel=ttl.KernelKind.COMPUTE, func_args=[a],
                                          dfb_effects={ttl.KernelKind.COMPUTE: []}), "has an empty list"),
])
def test_rules_of_unified_bodies(body, message):
    assert re.search(message, refused(body, unified=True).message)


def test_arguments_that_python_refuses():
    with pytest.raises(TypeError, match="must get ttl.ScalarType.I32"):
        ttl.DispatchCondition("i32")
    with pytest.raises(RuntimeError, match="can only be called inside a kernel function"):
        ttl.call_extern_func(HEADER, "f")


def test_headers_whose_path_an_include_cannot_name(tmp_path):
    header = tmp_path / 'a"b.hpp'
    header.write_text("")
    path = str(header)
    message = refused(lambda x, a, b: ttl.call_extern_func(path, "f")).message
    assert "must not contain a double quote, a backslash or a line break, found " + repr(path) in message


def test_effects_on_a_block_that_is_held():
    def body(x, a, b):
        with a.reserve() as block:
            block.store(block.fill(1) if False else ttl.math.fill(1, shape=(1, 1)))
            ttl.call_extern_func(HEADER, "fill_int", func_args=[a, 1],
                                 dfb_effects=[EFFECT.reserve(a, tiles=1), EFFECT.push(a, tiles=1)])

    assert "but the thread holds block 'block' of 'a'" in refused(body).message


def test_two_producers():
    @ttl.operation(grid=(1, 1))
    def op(x):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, "fill_int", func_args=[a, 1],
                                 dfb_effects=[EFFECT.reserve(a, tiles=1), EFFECT.push(a, tiles=1)])

        @ttl.datamovement()
        def reader():
            ttl.copy(x[0, 0], a.reserve()).wait()

        @ttl.datamovement()
        def writer():
            ttl.copy(a.wait(), x[0, 0]).wait()

    with pytest.raises(ttl.CompileError, match="two threads produce 'a' on node"):
        op(tile())


def test_a_function_that_waits_needs_a_producer():
    def body(x, a, b):
        ttl.call_extern_func(HEADER, "copy_one", func_args=[a, b], dfb_effects=all_effects(a, b))

    assert "wait for pages of 'a', but no thread produces any" in refused(body).message


# ===--------------------------------------------------------------------------=== #
# Errors of Clang, and faults in C++ functions
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("engine", ENGINES)
def test_an_error_in_the_header(engine, tmp_path):
    header = tmp_path / "wrong.hpp"
    header.write_text("#pragma once\ninline void f() {\n  int a = b;\n}\n")
    with ttl.options(engine=engine):
        error = refused(lambda x, a, b: ttl.call_extern_func("wrong.hpp", "f", include_paths=[str(tmp_path)]))
    assert f"{header}:3:11: use of undeclared identifier 'b'" in error.message
    assert error.notes[0].location.file == str(header) and error.notes[0].location.line == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_arguments_that_do_not_fit_the_function(engine):
    with ttl.options(engine=engine):
        error = refused(lambda x, a, b: ttl.call_extern_func(HEADER, "fill_int", func_args=[a]))
        assert "does not compile as C++: no matching function for call to 'fill_int'" in error.message
        error = refused(lambda x, a, b: ttl.call_extern_func(HEADER, "fill_nothing", func_args=[a]))
        assert "use of undeclared identifier 'fill_nothing'" in error.message


@pytest.mark.parametrize("code, message", [
    ("inline int f(int n) { return n > 0 ? f(n - 1) + f(n - 2) : 1; }", r"calls 'f\(int\)' recursively"),
    ("int f(int n);", r"calls 'f\(int\)', which has no definition"),
    ("int state; inline int f(int n) { return state += n; }", "changes the variable 'state', which all cores"),
    ("inline int f(int n) { static int state; return state += n; }", "changes the variable 'f\\(int\\)::state'"),
])
@pytest.mark.parametrize("engine", ENGINES)
def test_code_that_the_host_cannot_run(engine, code, message, tmp_path):
    (tmp_path / "code.hpp").write_text(code)
    with ttl.options(engine=engine):
        error = refused(lambda x, a, b: ttl.call_extern_func("code.hpp", "f", func_args=[2],
                                                             include_paths=[str(tmp_path)]))
    assert re.search(message, error.message), error.message


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fault_in_a_function_is_at_the_call(engine, tmp_path):
    (tmp_path / "code.hpp").write_text(
        "inline void release(uint32_t cb) {\n  cb_pop_front(cb, 1);\n}\n"
        "inline void f(uint32_t cb) {\n  release(cb);\n}\n")

    def body(out):
        ttl.call_extern_func("code.hpp", "f", func_args=[out], include_paths=[str(tmp_path)])  # here

    with ttl.options(engine=engine), pytest.raises(ttl.RuntimeFault) as caught:
        writes(body)(tile())
    line = next(number for number, text in enumerate(open(__file__), 1) if text.endswith("# here\n"))
    assert (caught.value.location.file, caught.value.location.line) == (__file__, line)


def test_variables_that_only_are_read(tmp_path):
    (tmp_path / "code.hpp").write_text("int table[3] = {4, 5, 6}; inline int f(int n) { return table[n]; }")

    def body(out):
        value = ttl.call_extern_func("code.hpp", "f", func_args=[np.int32(2)], include_paths=[str(tmp_path)],
                                     result_type=ttl.ScalarType.I32)
        ttl.call_extern_func(HEADER, "fill_int", func_args=[out, value])

    assert np.all(written(body) == 6)


@pytest.mark.not_emitted("the emitted engine has one stage")
def test_stages():
    with ttl.options(stage="dst"):
        error = refused(lambda x, a, b: ttl.call_extern_func(HEADER, "f"))
    assert "'f' can only run after all stages: leave the option --stage out" in error.message


@pytest.mark.parametrize("engine", ENGINES)
def test_a_header_that_changes(engine, tmp_path):
    """A launch compiles the kernel again if its header, or a header included there, has changed."""
    (tmp_path / "outer.hpp").write_text('#pragma once\n#include "inner.hpp"\n')
    inner = tmp_path / "inner.hpp"

    @ttl.operation(grid=(1, 1))
    def op(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))

        @ttl.compute()
        def compute():
            value = ttl.call_extern_func("outer.hpp", "value", include_paths=[str(tmp_path)],
                                         result_type=ttl.ScalarType.I32)
            with out.reserve() as block:
                block.store(ttl.math.fill(value, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            ttl.copy(out.wait(), y[0, 0]).wait()

    y = tile()
    with ttl.options(engine=engine):
        for number in (3, 12, 345):
            inner.write_text(f"inline int32_t value() {{ return {number}; }}\n")
            op(y)
            op(y)
            assert np.all(y == number)


# ===--------------------------------------------------------------------------=== #
# Emitted programs and saved kernels
# ===--------------------------------------------------------------------------=== #


def test_emitted_code():
    @ttl.operation(grid=(1, 1))
    def op(x, y):
        a = ttl.make_dataflow_buffer_like(x, (1, 1))
        b = ttl.make_dataflow_buffer_like(x, (1, 1))

        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, "copy_many", dfb_effects=all_effects(a, b),
                                 template_args=[ttl.dfb_descriptor(a), ttl.dfb_descriptor(b), 1])

        @ttl.datamovement()
        def reader():
            ttl.call_extern_func(HEADER, "read_page", func_args=[x, a, 0])

        @ttl.datamovement()
        def writer():
            ttl.call_extern_func(HEADER, "write_page", func_args=[y, b, 0])

    kernel = op.compile(ramp(), tile())
    compute = kernel.cpp("compute")
    assert f'#include "{FOLDER / "functions.hpp"}"' in compute
    assert "struct DFBDescriptor" in compute
    assert "copy_many<ttlang::DFBDescriptor<0, 1, 2, 4096>, ttlang::DFBDescriptor<1, 1, 2, 4096>, 1>();" in compute
    assert "ttjit" not in compute
    assert "read_page(x_accessor, a, 0);" in kernel.cpp("reader")


def test_saved_kernels(tmp_path):
    """ttl.load() needs trust=True for a saved kernel that calls C++ functions, which run on this host."""
    kernel = writes(lambda out: ttl.call_extern_func(HEADER, "fill_int", func_args=[out, 6])).compile(tile())
    kernel.save(tmp_path / "kernel.ttl")
    with pytest.raises(ValueError, match=r"calls the C\+\+ function 'fill_int' of '.*functions.hpp'.*"
                                         r"that needs ttl.load\(path, trust=True\), or the option --trust"):
        ttl.load(tmp_path / "kernel.ttl")
    y = tile()
    ttl.load(tmp_path / "kernel.ttl", trust=True)(y)
    assert np.all(y == 6)
