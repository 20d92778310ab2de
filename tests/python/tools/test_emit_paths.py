# SPDX-License-Identifier: Apache-2.0
"""Both paths to C++ give the same text, bits and events. The direct path has no ops of ttkernel."""

import re

import pytest
from running import COMPILE_ERROR, EXAMPLES, ROOT, SUCCESS, USAGE, run
from test_examples import HASHES

CORPUS = ROOT / "tests" / "corpus"
PATHS = ("ttkernel", "direct")


def options_of(file):
    """Returns the options in the comments at the head of a corpus kernel."""
    head = re.findall(r"^// options: (.*)$", file.read_text(), re.MULTILINE)
    return [option for line in head for option in line.split()]


def events_of(file, path, folder, *options, arguments=()):
    """Runs a kernel; returns its output and status, and its trace, which has every event in order."""
    trace = folder / f"{path}.json"
    process = run(file, *options, "--engine=emitted", f"--emit-path={path}", f"--trace={trace}",
                  "--schedule=fair", *arguments)
    events = trace.read_text() if trace.exists() else None
    printed = re.sub(r"[\d.]+ ms", "", process.stdout)
    return process.returncode, printed, process.stderr.replace(str(trace), ""), events


def emitted_files(file, path, folder, *options, arguments=()):
    target = folder / f"emitted-{path}"
    process = run(file, *options, f"--emit={target}", f"--emit-path={path}", *arguments)
    files = {file.name: file.read_text() for file in sorted(target.glob("*.*"))} if target.exists() else {}
    return process.returncode, process.stderr.replace(str(target), ""), files


def check_texts(file, folder, *options, arguments=()):
    texts = [emitted_files(file, path, folder, *options, arguments=arguments) for path in PATHS]
    assert texts[0] == texts[1]


def check_both_paths(file, folder, *options, arguments=()):
    runs = [events_of(file, path, folder, *options, arguments=arguments) for path in PATHS]
    assert runs[0][:3] == runs[1][:3]
    assert runs[0][3] == runs[1][3], "the events differ"
    check_texts(file, folder, *options, arguments=arguments)
    return runs[0]


@pytest.mark.parametrize("example", HASHES)
def test_examples(example, tmp_path):
    name, *arguments = example.split()
    status, *_, events = check_both_paths(EXAMPLES / f"{name}.py", tmp_path,
                                          arguments=["--", "--hash", *arguments])
    assert status == SUCCESS and events


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.mlir")), ids=lambda file: file.stem)
def test_corpus(file, tmp_path):
    """Both texts are equal. test_examples() shows that equal texts run in the same way."""
    options = options_of(file)
    if any(option.startswith("--stage") for option in options):
        pytest.skip("the kernel's options stop before C++ is emitted")
    check_texts(file, tmp_path, *options)


LOWERED = """
ttl.program @early() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @early__reader on riscv_1 ()
}
func.func @early__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}
func.func @main() {
  ttl.launch @early()
  return
}
"""


def test_a_program_of_stage_ttkernel_is_past_the_direct_path(tmp_path):
    file = tmp_path / "lowered.mlir"
    file.write_text(LOWERED)
    assert run(file, "--engine=emitted").returncode == SUCCESS
    process = run(file, "--engine=emitted", "--emit-path=direct")
    assert process.returncode == COMPILE_ERROR
    assert "lowered.mlir:2:1" in process.stderr and "this program is of stage ttkernel" in process.stderr


def test_a_schedule_after_stage_loops_is_refused(tmp_path):
    schedule = tmp_path / "late.mlir"
    schedule.write_text("""module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {ttl.after_stage = "ttkernel"} {
    transform.yield
  }
}
""")
    process = run(EXAMPLES / "eltwise_add.py", "--emit-path=direct", f"--schedule-file={schedule}")
    assert process.returncode == COMPILE_ERROR
    assert "changes stage ttkernel" in process.stderr


@pytest.mark.parametrize("option", ("--dry-run", "--stage=loops", "--compare=engines",
                                    "--insert-pass=cse@ttkernel"))
def test_options_of_stage_ttkernel_are_refused(option):
    process = run(EXAMPLES / "eltwise_add.py", "--engine=emitted", "--emit-path=direct", option)
    assert process.returncode == USAGE
    assert "--emit-path=direct makes C++ of stage loops" in process.stderr


def test_refusals_have_the_same_line_on_both_paths(tmp_path):
    file = tmp_path / "refused.py"
    file.write_text("""
import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def multiply(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as out:
            out.store(ttl.reduce_sum(a, a, dims=[0]))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


multiply(np.ones((32, 32), np.int32), np.ones((32, 32), np.int32))
""")
    then, now = (run(file, "--engine=emitted", f"--emit-path={path}") for path in PATHS)
    assert now.returncode == then.returncode != SUCCESS
    assert now.stderr == then.stderr and "refused.py:19:23" in now.stderr
