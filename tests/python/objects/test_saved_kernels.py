# SPDX-License-Identifier: Apache-2.0
"""CompiledKernel.save() writes a kernel to a file; ttl.load() reads it."""

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl

from copies import copy, scale, tensors


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "scale.ttl"
    scale.compile(*tensors(32), 2.0).save(path)
    return path


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_a_loaded_kernel_gives_the_same_bits(saved, engine):
    (a, y), (_, expected) = tensors(32), tensors(32)
    with ttl.options(engine=engine):
        kernel = ttl.load(saved)
    kernel(a, y, 2.0)
    scale(a, expected, 2.0)
    assert y.tobytes() == expected.tobytes()
    assert set(kernel.engines.values()) == {engine}


def test_a_loaded_kernel_is_like_the_saved_one(saved):
    kernel, original = ttl.load(saved), scale.compile(*tensors(32), 2.0)
    assert repr(kernel) == repr(original)
    assert kernel.ir("dst") == original.ir("dst")
    with pytest.raises(TypeError, match="compiled for factor = 2.0, found 3.0"):
        kernel(*tensors(32), 3.0)
    again = os.fspath(saved) + "2"
    kernel.save(again)
    assert ttl.load(again).ir() == kernel.ir()


def test_a_kernel_keeps_its_options(tmp_path):
    path = tmp_path / "copy.ttl"
    copy.compile(*tensors(), options="--engine=interp --limit=1").save(path)
    kernel = ttl.load(path)
    assert kernel.options == {"engine": "interp", "limit": "1"}
    with pytest.raises(ttl.RuntimeFault, match="limit") as caught:
        kernel(*tensors())
    assert caught.value.file.endswith("copies.py")


def test_numbers_of_nodes(tmp_path):
    @ttl.operation(grid=(2, 1))
    def spread(a, y):
        x, _ = ttl.node(dims=2)
        source = 1 - x
        buffer = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)

        @ttl.datamovement()
        def reader():
            with buffer.reserve() as block:
                ttl.copy(a[source, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with buffer.wait() as block:
                ttl.copy(block, y[x, 0]).wait()

    a, y = tensors()
    spread.compile(a, y).save(tmp_path / "spread.ttl")
    ttl.load(tmp_path / "spread.ttl")(a, y)
    assert (y == np.concatenate([a[32:], a[:32]])).all()


LOADER = """
import sys, numpy as np, ttl
a = np.arange(1024, dtype=np.float32).reshape(32, 32); y = np.zeros_like(a)
ttl.load(sys.argv[1])(a, y, 2.0)
print((y == 2 * a).all())
"""


def test_another_process_needs_no_source(saved, tmp_path):
    result = subprocess.run([sys.executable, "-c", LOADER, saved], cwd=tmp_path, check=False,
                            capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert result.stdout == "True\n", result.stderr


@pytest.mark.parametrize("damage, message", [
    (lambda text: b"", "is not a kernel that ttl-jit saved"),
    (lambda text: b"#!/bin/sh\n", "is not a kernel that ttl-jit saved"),
    (lambda text: b"\xff\xfe\n" + text, "is not a kernel that ttl-jit saved"),
    (lambda text: text[:-1], "is damaged: its checksum is wrong"),
    (lambda text: text[:-9] + b"x" + text[-8:], "is damaged: its checksum is wrong"),
    (lambda text: text.replace(b"kernel 1 ", b"kernel 0 ", 1), "has format 0, and this ttl-jit reads"),
])
def test_damaged_and_older_files_are_refused(saved, damage, message):
    saved.write_bytes(damage(saved.read_bytes()))
    with pytest.raises(ValueError, match=message):
        ttl.load(saved)


def test_a_file_that_does_not_exist():
    with pytest.raises(FileNotFoundError):
        ttl.load("/does/not/exist")


def test_kernels_that_depend_on_the_process_are_refused(tmp_path):
    a, y = tensors()

    @ttl.operation(grid=(2, 1))
    def take(y):
        buffer = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)

        @ttl.datamovement()
        def reader():
            with buffer.reserve() as block:
                ttl.copy(a[ttl.node(dims=1), 0], block).wait()

        @ttl.datamovement()
        def writer():
            with buffer.wait() as block:
                ttl.copy(block, y[ttl.node(dims=1), 0]).wait()

    with pytest.raises(ValueError, match="it uses tensors that are not its arguments"):
        take.compile(y).save(tmp_path / "take.ttl")
    assert not list(tmp_path.iterdir())


def test_a_failed_save_leaves_the_old_file(saved, monkeypatch):
    before = saved.read_bytes()
    kernel = ttl.load(saved)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        kernel.save(saved)
    assert saved.read_bytes() == before
    assert [each.name for each in saved.parent.iterdir()] == [saved.name]
