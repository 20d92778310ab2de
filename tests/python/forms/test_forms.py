# SPDX-License-Identifier: Apache-2.0
"""A part of the matrix of statements and the places where they may stand: each form and each
refused statement in one context, other ones for each. run_forms.py runs all."""

import os
import subprocess
import sys
import tempfile

import forms_cases
import forms_children
import forms_contexts
import forms_program
import forms_refused
import pytest
import run_forms
import running

FOLDER = os.path.dirname(__file__)
GROUPS = 8


@pytest.mark.parametrize("group", range(GROUPS))
def test_cases(group):
    cases = run_forms.suite_cases(run_forms.all_cases())[group::GROUPS]
    with tempfile.TemporaryDirectory() as folder:
        findings = [(case, found) for case, found in forms_children.run(cases, folder, run_forms.run_case)
                    if found]
    assert not findings, "\n".join(f"{case}: {found}" for case, found in findings)


def test_every_context_is_in_the_sample():
    contexts = {case.split("/")[1] for case in run_forms.suite_cases(run_forms.all_cases())}
    assert contexts == set(forms_contexts.CONTEXTS)


def test_a_case_that_dies_is_a_finding():
    def die(case, folder):
        if case == "second":
            os.kill(os.getpid(), 9)
        return []

    with tempfile.TemporaryDirectory() as folder:
        found = dict(forms_children.run(["first", "second", "third"], folder, die))
    assert found["first"] == found["third"] == []
    assert "the process died, status 9" in found["second"][0]


def test_a_wrong_result_is_a_finding(monkeypatch):
    form = forms_cases.FORMS["compute.add"]
    right = forms_program.expected(form, "for")

    def wrong(form, context):
        right.outputs["y"] = right.outputs["y"] + 1
        return right

    monkeypatch.setattr(forms_program, "expected", wrong)
    with tempfile.TemporaryDirectory() as folder:
        findings = forms_cases.run("compute.add/for/threads", folder)
    assert len(findings) == len(forms_cases.ENGINES) and "should be" in findings[0]


# ===--------------------------------------------------------------------------=== #
# ttl-jit
# ===--------------------------------------------------------------------------=== #


def script(case, folder):
    """A script that calls the operation of a case with tensors of zeros."""
    if case.startswith("refused."):
        form, arrays, text, _, _ = forms_refused.made(case)
    else:
        name, context, _ = case.split("/")
        form = forms_cases.FORMS[name]
        arrays = forms_program.tensor_arrays(form, forms_program.counts(form, forms_program.expected(form, context)))
        text = run_forms.show(case)
    tensors = ", ".join(f"np.zeros({array.shape}, np.float32)" for array in arrays.values())
    file = folder / "script.py"
    file.write_text(f"{text}\nop({tensors})\n")
    return file


@pytest.mark.parametrize("case, status", (
    ("refused.compute.shapes/long/threads", running.COMPILE_ERROR),
    ("refused.compute.use_after_release/helper_in_helper/unified", running.COMPILE_ERROR),
    ("refused.movement.index/callback/threads", running.COMPILE_ERROR),
    ("refused.compute.assert/break_inner/threads", running.RUNTIME_FAULT),
    ("refused.movement.index_at_run_time/while_in_for/unified", running.RUNTIME_FAULT),
))  # fmt: skip
def test_exit_status(case, status, tmp_path):
    process = running.run(script(case, tmp_path))
    assert process.returncode == status, process.stderr
    assert process.stderr.count("error: ") == 1 and "Traceback" not in process.stderr
    assert "# HERE" in process.stderr and process.stdout == ""


@pytest.mark.parametrize("case", (
    "compute.sum_in_block/long/unified", "compute.online_softmax/break_inner/threads",
    "movement.ring/while/threads", "movement.handle_handed_on/helper_with_loop/threads",
))  # fmt: skip
def test_emit(case, tmp_path):
    process = running.run(script(case, tmp_path), f"--emit={tmp_path}/out")
    assert process.returncode == running.SUCCESS, process.stderr
    text = "".join(file.read_text() for file in (tmp_path / "out").glob("*.cpp"))
    assert "for (" in text or "while (" in text


def test_command_line():
    command = [sys.executable, os.path.join(FOLDER, "run_forms.py"), "--suite", "--count=3"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "3 cases, 0 with findings" in process.stdout
