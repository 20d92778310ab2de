# SPDX-License-Identifier: Apache-2.0
"""Arguments that make_dfb() and make_dataflow_buffer_like() accept or refuse."""
# feature: Dataflow buffers; Allocation groups

import types

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")


def tile(number=0.0):
    return np.full((32, 32), number, np.float32)


def copying(make, **options):
    """Returns an operation that copies a to y through the buffer that `make(a)` makes."""

    @ttl.operation(grid=(1, 1), **options)
    def op(a, y):
        dfb = make(a)

        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 0], dfb.reserve()).wait()

        @ttl.datamovement()
        def writer():
            ttl.copy(dfb.wait(), y[0, 0]).wait()

    return op


@pytest.mark.parametrize("name, dtype", [
    ("bf16", ttnn.bfloat16), ("bfloat16", ttnn.bfloat16), ("fp32", ttnn.float32), ("f32", ttnn.float32),
    ("float32", ttnn.float32), ("int32", ttnn.int32), ("uint32", ttnn.uint32), ("uint16", ttnn.uint16),
    ("uint8", ttnn.uint8), ("float16", ttnn.float16), ("fp16", ttnn.float16), ("BF16", ttnn.bfloat16),
    ("bfp8_b", ttnn.bfloat8_b), ("bfp4_b", ttnn.bfloat4_b), ("bfloat8_b", ttnn.bfloat8_b),
    ("bfloat4_b", ttnn.bfloat4_b), (np.float32, ttnn.float32), (ttnn.bfloat16, ttnn.bfloat16),
])
def test_names_of_element_types(name, dtype):
    a, y = ttnn.full((32, 32), 3, dtype=dtype), ttnn.zeros((32, 32), dtype=dtype)
    copying(lambda a: ttl.make_dfb(name, shape=(1, 1)))(a, y)
    assert np.all(ttnn.to_numpy(y).astype(np.float32) == 3)


def test_a_torch_dtype():
    torch = pytest.importorskip("torch")
    y = tile()
    copying(lambda a: ttl.make_dfb(torch.float32, (1, 1)))(tile(2), y)
    assert np.all(y == 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_likeness_that_has_a_dtype_only(engine):
    like = types.SimpleNamespace(dtype=ttnn.float32)
    y = tile()
    with ttl.options(engine=engine):
        copying(lambda a: ttl.make_dataflow_buffer_like(like, shape=(1, 1)))(tile(2), y)
    assert np.all(y == 2)


def test_a_likeness_in_row_major_layout():
    like = types.SimpleNamespace(dtype="fp32", layout=ttnn.ROW_MAJOR_LAYOUT)
    a = ttnn.full((32, 32), 3, layout=ttnn.ROW_MAJOR_LAYOUT)
    y = ttnn.zeros((32, 32), layout=ttnn.ROW_MAJOR_LAYOUT)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(like, shape=(1, 32))

        @ttl.datamovement()
        def reader():
            ttl.copy(a[0:1, 0:32], dfb.reserve()).wait()

        @ttl.datamovement()
        def writer():
            ttl.copy(dfb.wait(), y[0:1, 0:32]).wait()

    op(a, y)
    assert np.array_equal(ttnn.to_numpy(y)[:2, 0], [3, 0])


@pytest.mark.parametrize("scope", [None, "local", "remote_uniform", ttl.DFBAddressScope.LOCAL])
def test_address_scope(scope):
    for make in (lambda a: ttl.make_dfb("fp32", (1, 1), address_scope=scope),
                 lambda a: ttl.make_dataflow_buffer_like(a, (1, 1), address_scope=scope)):
        y = tile()
        copying(make)(tile(2), y)
        assert np.all(y == 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("outside", [False, True])
def test_an_allocation_group(engine, outside):
    def factory():
        made = ttl.make_dfb_allocation_group() if outside else None

        @ttl.operation(grid=(1, 1))
        def op(a, y):
            group = made if outside else ttl.make_dfb_allocation_group()
            first = ttl.make_dataflow_buffer_like(a, (1, 1), allocation_group=group)
            second = ttl.make_dataflow_buffer_like(a, (1, 1), allocation_group=group)
            last = ttl.make_dfb("fp32", (1, 1), allocation_group=ttl.make_dfb_allocation_group())
            ttl.copy(a[0, 0], first.reserve()).wait()
            last.reserve().store(first.wait() * 2)
            ttl.copy(last.wait(), y[0, 0]).wait()
            ttl.copy(a[0, 0], second.reserve()).wait()
            last.reserve().store(second.wait() * 3)
            ttl.copy(last.wait(), y[0, 0]).wait()

        return op

    y = tile()
    text = factory().ir(tile(1), y)
    assert text.count("ttl.allocation_group = 1") == 2 and text.count("ttl.allocation_group = 2") == 1


@pytest.mark.parametrize("make, message", [
    (lambda a: ttl.make_dfb("float99", (1, 1)), "Unrecognized data format name 'float99'"),
    (lambda a: ttl.make_dfb(object(), (1, 1)), "is not a tensor type"),
    (lambda a: ttl.make_dfb("fp32", (1, 1), tile=(16, 32)), "tiles of 16x32 elements do not run here"),
    (lambda a: ttl.make_dfb("fp32", (1, 1), tile=(3, 32)), "tile= must be"),
    (lambda a: ttl.make_dfb("fp32", (1, 1), block_count=True), "from 1 to 32, found True"),
    (lambda a: ttl.make_dfb("fp32", (1, 1), address_scope="far"), "address_scope must be None"),
    (lambda a: ttl.make_dataflow_buffer_like(a, (1, 1), address_scope=1), "address_scope must be None"),
    (lambda a: ttl.make_dataflow_buffer_like("x", (1, 1)), "an attribute dtype, found str"),
    (lambda a: ttl.make_dataflow_buffer_like(types.SimpleNamespace(dtype="x"), (1, 1)), "Unrecognized"),
    (lambda a: ttl.make_dataflow_buffer_like(a, (1, 1), allocation_group=3),
     r"must be created by ttl.make_dfb_allocation_group\(\), found 3"),
])
def test_mistakes(make, message):
    with pytest.raises(ttl.CompileError, match=message) as caught:
        copying(make)(tile(), tile())
    assert (caught.value.file, caught.value.line) == (__file__, make.__code__.co_firstlineno)


def test_a_group_of_another_type_is_a_type_error():
    with pytest.raises(TypeError, match="must be created by"):
        copying(lambda a: ttl.make_dfb("fp32", (1, 1), allocation_group="g"))(tile(), tile())


def test_a_group_at_the_level_of_the_module():
    with pytest.raises(ValueError, match="must be created by an enclosing factory"):
        exec("import ttl\nttl.make_dfb_allocation_group()", {})
