# SPDX-License-Identifier: Apache-2.0
"""Each mistake of package common_mistakes gives an error at its marked place and within SECONDS. The
error has the mistake's phrase or message; contexts such as loops and branches do not change it."""
# feature: Errors; Warnings; States of a block; What is refused

import dataclasses
import importlib
import importlib.util
import linecache
import os
import pkgutil
import re
import signal
import time
import traceback

import common_mistakes
import pytest
import ttl
import ttnn
from common_mistakes import contexts

for _module in pkgutil.iter_modules(common_mistakes.__path__):
    importlib.import_module(f"common_mistakes.{_module.name}")

SECONDS = 2


def operation(mistake):
    @ttl.operation(grid=mistake.grid)
    def op(a, b, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=mistake.shapes.get("a", (1, 1)))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=mistake.shapes.get("b", (1, 1)))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=mistake.shapes.get("y", (1, 1)))
        mistake.define(a, b, y, a_dfb, b_dfb, y_dfb)

    return op


def launch(mistake):
    operation(mistake)(*(ttnn.ones((64, 64)) for _ in range(3)))


def stop(*_):
    raise AssertionError("the mistake hangs")


@pytest.fixture
def in_time():
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)  # in elapsed time, for slow machines; the limit below is CPU time
    start = time.process_time()
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    assert time.process_time() - start < SECONDS


def check_warning(mistake):
    with pytest.warns(ttl.KernelWarning) as caught:
        launch(mistake)
    warnings = [each.message for each in caught]
    found = [each for each in warnings if (each.line, each.column) == mistake.place()]
    assert found and re.search(mistake.phrase, str(found[0])), [str(each) for each in warnings]


def marked(mistake):
    """Marks the mistake in which --check=protocol finds a fault: runs with that option skip it."""
    if mistake.name != "result_that_nobody_writes_out":
        return mistake
    return pytest.param(mistake, marks=pytest.mark.finds("protocol"))


@pytest.mark.parametrize("mistake", map(marked, common_mistakes.ALL), ids=lambda mistake: mistake.name)
def test_mistake(mistake, in_time):
    if mistake.kind == common_mistakes.WARNING:
        check_warning(mistake)
        return
    with pytest.raises(mistake.kind) as caught:
        launch(mistake)
    error = caught.value
    assert re.search(mistake.phrase, error.message), str(error)
    assert mistake.message in ("", error.message)
    assert error.line == mistake.place()[0], str(error)
    # Emitted C++ knows lines of Python but no columns, so the column is that of the first op there.
    assert error.column == mistake.place()[1] or os.environ.get("TTL_ENGINE") == "emitted", str(error)
    assert error.file.endswith(".py") and "NoneType" not in error.message
    if mistake.advice:
        assert re.search(mistake.advice, str(error))


@pytest.mark.parametrize("mistake", common_mistakes.PROGRAMS, ids=lambda mistake: mistake.name)
def test_program(mistake, in_time):
    """A CompileError, or the innermost frame of the program in a traceback, is at the marked line."""
    with pytest.raises(mistake.kind) as caught:
        mistake.define()
    error = caught.value
    line, column = mistake.place()
    if isinstance(error, ttl.CompileError):
        assert (error.message, error.line, error.column) == (mistake.message, line, column)
        return
    assert str(error) == mistake.message
    frames = [f for f in traceback.extract_tb(caught.tb) if f.filename == mistake.file]
    assert frames[-1].lineno == line


def test_a_thread_without_its_decorator():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        common_mistakes.read(a, a_dfb)
        common_mistakes.write(y_dfb, y)

        def compute():  # this line
            with a_dfb.wait() as blk, y_dfb.reserve() as out:
                out.store(blk)

        def used():
            pass

        used()

    with (pytest.warns(ttl.KernelWarning) as caught,
          pytest.raises(ttl.CompileError, match="but no thread produces any")):
        op(ttnn.ones((64, 64)), ttnn.ones((64, 64)))
    warning = caught[0].message
    assert str(warning) == (
        "nothing calls compute(), and no decorator makes it a thread: write @ttl.compute() or "
        "@ttl.datamovement() above it, call it, or delete it"
    )
    assert "def compute():  # this line" in open(__file__).read().splitlines()[warning.line - 1]


def test_the_note_of_an_assignment_in_place_of_a_store():
    mistake = next(each for each in common_mistakes.ALL if each.name == "expression_bound_to_the_name_of_a_block")
    with pytest.raises(ttl.CompileError) as caught:
        launch(mistake)
    texts = [str(note) for note in caught.value.notes]
    assert texts == ["the block is acquired here", "the block is pushed here, unwritten"]


# ===--------------------------------------------------------------------------=== #
# The same mistakes inside loops, branches, helper functions and unified bodies
# ===--------------------------------------------------------------------------=== #


def in_context(mistake, context, folder):
    """Returns the mistake with its thread's statements inside `context`: see common_mistakes/contexts.py."""
    path = folder / f"{mistake.name}_{context}.py"
    source = contexts.source_of(mistake, context)
    path.write_text(f"from {mistake.define.__module__} import *\n\n\n{source}\n")
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dataclasses.replace(mistake, define=getattr(module, mistake.name))


CONTEXTS = [
    pytest.param(mistake, context, id=f"{mistake.name}-{context}")
    for mistake in common_mistakes.ALL
    for context in mistake.contexts
]


@pytest.mark.parametrize("mistake, context", CONTEXTS)
def test_the_message_is_the_same(mistake, context, in_time, tmp_path):
    moved = in_context(mistake, context, tmp_path)
    with pytest.raises(mistake.kind) as caught:
        launch(moved)
    error = caught.value
    assert error.message == mistake.message
    assert error.line == moved.place()[0], str(error)
    assert error.column == moved.place()[1] or os.environ.get("TTL_ENGINE") == "emitted", str(error)


def test_the_catalogue_is_large():
    assert len(common_mistakes.ALL) + len(common_mistakes.PROGRAMS) >= 230
    assert len(CONTEXTS) >= 100
