# SPDX-License-Identifier: Apache-2.0
"""Each mistake of the catalogue is answered at its place, with its key phrase, in time."""
# feature: Errors; Warnings; States of a block; What is refused

import importlib
import os
import pkgutil
import re
import signal
import time

import common_mistakes
import pytest
import ttl
import ttnn

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
    signal.alarm(20)  # loaded machines are slow; the test compares processor time
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
    """Adds what --check finds in a mistake that is only a warning."""
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
    assert error.line == mistake.place()[0], str(error)
    # Lines of C++ have no columns of Python, so that engine names the first operation of the line.
    assert error.column == mistake.place()[1] or os.environ.get("TTL_ENGINE") == "emitted", str(error)
    assert error.file.endswith(".py") and "NoneType" not in error.message
    if mistake.advice:
        assert re.search(mistake.advice, str(error))


def test_the_catalogue_is_large():
    assert len(common_mistakes.ALL) >= 100
