"""The pytest plugin ttl_jit.pytest_plugin: its fixtures, markers and imports."""

from scripts import ADD, run_pytest, write

KERNEL_TEST = f'''
import numpy as np
import pytest
import ttl

ttnn = pytest.importorskip("ttnn", exc_type=ImportError)
from ttlang_test_utils import is_hardware_available
from utils.correctness import assert_pcc

pytestmark = pytest.mark.requires_device
{ADD}
@pytest.mark.parametrize("fixture", ["device", "ttnn_device"])
def test_add(fixture, request):
    device = request.getfixturevalue(fixture)
    a = np.random.default_rng(1).random((32, 32), dtype=np.float32)
    tensors = [ttnn.from_numpy(values, device=device) for values in (a, a, a * 0)]
    add(*tensors)
    assert_pcc(a + a, tensors[2])
    assert is_hardware_available()
'''


def test_a_test_of_a_kernel_runs_from_any_folder(tmp_path):
    file = write(tmp_path, "test_add.py", KERNEL_TEST)
    for folder in ("/", tmp_path):
        process = run_pytest(file, "--strict-markers", folder=folder)
        assert process.returncode == 0, process.stdout + process.stderr
        assert "2 passed" in process.stdout


def test_a_test_file_keeps_a_generic_name(tmp_path):
    file = write(tmp_path, "test_config.py", """
        import utils

        def test_mine():
            assert utils.mine() == 1, "as in utils.py"
    """)
    write(tmp_path, "utils.py", "def mine(): return 2")
    process = run_pytest(file)
    assert process.returncode == 1
    # Pytest still rewrites asserts, so that it shows the values of a failed comparison.
    assert "assert 2 == 1" in process.stdout


def test_a_module_that_is_missing_skips_the_test(tmp_path):
    file = write(tmp_path, "test_skip.py", """
        import pytest
        pytest.importorskip("no_such_module_anywhere", exc_type=ImportError)
    """)
    process = run_pytest(file)
    assert "1 skipped" in process.stdout, process.stdout
