# SPDX-License-Identifier: Apache-2.0
"""A sum and a mean of the same block need one reduction. The values are those of two reductions."""
# feature: Reductions

import numpy as np
import pytest
import ttnn

ROWS, COLUMNS = 2, 3
CONTEXTS = {
    "straight": "{body}",
    "loop": "for _ in range(2):\n    {body}",
    "nested": "for _ in range(1):\n    for _ in range(2):\n        {body}",
    "branch": "for step in range(2):\n    if step >= 0:\n        {body}",
    "while": "step = 0\nwhile step < 2:\n    {body}\n    step += 1",
    "early end": "for step in range(3):\n    if step == 2:\n        break\n    {body}",
}
ROUNDS = {"straight": 1}
STORES = {
    "sum first": "s.store({sum})\nm.store({mean})",
    "mean first": "m.store({mean})\ns.store({sum})",
    "variables": "total = {sum}\naverage = {mean}\ns.store(total)\nm.store(average)",
    "one expression": "total = {sum}\ns.store(total)\nm.store(total * (1.0 / {count}))",
}
KERNEL = '''import ttl


@ttl.operation(grid=(1, 1))
def f(x, s_out, m_out):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape={shape})
    s_dfb = ttl.make_dataflow_buffer_like(s_out, shape={result})
    m_dfb = ttl.make_dataflow_buffer_like(m_out, shape={result})

    @ttl.compute()
    def compute():
{compute}

    @ttl.datamovement()
    def read():
        for _ in range({rounds}):
            with x_dfb.reserve() as block:
                ttl.copy(x[0:{rows}, 0:{columns}], block).wait()

    @ttl.datamovement()
    def write():
        for _ in range({rounds}):
            with s_dfb.wait() as block:
                ttl.copy(block, s_out[0:{result[0]}, 0:{result[1]}]).wait()
            with m_dfb.wait() as block:
                ttl.copy(block, m_out[0:{result[0]}, 0:{result[1]}]).wait()
'''


def indented(text, spaces):
    return "\n".join(" " * spaces + line for line in text.splitlines())


def make(tmp_path, dims, context="straight", stores="sum first", shape=(ROWS, COLUMNS), step=None):
    """Returns an operation that stores the sum and the mean of a block, and the shape of both results."""
    result = tuple(1 if dim in dims else extent for dim, extent in enumerate(shape))
    count = int(np.prod([32 * shape[dim] for dim in dims]))
    call = "ttl.math.reduce_{}(x, dims=[" + ", ".join(map(str, dims)) + "])"
    body = STORES[stores].format(sum=call.format("sum"), mean=step or call.format("mean"), count=count)
    block = "with x_dfb.wait() as x, s_dfb.reserve() as s, m_dfb.reserve() as m:\n" + indented(body, 4)
    lines = []
    for line in CONTEXTS[context].splitlines():
        head = line[: len(line) - len(line.lstrip())]
        lines += indented(block, len(head)).splitlines() if "{body}" in line else [line]
    path = tmp_path / f"kernel{len(list(tmp_path.iterdir()))}.py"
    path.write_text(KERNEL.format(shape=shape, result=result, rows=shape[0], columns=shape[1],
                                  rounds=ROUNDS.get(context, 2), compute=indented("\n".join(lines), 8)))
    scope = {"__name__": path.stem, "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"], result


def run(f, x, result, dtype=None, options=""):
    outputs = [np.zeros((32 * result[0], 32 * result[1]), np.float32) for _ in range(2)]
    if dtype is None:
        f(x, *outputs, options=options)
        return outputs
    tensors = [ttnn.from_torch(each, dtype=dtype) for each in (x, *outputs)]
    f(*tensors, options=options)
    return [ttnn.to_numpy(tensor).astype(np.float32) for tensor in tensors[1:]]


def numbers(shape, seed=0):
    return np.random.default_rng(seed).integers(-8, 9, (32 * shape[0], 32 * shape[1])).astype(np.float32)


def wanted(x, dims, shape):
    """Returns the expected sums and means: zeros, except for the elements that a reduction writes."""
    total = x.sum(axis=tuple(dims), keepdims=True)
    results = []
    for value in (total, (total * np.float32(1 / (x.size // total.size))).astype(np.float32)):
        full = np.zeros(tuple(32 if dim in dims else 32 * shape[dim] for dim in range(2)), np.float32)
        full[: value.shape[0], : value.shape[1]] = value
        results.append(full)
    return results


@pytest.mark.parametrize("stores", STORES)
@pytest.mark.parametrize("dims", ([0], [1], [0, 1]), ids=str)
@pytest.mark.parametrize("shape", ((1, 1), (2, 3), (4, 4)), ids=str)
def test_values(tmp_path, shape, dims, stores):
    """numbers() are small integers, whose float32 sums are exact, so numpy gives the same bits."""
    f, result = make(tmp_path, dims, stores=stores, shape=shape)
    x = numbers(shape)
    for found, expected in zip(run(f, x, result), wanted(x, dims, shape)):
        assert found.tobytes() == expected.tobytes()


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.parametrize("dtype", (None, ttnn.bfloat16), ids=("float32", "bfloat16"))
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_context_on_every_engine(tmp_path, context, dtype):
    f, result = make(tmp_path, [1], context, shape=(2, 4))
    x = numbers((2, 4))
    runs = [run(f, x, result, dtype, f"--engine={engine}")
            for engine in ("jit", "interp", "interp --stage=ttl", "emitted")]
    for found in runs:
        assert [each.tobytes() for each in found] == [each.tobytes() for each in runs[0]]
    if dtype is None:
        assert [each.tobytes() for each in runs[0]] == [each.tobytes() for each in wanted(x, [1], (2, 4))]


def count_calls(f, x, result, name):
    """Returns how often the emitted C++ of the compute kernel calls the function `name`."""
    outputs = [np.zeros((32 * result[0], 32 * result[1]), np.float32) for _ in range(2)]
    text = f.compile(x, *outputs).cpp("compute")
    return text.count(f" {name}<") + text.count(f" {name}(")


@pytest.mark.not_emitted("reads the emitted text")
@pytest.mark.parametrize("stores", STORES)
def test_one_reduction(tmp_path, stores):
    f, result = make(tmp_path, [1], stores=stores)
    assert count_calls(f, numbers((ROWS, COLUMNS)), result, "reduce_tile") == 1


@pytest.mark.parametrize("numerics", ("host", "device"))
@pytest.mark.parametrize("factor", ("2.0", "-2.0", "0.0", "1.0 / 3"))
def test_products_with_numbers_keep_the_zeros(tmp_path, numerics, factor):
    call = "ttl.math.reduce_sum(x, dims=[1])"
    f, result = make(tmp_path, [1], step=f"{call} * ({factor})")
    x = numbers((ROWS, COLUMNS))
    _, found = run(f, x, result, options=f"--numerics={numerics}")
    assert (found[:, 1:] == 0).all()
    assert np.allclose(found[:, 0], x.sum(axis=1) * eval(factor), rtol=2e-3)
