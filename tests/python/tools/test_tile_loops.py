"""--tile-loops=on makes DST sections loops over elements, off makes them calls; both give the same bits."""

import pytest
from running import EXAMPLES, KERNELS, SUCCESS, USAGE, hashes, run


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
@pytest.mark.parametrize("choice", ("fpu", "fpu,schedule", "fpu,pack-blocks"))
def test_every_assignment_of_registers(dtype, choice):
    kernel = KERNELS / "sums_and_products.py"
    options = ("--engine=jit", f"--dst={choice}")
    loops = hashes(run(kernel, *options, "--", dtype))
    assert hashes(run(kernel, *options, "--tile-loops=off", "--", dtype)) == loops


def test_the_switch_changes_the_compiled_code():
    example = EXAMPLES / "eltwise_add.py"
    assert "@ttl_tile_loop_0(" in run(example, "--dump=llvm").stderr
    off = run(example, "--dump=llvm", "--tile-loops=off")
    assert off.returncode == SUCCESS
    assert "ttl_tile_loop" not in off.stderr
    assert "@ttl_jit_tile_add(" in off.stderr


def test_a_wrong_value_is_a_usage_error():
    process = run(EXAMPLES / "eltwise_add.py", "--tile-loops=maybe")
    assert process.returncode == USAGE
    assert "--tile-loops: expected one of 1, 0, true, false, on, off; found 'maybe'" in process.stderr
