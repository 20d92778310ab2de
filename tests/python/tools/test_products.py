"""Products of matrices give the same bits as one call per block, as calls per tile, and interpreted."""

import pytest
from running import KERNELS, hashes, run


@pytest.mark.parametrize("first", (0, 12))
def test_random_blocks(first):
    def of(*options):
        return hashes(run(KERNELS / "random_products.py", *options, "--", first, first + 12))

    at_once = of("--engine=jit")
    assert len(at_once) == 12
    assert of("--engine=jit", "--tile-loops=off") == at_once
    assert of("--engine=interp") == at_once


def test_the_switch_changes_the_compiled_code():
    kernel = KERNELS / "random_products.py"
    assert "@ttl_hw_run_products(" in run(kernel, "--dump=llvm", "--", 0, 4).stderr
    assert "products(" not in run(kernel, "--dump=llvm", "--tile-loops=off", "--", 0, 4).stderr
