# SPDX-License-Identifier: Apache-2.0
"""Blocks of integers with DST registers of 16 bits run here. A card, --strict and --emit refuse them."""
# feature: Integers

import numpy as np
import pytest
import ttl
import ttnn

MESSAGE = "integer blocks need 32-bit DST registers on the device: set fp32_dest_acc_en=True"
INT = np.arange(1024, dtype=np.int32).reshape(32, 32) % 7


def in_threads(value, **settings):
    @ttl.operation(grid=(1, 1), **settings)
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))

        @ttl.datamovement()
        def reader():
            for _ in range(2):
                with a_dfb.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with a_dfb.wait() as block, y_dfb.reserve() as out:
                    out.store(value(block))

        @ttl.datamovement()
        def writer():
            for _ in range(2):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    return op


def in_unified_body(value, **settings):
    @ttl.operation(grid=(1, 1), **settings)
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        for i in range(2):
            if i >= ttl.node(dims=1):
                ttl.copy(a[0, 0], a_dfb.reserve()).wait()
                y_dfb.reserve().store(value(a_dfb.wait()))
                ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    return op


def plus(a):
    return a + 1


COMPUTED = {
    "add": (plus, np.int32, INT + 1),
    "compare": (lambda a: a > 3, np.int32, INT > 3),
    "product": (lambda a: a @ a, np.int32, INT @ INT),
    "sum": (lambda a: ttl.math.broadcast(ttl.math.reduce_sum(a, dims=[0, 1]), dims=[0, 1], shape=(1, 1)), np.int32,
            np.full_like(INT, INT.sum())),
    "typecast": (lambda a: ttl.typecast(a, ttnn.float32), np.float32, INT),
}
MOVED = {
    "copy": (lambda a: a, INT),
    "transpose": (ttl.transpose, INT.T),
}


@pytest.mark.parametrize("make", [in_threads, in_unified_body])
@pytest.mark.parametrize("name", COMPUTED)
def test_strict_refuses_what_is_not_emitted(make, name, tmp_path):
    value, dtype, expected = COMPUTED[name]
    y = np.zeros((32, 32), dtype)
    op = make(value, fp32_dest_acc_en=False)
    op(INT, y)
    assert np.array_equal(y, expected)
    for option in ("--strict", "--engine=emitted"):
        with pytest.raises(ttl.CompileError) as caught:
            make(value, fp32_dest_acc_en=False)(INT, y, options=option)
        assert caught.value.message == MESSAGE
        assert caught.value.line == value.__code__.co_firstlineno + (value is plus)
    y[:] = 0
    make(value)(INT, y, options="--strict")
    assert np.array_equal(y, expected)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("name", MOVED)
def test_strict_allows_what_computes_nothing(name, engine):
    value, expected = MOVED[name]
    y = np.zeros((32, 32), np.int32)
    in_threads(value, fp32_dest_acc_en=False)(INT, y, options=f"--strict --engine={engine}")
    assert np.array_equal(y, expected)


@pytest.mark.parametrize("dtype", [ttnn.uint16, ttnn.uint8, ttnn.uint32])
def test_strict_refuses_integers_of_every_width(dtype):
    a, y = (ttnn.from_numpy(INT, dtype=dtype) for _ in range(2))
    with pytest.raises(ttl.CompileError, match="integer blocks need 32-bit DST"):
        in_threads(plus, fp32_dest_acc_en=False)(a, y, options="--strict")


def test_other_settings_leave_the_registers_wide():
    y = np.zeros((32, 32), np.int32)
    in_threads(plus, math_fidelity="HiFi2")(INT, y, options="--strict")
    assert np.array_equal(y, INT + 1)
