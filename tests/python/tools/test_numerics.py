# SPDX-License-Identifier: Apache-2.0
"""ttl-jit numerics, op.numerics(...) and :numerics explain where errors of device numerics come from."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import ttl
import ttnn

pytestmark = pytest.mark.not_emitted("these tests choose engines themselves")

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build"))
TTL_JIT = BUILD / "bin" / "ttl-jit"

SCRIPT = """
import numpy as np
import ttl
import ttnn

@ttl.operation(grid=(1, 1))
def add(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as out:
            out.store(x + z)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as x, b_dfb.reserve() as z:
            ttl.copy(a[0, 0], x).wait()
            ttl.copy(b[0, 0], z).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(0)
a, b, y = (ttnn.from_numpy(rng.standard_normal((32, 32), dtype=np.float32), dtype=ttnn.bfloat16,
                           layout=ttnn.TILE_LAYOUT, device=device) for _ in range(3))
add(a, b, y)
"""


def bf16(x):
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


def operation(function, **options):
    """Returns an operation for one node that stores `function` of a block of each of two tensors."""

    @ttl.operation(grid=(1, 1), **options)
    def op(a, b, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(a.shape[0] // 32, a.shape[1] // 32), block_count=1)
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(b.shape[0] // 32, b.shape[1] // 32), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(y.shape[0] // 32, y.shape[1] // 32), block_count=1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as out:
                out.store(function(x, z))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as x, b_dfb.reserve() as z:
                ttl.copy(a[:, :], x).wait()
                ttl.copy(b[:, :], z).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[:, :]).wait()

    return op


def explain(op, arrays, dtype=ttnn.bfloat16, out=None, shape=None, **options):
    """Launches an operation; returns the explanation of its errors, and its result."""
    with ttl.options(**options):
        device = ttnn.open_device(device_id=0)
        tensors = [ttnn.from_numpy(array, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device) for array in arrays]
        y = ttnn.empty(shape or arrays[0].shape, dtype=out or dtype, layout=ttnn.TILE_LAYOUT, device=device)
        found = op.numerics(*tensors, y)
        result = np.asarray(ttnn.to_numpy(y)).astype(np.float64)
        ttnn.close_device(device)
    return found, result


def tensor_of(found):
    (launch,) = found.data["launches"]
    (tensor,) = launch["tensors"]
    return launch, tensor


def inputs(shape=(64, 64), seed=0):
    rng = np.random.default_rng(seed)
    return [bf16(rng.standard_normal(shape, dtype=np.float32)) for _ in range(2)]


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_the_error_is_that_against_fp64(engine):
    a, b = inputs()
    found, result = explain(operation(lambda x, z: ttl.math.exp(x * z) + z), (a, b), engine=engine)
    launch, tensor = tensor_of(found)
    exact = np.exp(a.astype(np.float64) * b) + b
    error = np.abs(result - exact)
    assert np.isclose(tensor["largest"]["absolute"], error.max(), rtol=1e-9)
    assert np.isclose(tensor["mean"]["absolute"], error.mean(), rtol=1e-9)
    unit = 2.0 ** (np.maximum(np.floor(np.log2(np.abs(exact))), -126) - 7)
    assert np.isclose(tensor["mean"]["ulp"], (error / unit).mean(), rtol=1e-9)
    worst = tuple(tensor["worst"]["index"])
    assert (error / unit)[worst] == pytest.approx((error / unit).max())
    assert sum(each["elements"] for each in tensor["histogram"]) == tensor["elements"] == 64 * 64
    assert launch["not_followed"] == []


def test_a_product_of_matrices_is_divided_into_causes():
    """With LoFi, the error of the products' lost bits equals the one that numpy computes."""
    a, b = inputs()
    found, result = explain(operation(lambda x, z: x @ z, math_fidelity="LoFi", fp32_dest_acc_en=True), (a, b),
                            out=ttnn.float32)
    _, tensor = tensor_of(found)
    causes = {each["name"]: each for each in tensor["causes"]}
    cut = lambda x, bits: np.ldexp(np.trunc(np.ldexp(np.frexp(x)[0], bits)), np.frexp(x)[1] - bits)
    a, b = a.astype(np.float64), b.astype(np.float64)
    fidelity = cut(a, 7) @ cut(b, 5) - a @ b
    assert causes["fidelity phases"]["measured"]  # by a run with HiFi4, whose other roundings differ a little
    assert causes["fidelity phases"]["added"]["absolute"] == pytest.approx(np.abs(fidelity).mean(), rel=1e-3)
    assert tensor["causes"][0]["name"] == "fidelity phases"
    assert tensor["mean"]["absolute"] == pytest.approx(np.abs(result - a @ b).mean(), rel=1e-9)
    settings = {each["setting"]: each for each in tensor["settings"]}
    assert set(settings) == {"fp32_dest_acc_en=False", *(f'math_fidelity="HiFi{n}"' for n in (2, 3, 4))}
    assert settings['math_fidelity="HiFi4"']["removed"] == causes["fidelity phases"]["removed"] > 0.9
    best = max(tensor["settings"], key=lambda each: each["removed"])
    assert tensor["advice"].startswith(f'{best["setting"]} removes {100 * best["removed"]:.0f} % of the mean error')


def test_a_narrow_register_is_the_cause_of_long_sums():
    a, b = inputs((32, 1024))
    op = operation(lambda x, z: ttl.math.reduce_sum(x * z, dims=[1]), fp32_dest_acc_en=False)
    found, _ = explain(op, (a, b), shape=(32, 32))
    _, tensor = tensor_of(found)
    assert tensor["causes"][0]["name"] == "DST width, order of sums"
    assert tensor["advice"].startswith("fp32_dest_acc_en=True removes ")


def launched(op, arrays, shape, dtype=ttnn.bfloat16, **options):
    with ttl.options(numerics="device", **options):
        device = ttnn.open_device(device_id=0)
        tensors = [ttnn.from_numpy(array, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device) for array in arrays]
        y = ttnn.empty(shape, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)
        op(*tensors, y)
        return np.asarray(ttnn.to_numpy(y)).astype(np.float64)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_the_figures_of_a_setting_are_those_of_a_launch_with_it(engine):
    """The kernel runs a second time, with the setting: bits are those of a kernel compiled with the setting."""
    a, b = inputs((32, 256))
    op = lambda **options: operation(lambda x, z: ttl.math.reduce_sum(x * z, dims=[1]), **options)
    found, result = explain(op(fp32_dest_acc_en=False), (a, b), shape=(32, 32), engine=engine)
    _, tensor = tensor_of(found)
    settings = {each["setting"]: each for each in tensor["settings"]}
    wide = launched(op(fp32_dest_acc_en=True), (a, b), (32, 32), engine=engine)
    exact = np.zeros((32, 32))
    exact[:, 0] = (a.astype(np.float64) * b).sum(1)
    mean = np.abs(wide - exact).mean()
    assert settings["fp32_dest_acc_en=True"]["mean"]["absolute"] == pytest.approx(mean, rel=1e-9)
    (dst,) = (each for each in tensor["causes"] if each["name"].startswith("DST width"))
    assert dst["measured"] and dst["without"] == settings["fp32_dest_acc_en=True"]["mean"]
    assert dst["added"]["absolute"] == pytest.approx(np.abs(result - wide).mean(), rel=1e-9)


def test_second_runs_begin_with_the_first_ones_tensors():
    """The kernel overwrites one of its inputs, so the second run must start with the first run's values."""
    a, b = inputs((32, 32))
    op = operation(lambda x, z: ttl.math.exp(x) + z)
    results = []
    for run in (op.numerics, op):
        with ttl.options(numerics="device"):
            device = ttnn.open_device(device_id=0)
            x, y = (ttnn.from_numpy(each, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
                    for each in (a, b))
            found = run(x, y, y) or found
            results.append(np.asarray(ttnn.to_numpy(y)))
    assert np.array_equal(*results)
    (tensor,) = (each for each in found.data["launches"][0]["tensors"])
    assert all(each["without"]["ulp"] < 1 for each in tensor["causes"])


def test_a_routine_is_run_again_with_its_exact_results():
    """The card computes gelu from a table. Without the table's errors, only roundings are left."""
    a, b = inputs()
    found, _ = explain(operation(lambda x, z: ttl.math.gelu(x), fp32_dest_acc_en=True), (a, b), out=ttnn.float32)
    _, tensor = tensor_of(found)
    (cause,) = (each for each in tensor["causes"] if each["name"] == "routine 'gelu'")
    assert cause["measured"] and cause["removed"] > 0.999


def test_what_a_cause_adds_is_what_is_gone_without_it():
    """A 16-bit DST cuts the sum. With an fp32 DST, the packer rounds the sum, halves away from zero."""
    a, b = inputs()
    found, result = explain(operation(lambda x, z: x + z), (a, b))
    _, tensor = tensor_of(found)
    (cause,) = tensor["causes"]
    exact = a.astype(np.float64) + b
    away = ((np.float32(exact).view(np.uint32) + 0x8000) & 0xFFFF0000).view(np.float32).astype(np.float64)
    assert cause["measured"] and cause["without"]["absolute"] == pytest.approx(np.abs(away - exact).mean(), rel=1e-9)
    assert cause["added"]["absolute"] == pytest.approx(np.abs(result - away).mean(), rel=1e-9)
    assert tensor["not_additive"]["absolute"] == pytest.approx(np.abs(away - exact).mean(), rel=1e-9)
    (line,) = tensor["lines"]
    assert line["added"] == tensor["mean"] and line["line"] > 0 and not line["measured"]


def test_errors_pass_through_blocks_and_copies():
    """The first operation stores bfloat16, the second one doubles the value: both lines have their error."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
        t_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
        u_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, t_dfb.reserve() as t:
                t.store(ttl.math.sqrt(x))
            with u_dfb.wait() as u, y_dfb.reserve() as out:
                out.store(u + u)

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as x:
                ttl.copy(a[0, 0], x).wait()

        @ttl.datamovement()
        def mover():
            with t_dfb.wait() as t, u_dfb.reserve() as u:
                ttl.copy(t, y[0, 0]).wait()
                ttl.copy(y[0, 0], u).wait()
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    device = ttnn.open_device(device_id=0)
    array = np.abs(inputs((32, 32))[0])
    a = ttnn.from_numpy(array, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    y = ttnn.empty((32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    _, tensor = tensor_of(op.numerics(a, y))
    error = np.abs(np.asarray(ttnn.to_numpy(y)).astype(np.float64) - 2 * np.sqrt(array.astype(np.float64)))
    assert tensor["mean"]["absolute"] == pytest.approx(error.mean(), rel=1e-9)
    (line,) = tensor["lines"]  # one line only, because doubling is exact
    assert line["removed"] == 1
    ttnn.close_device(device)


@pytest.mark.parametrize("arch, quirk", [("wormhole_b0", True), ("blackhole", False)])
def test_the_normaliser_of_wormhole_is_a_quirk(arch, quirk):
    a, b = np.zeros((32, 64), np.float32), np.zeros((64, 32), np.float32)
    a[0, 0], a[0, 32] = -1, 1
    b[0, 0], b[32, 0] = 1, 1
    a[0, 16], b[16, 0] = -(2.0**-12), 2.0**-11
    found, _ = explain(operation(lambda x, z: x @ z, fp32_dest_acc_en=True), (a, b), out=ttnn.float32,
                       shape=(32, 32), arch=arch)
    launch, _ = tensor_of(found)
    texts = [each["text"] for each in launch["quirks"]]
    assert any(text.startswith("Wormhole's normaliser") for text in texts) == quirk
    other = "Blackhole" if quirk else "Wormhole"
    assert launch["other_chip"].startswith(f"would change on {other}: first a product of matrices at line ")
    assert launch["other_chip"].endswith("; 1 of 1024 elements of 'y' differ")


@pytest.mark.parametrize("value, other, function, expected", [
    (np.inf, 0, lambda x, z: x @ z, "inf - inf or inf * 0 became a number"),
    (2.0**100, 2.0**100, lambda x, z: x @ z, "a product that overflowed became 0"),
    (-0.0, -0.0, lambda x, z: x + z, "-0 or a denormal became +0"),
    (np.nan, 0, lambda x, z: ttl.math.abs(x), "NaN became infinite"),
])
def test_quirks_name_their_line(value, other, function, expected):
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    a[0, 0], b[0, 0] = value, other
    found, _ = explain(operation(function), (a, b))
    launch, _ = tensor_of(found)
    assert any(each["text"].startswith(expected) for each in launch["quirks"]), found.text
    assert all(each["location"]["line"] for each in launch["quirks"])


def test_float32_data_lose_their_last_bit_in_the_matrix_engine():
    a, b = (np.full((32, 32), 1 + 2.0**-10, np.float32) for _ in range(2))
    found, _ = explain(operation(lambda x, z: x @ z, fp32_dest_acc_en=True), (a, b), dtype=ttnn.float32)
    launch, tensor = tensor_of(found)
    assert launch["quirks"][0]["text"].startswith("the last bit of float32 data (TF32) in SrcA")
    assert tensor["causes"][0]["name"] == "fidelity phases"


def test_a_notebook_shows_the_page():
    found, _ = explain(operation(lambda x, z: x + z), inputs((32, 32)))
    assert str(found) == found.text and "<svg" in found._repr_html_() and repr(found) == "<numerics of op>"


def run(tmp_path, *words, script=SCRIPT):
    (tmp_path / "add.py").write_text(script)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTL_")}
    return subprocess.run([TTL_JIT, *words], cwd=tmp_path, env=kept, capture_output=True, text=True, timeout=300)


def test_the_command_prints_and_writes(tmp_path):
    process = run(tmp_path, "numerics", "add.py", "--json=a.json", "--html=a.html", "--svg=a.svg")
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("add, device numerics: wormhole_b0, HiFi4, 16-bit DST\ntensor 'y', Float16_b, "
                                     "shape 32x32: error against fp64\n  largest ")
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["version"] == 1 and data["launches"][0]["tensors"][0]["name"] == "y"
    assert "<svg" in (tmp_path / "a.html").read_text()
    assert (tmp_path / "a.svg").read_text().startswith("<svg xmlns=")


@pytest.mark.parametrize("words, expected", [
    (("numerics", "add.py", "--json=a.txt"), "expected --json=FILE.json without commas, found '--json=a.txt'"),
    (("numerics", "missing.py"), "missing.py"),
    (("numerics",), "FILE"),
    (("numerics", "add.py", "--numerics-files=a.txt"),
     "expected files whose names end in .json, .html or .svg; found 'a.txt'"),
])
def test_wrong_arguments_are_usage_errors(tmp_path, words, expected):
    process = run(tmp_path, *words)
    assert process.returncode == 2 and expected in process.stderr, process.stderr


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    process = run(tmp_path, "numerics", "add.py", "--json=/nonexistent/a.json")
    assert process.returncode == 4 and "cannot write the explanation '/nonexistent/a.json'" in process.stdout


def test_host_numerics_have_no_explanation(tmp_path):
    process = run(tmp_path, "run", "--explain-numerics=on", "add.py")
    assert process.returncode == 4
    assert "--explain-numerics: add computes in host numerics" in process.stderr


def test_the_session_explains_the_last_call(tmp_path):
    (tmp_path / "add.py").write_text(SCRIPT)
    process = subprocess.run([TTL_JIT], cwd=tmp_path, input=":load add.py\n:numerics\n", capture_output=True,
                             text=True, timeout=300)
    assert "tensor 'y', Float16_b, shape 32x32: error against fp64" in process.stdout, process.stderr
