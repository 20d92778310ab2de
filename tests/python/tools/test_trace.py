# SPDX-License-Identifier: Apache-2.0
"""The files of --trace."""

import collections
import json
import shutil
import subprocess

import pytest
from running import EXAMPLES, ROOT, RUNTIME_FAULT, SUCCESS, USAGE, ttl_jit
from test_stats import SEND

SOMETIMES = """if ttl.node(dims=1) > 0:
                    ttl.copy(block, pipe).wait()"""
ADD = EXAMPLES / "eltwise_add.py"


def trace(script, path, *options):
    process = ttl_jit("run", script, f"--trace={path}", *options)
    assert process.returncode == SUCCESS, process.stderr
    return path


@pytest.fixture(scope="module")
def multicore(tmp_path_factory):
    return trace(EXAMPLES / "matmul_multicore.py", tmp_path_factory.mktemp("trace") / "trace.json")


@pytest.fixture(scope="module")
def in_cycles(tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "cycles.json"
    return trace(EXAMPLES / "matmul_multicore.py", path, "--trace-time=cycles")


@pytest.fixture(scope="module", params=("logical", "cycles"))
def elements(request, multicore, in_cycles):
    return json.loads((in_cycles if request.param == "cycles" else multicore).read_text())


@pytest.mark.parametrize("time", ("logical", "cycles"))
@pytest.mark.parametrize("example", ("eltwise_add", "matmul_multicast", "ring_all_reduce"))
def test_a_trace_is_the_same_on_every_run_and_engine(example, time, tmp_path):
    script = EXAMPLES / f"{example}.py"
    texts = [trace(script, tmp_path / f"{i}.json", f"--engine={engine}", f"--trace-time={time}").read_bytes()
             for i, engine in enumerate(("jit", "jit", "interp"))]
    assert texts[0] == texts[1] == texts[2]


def test_adjacent_pages_are_one_transfer_on_every_engine(tmp_path):
    script = ROOT / "tests" / "corpus" / "adjacent_pages.py"
    texts = [trace(script, tmp_path / f"{engine}.json", f"--engine={engine}").read_bytes()
             for engine in ("jit", "interp", "emitted")]
    assert texts[0] == texts[1] == texts[2]
    copies = [element["args"] for element in json.loads(texts[0])
              if element["ph"] == "X" and element["cat"] == "copy"]
    # The sizes of copies: shards of six tiles, three tiles of a row or of a bank, one tile, four rows.
    assert collections.Counter(copy["bytes"] for copy in copies) == {24576: 60, 12288: 92, 4096: 12, 1024: 8}
    [tiles] = {copy["at"] for copy in copies if copy["bytes"] == 4096}
    assert tiles == f"{script}:{line_of(script, 'ttl.copy(a[node, node % 2')}"


def line_of(script, text):
    [line] = [i for i, line in enumerate(script.read_text().splitlines(), 1) if text in line]
    return line


def test_a_compressed_trace_has_the_same_text(multicore, tmp_path):
    packed = trace(EXAMPLES / "matmul_multicore.py", tmp_path / "trace.json.zst")
    assert packed.stat().st_size * 20 < multicore.stat().st_size
    if shutil.which("zstd") is None:
        pytest.skip("zstd is not installed")
    text = subprocess.run(["zstd", "-dc", packed], capture_output=True, check=True).stdout
    assert text == multicore.read_bytes()


def test_spans_have_names_and_lines(elements):
    spans = [element for element in elements if element["ph"] == "X"]
    source = (EXAMPLES / "matmul_multicore.py").read_text().splitlines()
    reads = [span for span in spans if span["cat"] == "copy" and span["name"] == "read"]
    assert len(reads) == 2 * 100 * 20 * 4
    for span in reads:
        assert "ttl.copy" in source[int(span["args"]["at"].rpartition(":")[2]) - 1]
    assert {"waits for a_dfb", "push a_dfb", "math", "pack"} <= {span["name"] for span in spans}
    assert all(span["dur"] >= 0 and span["ts"] >= 0 for span in spans)


def test_spans_of_a_thread_follow_each_other_or_lie_inside_each_other(elements):
    rows = {}
    for element in elements:
        if element["ph"] == "X":
            begin = round(1000 * element["ts"])
            rows.setdefault((element["pid"], element["tid"]), []).append((begin, begin + round(1000 * element["dur"])))
    for spans in rows.values():
        open_ends = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1]
            open_ends.append(end)


def test_the_pages_of_a_buffer_stay_within_it(elements):
    pages, last = {}, {}
    for element in elements:
        if element["ph"] == "C":
            key = element["pid"], element["name"]
            assert element["ts"] >= last.get(key, 0)
            last[key], pages[key] = element["ts"], element["args"]["pages"]
            assert 0 <= pages[key] <= 8
    assert len(pages) == 300 and set(pages.values()) == {0}


def test_arrows_join_nodes(tmp_path):
    script = tmp_path / "send.py"
    script.write_text(SEND)
    arrows = {}
    for element in json.loads(trace(script, tmp_path / "trace.json").read_text()):
        if element.get("cat") == "arrow":
            arrows.setdefault((element["name"], element["id"]), []).append(element)
    assert any({end["pid"] for end in ends} == {1, 2} for ends in arrows.values())


def test_every_arrow_has_both_ends_in_spans(elements):
    spans, arrows = {}, {}
    for element in elements:
        if element["ph"] == "X":
            spans.setdefault((element["pid"], element["tid"]), []).append(element)
        elif element.get("cat") == "arrow":
            arrows.setdefault((element["name"], element["id"]), []).append(element)
    assert {name for name, _ in arrows} == {"transfer", "arrival"} or len(arrows) > 1000
    for ends in arrows.values():
        assert [end["ph"] for end in ends] == ["s", "f"]
        assert ends[0]["ts"] <= ends[1]["ts"]
        for end in ends:
            assert any(span["ts"] <= end["ts"] <= span["ts"] + span["dur"]
                       for span in spans[end["pid"], end["tid"]])


@pytest.mark.parametrize("program", [
    *(EXAMPLES / f"{name}.py" for name in ("matmul_multicore", "fused_mul_add", "fused_mul_add_unified", "softmax",
                                            "ring_all_reduce")),
    ROOT / "tests" / "corpus" / "unary-exponentials.mlir"], ids=lambda program: program.stem)
def test_cycles_are_those_of_the_estimate(program, tmp_path):
    path = trace(program, tmp_path / "trace.json", "--trace-time=cycles",
                 f"--time={tmp_path / 'time.json'}")
    launches, ends = [], []
    for element in json.loads(path.read_text()):
        if element["name"] == "ttl_launch":
            launches.append(element["args"])
        elif element["name"] == "ttl_end":
            ends.append(element["args"]["end"])
    last = {launch["kernel"]: 1000 * (end - launch["start"]) for launch, end in zip(launches, ends)}
    estimates = json.loads((tmp_path / "time.json").read_text())
    assert {launch["time"] for launch in launches} == {"cycles"} and len(last) == len(estimates)
    for estimate in estimates:
        assert last[estimate["kernel"]] == pytest.approx(estimate["cycles"] - estimate["launch"], abs=1)


def test_the_lanes_of_a_compute_thread_are_rows(in_cycles):
    elements = json.loads(in_cycles.read_text())
    [launch] = [element["args"] for element in elements if element["name"] == "ttl_launch"][:1]
    rows = {thread["name"]: thread["tid"] for thread in launch["threads"]}
    assert {name.rpartition(" ")[2] for name in rows} >= {"unpacker", "math", "packer"}
    found = {}
    for element in elements:
        if element["ph"] == "X":
            found.setdefault(element["tid"], set()).add(element["name"])
    [compute] = [name.removesuffix(" math") for name in rows if name.endswith(" math")]
    assert {"waits for a_dfb", "compute with a_dfb", "pop a_dfb"} <= found[rows[f"{compute} unpacker"]]
    assert {"waits for operands", "math"} <= found[rows[f"{compute} math"]]
    assert {"waits for results of math", "pack"} <= found[rows[f"{compute} packer"]]


def test_a_deadlock_has_a_trace_in_cycles(tmp_path):
    script = tmp_path / "stuck.py"
    script.write_text(SEND.replace("ttl.copy(block, pipe).wait()", SOMETIMES))
    process = ttl_jit("run", script, f"--trace={tmp_path / 'trace.json'}", "--trace-time=cycles")
    assert process.returncode == RUNTIME_FAULT and "deadlock" in process.stderr
    elements = json.loads((tmp_path / "trace.json").read_text())
    [end] = [element["args"] for element in elements if element["name"] == "ttl_end"]
    assert "deadlock" in end["fault"] and end["end"] > 0
    assert any(element["name"] == "waits until the end" for element in elements)


HANGING = """
import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def hung(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for row in range(READ):
            with x_dfb.reserve() as block:
                ttl.copy(x[row, 0], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(4):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        for row in range(WRITTEN):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, 0]).wait()


hung(np.ones((128, 32), np.float32), np.zeros((128, 32), np.float32))
"""


@pytest.mark.parametrize("read, written, at", [(3, 3, "x_dfb.wait()"), (4, 1, "y_dfb.reserve()")])
def test_a_hung_compute_thread_has_a_row_of_its_own(read, written, at, tmp_path):
    """Whatever it waits for: pages, which the unpacker needs, or room, which the packer needs."""
    script, trace = tmp_path / "hung.py", tmp_path / "trace.json"
    script.write_text(HANGING.replace("READ", str(read)).replace("WRITTEN", str(written)))
    process = ttl_jit("run", script, f"--trace={trace}", "--trace-time=cycles")
    assert process.returncode == RUNTIME_FAULT and "deadlock" in process.stderr
    elements = json.loads(trace.read_text())
    [launch] = [element["args"] for element in elements if element["name"] == "ttl_launch"]
    [row] = [thread["tid"] for thread in launch["threads"] if thread["name"] == "compute"]
    hangs = [element for element in elements if element["name"] == "waits until the end" and element["tid"] == row]
    names = [element for element in elements if element["name"] == "thread_name" and element["tid"] == row]
    assert names and {each["args"]["name"] for each in names} == {"compute (compute)"}
    line = next(number for number, text in enumerate(HANGING.splitlines(), 1) if at in text and "with x_dfb" in text)
    assert hangs and {each["args"]["at"] for each in hangs} == {f"{script}:{line}"}
    assert not any(element["name"] == "waits until the end" and element["tid"] != row
                   for element in elements if element.get("tid") in (3, 4, 5))
    page = tmp_path / "page.html"
    process = ttl_jit("report", trace, f"--html={page}")
    assert process.returncode == SUCCESS, process.stderr
    assert "waits until the end" in page.read_text()


@pytest.mark.parametrize("time", ("logical", "cycles"))
def test_a_thread_that_ends_has_no_row_of_a_hang(time, multicore, in_cycles):
    elements = json.loads((in_cycles if time == "cycles" else multicore).read_text())
    assert {element["tid"] for element in elements if element["ph"] == "X"} <= {1, 2, 3, 4, 5, 11, 12}
    assert not any(element["name"] == "thread_name" and element["tid"] == 6 for element in elements)


@pytest.mark.parametrize("options, why", [
    (["--engine=emitted"], "needs an engine that runs stage ttkernel"),
    (["--engine=interp", "--stage=loops"], "needs the operations of stage ttkernel"),
    (["--debug=on"], "needs the operations of stage ttkernel, and the debugger runs an earlier stage; add --stage")])
def test_cycles_need_stage_ttkernel(options, why, tmp_path):
    process = ttl_jit("run", ADD, f"--trace={tmp_path / 'trace.json'}", "--trace-time=cycles", *options)
    assert process.returncode == USAGE and f"--trace-time=cycles {why}" in process.stderr


@pytest.mark.parametrize("option, message", [
    ("--trace-time=cycles", "--trace-time says in which time --trace writes: add --trace=FILE"),
    ("--numerics-files=errors.json", "--numerics-files takes what --explain-numerics finds")])
def test_options_that_need_another(option, message):
    process = ttl_jit("run", ADD, option)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_host_time_grows(tmp_path):
    elements = json.loads(trace(ADD, tmp_path / "trace.json", "--trace-time=host").read_text())
    launches = [element["args"] for element in elements if element["name"] == "ttl_launch"]
    ends = [element["args"]["end"] for element in elements if element["name"] == "ttl_end"]
    assert all(launch["time"] == "host" for launch in launches)
    assert all(launch["start"] < end for launch, end in zip(launches, ends))


def test_a_trace_that_cannot_be_written_is_a_fault():
    process = ttl_jit("run", ADD, "--trace=/dev/full")
    assert process.returncode == RUNTIME_FAULT
    assert "cannot write the trace '/dev/full': No space left on device" in process.stderr
    process = ttl_jit("run", ADD, "--trace=/no/such/folder/trace.json")
    assert process.returncode == USAGE
    assert "--trace: /no/such/folder is not a directory" in process.stderr


def test_values_are_checked():
    process = ttl_jit("run", ADD, "--trace-time=device")
    assert process.returncode == USAGE
    assert "--trace-time: expected one of logical, host, cycles; found 'device'" in process.stderr


def test_a_kernel_that_ends_with_a_fault_has_a_whole_trace(tmp_path):
    script = tmp_path / "hang.py"
    script.write_text(SEND.replace("ttl.copy(block, pipe).wait()", SOMETIMES))
    process = ttl_jit("run", script, f"--trace={tmp_path / 'trace.json'}")
    assert process.returncode == RUNTIME_FAULT
    elements = json.loads((tmp_path / "trace.json").read_text())
    assert elements[-1]["name"] == "ttl_end" and "deadlock" in elements[-1]["args"]["fault"]
    assert any(element["name"] == "waits until the end" for element in elements)
