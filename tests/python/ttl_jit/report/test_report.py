# SPDX-License-Identifier: Apache-2.0
"""ttl-jit report: its text, its JSON, and its HTML page in a browser."""

import json
import re
import shutil
import subprocess

import pytest
from running import EXAMPLES, SUCCESS, USAGE, ttl_jit

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Makes a folder with traces of three examples, one of them compressed."""
    folder = tmp_path_factory.mktemp("report")
    for name, file in (("matmul_multicore", "multicore.json.zst"), ("matmul_multicast", "multicast.json"),
                       ("ring_all_reduce", "ring.json")):
        process = ttl_jit("run", EXAMPLES / f"{name}.py", f"--trace={folder / file}")
        assert process.returncode == SUCCESS, process.stderr
    return folder


def report(*arguments):
    process = ttl_jit("report", *arguments)
    assert process.returncode == SUCCESS, process.stderr
    return process.stdout


def test_the_text_says_who_waits_for_whom(folder):
    text = report(folder / "multicore.json.zst")
    assert "kernel matmul, launch 2: grid 10x10, 100 nodes" in text
    assert re.search(r"compute waits for pages of 'a_dfb' \d+ % of its time \(line 59\): reader \(line 37\) is slower",
                     text)
    assert re.search(r"a_dfb: [\d.]+ of 8 pages on average, at most [48]; empty \d+ %, full \d+ %", text)


def test_copies_of_receives_and_sends_are_told_from_those_of_tensors(folder):
    text = report(folder / "multicast.json")
    assert "the copies of its receives" not in text  # the receives' data arrive in the block itself
    assert re.search(r"waits for the copies of its sends over the pipes of 'along_columns' .*: a send waits until its "
                     r"block, 8192 "
                     r"bytes, has left\.", text)
    assert re.search(r"b_mover_and_writer waits for its reads \d+ % of its time \(line 51\)", text)
    assert re.search(r"receiver waits for the copies of its receives over the pipes of 'ring' \d+ % of its time "
                     r"\(line 30\): "
                     r"a receive copies each block that has arrived, 4096 bytes, into the buffer\. Send larger blocks",
                     report(folder / "ring.json"))


def test_each_flow_of_the_file_has_both_ends(folder):
    elements = [json.loads(line.strip().rstrip(",")) for line in (folder / "multicast.json").read_text().splitlines()
                if line.strip() not in "[]"]
    spans, ends = {}, {}
    for each in elements:
        if each["ph"] == "X":
            spans.setdefault((each["pid"], each["tid"]), []).append((each["ts"], each["ts"] + each["dur"]))
        if each["ph"] in "sf":
            ends.setdefault(each["id"], []).append(each)
    assert len(ends) > 100
    for flow in ends.values():
        assert "".join(each["ph"] for each in flow) in ("sf", "sfsf")
        for each in flow:
            assert any(begin <= each["ts"] <= end for begin, end in spans[each["pid"], each["tid"]])


def test_figures_as_json(folder):
    report(folder / "multicast.json", "--json", folder / "figures.json")
    figures = json.loads((folder / "figures.json").read_text())
    assert figures["nodes"] == len(figures["traffic"]) == 6
    assert {edge["verb"] for edge in figures["edges"]} == {"push", "pop"}
    for thread in figures["threads"]:
        assert sum(thread[kind] for kind in ("compute", "call", "issue", "wait")) == thread["total"]
        assert thread["total"] <= figures["duration"] * figures["nodes"]
    sent, received = (sum(node[kind] for node in figures["traffic"]) for kind in ("sent", "received"))
    assert sent == received > 0


def test_an_earlier_launch(folder):
    assert "launch 1:" in report(folder / "multicast.json", "--launch=1")
    process = ttl_jit("report", folder / "multicast.json", "--launch=9")
    assert process.returncode == USAGE and "holds no launch 9; it holds 2" in process.stderr


@pytest.mark.parametrize("number", (0, -1))
def test_launches_have_numbers_from_1(folder, number):
    process = ttl_jit("report", folder / "multicast.json", f"--launch={number}")
    assert process.returncode and f"holds no launch {number}; it holds 2" in process.stderr


@pytest.mark.parametrize("damage, message", [
    (lambda data: data[:-40], "is damaged at byte"),
    (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "is damaged at byte"),
    (lambda data: b"", "is empty or no file"),
    (lambda data: b"[\n{}\n]\n", "expected a"),
    (lambda data: b"some text", ":1: expected an element of a trace, found 'some text'"),
    (lambda data: b'[\n{"ph":"M","name":"ttl_trace","args":{"version":9}}\n]',
     "expected a trace of version 1, found version 9: another ttl-jit wrote it; trace the program again"),
    (lambda data: b'[\n{"ph":"M","name":"ttl_trace","args":{"version":1}},\n{"ph":',
     ":3: expected an element of a trace"),
    (lambda data: b'[\n{"ph":"M","name":"ttl_trace","args":{"version":1}},\n{"ph":"Q"}',
     ":3: expected an element of a trace; the field 'ph' is 'Q', expected one of M, X, C"),
    (lambda data: b'[\n{"ph":"M","name":"ttl_trace","args":{"version":1}}\n]', "holds no launch of a kernel"),
])
def test_damaged_files(folder, tmp_path, damage, message):
    file = tmp_path / "damaged.zst"
    file.write_bytes(damage((folder / "multicore.json.zst").read_bytes()))
    process = ttl_jit("report", file)
    assert process.returncode == USAGE
    assert message in process.stderr and "Traceback" not in process.stderr


def test_files_that_are_not_there(folder, tmp_path):
    process = ttl_jit("report", tmp_path / "none.json")
    assert process.returncode == USAGE and "No such file or directory" in process.stderr
    process = ttl_jit("report", folder / "multicast.json", "--html", tmp_path / "no" / "page.html")
    assert process.returncode == USAGE and "page.html" in process.stderr


def browse(page, profile, *options):
    return subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,2400",
         f"--user-data-dir={profile}", *options, page.as_uri()],
        capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("file", ("multicore.json.zst", "multicast.json"))
def test_a_browser_draws_the_page(folder, tmp_path, file):
    page = tmp_path / "page.html"
    report(folder / file, "--html", page)
    assert not re.search(r"""(src|href)=["']?https?:""", page.read_text())
    document = browse(page, tmp_path / "profile", "--dump-dom").stdout
    body = re.search(r"<body[^>]*>", document)
    assert body and 'data-drawn="yes"' in body[0], document[:500]
    assert int(re.search(r'data-spans="(\d+)"', body[0])[1]) > 100
    nodes = 100 if "multicore" in file else 6
    assert document.count("<rect") >= nodes and "a_dfb" in document and "waits for pages of" in document
    assert re.search(r'class="hot">\s*<td>\d+</td>', document)
    assert_arrows_are_apart(document)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_compute_thread_in_cycles_is_one_box_of_the_graph(tmp_path):
    """The thread has three rows in the timeline."""
    trace, page = tmp_path / "cycles.json", tmp_path / "page.html"
    process = ttl_jit("run", EXAMPLES / "eltwise_add.py", f"--trace={trace}", "--trace-time=cycles")
    assert process.returncode == SUCCESS, process.stderr
    report(trace, "--html", page)
    document = browse(page, tmp_path / "profile", "--dump-dom").stdout
    boxes = re.findall(r'text-anchor="middle">([a-z]+[^<]*)</text>', document)
    assert sorted(box for box in boxes if not box.endswith("dfb")) == ["compute", "reader", "writer"], boxes
    assert "compute packer" in document
    assert_arrows_are_apart(document)


def assert_arrows_are_apart(document):
    """Each edge of the graph has one arrow, and no two edges begin or end at the same point."""
    edges = re.findall(r'<path d="M([-\d.]+,[-\d.]+) [^"]* ([-\d.]+,[-\d.]+)"[^>]* '
                       r'marker-(?:start|end)="url\(#arrow\)"', document)
    ends = [point for edge in edges for point in edge]
    assert len(edges) == 6 and len(set(ends)) == len(ends), edges


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_browser_sees_colours(folder, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "page.png"
    report(folder / "multicore.json.zst", "--html", page)
    browse(page, tmp_path / "profile", f"--screenshot={picture}")
    assert picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 50_000


DOUBLE = """
import numpy as np
import ttl

@ttl.operation(grid=(1, 1), fp32_dest_acc_en=False)
def double(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=1)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as x, y_dfb.reserve() as out:
            out.store(x + x * x)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as block:
            ttl.copy(a[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

double(np.random.default_rng(0).standard_normal((32, 32), np.float32), np.zeros((32, 32), np.float32))
"""


@pytest.fixture(scope="module")
def explained(folder):
    """Makes a trace and a file of ttl-jit numerics, both of the same launches."""
    script = folder / "double.py"
    script.write_text(DOUBLE)
    process = ttl_jit("run", script, "--numerics=device", f"--trace={folder / 'double.json'}")
    assert process.returncode == SUCCESS, process.stderr
    process = ttl_jit("numerics", script, f"--json={folder / 'errors.json'}")
    assert process.returncode == SUCCESS, process.stderr
    return folder / "double.json", folder / "errors.json"


def test_a_section_about_errors(explained, tmp_path):
    trace, errors = explained
    report(trace, "--html", tmp_path / "page.html", "--numerics", errors)
    page = (tmp_path / "page.html").read_text()
    section = page.partition("<h2>Numerics</h2>")[2]
    assert "error against fp64" in section and "<h3>y</h3>" in section and "<svg xmlns=" in section
    report(trace, "--html", tmp_path / "plain.html")
    assert "Numerics" not in (tmp_path / "plain.html").read_text()


def damaged(content, change):
    content = json.loads(json.dumps(content))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize("change, message", [
    (lambda content: content.update(version=7), "is no explanation"),
    (lambda content: content.update(launches=3), "is no explanation"),
    (lambda content: content["launches"][0].pop("text"), "is no explanation"),
    (lambda content: content["launches"][0]["tensors"][0].update(picture="<svg><script>1</script></svg>"),
     "is no explanation"),
    (lambda content: [launch.update(kernel="other") for launch in content["launches"]],
     "explains other, and the trace has a launch of double"),
])
def test_a_wrong_explanation_is_an_error(explained, tmp_path, change, message):
    trace, errors = explained
    file = tmp_path / "wrong.json"
    file.write_text(damaged(json.loads(errors.read_text()), change))
    process = ttl_jit("report", trace, "--html", tmp_path / "page.html", "--numerics", file)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


@pytest.mark.parametrize("text, message", [(None, "cannot read"), ("{", "is not JSON")])
def test_an_explanation_that_cannot_be_read(explained, tmp_path, text, message):
    file = tmp_path / "wrong.json"
    if text:
        file.write_text(text)
    process = ttl_jit("report", explained[0], "--html", tmp_path / "page.html", "--numerics", file)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_a_section_needs_a_page(explained):
    process = ttl_jit("report", explained[0], "--numerics", explained[1])
    assert process.returncode == 2 and "give --html=OUT, too" in process.stderr
