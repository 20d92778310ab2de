# SPDX-License-Identifier: Apache-2.0
"""docs/emit-paths.md states the size and the number of init calls of every example's C++, on both paths.

`python3 tests/python/docs/test_emit_paths_page.py --update` writes the table, with times of this machine."""

import json
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "tests" / "python" / "tools")]
from running import EXAMPLES, SUCCESS, run  # noqa: E402
from test_examples import HASHES  # noqa: E402

PAGE = ROOT / "docs" / "emit-paths.md"
BEGIN, END = "<!-- paths -->\n", "<!-- end of paths -->\n"
TIMES, END_OF_TIMES = "<!-- times -->\n", "<!-- end of times -->\n"
PATHS = ("ttkernel", "direct")
NAMES = sorted({example.split()[0] for example in HASHES})
INIT = re.compile(r"\b\w*(?:_init|_init_\w+|init_\w+|_uninit|hw_startup|reconfig_data_format\w*)(?:<[^;]*>)?\(")
PAIRS = 5  # pairs of runs: one run on each path, one after the other


def sizes_of(name, path):
    """Returns the number of bytes of the emitted C++, and of init calls in it."""
    with tempfile.TemporaryDirectory() as folder:
        process = run(EXAMPLES / f"{name}.py", f"--emit={folder}", f"--emit-path={path}")
        assert process.returncode == SUCCESS, process.stderr
        texts = [file.read_text() for file in pathlib.Path(folder).glob("*.cpp")]
    return sum(map(len, texts)), sum(len(INIT.findall(text)) for text in texts)


def milliseconds_of(name, path):
    """Returns the time in ms that emission takes, from the frontend's IR to the text of the C++."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "stats.json"
        process = run(EXAMPLES / f"{name}.py", "--engine=emitted", f"--emit-path={path}",
                      f"--stats={file}")
        assert process.returncode == SUCCESS, process.stderr
        kernels = json.loads(file.read_text())
    stages = [kernel["compile_ms"] for kernel in kernels]
    return sum(time for times in stages for stage, time in times.items()
               if stage == "emitted-text" or not stage.startswith("emitted-"))


def times_of(name):
    """Returns the cells with times: the median of each path, and the median of direct/ttkernel over pairs."""
    pairs = [[milliseconds_of(name, path) for path in PATHS] for _ in range(PAIRS)]
    ratios = [direct / ttkernel for ttkernel, direct in pairs]
    return [f"{statistics.median(times):.1f}" for times in (*zip(*pairs), ratios)]


def row(name, times):
    cells = [cell for path in PATHS for cell in sizes_of(name, path)]
    bytes_then, inits_then, bytes_now, inits_now = cells
    return f"| `{name}` | {bytes_then} | {bytes_now} | {inits_then} | {inits_now} | {' | '.join(times)} |\n"


def shown_rows():
    """Returns {example: row} of the page's table."""
    table = PAGE.read_text().split(BEGIN)[1].split(END)[0]
    return {re.match(r"\| `(\w+)`", line)[1]: line + "\n" for line in table.splitlines() if line.startswith("| `")}


def summary(rows):
    """Returns the sentence that sums up the times of the table's rows."""
    factors = [float(line.split("|")[-2]) for line in rows]
    slower = sum(factor > 1 for factor in factors)
    return (f"{slower} of {len(factors)} examples took longer on the direct path: "
            f"{statistics.median(factors):.1f} times as long in the median, and at most {max(factors):.1f} times.\n")


def test_the_page_has_every_example():
    assert sorted(shown_rows()) == NAMES, "run python3 tests/python/docs/test_emit_paths_page.py --update"


def test_sizes_and_init_calls_are_those_of_now():
    """Times are taken from the page, because they depend on the machine that measured them."""
    for name, line in shown_rows().items():
        times = [cell.strip() for cell in line.split("|")[-4:-1]]
        assert row(name, times) == line, "run python3 tests/python/docs/test_emit_paths_page.py --update"
        assert all(float(time) > 0 for time in times), line


def test_the_sentence_about_times_is_that_of_the_table():
    shown = PAGE.read_text().split(TIMES)[1].split(END_OF_TIMES)[0]
    assert shown == summary(shown_rows().values())


def replaced(page, begin, end, text):
    head, rest = page.split(begin)
    return head + begin + text + end + rest.split(end)[1]


def update():
    rows = [row(name, times_of(name)) for name in NAMES]
    table = ("| example | bytes, `ttkernel` | bytes, `direct` | inits, `ttkernel` | inits, `direct` "
             "| ms, `ttkernel` | ms, `direct` | ratio |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
    page = replaced(PAGE.read_text(), BEGIN, END, table + "".join(rows))
    PAGE.write_text(replaced(page, TIMES, END_OF_TIMES, summary(rows)))


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    update()
