# SPDX-License-Identifier: Apache-2.0
"""Files that `ttl-jit time` reads and writes: zones in the format of a card's profiler, and NoC traces."""

import json
import subprocess

import pytest
from running import ROOT, RUNTIME_FAULT, SUCCESS, TTL_JIT, USAGE, ttl_jit

SCRIPT = """
import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def copied(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=2)[0]
        for row in range(4):
            with ttl.signpost("load"), dfb.reserve() as block:
                ttl.copy(x[row, node], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=2)[0]
        for row in range(4):
            with dfb.wait() as block:
                ttl.copy(block, y[row, node]).wait()


x, y = np.ones((128, 64), np.float32), np.zeros((128, 64), np.float32)
copied(x, y)
"""
HEAD = "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n"
COLUMNS = "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], zone name, type\n"


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "copied.py"
    file.write_text(SCRIPT)
    return file


def test_the_estimate_beside_itself(script, tmp_path):
    profile = tmp_path / "profile.csv"
    process = ttl_jit("time", script, f"--csv={profile}")
    assert process.returncode == SUCCESS, process.stderr
    lines = profile.read_text().splitlines()
    assert lines[0] == "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000"
    assert lines[1].startswith("PCIe slot, core_x, core_y, RISC processor type, ")
    assert sum(",load,ZONE_START," in line for line in lines) == 8
    process = ttl_jit("time", script, "--device-csv", profile)
    assert process.returncode == SUCCESS, process.stderr
    report, _, table = process.stdout.partition("zones of ")
    assert report.startswith("advice: ")
    rows = [line for line in table.splitlines() if line.endswith(("CRISC", "BRISC"))]
    assert len(rows) == 3 and all("1.00" in row for row in rows)
    assert any("x8 " in row and row.endswith("load of NCRISC") for row in rows)


def test_a_measured_zone(script, tmp_path):
    """Other columns are ignored. Zones that only the card or only the estimate has are listed."""
    profile = tmp_path / "card.csv"
    profile.write_text(HEAD + COLUMNS + "".join(
        f"0,1,1,NCRISC,7,{time},{name},{kind}\n" for time, name, kind in (
            (100, "load", "ZONE_START"), (900, "load", "ZONE_END"), (950, "more", "begin"), (960, "more", "end"),
            (970, "note", "TS_DATA"))))
    process = ttl_jit("time", script, f"--device-csv={profile}")
    assert process.returncode == SUCCESS, process.stderr
    assert "      800 x1 " in process.stdout
    assert "more of NCRISC: no estimate" in process.stdout
    assert "BRISC-KERNEL of BRISC: not in the profile" in process.stdout


def test_a_profile_of_another_chip_and_a_zone_that_does_not_end(script, tmp_path):
    profile = tmp_path / "card.csv"
    profile.write_text(HEAD.replace("wormhole_b0", "blackhole") + COLUMNS + "0,1,2,NCRISC,7,100,load,ZONE_START\n")
    process = ttl_jit("time", script, f"--device-csv={profile}")
    assert process.returncode == SUCCESS, process.stderr
    assert "is of a blackhole, and the estimate is of a wormhole_b0: --arch chooses the chip\n" in process.stdout
    assert "\n  load of NCRISC on core (1,2): a begin without an end\n" in process.stdout


@pytest.mark.parametrize("text, message", [
    ("", ":1: expected 'ARCH: NAME, CHIP_FREQ[MHz]: NUMBER', the first line of a profile of a card, found ''"),
    ("a,b\n", ":1: expected 'ARCH: NAME, CHIP_FREQ[MHz]: NUMBER'"),
    (HEAD, ":1: expected a line of column names, found the end of the file"),
    (HEAD + "core_x, core_y, cycles\n",
     ":2: expected a column 'RISC processor type' of the card's profiler, found: core_x, core_y, cycles"),
    (HEAD + COLUMNS + "0,1,1,BRISC\n", ":3: expected 8 columns, found 4"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,soon,load,ZONE_START\n", ":3: expected a time in cycles, found 'soon'"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,nan,load,ZONE_START\n", ":3: expected a time of 0 to 1e+15 cycles, found nan"),
    ("OP CODE,OP TYPE,GLOBAL CALL COUNT\n", "found 'OP CODE'; use the profile_log_device.csv that tt-metal writes"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,5,load,ZONE_END\n",
     ":3: zone 'load' of BRISC on core (1,1) ends, but did not begin"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,500,load,ZONE_START\n0,1,1,BRISC,1,100,load,ZONE_END\n",
     ":4: zone 'load' of BRISC on core (1,1) ends at 100, before it begins at 500"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,-5,load,ZONE_START\n", ":3: expected a time of 0 to 1e+15 cycles, found -5"),
    (HEAD + COLUMNS + "0,1,1,BRISC,1,1e23,load,ZONE_START\n", ":3: expected a time of 0 to 1e+15 cycles, found 1e+23"),
    (HEAD.replace("1000", "0") + COLUMNS, ":1: expected 'CHIP_FREQ[MHz]: NUMBER' with a number above 0, found "
     "'CHIP_FREQ[MHz]: 0'"),
    ("ARCH: wormhole_b0\n" + COLUMNS, ":1: expected 'CHIP_FREQ[MHz]: NUMBER' with a number above 0, found ''"),
])
def test_a_profile_that_is_none(script, tmp_path, text, message):
    profile = tmp_path / "card.csv"
    profile.write_text(text)
    process = ttl_jit("time", script, "--device-csv", profile)
    assert process.stdout.startswith("advice: ")
    assert message in process.stderr and f"{profile}:" in process.stderr, process.stderr


@pytest.mark.parametrize("arguments, message", [
    (["--device-csv"], "--device-csv takes a file whose name ends in .csv; found ''"),
    (["--csv=out.txt"], "--csv takes a file whose name ends in .csv; found 'out.txt'"),
    (["--noc-trace=out.csv"], "--noc-trace takes a file whose name ends in .json; found 'out.csv'"),
])
def test_files_of_other_names(script, arguments, message):
    process = ttl_jit("time", script, *arguments)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_no_such_profile(script):
    process = ttl_jit("time", script, "--device-csv", "none.csv")
    assert process.returncode == USAGE and "none.csv" in process.stderr, process.stderr


def test_a_trace_of_the_estimate_is_predicted(script, tmp_path):
    trace = tmp_path / "trace.json"
    process = ttl_jit("time", script, "--noc-trace", trace)
    assert process.returncode == SUCCESS, process.stderr
    events = json.loads(trace.read_text())
    assert sum(event["type"] == "READ" for event in events) == 8
    assert events == sorted(events, key=lambda event: event["timestamp"])
    process = ttl_jit("time", f"--noc-trace={trace}", "--json")
    assert process.returncode == SUCCESS, process.stderr
    ends = json.loads(process.stdout)
    assert len(ends) == sum(event["type"].endswith("_END") for event in events) == 16
    for end in ends:
        assert end["predicted"] == pytest.approx(end["timestamp"], rel=0.05), end
    text = ttl_jit("time", "--noc-trace", trace).stdout
    assert text.startswith("barrier ends (cycles):") and "16 barriers, median error " in text


def test_a_trace_of_two_kernels_has_one_after_the_other(script, tmp_path):
    trace = tmp_path / "trace.json"
    script.write_text(SCRIPT + SCRIPT.replace("copied", "again"))
    assert ttl_jit("time", script, "--noc-trace", trace).returncode == SUCCESS
    first, second = ([event["timestamp"] for event in json.loads(trace.read_text()) if event["run_host_id"] == run]
                     for run in (1, 2))
    assert len(first) == len(second) and max(first) < min(second)
    process = ttl_jit("time", "--noc-trace", trace)
    assert process.returncode == SUCCESS and "32 barriers, " in process.stdout, process.stderr


@pytest.mark.parametrize("option, what", [("--noc-trace=a.json", "a NoC trace"), ("--csv=a.csv", "a profile")])
def test_files_of_one_chip(tmp_path, option, what):
    script = tmp_path / "two.py"
    script.write_text(SCRIPT.replace("\ncopied(x, y)", """
import ttnn
mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
copied(*(ttnn.from_numpy(each, device=mesh) for each in (x, y)))"""))
    process = subprocess.run([TTL_JIT, "time", "--mesh=1x2", script, option], cwd=tmp_path, capture_output=True,
                             text=True)
    assert process.returncode == RUNTIME_FAULT and not (tmp_path / option.split("=")[1]).exists()
    assert f"error: {what} is of one chip, and 'copied' runs on 2: name a FILE.json" in process.stderr


def _event(**changes):
    return {"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "dx": 2, "dy": 1, "num_bytes": 64, "type": "READ",
            "timestamp": 5, **changes}


def test_a_trace_without_ends(tmp_path):
    """Events need no times for the ends of barriers. An event's time may also be given by `dt`."""
    trace = tmp_path / "trace.json"
    end = _event(type="READ_BARRIER_END", dx=-1, dy=-1)
    del end["timestamp"]
    more = [{**_event(dt=30, type=kind), "timestamp": None} for kind in ("READ", "READ_BARRIER_START")]
    trace.write_text(json.dumps([_event(), *more, end]))
    process = ttl_jit("time", "--noc-trace", trace, "--arch=blackhole")
    assert process.returncode == SUCCESS, process.stderr
    assert "READ_BARRIER_END of BRISC at (1, 1)" in process.stdout


@pytest.mark.parametrize("late, back", [({"timestamp": 66}, {"timestamp": 1300}),
                                        ({"timestamp": None, "dt": -934}, {"timestamp": None, "dt": 1234})])
def test_a_begin_that_is_written_late(tmp_path, late, back):
    """A card writes the begin of a zone late: after the events that filled the profiler's first buffer."""
    marker = {"proc": "BRISC", "sx": 1, "sy": 1, "zone": "BRISC-KERNEL", "zone_phase": "begin", **late}
    ends = []
    for more in ([], [marker]):
        then = _event(**(back if more else {"timestamp": 1300}))
        end = {**_event(type="READ_BARRIER_END", dx=-1, dy=-1), "timestamp": None}
        trace = tmp_path / "trace.json"
        trace.write_text(json.dumps([_event(timestamp=1000), *more, then, end]))
        process = ttl_jit("time", "--noc-trace", trace, "--json")
        assert process.returncode == SUCCESS, process.stderr
        ends.append(json.loads(process.stdout))
    assert ends[0] == ends[1] and len(ends[0]) == 1


@pytest.mark.parametrize("events, message", [
    ({}, "expected an array of events"),
    ([1], "event 1: expected an object"),
    ([{"processor": "BRISC"}], "event 1: expected the fields 'proc' and 'type'; found only others; traces of other "
                               "versions of the format are not known"),
    ([_event(), _event(timestamp=None)], "event 2: expected 'timestamp', or 'dt'"),
    ([_event(sx=-1)], "event 1: expected 'sx' and 'sy'"),
    ([_event(dx=None)], "event 1: expected 'dx' and 'dy', the other end of a READ"),
    ([_event(dx=16)], "event 1: (16, 1) is no position on wormhole_b0, which has columns 0 to 9 and rows 0 to 11; "
                      "--arch chooses the chip of the trace"),
    ([_event(sx=2**31)], "event 1: expected 'sx' and 'sy'"),
    ([_event(type="WRITE_MULTICAST", mcast_start_x=1, mcast_start_y=1, mcast_end_x=1, mcast_end_y=12)],
     "event 1: (1, 12) is no position on wormhole_b0"),
    ([_event(noc="NOC_2")], "event 1: expected NOC_0 or NOC_1 in 'noc', found 'NOC_2'"),
    ([_event(num_bytes=None)], "event 1: expected 0 to 4294967296 bytes in 'num_bytes'"),
    ([_event(num_bytes=2**62)], "event 1: expected 0 to 4294967296 bytes in 'num_bytes'"),
    ([_event(), _event(timestamp=4)], "event 2: its 'timestamp', 4, is before 5, that of the event of this core"),
    ([_event(timestamp=1e300)], "event 1: expected a time of 0 to 1e+15 cycles, found 1e+300"),
    ([_event(), _event(timestamp=None, dt=-3)], "event 2: expected a time of 0 to 1e+15 cycles, found -3"),
])
def test_a_trace_that_is_none(tmp_path, events, message):
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(events))
    process = ttl_jit("time", "--noc-trace", trace)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


@pytest.mark.parametrize("text", ["", "[", '[{"proc": "BRISC", "noc"', "proc,noc\n1,2\n", "[1,]", "\xff"])
def test_a_trace_that_is_no_json(tmp_path, text):
    trace = tmp_path / "trace.json"
    trace.write_text(text, encoding="latin-1")
    process = ttl_jit("time", "--noc-trace", trace)
    assert process.returncode == USAGE and f"{trace} is no JSON: " in process.stderr, process.stderr
    assert process.stderr.count("\n") == 1


def test_events_that_move_data_in_another_way_are_named(tmp_path):
    trace = tmp_path / "trace.json"
    ends = [_event(type=f"READ_BARRIER_{kind}", num_bytes=0) for kind in ("START", "END")]
    others = [_event(type="FABRIC_UNICAST_WRITE") for _ in range(2)]
    trace.write_text(json.dumps([_event(), *others, *ends]))
    process = ttl_jit("time", "--noc-trace", trace)
    assert process.returncode == SUCCESS, process.stderr
    assert process.stdout.endswith("\nnot modelled: 2 events of type FABRIC_UNICAST_WRITE\n"), process.stdout


@pytest.mark.parametrize("arguments, message", [
    (["--noc-trace", "none.json"], "cannot read the NoC trace 'none.json'"),
    (["--noc-trace"], "needs a file: the JSON of a NoC trace"),
    (["--noc-trace", "none.json", "--arch=other"], "unknown chip 'other'; use wormhole_b0 or blackhole"),
    (["--noc-trace", "none.json", "--fast"], "takes a file, --arch=NAME and --json; found '--fast'"),
])
def test_a_trace_that_is_not_there(arguments, message):
    process = ttl_jit("time", *arguments)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_the_steps_of_the_documentation():
    """Each step of the page's examples is faster than the one before, and the page quotes what is printed."""
    page = (ROOT / "docs" / "timing.md").read_text()
    for name in ("pages", "product", "functions"):
        times = []
        for step in (1, 2, 3):
            process = ttl_jit("time", ROOT / "tests" / "timing" / "steps" / f"{name}.py", str(step))
            assert process.returncode == SUCCESS, process.stderr
            advice, figures = process.stdout.splitlines()[:2]
            advice = advice.replace(f"{ROOT}/tests/timing/steps/", "")
            assert f"{advice}\n{figures}\n" in page, f"{name} {step}:\n{advice}\n{figures}"
            times.append(float(figures.partition(" cycles")[0].rpartition(" ")[2]))
        assert times == sorted(times, reverse=True)
