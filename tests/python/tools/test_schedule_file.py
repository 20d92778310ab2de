"""--schedule-file: what a schedule may change in a kernel, what it may not, and its errors."""

import re

import pytest
from running import COMPILE_ERROR, EXAMPLES, SUCCESS, USAGE, hashes, run

EXAMPLE = EXAMPLES / "stream_scale.py"
SCHEDULE = EXAMPLES / "stream_scale.schedule.mlir"

IN_FLIGHT = re.compile(r"transfers of one thread in flight: at most (\d+), ([\d.]+) on average")


def in_flight(process):
    assert process.returncode == SUCCESS, process.stderr
    ((most, average),) = IN_FLIGHT.findall(process.stderr)
    return int(most), float(average)


def schedule(tmp_path, body, attributes="", module_attributes=""):
    file = tmp_path / "s.mlir"
    file.write_text(
        f"module attributes {{transform.with_named_sequence{module_attributes}}} {{\n"
        "  transform.named_sequence @__transform_main(%module: !transform.any_op)"
        f" {attributes} {{\n{body}    transform.yield\n  }}\n}}\n"
    )
    return file


def matching(op, name="op"):
    return (f'    %{name} = transform.structured.match ops{{["{op}"]}} in %module'
            " : (!transform.any_op) -> !transform.any_op\n")


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_the_example_reads_ahead(engine):
    """20 x 20 tiles on four nodes: each node reads ten tiles per row. Eight reads go in groups of
    four (1 + 2 + 3 + 4 reads are in flight when they are issued) and two go alone, as do the ten
    writes."""
    plain = run(EXAMPLE, f"--engine={engine}", "--stats")
    ahead = run(EXAMPLE, f"--engine={engine}", "--stats", f"--schedule-file={SCHEDULE}")
    assert in_flight(plain) == (1, 1.0)
    assert in_flight(ahead) == (4, (2 * 10 + 2 + 10) / 20)
    moved = re.compile(r"bytes moved: .*")
    assert moved.findall(plain.stderr) == moved.findall(ahead.stderr)


def test_same_bits_with_and_without():
    expected = hashes(run(EXAMPLE, "--", "--hash"))
    for arguments in (["--engine=jit"], ["--engine=interp"], ["--schedule=random", "--seed=3"],
                      ["--schedule=greedy", "--dma=eager"]):
        process = run(EXAMPLE, *arguments, f"--schedule-file={SCHEDULE}", "--", "--hash")
        assert hashes(process) == expected, arguments
        assert process.stderr == ""


def test_the_variable_does_the_same():
    process = run(EXAMPLE, "--stats", TTL_SCHEDULE_FILE=str(SCHEDULE))
    assert in_flight(process)[0] == 4


def test_no_such_file():
    process = run(EXAMPLE, "--schedule-file=nowhere.mlir")
    assert process.returncode == USAGE
    assert process.stderr == "ttl-jit: --schedule-file: no such file: nowhere.mlir\n"
    process = run(EXAMPLE, TTL_SCHEDULE_FILE="nowhere.mlir")
    assert process.returncode == USAGE
    assert process.stderr == "ttl-jit: TTL_SCHEDULE_FILE: no such file: nowhere.mlir\n"


def failing(tmp_path, body, *arguments, **keywords):
    file = schedule(tmp_path, body, *arguments, **keywords)
    process = run(EXAMPLE, f"--schedule-file={file}")
    assert process.returncode == COMPILE_ERROR, process.stderr
    return process.stderr.replace(str(tmp_path) + "/", "")


def test_parse_errors_have_the_positions_of_the_schedule(tmp_path):
    text = failing(tmp_path, "    %x = transform.no_such_op\n")
    assert "unknown" in text or "unregistered" in text
    assert "at s.mlir:3:" in text
    file = tmp_path / "deep.mlir"
    file.write_text("module {\n" + "(" * 2000)
    process = run(EXAMPLE, f"--schedule-file={file}")
    assert process.returncode == COMPILE_ERROR
    assert "deep.mlir:2:" in process.stderr


def test_a_schedule_needs_a_main_sequence(tmp_path):
    file = tmp_path / "empty.mlir"
    file.write_text("module {\n}\n")
    process = run(EXAMPLE, f"--schedule-file={file}")
    assert process.returncode == COMPILE_ERROR
    assert "expected a transform.named_sequence @__transform_main" in process.stderr
    assert "empty.mlir:1:1" in process.stderr


SEQUENCE = ("transform.sequence failures(propagate) {\n^bb0(%module: !transform.any_op):\n"
            "  transform.yield\n}\n")


@pytest.mark.parametrize("text, message", [
    ("module {}\n", ", or one transform.sequence; this file has none"),
    (f"module {{\n{SEQUENCE}{SEQUENCE}}}\n", ", or one transform.sequence; this file has several sequences"),
    ("module attributes {transform.with_named_sequence} {\n"
     "  transform.named_sequence @__transform_main() {\n    transform.yield\n  }\n}\n",
     "must have a body and one argument, a handle to the module"),
])
def test_the_file_has_one_sequence_for_the_module(tmp_path, text, message):
    file = tmp_path / "s.mlir"
    file.write_text(text)
    process = run(EXAMPLE, f"--schedule-file={file}")
    assert process.returncode == COMPILE_ERROR and message in process.stderr, process.stderr


def test_failing_transforms_name_both_positions(tmp_path):
    text = failing(tmp_path, matching("ttl.kernel")
                   + "    %r = transform.ttl.reorder_for_locality %op"
                     " : (!transform.any_op) -> !transform.any_op\n")
    assert text.startswith("error: the target has no transfers that are issued one after the other")
    assert "at s.mlir:4:10" in text
    line = next(i for i, text in enumerate(EXAMPLE.read_text().splitlines(), 1)
                if "def halve" in text or "@ttl.operation" in text)
    assert re.search(rf"note: the transform op was applied to this op at .*stream_scale\.py:({line}|{line + 1}):", text)


def test_the_stage_is_chosen_by_an_attribute(tmp_path):
    body = (matching("func.func")
            + "    %0 = transform.ttl.schedule_pipeline %op"
              " : (!transform.any_op) -> !transform.any_op\n")
    body = body.replace("in %module", "attributes {ttl.kernel_thread = "
                        "#ttkernel.thread<noc>} in %module")
    for where in ({"attributes": 'attributes {ttl.after_stage = "threads"}'},
                  {"module_attributes": ', ttl.after_stage = "threads"'}):
        file = schedule(tmp_path, body, **where)
        process = run(EXAMPLE, f"--schedule-file={file}", "--dump=schedule")
        assert process.returncode == SUCCESS, process.stderr
        assert process.stderr.startswith("// ----- schedule: halve\n")
        assert "func.func @halve__reader" in process.stderr
    text = failing(tmp_path, "", attributes='attributes {ttl.after_stage = "later"}')
    assert "'ttl.after_stage' must be one of ttl, compute, sync, threads, buffers," in text
    assert 'found "later"' in text
