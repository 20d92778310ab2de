"""ttl.load_mlir() and `ttl-jit run --arg --out` with modules of the d2m dialect."""

import pathlib
import subprocess

import judge
import numpy as np
import pytest
import ttl
import ttnn

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def test_a_function_is_called_with_arrays():
    model = ttl.load_mlir(PROGRAMS / "matmul.mlir")
    generator = np.random.default_rng(1)
    x, y = (generator.uniform(-1, 1, shape).astype(np.float32) for shape in ((64, 128), (128, 64)))
    found = model.matmul(x, y)
    np.testing.assert_allclose(found, np.maximum(x @ y, 0), rtol=1e-5, atol=1e-5)
    assert [kernel.name for kernel in model.matmul.kernels] == ["matmul_0"]
    assert "kernel matmul_0" in model.matmul.report()


def test_the_bits_are_those_of_the_command():
    function = judge.functions_of((PROGRAMS / "matmul.mlir").read_text())[0]
    x, y = judge.arguments_of(function)
    found = ttl.load_mlir(PROGRAMS / "matmul.mlir").matmul(x.astype(np.float32), y.astype(np.float32))
    printed = judge.tool("ttl-jit", "run", str(PROGRAMS / "matmul.mlir")).stdout
    value = 0xCBF29CE484222325
    for byte in found.tobytes():
        value = ((value ^ byte) * 0x100000001B3) % (1 << 64)
    assert f"hash {value:016x}" in printed


def test_memrefs_are_written_in_place():
    model = ttl.load_mlir(PROGRAMS / "tiles.mlir")
    assert model.registers.arguments == ["tensor<2x2x64x64xf32>"] * 2
    x = np.random.default_rng(2).uniform(-1, 1, (2, 2, 64, 64)).astype(np.float32)
    y = np.zeros_like(x)
    assert model.registers(x, y) is None
    np.testing.assert_allclose(y, np.exp(x) + x, rtol=1e-5, atol=1e-5)


def test_torch_and_ttnn_tensors():
    torch = pytest.importorskip("torch")
    model = ttl.load_mlir(PROGRAMS / "matmul.mlir")
    x, y = torch.rand(64, 128), torch.rand(128, 64)
    wanted = np.maximum((x @ y).numpy(), 0)
    np.testing.assert_allclose(model.matmul(x, y).numpy(), wanted, rtol=1e-4)
    device = ttnn.open_device(device_id=0)
    on_device = [ttnn.from_torch(each, layout=ttnn.TILE_LAYOUT, device=device) for each in (x, y)]
    np.testing.assert_allclose(ttnn.to_torch(model.matmul(*on_device)).numpy(), wanted, rtol=1e-4)
    memrefs = ttl.load_mlir(PROGRAMS / "tiles.mlir").registers
    tile = ttnn.from_torch(torch.zeros(2, 2, 64, 64), layout=ttnn.TILE_LAYOUT, device=device)
    with pytest.raises(TypeError, match="argument 0 of registers.. is a memref, which is written in place"):
        memrefs(tile, tile)


def test_what_the_host_cannot_do_is_an_error_at_its_line():
    with pytest.raises(ttl.CompileError, match="'d2m.mask' is not supported in a function that Python calls"):
        ttl.load_mlir(PROGRAMS / "host.mlir")


def test_the_command_takes_files(tmp_path):
    x, y = (np.full(shape, 0.5, np.float32) for shape in ((64, 128), (128, 64)))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    words = ["--arg", f"0={tmp_path / 'x.npy'}", "--arg", f"1={tmp_path / 'y.npy'}", "--out", f"0={tmp_path / 'r.npy'}"]
    done = subprocess.run([judge.BUILD / "bin" / "ttl-jit", "run", PROGRAMS / "matmul.mlir", *words],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "r.npy"), np.full((64, 64), 32.0, np.float32))
