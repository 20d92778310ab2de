# SPDX-License-Identifier: Apache-2.0
"""Caches of keys and values, recorded traces of launches, and tensors in files."""

import numpy as np
import pytest
import ttl
import ttnn

RNG = np.random.default_rng(11)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


# ===--------------------------------------------------------------------------=== #
# Caches
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("update", [ttnn.update_cache, ttnn.kv_cache.update_cache_for_token_])
@pytest.mark.parametrize("turned", [False, True])
def test_update_cache(update, turned):
    cache, rows = random(3, 2, 8, 4), random(3, 2, 1, 4)
    tensor = ttnn.from_numpy(cache.copy(), device=ttnn.open_device())
    given = rows.transpose(2, 1, 0, 3) if turned else rows
    assert update(tensor, ttnn.from_numpy(np.ascontiguousarray(given)), 5) is tensor
    cache[:, :, 5] = rows[:, :, 0]
    assert np.array_equal(ttnn.to_numpy(tensor), cache)


def test_update_cache_with_an_offset():
    cache, rows = random(2, 2, 8, 4), random(1, 2, 5, 4)
    tensor = ttnn.from_numpy(cache.copy())
    ttnn.update_cache(tensor, ttnn.from_numpy(rows), 0, batch_offset=2)
    cache[:, :, 0] = rows[0].transpose(1, 0, 2)[2:4]
    assert np.array_equal(ttnn.to_numpy(tensor), cache)


@pytest.mark.parametrize("fill", [ttnn.fill_cache, ttnn.kv_cache.fill_cache_for_user_])
def test_fill_cache(fill):
    cache, rows = random(2, 2, 8, 4), random(1, 2, 5, 4)
    tensor = ttnn.from_numpy(cache.copy())
    fill(tensor, ttnn.from_numpy(rows), 1)
    cache[1, :, :5] = rows[0]
    assert np.array_equal(ttnn.to_numpy(tensor), cache)


@pytest.mark.parametrize("by_tensor", [False, True])
@pytest.mark.parametrize("paged", [False, True])
def test_paged_update_cache(by_tensor, paged):
    cache, rows, table = random(6, 2, 8, 4), random(1, 3, 2, 4), np.array([[5, 1], [0, 2], [3, 4]])
    positions = [9, -1, 3] if paged else [7, -1, 0]
    if not paged:
        cache = cache[:3]
    tensor = ttnn.from_numpy(cache.copy())
    indices = ttnn.from_numpy(np.array(positions, np.int32), layout=ttnn.ROW_MAJOR_LAYOUT)
    ttnn.experimental.paged_update_cache(
        tensor, ttnn.from_numpy(rows),
        **(dict(update_idxs_tensor=indices) if by_tensor else dict(update_idxs=positions)),
        page_table=ttnn.from_numpy(table.astype(np.int32)) if paged else None)
    for batch, position in enumerate(positions):
        if position >= 0:
            block = table[batch, position // 8] if paged else batch
            cache[block, :, position % 8] = rows[0, batch]
    assert np.array_equal(ttnn.to_numpy(tensor), cache)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda c, x: ttnn.update_cache(c, x, 8), "update_index 8 is outside of the cache, which has 8 rows"),
        (lambda c, x: ttnn.fill_cache(c, ttnn.ones((1, 2, 4, 4)), 5),
         "batch_index 5 is outside of the cache, which has 2 batches"),
        (lambda c, x: ttnn.update_cache(c, ttnn.ones((2, 2, 4)), 0), "expected four dimensions each"),
        (lambda c, x: ttnn.update_cache(c, ttnn.ones((2, 3, 1, 4)), 0),
         "shape (2, 3, 1, 4), expected (2, 2, 1, 4) or (1, 2, 2, 4) for a cache of shape (2, 2, 8, 4)"),
        (lambda c, x: ttnn.fill_cache(c, ttnn.ones((1, 2, 9, 4)), 0),
         "shape (1, 2, 9, 4), expected (1, 2, rows, 4) with at most 8 rows for a cache of shape (2, 2, 8, 4)"),
        (lambda c, x: ttnn.experimental.paged_update_cache(c, ttnn.ones((1, 2, 1, 4)), update_idxs=[0, 0]),
         "expected (1, batches, heads, 4) with at least 2 heads for a cache of shape (2, 2, 8, 4)"),
        (lambda c, x: ttnn.experimental.paged_update_cache(c, ttnn.ones((1, 3, 2, 4)), update_idxs=[0, 0, 0]),
         "batch 2 is outside of the cache, which has 2 batches"),
        (lambda c, x: ttnn.experimental.paged_update_cache(
            c, ttnn.ones((1, 1, 2, 4)), update_idxs=[1], page_table=ttnn.from_numpy(np.array([[7]], np.int32))),
         "page_table: block 7 is outside of the cache, which has 2 blocks"),
        (lambda c, x: ttnn.experimental.paged_update_cache(c, ttnn.ones((1, 2, 2, 4)), update_idxs=[1]),
         "1 positions for 2 batches"),
        (lambda c, x: ttnn.update_cache(c, np.ones(3), 0), "input: expected a ttnn.Tensor, found ndarray"),
    ],
)  # fmt: skip
def test_refusals_of_caches(call, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(ttnn.zeros((2, 2, 8, 4)), ttnn.ones((2, 2, 1, 4)))
    assert message in str(caught.value)


# ===--------------------------------------------------------------------------=== #
# Traces
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(1, 1))
def double(a, y):
    ad, yd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
    ttl.copy(a[0, 0], ad.reserve()).wait()
    yd.reserve().store(ad.wait() * 2)
    ttl.copy(yd.wait(), y[0, 0]).wait()


def test_trace():
    device = ttnn.open_device(trace_region_size=1 << 20)
    x = ttnn.from_numpy(np.ones((32, 32), np.float32), device=device)
    total = ttnn.zeros((32, 32), device=device)
    y = ttnn.zeros((32, 32), device=device)
    trace = ttnn.begin_trace_capture(device, cq_id=0)
    double(x, y)
    later = ttnn.exp(y) - 1
    ttnn.add(total, y, output_tensor=total)
    ttnn.deallocate(ttnn.neg(y))
    ttnn.end_trace_capture(device, trace, cq_id=0)
    assert not ttnn.to_numpy(total).any() and not ttnn.to_numpy(y).any()
    for value in (1.0, 3.0):
        ttnn.copy(ttnn.full((32, 32), value), x)
        ttnn.execute_trace(device, trace, cq_id=0, blocking=False)
        ttnn.synchronize_device(device)
        assert np.array_equal(ttnn.to_numpy(y), np.full((32, 32), 2 * value))
        assert np.allclose(ttnn.to_numpy(later), np.expm1(2 * value))
    assert np.array_equal(ttnn.to_numpy(total), np.full((32, 32), 8.0))
    ttnn.release_trace(device, trace)
    with pytest.raises(ValueError, match=f"there is no trace {trace}"):
        ttnn.execute_trace(device, trace)


def test_trace_of_host_arrays():
    x, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    trace = ttnn.begin_trace_capture(None)
    double(x, y)
    ttnn.end_trace_capture(None, trace)
    assert not y.any()
    x[:] = 4
    ttnn.execute_trace(None, trace)
    assert np.array_equal(y, np.full((32, 32), 8))
    ttnn.release_trace(None, trace)


def test_refusals_of_traces():
    trace = ttnn.begin_trace_capture(None)
    for call in (lambda: ttnn.begin_trace_capture(None), lambda: ttnn.execute_trace(None, trace)):
        with pytest.raises(RuntimeError, match="a trace is being captured"):
            call()
    ttnn.end_trace_capture(None, trace)
    with pytest.raises(RuntimeError, match="is not being captured"):
        ttnn.end_trace_capture(None, trace)
    ttnn.release_trace(None, trace)


# ===--------------------------------------------------------------------------=== #
# Files and golden functions
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16, ttnn.bfloat8_b, ttnn.uint16])
def test_files(tmp_path, dtype):
    tensor = ttnn.from_numpy(np.arange(64).reshape(2, 32), dtype=dtype)
    ttnn.dump_tensor(tmp_path / "a.tensorbin", tensor)
    found = ttnn.load_tensor(tmp_path / "a.tensorbin", device=ttnn.open_device())
    assert found.dtype == dtype and found.layout == tensor.layout and found.device() is not None
    assert np.array_equal(found.bits(), tensor.bits())


def test_refusals_of_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        ttnn.load_tensor(tmp_path / "missing")
    good = tmp_path / "good"
    ttnn.dump_tensor(good, ttnn.ones((2, 2)))
    for size in (0, 10, 200):
        (tmp_path / "bad").write_bytes(good.read_bytes()[:size])
        with pytest.raises(ValueError, match="bad: this is no file that ttnn.dump_tensor"):
            ttnn.load_tensor(tmp_path / "bad")
    with pytest.raises(TypeError, match="expected a ttnn.Tensor, found ndarray"):
        ttnn.dump_tensor(good, np.ones(3))


def test_golden_functions():
    a, b = random(3, 4), random(3, 4)
    assert np.array_equal(ttnn.get_golden_function(ttnn.add)(a, b), a + b)
    assert np.allclose(ttnn.get_golden_function(ttnn.softmax)(a, dim=0).sum(axis=0), 1)
    with pytest.raises(TypeError, match="expected a function of ttnn"):
        ttnn.get_golden_function("add")
