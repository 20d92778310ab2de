# SPDX-License-Identifier: Apache-2.0
"""Modules of TT-Lang that scripts and tests import, and the helper functions in them."""

import importlib
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import ttl
import ttl_jit
import ttnn
from ttl import _options
from ttl._options import SWITCHES, VALUES
from ttl.compiler_options import CompilerOptions
from ttl.diagnostics import TTLangCompileError
from ttl.dtype_utils import (
    format_name_to_ttnn_dtype,
    is_ttnn_tensor,
    tile_bytes_from_dtype,
    torch_dtype_to_ttnn_datatype,
)

ttl_jit.activate()
helpers = importlib.import_module("ttlang_test_utils")

# ===--------------------------------------------------------------------------=== #
# Names of the package
# ===--------------------------------------------------------------------------=== #

SPELLINGS = ("from ttl import ttl", "import ttl", "import ttl as T\nttl = T", "import ttl.ttl as ttl",
             "from ttlang import ttl", "import ttlang as ttl")
PROGRAM = """
import numpy as np
{spelling}

@ttl.operation(grid=(1, 1))
def op(a, y):
    ad, yd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))

    @ttl.compute()
    def compute():
        with ad.wait() as x, yd.reserve() as o:
            o.store(ttl.math.exp(x) * 0 + 2)

    @ttl.datamovement()
    def reader():
        with ad.reserve() as x:
            ttl.copy(a[0, 0], x).wait()

    @ttl.datamovement()
    def writer():
        with yd.wait() as x:
            ttl.copy(x, y[0, 0]).wait()

a, y = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
op(a, y)
assert (y == 2).all() and ttl.__version__
"""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_the_import(spelling, tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(PROGRAM.format(spelling=spelling))
    code = compile(script.read_text(), str(script), "exec")
    exec(code, {"__name__": "kernel"})


def test_versions():
    assert isinstance(ttl.__version__, str) and ttl.__version__ and not ttl.__version__.startswith("@")
    assert set(ttl.build_info()) == {"version", "ttlang", "tt_metal_tag", "tt_metal"}
    assert ttl.build_info()["version"] == ttl.__version__ == ttl.config.VERSION


def test_types_of_annotations():
    for name in ("TensorBlock", "CopyTransferHandler", "ReceiveRequest", "ReadyReceive", "DataflowBuffer",
                 "CompilerOptions"):
        assert isinstance(getattr(ttl, name), type), name
    assert ttl.dataflow_buffer.DataflowBuffer is ttl.DataflowBuffer
    assert ttl.CompilerOptions is CompilerOptions


# ===--------------------------------------------------------------------------=== #
# Errors, types, flags
# ===--------------------------------------------------------------------------=== #


def test_compile_errors_are_of_both_classes():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            no_such_name  # the error is at this line

    with pytest.raises(TTLangCompileError) as caught:
        op(np.zeros((32, 32), np.float32))
    error = caught.value
    assert isinstance(error, ttl.CompileError) and isinstance(error, ValueError)
    assert error.source_file == __file__ and error.line > 0 and error.col == 13
    assert "this line" in error.format() and "error: " in error.format()


def test_errors_that_programs_make(tmp_path):
    file = tmp_path / "k.py"
    file.write_text("a = 1\nb = a + c\n")
    error = TTLangCompileError("no c", str(file), 2, 9)
    assert (error.source_file, error.line, error.col) == (str(file), 2, 9) and str(error) == "no c"
    assert "b = a + c" in error.format() and f"{file}:2:9" in error.format()
    assert TTLangCompileError("alone").format() == "alone"
    given = TTLangCompileError("no d", "gone.py", 1, 3, ["x = d"]).format()
    assert given == "gone.py:1:3: error: no d\n  x = d\n    ^"


def test_types():
    assert format_name_to_ttnn_dtype("bf16") == format_name_to_ttnn_dtype("bfloat16") == ttnn.bfloat16
    for name, dtype in {"fp32": "float32", "f32": "float32", "bfp8_b": "bfloat8_b", "uint8": "uint8"}.items():
        assert format_name_to_ttnn_dtype(name) == getattr(ttnn, dtype)
    for wrong in ("float12", "", 3, None):
        with pytest.raises(ValueError, match="Unrecognized data format name"):
            format_name_to_ttnn_dtype(wrong)
    assert torch_dtype_to_ttnn_datatype(np.float32) == ttnn.float32
    with pytest.raises(ValueError, match="Unsupported torch dtype"):
        torch_dtype_to_ttnn_datatype("complex64")
    assert is_ttnn_tensor(ttnn.ones((2, 2))) and not is_ttnn_tensor(np.ones(2))
    sizes = {"float32": 4096, "bfloat16": 2048, "bfloat8_b": 1088, "bfloat4_b": 576, "uint8": 1024}
    assert {name: tile_bytes_from_dtype(getattr(ttnn, name)) for name in sizes} == sizes


def test_flags():
    plain = CompilerOptions()
    assert plain.maximize_dst is True and plain.subblock_sync is False and plain._explicit == frozenset()
    changed = CompilerOptions.from_string("--no-ttl-maximize-dst --ttl-l1-budget=4096 --ttl-accumulation-strategy dst")
    assert (changed.maximize_dst, changed.l1_budget, changed.accumulation_strategy) == (False, 4096, "dst")
    assert plain.merge(changed) == changed and changed.merge(plain) == changed and changed != plain
    assert CompilerOptions.from_string("--ttl-maximize-dst") == plain and len({plain, CompilerOptions()}) == 1
    with pytest.raises(AttributeError):
        plain.maximize_dst = False
    with pytest.raises(ValueError, match="Unknown kernel option"):
        CompilerOptions.from_string("--ttl-maximise-dst")
    with pytest.raises(ValueError, match="--ttl-l1-budget must be an integer, found 'x'"):
        CompilerOptions.from_string("--ttl-l1-budget x")


def test_the_sources_of_compiler_options_in_their_order(tmp_path):
    """Each later source overrides earlier ones: defaults, options=, TTLANG_COMPILER_OPTIONS, command line."""
    script = tmp_path / "script.py"
    script.write_text("""
import os
from ttl import CompilerOptions as C
found = C().merge(C.from_string("--ttl-l1-budget 1 --ttl-pipe-batch-tiles 1 --no-ttl-maximize-dst "
                                "--ttl-memory-model=compiler-l1"))
found = found.merge(C.from_string(os.environ["TTLANG_COMPILER_OPTIONS"])).merge(C.from_argv())
print(found.l1_budget, found.pipe_batch_tiles, found.maximize_dst, found.memory_model, found.matmul_full_fp32)
""")
    process = subprocess.run(
        [sys.executable, script, "--other", "--ttl-l1-budget=3", "--ttl-maximize-dst"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path),
             "TTLANG_COMPILER_OPTIONS": "--ttl-l1-budget 2 --ttl-pipe-batch-tiles=2 --no-ttl-maximize-dst"})
    assert process.stdout.split() == ["3", "2", "True", "compiler-l1", "True"], process.stderr


@pytest.mark.parametrize("flag", [*SWITCHES, *VALUES])
def test_each_flag_of_the_other_compiler_is_accepted(flag):
    value = "" if flag in SWITCHES else "=7"
    options = CompilerOptions.from_string(f"--ttl-{flag}{value}")
    assert len(options._explicit) == 1
    with pytest.warns(ttl.OptionWarning, match=f"--ttl-{flag} has no effect"):
        assert _options.parse(f"--ttl-{flag}{value}") == ()
    if flag in SWITCHES:
        [field] = options._explicit
        assert getattr(options, field) and not getattr(CompilerOptions.from_string(f"--no-ttl-{flag}"), field)


def test_help_of_flags(tmp_path):
    script = tmp_path / "k.py"
    script.write_text("import ttl\nttl.CompilerOptions.from_argv()\nprint('not reached')\n")
    environment = {"PYTHONPATH": ":".join(sys.path)}

    def run(*arguments):
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True,
                              env=environment)

    shown = run("--ttl-help")
    assert shown.returncode == 0 and "--no-ttl-maximize-dst (default: on)" in shown.stdout
    assert "not reached" not in shown.stdout and run("-v").stdout == "not reached\n"


# ===--------------------------------------------------------------------------=== #
# Helpers of tests
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("layout", ["height", "width", "block"])
def test_sharded_tensors(layout):
    torch = pytest.importorskip("torch")
    device = ttnn.open_device(device_id=0)
    tensor = helpers.to_l1_sharded(torch.arange(4096).reshape(64, 64).float(), device, layout)
    memory = tensor.memory_config()
    assert memory.is_sharded() and tuple(memory.shard_spec.shape) == (64, 64)
    assert np.array_equal(ttnn.to_numpy(tensor).ravel(), np.arange(4096))


def test_helpers_for_comparisons():
    torch = pytest.importorskip("torch")
    lhs, rhs = helpers.make_compare_inputs((4, 6), torch.bfloat16)
    third = (lhs.float() - rhs.float()).flatten()
    assert lhs.shape == (4, 6) and lhs.dtype == torch.bfloat16
    assert [(third == d).sum().item() for d in (0.0, 0.5, -0.5)] == [8, 8, 8]
    helpers.assert_compare_result((lhs == rhs).to(torch.bfloat16), lhs == rhs)
    with pytest.raises(AssertionError, match="8 of 24 elements of the mask differ"):
        helpers.assert_compare_result((lhs == rhs).float(), torch.zeros(4, 6))


def test_no_mesh_of_devices():
    with pytest.raises(helpers.FabricMeshUnavailable, match="the mesh needs 2 devices, the machine has 1"):
        with helpers.open_fabric_mesh((1, 2)):
            pass
    with pytest.raises(ValueError, match="Unknown shard layout 'rows'"):
        helpers.to_l1_sharded(None, None, "rows")


def test_names_of_the_users_own_helpers(tmp_path):
    folder = tmp_path / "tests" / "deep"
    folder.mkdir(parents=True)
    (tmp_path / "tests" / "ttlang_test_utils.py").write_text("def to_dram(t, d): return 1\ndef own(): return 'own'\n")
    (folder / "test_it.py").write_text(textwrap.dedent("""
        import pytest
        import ttlang_test_utils
        from ttlang_test_utils import own, to_dram

        def test_it():
            assert own() == "own" and to_dram.__module__ == "ttlang_test_utils"
            with pytest.raises(ImportError):
                from ttlang_test_utils import nobody_has_it
    """))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "ttl_jit.pytest_plugin", folder]
    result = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert result.returncode == 0, result.stdout
