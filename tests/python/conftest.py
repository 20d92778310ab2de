# SPDX-License-Identifier: Apache-2.0
"""Options and hooks of the Python tests. SIGINT is reset: a shell ignores it in background jobs.

--all-schedules repeats each launch of pytest's own process on both engines: under the fair, the greedy and
20 random schedules, and on 2 and 3 host threads. A test fails if the bits of a result differ.

--numerics=device computes with the card's arithmetic, and repeats each launch on both engines. A test fails
if the engines' bits differ or a kernel fails. If a test expects other numbers than the card computes
(an AssertionError), it is skipped: the engines' results have been compared by then.

--check=LIST runs these checkers on each launch of pytest's own process. A test fails if one finds something.

--variants=N runs each parametrized test with its first N parameters only.

With TTL_ENGINE=emitted, tests whose kernels Metalium C++ cannot express are skipped: docs/metalium.md has the list.
With TTL_EMIT_PATH=direct, programs of stage ttkernel are skipped: the direct path starts before that stage."""

import atexit
import os
import re
import shutil
import signal
import tempfile

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)

# This run, and the programs that its tests start, keep compiled code in a temporary folder.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="ttl-jit-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

VARIABLE = "TTL_COMPARE"
MARKERS = (
    "depends_on_schedule: the results of the test's kernels depend on who runs first",
    "finds(check): --check finds something in the test's kernels, which is on purpose",
    "counts_compiles: the test counts compiles, which repeated launches would change",
    "not_emitted(reason): the emitted C++ differs from the language here",
    "host_numerics(reason): --numerics=device refuses the test's kernels, or has no meaning for it",
)


def pytest_addoption(parser):
    parser.addoption("--all-schedules", action="store_true",
                     help="repeat each launch on both engines under every schedule")
    parser.addoption("--numerics", choices=("host", "device"), default="host",
                     help="numerics of pytest's own process; device repeats each launch on both engines")
    parser.addoption("--check", metavar="LIST",
                     help="run these checkers on each launch, as ttl-jit --check does")
    parser.addoption("--variants", metavar="N", type=int, help="run the first N parameters of each test only")
    parser.addoption("--update-golden", action="store_true",
                     help="rewrite the files of tests/metalium/golden")


def pytest_configure(config):
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    chosen = {}
    if config.getoption("--numerics") == "device":
        chosen["TTL_NUMERICS"] = "device"
        chosen[VARIABLE] = "engines"
    if config.getoption("--all-schedules"):
        chosen[VARIABLE] = "schedules:20"
    if config.getoption("--check"):
        chosen["TTL_CHECK"] = config.getoption("--check")
    if chosen:
        # ttl reads its options once, at its import. Programs that tests start get options of their own.
        os.environ.update(chosen)
        import ttl  # noqa: F401

        for variable in chosen:
            del os.environ[variable]


def pytest_collection_modifyitems(config, items):
    most = config.getoption("--variants")
    if most is None:
        return
    seen, kept = {}, []
    for item in items:
        name = item.nodeid.partition("[")[0]
        seen[name] = seen.get(name, 0) + 1
        if seen[name] <= most:
            kept.append(item)
    items[:] = kept


EVENT_DIFFERS = re.compile(r"^\s+event \d+", re.MULTILINE)
EMITTED = os.environ.get("TTL_ENGINE") == "emitted"
REFUSAL = re.compile("runs on the host only|cannot be called on the card|on the device: set fp32|"
                     "this program is of stage ttkernel")

# Errors of --numerics=device and of repeated launches that only mean: this test cannot be compared.
NOT_COMPARED = re.compile("needs stage loops or a later one|no rule for 'ttcpp.call'|--compare and --explore run stage")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Skips a test whose kernel the engine emitted refuses for a documented reason."""
    report = (yield).get_result()
    if call.excinfo and item.config.getoption("--numerics") == "device":
        skip_other_numbers(item, call, report)
    if EMITTED and call.excinfo and REFUSAL.search(str(call.excinfo.value)):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1], f"refused: {call.excinfo.value}".splitlines()[0])


def skip_other_numbers(item, call, report):
    """Skips a test after an AssertionError (it expects the numbers of --numerics=host), and a test that
    --numerics=device or the comparison of the engines refuses."""
    if call.when != "call":
        return
    refusal = NOT_COMPARED.search(str(call.excinfo.value))
    if refusal is None and not call.excinfo.errisinstance(AssertionError):
        return
    why = f"refused: {refusal[0]}" if refusal else "expects the numbers of mode host; its launches were compared"
    report.outcome = "skipped"
    report.longrepr = (str(item.path), item.location[1] + 1, why)


@pytest.fixture(autouse=True)
def differs_on_purpose(request):
    marker = request.node.get_closest_marker("not_emitted")
    if EMITTED and marker is not None:
        pytest.skip(marker.args[0])


@pytest.fixture(autouse=True)
def host_numerics_on_purpose(request, pytestconfig):
    marker = request.node.get_closest_marker("host_numerics")
    if marker is not None and pytestconfig.getoption("--numerics") == "device":
        pytest.skip(marker.args[0])


@pytest.fixture(autouse=True)
def findings_on_purpose(request, pytestconfig):
    marker = request.node.get_closest_marker("finds")
    checks = (pytestconfig.getoption("--check") or "off").split(",")
    if marker is not None and {marker.args[0], "all"} & set(checks):
        pytest.skip(f"--check={marker.args[0]} finds something here on purpose")


def repeats_launches(config):
    return config.getoption("--all-schedules") or config.getoption("--numerics") == "device"


@pytest.fixture(autouse=True)
def same_bits_under_every_schedule(request, pytestconfig):
    if not repeats_launches(pytestconfig):
        yield
        return
    if request.node.get_closest_marker("counts_compiles") is not None:
        pytest.skip("this test counts compiles, which repeated launches would change")
    yield
    import _ttjit

    differences = _ttjit.take_differences()
    if pytestconfig.getoption("--numerics") == "device":
        # Compare result bits only: events in the emitted C++ have other positions than those in the program.
        differences = [each for each in differences if not EVENT_DIFFERS.search(each)]
    if request.node.get_closest_marker("depends_on_schedule") is None:
        assert not differences, "\n".join(differences)


def pytest_terminal_summary(terminalreporter, config):
    if repeats_launches(config):
        import _ttjit

        launches, runs = _ttjit.compared_runs()
        terminalreporter.write_line(f"{launches} launches were repeated, {runs} times in all")
