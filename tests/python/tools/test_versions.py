# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit time A --vs B` and `ttl-jit report A --vs B`: which line gained, which lost."""

import json
import re
import xml.etree.ElementTree as xml

import pytest
from running import COMPILE_ERROR, SCRIPT_FAILED, SUCCESS, USAGE, ttl_jit
from test_time import COPY

BEFORE = COPY.replace("COUNT", "2").replace("REST", "2")
# Both have two more lines at the top. SINGLE has one block per buffer, AFTER a slower sum.
SINGLE = "# a comment\n\n" + COPY.replace("COUNT", "1").replace("REST", "2")
AFTER = "# a comment\n\n" + BEFORE.replace("x_block + x_block", "ttl.exp(x_block) * 0 + x_block + x_block")


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("versions")
    for name, text in (("before", BEFORE), ("after", AFTER), ("single", SINGLE)):
        (folder / f"{name}.py").write_text(text)
        process = ttl_jit("time", folder / f"{name}.py", f"--json={folder / name}.json",
                          f"--trace={folder / name}.trace")
        assert process.returncode == SUCCESS, process.stderr
    return folder


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def times(*arguments):
    process = ttl_jit("time", *arguments)
    assert process.returncode == SUCCESS, process.stderr
    return process.stdout


def test_the_changes_of_the_lines_add_up(versions):
    (found,) = json.loads(times(versions / "before.py", "--vs", versions / "after.py", "--json"))
    (before,), (after,) = (json.loads((versions / f"{name}.json").read_text()) for name in ("before", "after"))
    assert found["cycles_before"] == before["cycles"] and found["cycles_after"] == after["cycles"]
    change = sum(line["cycles_after"] - line["cycles_before"] for line in found["lines"])
    assert change == pytest.approx(after["cycles"] - before["cycles"], abs=1)
    changes = sum(two[1] - two[0] for two in found["resources"].values())
    assert changes == pytest.approx(change, abs=1)


def test_the_line_that_lost_is_named_in_both_versions(versions):
    text = times(versions / "before.py", "--vs", versions / "after.py")
    first, second = line_of(BEFORE, "y_block.store"), line_of(AFTER, "y_block.store")
    lost = text.partition("lines that lost:")[2].splitlines()[1]
    assert re.search(rf"\+\d+ +\d+ -> +\d+  before\.py:{first} -> after\.py:{second} +y_block\.store", lost), text
    assert text.startswith("kernel twice: ") and " -> " in text.splitlines()[0]


def test_estimates_of_files_are_compared(versions):
    expected = times(versions / "before.py", "--vs", versions / "after.py")
    assert times(versions / "before.json", "--vs", versions / "after.json") == expected
    same = times(versions / "before.json", "--vs", versions / "before.json")
    assert same.endswith("(no change)\n") and "lines" not in same


def test_lines_without_a_partner(versions, tmp_path):
    shorter = tmp_path / "shorter.py"
    lines = [line for line in BEFORE.splitlines() if "x_block + x_block" not in line]
    at = line_of(BEFORE, "x_block + x_block") - 1
    lines[at:at] = ["                pass", "                y_block.store(x_block * 2)"]
    shorter.write_text("\n".join(lines) + "\n")
    (found,) = json.loads(times(versions / "before.py", "--vs", shorter, "--json"))
    assert any(line["before"] is None or line["after"] is None for line in found["lines"])


@pytest.mark.parametrize("first, second, status, part", [
    ("before.py", "none.py", USAGE, "there is no such file"),
    ("before.py", "before.trace", USAGE, "ttl-jit report TRACE --vs OTHER"),
    ("before.json", "text.json", USAGE, "holds no estimates of this version"),
    ("before.py", "wrong.py", SCRIPT_FAILED, "ended with status 1"),
    ("before.py", "refused.py", COMPILE_ERROR, "block_count must be an integer"),
    ("empty.py", "before.py", USAGE, "nothing to compare"),
])
def test_what_cannot_be_compared(versions, first, second, status, part):
    (versions / "text.json").write_text('{"a": 1}')
    (versions / "wrong.py").write_text("raise ValueError('wrong')\n")
    (versions / "empty.py").write_text("import ttl\n")
    (versions / "refused.py").write_text(COPY.replace("COUNT", "0"))
    process = ttl_jit("time", versions / first, "--vs", versions / second)
    assert process.returncode == status and part in process.stderr, process.stderr


# ===--------------------------------------------------------------------------=== #
# Traces
# ===--------------------------------------------------------------------------=== #


def report(*arguments):
    process = ttl_jit("report", *arguments)
    assert process.returncode == SUCCESS, process.stderr
    return process.stdout


def test_the_text_of_two_traces(versions):
    """With one block per buffer, threads wait for each other."""
    text = report(versions / "before.trace", "--vs", versions / "single.trace")
    assert re.match(r"kernel twice: (\d+) -> (\d+) ticks \(\+[\d.]+ %\)\n", text), text
    lost = text.partition("lines that lost")[2]
    first, second = line_of(BEFORE, "y_dfb.wait()"), line_of(SINGLE, "y_dfb.wait()")
    assert f"before.py:{first} -> single.py:{second}, most of it wait" in lost, text
    same = report(versions / "before.trace", "--vs", versions / "before.trace")
    assert len(same.splitlines()) == 1 and "(+0.0 %)" in same


def test_the_page_has_both_timelines(versions, tmp_path):
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    report(versions / "before.trace", "--vs", versions / "single.trace", f"--html={page}", f"--json={figures}")
    found, text = json.loads(figures.read_text()), page.read_text()
    picture = xml.fromstring(text[text.index("<svg"):text.index("</svg>") + 6])
    labels = [each.text for each in picture.iter("text")]
    assert labels[:6] == [f"{name} {when}" for name in (each["name"] for each in found["threads"])
                          for when in ("before", "after")]
    ends = {}
    for each in picture.iter("rect"):
        row = float(each.get("y"))
        ends[row] = max(ends.get(row, 0), float(each.get("x")) + float(each.get("width")) - 150)
    # The later version of each thread ends later: the rows have one scale.
    longest = max(found["duration_before"], found["duration_after"])
    assert max(ends.values()) == pytest.approx(1000, abs=3)
    befores = max(end for number, (_, end) in enumerate(sorted(ends.items())) if number % 2 == 0)
    assert befores == pytest.approx(1000 * found["duration_before"] / longest, abs=3)
    assert text.count("<tr>") == 1 + len(found["lines"])
    assert "single.py" in text and "http" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize("other, arguments, part", [
    ("none.trace", [], "cannot read"),
    ("before.py", [], "expected an element of a trace"),
    ("after.trace", ["--counts"], "--counts shows one trace"),
])
def test_wrong_traces(versions, other, arguments, part):
    process = ttl_jit("report", versions / "before.trace", "--vs", versions / other, *arguments)
    assert process.returncode == USAGE and part in process.stderr
