# SPDX-License-Identifier: Apache-2.0
"""Modules with !ttl.dist_tensor: redistributions, and ops on the devices' parts, on all devices of a mesh."""

import itertools
import math
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened
from ttl import dist

ROOT = pathlib.Path(__file__).parents[3]
MESHES = [(1, 2), (2, 2), (2, 4), (3, 1)]


def type_of(shape, mesh, dims, element="f32"):
    extents = "x".join(map(str, shape))
    return f"!ttl.dist_tensor<{extents}x{element}, {dist.Placement(mesh, dims)}>"


def redistribution(shape, mesh, before, after, element="f32", name="main"):
    one, other = (type_of(shape, mesh, dims, element) for dims in (before, after))
    return (f"func.func @{name}(%t: {one}) -> {other} {{\n"
            f"  %u = ttl.redistribute %t : {one} -> {other}\n  return %u : {other}\n}}\n")


def all_pairs(mesh, rank=2):
    return list(itertools.product(itertools.product(range(-1, rank), repeat=len(mesh)), repeat=2))


def sums_of(monkeypatch):
    """Returns a list to which each step of a redistribution adds (step, bytes that all devices received)."""
    found, run = [], dist.run_step

    def noted(local, step, topology=None):
        made = run(local, step, ttnn.Topology.Ring if step.function == "all_reduce" else topology)
        found.append((step, ttl.last_run().stats["bytes_received"] if step.bytes else 0))
        return made

    monkeypatch.setattr(dist, "run_step", noted)
    return found


def module_of_pairs(shape, mesh, pairs):
    return "".join(redistribution(shape, mesh, before, after, name=f"f{number}")
                   for number, (before, after) in enumerate(pairs))


@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_all_pairs_of_placements(mesh):
    """After a redistribution, each device's part is the cut of the whole tensor that the host computes."""
    shape, pairs = (48, 24), all_pairs(mesh)
    whole = np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    with opened(*mesh) as device, ttl.options("--ccl=host"):
        model = ttl.load_mlir(module_of_pairs(shape, mesh, pairs))
        for function, (before, after) in zip(model.functions.values(), pairs):
            made = function(dist.DistTensor.from_numpy(whole, device, before))
            assert (made.shape, made.placement.dims) == (shape, after)
            for chip in range(math.prod(mesh)):
                found = made.extract_shard(chip).to_numpy()
                assert np.array_equal(found, whole[made.placement.slices(shape, chip)]), (before, after)


@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_the_bytes_of_all_pairs(mesh, monkeypatch):
    """Steps send as many bytes as their formulas say, and redistributing does not change the whole tensor."""
    shape, pairs = (32 * math.prod(mesh), 32 * math.prod(mesh)), all_pairs(mesh)
    whole = np.random.default_rng(0).standard_normal(shape, np.float32)
    steps = sums_of(monkeypatch)
    with opened(*mesh) as device:
        model = ttl.load_mlir(module_of_pairs(shape, mesh, pairs))
        for function, (before, after) in zip(model.functions.values(), pairs):
            steps.clear()
            source = dist.DistTensor.from_numpy(whole, device, before)
            assert np.array_equal(function(source).to_numpy(), whole), (before, after)
            assert [step for step, _ in steps] == dist.plan(shape, 4, before, after, mesh)
            size = math.prod(source.local.shape) * 4
            for step, received in steps:
                chips = mesh[step.axis]
                expected = {"mesh_partition": 0, "all_gather": (chips - 1) * size,
                            "all_to_all": (chips - 1) * size // chips}[step.function]
                assert step.bytes == expected and received == math.prod(mesh) * expected
                size = size * (chips if step.before >= 0 else 1) // (chips if step.after >= 0 else 1)


def rounded(array):
    return ttnn.to_numpy(ttnn.from_numpy(np.ascontiguousarray(array), dtype=ttnn.bfloat16,
                                         layout=ttnn.TILE_LAYOUT))


@pytest.mark.parametrize("options", ["--engine=jit", "--engine=interp", "--ccl=host", "--engine=emitted"])
def test_engines(options):
    """Each engine gives the same bits for redistributions, with partial sums and without."""
    mesh, shape, element = (2, 2), (128, 64), "bf16"
    sums, rows, columns = (type_of(shape, mesh, dims, element) for dims in (("sum", -1), (0, -1), (-1, 1)))
    text = f"""
    func.func @main(%s: {sums}, %t: {rows}) -> ({rows}, {columns}) {{
      %u = ttl.redistribute %s : {sums} -> {rows}
      %v = ttl.redistribute %t : {rows} -> {columns}
      return %u, %v : {rows}, {columns}
    }}"""
    generator = np.random.default_rng(1)
    parts = generator.standard_normal((4 * 128, 64), np.float32)
    whole = generator.standard_normal(shape, np.float32)
    with opened(*mesh) as device, ttl.options(options):
        local = ttnn.from_torch(parts, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                                mesh_mapper=ttnn.ShardTensorToMesh(device, dim=0))
        partial = dist.DistTensor(local, shape, ("sum", -1))
        u, v = ttl.load_mlir(text).main(partial, dist.DistTensor.from_numpy(whole, device, (0, -1), ttnn.bfloat16))
        one, two, three, four = np.split(rounded(parts), 4)
        assert np.array_equal(u.extract_shard(0).to_numpy(), rounded(one + three)[:64])
        assert np.array_equal(u.extract_shard(3).to_numpy(), rounded(two + four)[64:])
        assert np.array_equal(v.to_numpy(), rounded(whole))


def perceptron(mesh, rows, inner, columns):
    """Returns a module with a product whose inner dimension is cut, so that devices have partial sums."""
    x, w = type_of((rows, inner), mesh, (0, 1)), type_of((inner, columns), mesh, (-1, 0))
    sums, y, whole = (type_of((rows, columns), mesh, dims) for dims in ((0, "sum"), (0, -1), (-1, -1)))
    r, k = rows // mesh[0], inner // mesh[1]
    return f"""
    func.func @main(%x: {x}, %w: {w}, %bias: tensor<{columns}xf32>) -> {whole} {{
      %xs = ttl.extract_shard %x : {x} -> tensor<{r}x{k}xf32>
      %ws = ttl.extract_shard %w : {w} -> tensor<{k}x{columns}xf32>
      %ps = "ttir.matmul"(%xs, %ws) : (tensor<{r}x{k}xf32>, tensor<{k}x{columns}xf32>) -> tensor<{r}x{columns}xf32>
      %p = ttl.from_shards %ps : tensor<{r}x{columns}xf32> -> {sums}
      %s = ttl.redistribute %p : {sums} -> {y}
      %ss = ttl.extract_shard %s : {y} -> tensor<{r}x{columns}xf32>
      %b = "ttir.add"(%ss, %bias) : (tensor<{r}x{columns}xf32>, tensor<{columns}xf32>) -> tensor<{r}x{columns}xf32>
      %g = "ttir.relu"(%b) : (tensor<{r}x{columns}xf32>) -> tensor<{r}x{columns}xf32>
      %t = ttl.from_shards %g : tensor<{r}x{columns}xf32> -> {y}
      %u = ttl.redistribute %t : {y} -> {whole}
      return %u : {whole}
    }}"""


@pytest.mark.parametrize("mesh", [(2, 2), (1, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("extents", [(64, 96, 64), (36, 96, 20)], ids=str)
def test_ops_on_parts(mesh, extents):
    rows, inner, columns = extents
    generator = np.random.default_rng(2)
    x, w, b = (generator.integers(-4, 5, shape).astype(np.float32)
               for shape in ((rows, inner), (inner, columns), (columns,)))
    found = []
    for options in ("--engine=jit", "--engine=interp", "--ccl=host"):
        with ttl.options(options):
            model = ttl.load_mlir(perceptron(mesh, *extents))
        with opened(*mesh), ttl.options(options):
            found.append(model.main(x, w, b))
    assert np.array_equal(found[0], np.maximum(x @ w + b, 0))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    kernels = [line.split()[0] for line in model.main.report(times=False).splitlines()[1:]]
    assert kernels[:2] == ["kernel", "mesh"] and kernels.count("mesh") == 2


def test_functions_of_the_host_run_for_each_chip():
    rows, whole = (type_of((4, 6), (2, 2), dims, "f64") for dims in ((0, -1), (0, 1)))
    text = f"""
    func.func @main(%x: {rows}) -> {rows} {{
      %p = ttl.extract_shard %x : {rows} -> tensor<2x6xf64>
      %q = "ttir.exp"(%p) : (tensor<2x6xf64>) -> tensor<2x6xf64>
      %y = ttl.from_shards %q : tensor<2x6xf64> -> {rows}
      return %y : {rows}
    }}"""
    x = np.arange(24, dtype=np.float64).reshape(4, 6)
    with opened(2, 2):
        assert np.allclose(ttl.load_mlir(text).main(x), np.exp(x))
    text = redistribution((4, 6), (2, 2), (0, -1), (0, 1), "f64")
    with pytest.raises(ttl.CompileError, match="cannot exchange elements that the device does not have: 'f64'"):
        ttl.load_mlir(text)
    assert whole in text


def test_calls_of_functions():
    rows, whole = (type_of((64, 64), (2, 1), dims) for dims in ((0, -1), (-1, -1)))
    text = f"""
    func.func private @gathered(%t: {rows}) -> {whole} {{
      %u = ttl.redistribute %t : {rows} -> {whole}
      return %u : {whole}
    }}
    func.func @main(%t: {rows}) -> {whole} {{
      %u = func.call @gathered(%t) : ({rows}) -> {whole}
      return %u : {whole}
    }}"""
    x = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    with opened(2, 1):
        model = ttl.load_mlir(text)
        assert np.array_equal(model.main(x), x) and list(model.functions) == ["main"]


def test_the_mesh_is_opened_and_closed():
    model = ttl.load_mlir(redistribution((64, 64), (2, 2), (0, 1), (1, 0)))
    x = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    with pytest.warns(UserWarning, match="name the machine, as in --mesh=2x2"):
        assert np.array_equal(model.main(x), x)
    assert ttnn.fabric.current() is ttnn.FabricConfig.DISABLED and ttnn.fabric.open_mesh() is None
    with opened(2, 1), pytest.raises(ValueError, match="runs on a mesh of 2x2, and the open mesh is one of 2x1"):
        model.main(x)


def test_types_and_reports():
    model = ttl.load_mlir(redistribution((64, 64), (2, 2), (0, -1), (-1, 1)))
    assert model.main.arguments == [type_of((64, 64), (2, 2), (0, -1))]
    assert model.main.results == [type_of((64, 64), (2, 2), (-1, 1))]
    lines = model.main.report(times=False).splitlines()
    assert lines[1:] == ["  mesh   mesh_partition(dim 1, axis 1), 0 bytes, line 2",
                         "  mesh   all_gather(dim 0, axis 0), 4096 bytes, line 2"]
    with opened(2, 2) as device:
        x = dist.DistTensor.from_numpy(np.zeros((64, 64), np.float32), device, (0, -1))
        assert repr(x) == model.main.arguments[0]
        other = dist.DistTensor.from_numpy(np.zeros((64, 64), np.float32), device, (1, -1))
        with pytest.raises(TypeError, match="argument 0 of main\\(\\) is a !ttl.dist_tensor<64x64xf32"):
            model.main(other)
        with pytest.raises(TypeError, match="found an array of shape \\(32, 64\\)"):
            model.main(np.zeros((32, 64), np.float32))


def test_sums_as_whole_tensors():
    """An argument for a partial sum may be a whole tensor, but a result of main must not be a partial sum."""
    shape, mesh = (64, 64), (2, 2)
    x = np.arange(64 * 64, dtype=np.float32).reshape(shape)
    with opened(*mesh):
        model = ttl.load_mlir(redistribution(shape, mesh, ("sum", 0), (-1, 0)))
        assert np.array_equal(model.main(x), x)
        model = ttl.load_mlir(redistribution(shape, mesh, ("sum", 0), ("sum", -1)))
        with pytest.raises(ValueError, match="result 0 of main\\(\\) has partial sums: redistribute it in the module"):
            model.main(x)


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    model = ttl.load_mlir(redistribution((64, 32), (2, 1), (0, -1), (-1, -1), "bf16"))
    x = torch.arange(64 * 32, dtype=torch.float32).reshape(64, 32).bfloat16()
    with opened(2, 1):
        assert torch.equal(model.main(x), x)
        assert np.array_equal(ttnn.to_numpy(model.main(ttnn.from_torch(x, layout=ttnn.TILE_LAYOUT))), x.float().numpy())


def run_file(tmp_path, text, *words):
    file = tmp_path / "model.mlir"
    file.write_text(text)
    program = os.path.join(os.environ["TTJIT_BUILD"], "bin", "ttl-jit")
    return subprocess.run([program, "run", str(file), *words], capture_output=True, text=True, check=False,
                          cwd=tmp_path, timeout=300)


def test_the_command(tmp_path):
    x = np.arange(128 * 64, dtype=np.float32).reshape(128, 64)
    np.save(tmp_path / "x.npy", x)
    text = redistribution((128, 64), (2, 4), (0, -1), (1, 0))
    for options in ((), ("--engine=interp",), ("--ccl=host",)):
        done = run_file(tmp_path, text, "--mesh=2x4", "--arg", "0=x.npy", "--out", "0=y.npy", *options)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert np.array_equal(np.load(tmp_path / "y.npy"), x)
    done = run_file(tmp_path, text, "--mesh=2x2")
    assert done.returncode == 2 and "needs 8 devices, but --mesh=2x2 has 4" in done.stderr


def page_block(kind, begin):
    text = (ROOT / "docs" / "mesh.md").read_text()
    return next(block for block in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) if block.startswith(begin))


def test_the_module_of_the_page(tmp_path):
    """The page's module computes the right product, and prints the report and remark that the page quotes."""
    module = page_block("mlir", "// mlp.mlir")
    (tmp_path / "mlp.mlir").write_text(module)
    generator = np.random.default_rng(3)
    x, w = (generator.integers(-4, 5, shape).astype(np.float32) for shape in ((64, 256), (256, 64)))
    model = ttl.load_mlir(module)
    with opened(2, 2):
        assert np.array_equal(model.main(x, w), x @ w)
    for line in model.main.report(times=False).splitlines()[1:]:
        assert line in page_block("console", "$ ttl-jit run mlp.mlir")
    program = os.path.join(os.environ["TTJIT_BUILD"], "bin", "ttl-opt")
    done = subprocess.run([program, "mlp.mlir", "--ttl-lower-redistribute=remarks=true"], capture_output=True,
                          text=True, check=True, cwd=tmp_path)
    assert page_block("console", "mlp.mlir:12:8: remark").strip() in done.stderr
