# SPDX-License-Identifier: Apache-2.0
"""Tests of Ctrl-C need it not ignored, as a shell has it ignored for background jobs.

--all-schedules repeats each launch of the tests' own process on both engines under fair,
greedy, 20 random schedules, and on 2 and 3 host threads. A test fails if the bits of a result differ."""

import atexit
import os
import shutil
import signal
import tempfile

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled code goes to a folder of this run, also that of programs that tests start.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="ttl-jit-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

VARIABLE = "TTL_COMPARE"
MARKERS = (
    "depends_on_schedule: the results of the test's kernels depend on who runs first",
    "counts_compiles: repeated launches need programs of their own for numbers of nodes",
)


def pytest_addoption(parser):
    parser.addoption("--all-schedules", action="store_true",
                     help="repeat each launch on both engines under every schedule")
    parser.addoption("--update-golden", action="store_true",
                     help="rewrite the files of tests/metalium/golden")


def pytest_configure(config):
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    if config.getoption("--all-schedules"):
        # The extension reads its options once. Programs that tests start do not compare.
        os.environ[VARIABLE] = "schedules:20"
        import _ttjit  # noqa: F401

        del os.environ[VARIABLE]


@pytest.fixture(autouse=True)
def same_bits_under_every_schedule(request, pytestconfig):
    if not pytestconfig.getoption("--all-schedules"):
        yield
        return
    if request.node.get_closest_marker("counts_compiles") is not None:
        pytest.skip("repeated launches need programs of their own")
    yield
    import _ttjit

    differences = _ttjit.take_differences()
    if request.node.get_closest_marker("depends_on_schedule") is None:
        assert not differences, "\n".join(differences)


def pytest_terminal_summary(terminalreporter, config):
    if config.getoption("--all-schedules"):
        import _ttjit

        launches, runs = _ttjit.compared_runs()
        terminalreporter.write_line(f"{launches} launches were repeated, {runs} times in all")
