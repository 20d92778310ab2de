# SPDX-License-Identifier: Apache-2.0
"""The compute configuration of a kernel: the choice of --numerics=device, option --compute-config, and the
outputs that show the configuration."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import ttl
import ttnn

pytestmark = pytest.mark.not_emitted("these tests choose options themselves")

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build"))
TTL_JIT = BUILD / "bin" / "ttl-jit"


def operation(function, shape=(1, 1), **options):
    """Returns an operation that stores `function` of a tile of a and a tile of b into y."""

    @ttl.operation(grid=(1, 1), **options)
    def op(a, b, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=shape, block_count=1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as out:
                out.store(function(x, z))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as x, b_dfb.reserve() as z:
                ttl.copy(a[0, 0], x).wait()
                ttl.copy(b[0, 0], z).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0:shape[0], 0:shape[1]]).wait()

    return op


def tensors(dtype=ttnn.bfloat16, shape=(32, 32)):
    return [ttnn.ones(each, dtype=dtype, layout=ttnn.TILE_LAYOUT) for each in ((32, 32), (32, 32), shape)]


def config(function, dtype=ttnn.bfloat16, given={}, shape=(1, 1), **options):
    with ttl.options(**{"numerics": "device", **options}):
        op = operation(function, shape, **given)
        return op.compile(*tensors(dtype, (32 * shape[0], 32 * shape[1]))).config


# Functions for operation(); tt-lang chooses the DST width for each if the program gives none.
ADD = lambda x, z: x + z
PRODUCT = lambda x, z: x @ z
COLUMNS = lambda x, z: ttl.math.reduce_sum(x, dims=[0])
ROWS = lambda x, z: ttl.math.reduce_max(x, dims=[1])
TILE = lambda x, z: ttl.math.reduce_sum(x, dims=[0, 1])


@pytest.mark.parametrize("function, dtype, arch, wide", [
    (ADD, ttnn.bfloat16, "wormhole_b0", False),
    (ADD, ttnn.bfloat8_b, "blackhole", False),
    (ADD, ttnn.float32, "wormhole_b0", True),
    (PRODUCT, ttnn.bfloat16, "wormhole_b0", True),
    (PRODUCT, ttnn.bfloat8_b, "blackhole", True),
    (COLUMNS, ttnn.bfloat16, "blackhole", True),
    (TILE, ttnn.bfloat16, "blackhole", True),
    (ROWS, ttnn.bfloat16, "wormhole_b0", True),
    (ROWS, ttnn.bfloat16, "blackhole", False),
])
def test_the_width_of_dst_is_that_of_a_card(function, dtype, arch, wide):
    found = config(function, dtype, arch=arch)
    assert found == {"numerics": "device", "arch": arch, "math_fidelity": "HiFi4", "fp32_dest_acc_en": wide,
                     "math_approx_mode": False, "dst_full_sync_en": False}


def test_a_broadcast_of_narrow_tiles_keeps_16_bits():
    @ttl.operation(grid=(1, 1))
    def op(a, b, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as out:
                out.store(x @ z + ttl.math.broadcast(z, out, dims=[1]))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as x, b_dfb.reserve() as z:
                ttl.copy(a[0, 0], x).wait()
                ttl.copy(b[0, 0], z).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    with ttl.options(numerics="device"):
        assert not op.compile(*tensors()).config["fp32_dest_acc_en"]
        assert op.compile(*tensors(ttnn.float32)).config["fp32_dest_acc_en"]


def test_the_operation_decides():
    assert not config(PRODUCT, given={"fp32_dest_acc_en": False})["fp32_dest_acc_en"]
    assert config(ADD, given={"fp32_dest_acc_en": True})["fp32_dest_acc_en"]
    assert config(ADD, given={"math_fidelity": "HiFi2"})["math_fidelity"] == "HiFi2"


def test_host_numerics_keep_their_registers():
    found = config(PRODUCT, numerics="host")
    assert found["numerics"] == "host" and not found["fp32_dest_acc_en"]


def test_the_choice_changes_the_bits():
    """Each element is 64 * 64 + 31 ones. An fp32 DST keeps more bits of that sum than a 16-bit DST."""
    found = []
    for given in ({}, {"fp32_dest_acc_en": True}, {"fp32_dest_acc_en": False}):
        a, b = np.ones((32, 32), np.float32), np.ones((32, 32), np.float32)
        a[:, 0] = b[0, :] = 64
        with ttl.options(numerics="device"):
            x, z = (ttnn.from_numpy(each, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for each in (a, b))
            y = ttnn.zeros((32, 32), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT)
            operation(PRODUCT, fp32_dest_acc_en=given.get("fp32_dest_acc_en"))(x, z, y)
        found.append(ttnn.to_numpy(y)[0, 0])
    assert found[0] == found[1] != found[2]


#
# --compute-config
#


def test_the_option_replaces_what_operations_give():
    given = {"math_fidelity": "HiFi3", "fp32_dest_acc_en": True}
    found = config(ADD, given=given, compute_config="math_fidelity=LoFi,fp32_dest_acc_en=off,math_approx_mode=True")
    assert found["math_fidelity"] == "LoFi" and found["math_approx_mode"] and not found["fp32_dest_acc_en"]
    assert config(ADD, given=given, compute_config="dst_full_sync_en=on") == {
        "numerics": "device", "arch": "wormhole_b0", "math_fidelity": "HiFi3", "fp32_dest_acc_en": True,
        "math_approx_mode": False, "dst_full_sync_en": True}
    found = config(PRODUCT, numerics="host", compute_config="fp32_dest_acc_en=on")
    assert found["fp32_dest_acc_en"]


def test_the_option_is_part_of_the_key():
    a = np.full((32, 32), 1 + 2.0**-7, np.float32)
    op, results = operation(PRODUCT), []
    for fidelity in ("HiFi4", "LoFi", "HiFi4"):
        with ttl.options(numerics="device", compute_config=f"math_fidelity={fidelity}"):
            x, z, y = (ttnn.from_numpy(a, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for _ in range(3))
            op(x, z, y)
            results.append(ttnn.to_numpy(y)[0, 0])
    assert results[0] == results[2] != results[1]


@pytest.mark.parametrize("value, message", [
    ("math_fidelity=HiFi5", "math_fidelity: expected one of LoFi, HiFi2, HiFi3, HiFi4; found 'HiFi5'"),
    ("fp32_dest_acc_en=2", "fp32_dest_acc_en: expected one of 1, 0, true, false, on, off; found '2'"),
    ("fidelity=LoFi", "expected math_fidelity, fp32_dest_acc_en, dst_full_sync_en or math_approx_mode; found "
                      "'fidelity'"),
    ("HiFi2", "expected NAME=VALUE, such as math_fidelity=HiFi2; found 'HiFi2'"),
])
def test_wrong_settings(value, message):
    with pytest.raises(ValueError) as caught, ttl.options(compute_config=value):
        pass
    assert message in str(caught.value)


#
# Where the configuration is shown: statistics and emitted programs
#

SCRIPT = """
import ttl, ttnn

@ttl.operation(grid=(1, 1))
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=1)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as x, y_dfb.reserve() as out:
            out.store(x @ x)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as block:
            ttl.copy(a[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

op(*(ttnn.ones((32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for _ in range(2)))
"""


def run(tmp_path, *words, text=SCRIPT, name="kernel.py"):
    (tmp_path / name).write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTL_")}
    return subprocess.run([TTL_JIT, "run", *words, name], cwd=tmp_path, env=kept, capture_output=True, text=True)


def test_statistics_and_emitted_programs_show_it(tmp_path):
    process = run(tmp_path, "--numerics=device", "--compute-config=math_fidelity=HiFi2", "--stats", "--emit=out")
    assert process.returncode == 0, process.stderr
    assert "device numerics: wormhole_b0, HiFi2, fp32 DST" in process.stdout + process.stderr
    (file,) = (tmp_path / "out").rglob("program.json")
    (program,) = json.loads(file.read_text())["programs"]
    (found,) = (kernel["config"] for kernel in program["kernels"] if "config" in kernel)
    assert found["fp32_dest_acc_en"] and found["math_fidelity"] == "HiFi2"


def test_a_dump(tmp_path):
    process = run(tmp_path, "--numerics=device", "--dump=config")
    text = process.stderr.partition("config: op\n")[2]
    assert json.loads(text)["fp32_dest_acc_en"] is True


@pytest.mark.parametrize("setting, message", [
    ('math_fidelity = "High"', 'math_fidelity of compute_config must be "LoFi", "HiFi2", "HiFi3" or "HiFi4"'),
    ("fp32_dest_acc_en = 3", "fp32_dest_acc_en of compute_config must be true or false"),
])
def test_wrong_settings_in_mlir_name_the_line(tmp_path, setting, message):
    text = ("ttl.kernel @k() attributes {grid = [1, 1],\n  compute_config = {%s}} {\n"
            "  ttl.compute_thread {\n  }\n}\n") % setting
    process = run(tmp_path, text=text, name="kernel.mlir")
    assert process.returncode == 3 and message in process.stderr and "kernel.mlir:1" in process.stderr, process.stderr


#
# Kernels that save() wrote
#


@pytest.mark.parametrize("saved, loaded", [("device", "host"), ("host", "device")])
def test_a_saved_kernel_of_the_other_mode_is_refused(tmp_path, saved, loaded):
    with ttl.options(numerics=saved):
        operation(PRODUCT).compile(*tensors()).save(tmp_path / "k.ttl")
    with ttl.options(numerics=loaded):
        with pytest.raises(ValueError) as caught:
            ttl.load(tmp_path / "k.ttl")
    assert f"was saved for --numerics={saved}, and --numerics={loaded} is in force" in str(caught.value)
    with ttl.options(numerics=saved):
        assert ttl.load(tmp_path / "k.ttl").config["numerics"] == saved
