# SPDX-License-Identifier: Apache-2.0
"""tools/count-tests adds up test reports. A second run replaces failures, but not crashes."""

import subprocess

from running import ROOT

PASSED = '<testcase classname="a" name="passes"/>'
SKIPPED = '<testcase classname="a" name="skips"><skipped/></testcase>'
UNSTEADY = '<testcase classname="a" name="unsteady"/>'
FAILED = '<testcase classname="a" name="unsteady"><failure message="too slow"/></testcase>'
CRASHED = '<testcase classname="a" name="ends"><failure message="worker gw0 crashed while running"/></testcase>'


def write(path, *cases):
    path.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return path


def run(*arguments):
    return subprocess.run(["/usr/bin/python3", ROOT / "tools/count-tests", *arguments], capture_output=True, text=True)


def test_a_second_run_replaces_failures(tmp_path):
    write(tmp_path / "python.xml", PASSED, SKIPPED, FAILED)
    first = run(tmp_path)
    assert (first.returncode, first.stdout) == (1, "1 passed, 1 failed, 1 skipped\n")
    write(tmp_path / "python.again.xml", UNSTEADY)
    second = run(tmp_path)
    assert (second.returncode, second.stdout) == (0, "2 passed, 0 failed, 1 skipped\n")
    assert second.stderr == "a::unsteady failed at first, and passed alone\n"


def test_a_second_failure_stays(tmp_path):
    write(tmp_path / "python.xml", PASSED, FAILED)
    write(tmp_path / "python.again.xml", FAILED)
    assert run(tmp_path).returncode == 1


def test_a_program_without_a_report_failed(tmp_path):
    write(tmp_path / "python.xml", PASSED)
    (tmp_path / "ttjit-unit-hw.died").touch()
    assert run(tmp_path).returncode == 1


def test_few_failures_run_again(tmp_path):
    few = write(tmp_path / "few.xml", PASSED, FAILED)
    assert run("--few-failed", "1", few).returncode == 0
    assert run("--few-failed", "0", few).returncode == 1
    assert run("--few-failed", "1", write(tmp_path / "none.xml", PASSED)).returncode == 1
    assert run("--few-failed", "1", tmp_path / "missing.xml").returncode == 1


def test_crashes_do_not_run_again(tmp_path):
    assert run("--few-failed", "3", write(tmp_path / "crash.xml", PASSED, CRASHED)).returncode == 1
