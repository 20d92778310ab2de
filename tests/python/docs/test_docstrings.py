# SPDX-License-Identifier: Apache-2.0
"""Every public name of ttl has a docstring, and the examples in the docstrings run."""

import contextlib
import inspect
import io
import pydoc
import re
import textwrap
import types

import numpy as np
import pytest
import ttl
import ttnn

CONSTANTS = {"TILE_SHAPE"}
NAMES = [name for name in dir(ttl) if not name.startswith("_") and name not in CONSTANTS]
EXAMPLE = re.compile(r"^Example(, in [a-z ]+)?:\n\n((?:    .*\n|\n)+)", re.MULTILINE)

# A kernel for each place where the statements of an example may be; the example is inserted.
KERNELS = {
    ", in a compute function": """
        @ttl.operation(grid=(1, 1))
        def operation(x, y):
            x_dfb, a_dfb, b_dfb, y_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(4))

            @ttl.compute()
            def compute():
                with x_dfb.wait() as x_block, a_dfb.wait() as a_block, b_dfb.wait() as b_block:
                    with y_dfb.reserve() as y_block:
                        EXAMPLE
        operation.ir(x, y)
        """,
    ", in a data movement function": """
        @ttl.operation(grid=(1, 1))
        def operation(x, y):
            tensor = x
            dfb, sent, received = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(3))
            pipes = [ttl.Pipe((0, 0), (0, 0))]
            net = ttl.PipeNet(pipes)

            @ttl.datamovement()
            def move():
                def send(pipe):
                    with sent.reserve() as block:
                        ttl.copy(tensor[0, 0], block).wait()
                    with sent.wait() as block:
                        ttl.copy(block, pipe).wait()

                def receive(pipe):
                    with received.reserve() as block:
                        ttl.copy(pipe, block).wait()

                EXAMPLE
        operation.ir(x, y)
        """,
    ", in any kernel function": """
        @ttl.operation(grid=(1, 1))
        def operation(x, y):
            @ttl.compute()
            def compute():
                EXAMPLE

            @ttl.datamovement()
            def move():
                EXAMPLE
        operation(x, y)
        """,
    ", in a unified body": """
        def make():
            c = ttl.Kernel(ttl.KernelKind.COMPUTE)
            r, w = (ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT) for _ in range(2))
            reset = ttl.DFBReset(participants=(c, r, w))
            boundary = ttl.DFBReconfiguration(participants=(c, r, w))

            @ttl.operation(grid=(1, 1))
            def operation(x, y):
                x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))
                EXAMPLE
            return operation
        make().ir(x, y)
        """,
    ", in the body of an operation": """
        @ttl.operation(grid=(1, 1))
        def operation(x, y, shard):
            EXAMPLE

            @ttl.datamovement()
            def idle():
                pass
        operation.ir(x, y, shard)
        """,
    "": """
        @ttl.operation(grid=(1, 1))
        def scale(x, y, factor):
            x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))

            @ttl.datamovement()
            def reader():
                with x_dfb.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()

            @ttl.compute()
            def compute():
                with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                    y_block.store(x_block * factor)

            @ttl.datamovement()
            def writer():
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

        EXAMPLE
        """,
}


def example_of(name):
    """Returns the place and the program of the example in the docstring of ttl.NAME."""
    found = EXAMPLE.search(inspect.getdoc(getattr(ttl, name)) + "\n")
    assert found, f"ttl.{name} has no example"
    return found[1] or "", textwrap.dedent(found[2])


def program(place, example):
    lines = []
    for line in textwrap.dedent(KERNELS[place]).splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines.append(textwrap.indent(example.rstrip(), indent) if line.strip() == "EXAMPLE" else line)
    return "\n".join(lines) + "\n"


def tensors():
    grid = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (0, 0))])
    memory = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1,
                               ttnn.ShardSpec(grid, (32, 32), ttnn.ShardOrientation.ROW_MAJOR))
    shard = ttnn.zeros((32, 32), layout=ttnn.TILE_LAYOUT, device=ttnn.open_device(device_id=0), memory_config=memory)
    return {"x": np.ones((32, 32), np.float32), "y": np.zeros((32, 32), np.float32), "shard": shard}


def documented():
    return [name for name in NAMES if not isinstance(getattr(ttl, name), types.ModuleType)]


@pytest.mark.parametrize("name", documented())
def test_docstrings_say_what_happens_to_mistakes(name):
    text = inspect.getdoc(getattr(ttl, name))
    assert re.search(r"[Rr]aise|rror|fields|fault|Fault", text), text
    assert [line for line in text.splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("name", [each for each in NAMES if each not in documented()])
def test_modules_have_docstrings(name):
    assert getattr(ttl, name).__doc__


@pytest.mark.filterwarnings("ignore::ttl.KernelWarning")
@pytest.mark.parametrize("name", documented())
def test_the_example_works(name, tmp_path, monkeypatch):
    place, example = example_of(name)
    if place == ", in a notebook" or name == "call_extern_func":
        return  # other tests run examples for a notebook, and the example that needs a header
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "example.py"
    file.write_text(program(place, example))
    names = {"ttl": ttl, "ttnn": ttnn, "np": np, **tensors(), "__name__": "example"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(file.read_text(), str(file), "exec"), names)


@pytest.mark.parametrize("name", [each for each in NAMES if isinstance(getattr(ttl, each), type(ttl.exp))])
def test_help_shows_the_call(name):
    function = getattr(ttl, name)
    shown = pydoc.render_doc(function, renderer=pydoc.plaintext)
    assert f"{function.key}{inspect.signature(function)}" in " ".join(shown.split())


def test_the_class_of_the_functions_keeps_its_docstring():
    assert type(ttl.exp).__doc__.startswith("A function of the kernel language")
