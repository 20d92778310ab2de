"""Scripts may import TT-Lang under each of its names."""

import pytest

from scripts import printed, run, write

NAMES = """
    ttl ttl.ttl ttl.math ttl.config ttl.utils ttl.utils.correctness ttl.utils.block_allocation
    ttl.ttl_api ttl.operators ttnn sim sim.ttl sim.ttnn sim.testing sim.typedefs python python.sim
    python.sim.testing sim.ttnnsim sim.dfb utils utils.correctness utils.block_allocation ttlang ttlang.ttl
    ttlang.ttl_api ttlang.d2m_api ttlang.operators ttlang.utils.correctness
    ttlang.utils.block_allocation pykernel.d2m_api pykernel.kernel_ast pykernel._src.kernel_ast test_config
    ttlang_test_utils
""".split()


def test_every_name_is_a_module_with_a_spec(tmp_path):
    script = write(tmp_path, "names.py", f"""
        import importlib, importlib.util
        for name in {NAMES!r}:
            assert importlib.util.find_spec(name) is not None, name
            module = importlib.import_module(name)
            assert module.__spec__.name == module.__name__ == name, name
        print("all")
    """)
    assert printed(run(script)) == "all\n"


@pytest.mark.parametrize("line", [
    "from ttl import Pipe, PipeNet, Program, copy, core, make_circular_buffer_like, matmul",
    "from ttl.ttl import DFB, operation, compute, datamovement",
    "from ttl import ttl; ttl.operation; ttl.math.exp",
    "from ttlang import ttl, make_circular_buffer_like, sigmoid, tanh, abs, neg, relu; ttl.kernel",
    "from ttlang.ttl_api import Program, CircularBuffer, TensorAccessor, compute, datamovement",
    "from ttlang.operators import copy, exp, reduce_sum, recip, bcast, maximum",
    "from sim import ttl, ttnn; from sim.testing import assert_pcc; ttl.TILE_SHAPE; ttnn.float32",
    "from sim import ttl, ttnn, copy, operation, node, GroupTransfer, TTNN_AVAILABLE, make_dataflow_buffer_like",
    "from sim.typedefs import Pipe, Shape",
    "from sim.dfb import Block, DataflowBuffer; from python.sim.ttnnsim import TILE_LAYOUT, rand",
    "from python.sim import TILE_SHAPE, copy, ttl, ttnn, assert_pcc",
    "from utils.correctness import assert_pcc, assert_allclose, assert_with_ulp",
    "from utils import assert_pcc, assert_allclose, require_hardware; require_hardware()",
    "from ttl.utils.block_allocation import get_large_matmul_params, split_work_to_nodes",
    "from ttl.config import HAS_TT_DEVICE; assert HAS_TT_DEVICE is True",
    "from test_config import HAS_TT_DEVICE; assert HAS_TT_DEVICE is True",
    "from ttlang_test_utils import to_dram, to_l1, is_hardware_available as have; assert have()",
    "import os; assert os.environ['TTLANG_HAS_DEVICE'] == '1'",
    "import ttl, sim, ttlang; assert sim.ttl is ttl and ttlang.operation is ttl.operation",
])
def test_import(tmp_path, line):
    printed(run(write(tmp_path, "script.py", line)))


def test_names_stand_before_what_a_script_puts_first_on_the_path(tmp_path):
    for name in ("ttl", "ttnn", "sim", "ttlang", "pykernel"):
        write(tmp_path, f"old/{name}/__init__.py", "raise ImportError('another installation')")
    script = write(tmp_path, "script.py", f"""
        import sys
        sys.path.insert(0, {str(tmp_path / 'old')!r})
        import ttl, ttnn, sim, ttlang, pykernel.d2m_api
        print(ttl.TILE_SHAPE)
    """)
    assert printed(run(script)) == "(32, 32)\n"


def test_a_module_beside_the_script_keeps_its_generic_name(tmp_path):
    write(tmp_path, "utils.py", "def mine(): return 'mine'\ndef assert_pcc(): return 'my own'")
    write(tmp_path, "test_config.py", "SIZE = 7")
    script = write(tmp_path, "script.py", """
        import test_config, utils
        print(utils.mine(), utils.assert_pcc(), test_config.SIZE)
        # What the user's modules lack comes from ttl-jit's.
        from utils import assert_allclose
        from utils.correctness import assert_with_ulp
        print(test_config.HAS_TT_DEVICE, hasattr(utils, "no_such_name"))
    """)
    assert printed(run(script)) == "mine my own 7\nTrue False\n"


def test_a_package_beside_the_script_keeps_its_submodules(tmp_path):
    write(tmp_path, "utils/__init__.py", "")
    write(tmp_path, "utils/correctness.py", "def assert_pcc(): return 'my own'")
    write(tmp_path, "python/__init__.py", "HERE = 'mine'")
    write(tmp_path, "python/sim/__init__.py", "raise ImportError('another installation')")
    script = write(tmp_path, "script.py", """
        from utils.correctness import assert_pcc
        from utils.block_allocation import split_work_to_nodes
        import python.sim
        print(assert_pcc(), split_work_to_nodes((1, 1), 1)[0], python.HERE, python.sim.TILE_SHAPE)
    """)
    assert printed(run(script)) == "my own 1 mine (32, 32)\n"


def test_a_generic_module_elsewhere_on_the_path_does_not_count(tmp_path):
    write(tmp_path, "old/utils/__init__.py", "raise ImportError('another installation')")
    script = write(tmp_path, "script.py", f"""
        import sys
        sys.path.insert(0, {str(tmp_path / 'old')!r})
        from utils.correctness import assert_pcc
        print(assert_pcc([1, 2, 3], [1, 2, 3]))
    """)
    assert float(printed(run(script))) == pytest.approx(1)


def test_a_name_that_no_module_has_is_an_error(tmp_path):
    process = run(write(tmp_path, "script.py", "import ttlang\nttlang.no_such_name"))
    assert process.returncode == 1
    assert "no attribute 'no_such_name'" in process.stderr


def test_a_tensor_of_the_simulator(tmp_path):
    torch = pytest.importorskip("torch")
    assert torch is not None
    script = write(tmp_path, "script.py", """
    import torch
    from sim import ttnn
    from sim.ttnnsim import ROW_MAJOR_LAYOUT, Tensor
    from sim.dfb import Block

    t = Tensor(torch.arange(3.0), layout=ROW_MAJOR_LAYOUT)
    print(t.to_torch().tolist(), isinstance(t, Tensor), isinstance(ttnn.ones((2,)), Tensor), Block.__name__)
    """)
    assert printed(run(script)) == "[0.0, 1.0, 2.0] True True TensorBlock\n"
