# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit tune` and ttl.tune(): the fastest parameters of a kernel."""

import json
import signal
import subprocess
import time

import numpy as np
import pytest
import ttl
from running import SCRIPT_FAILED, SUCCESS, TTL_JIT, USAGE, environment, ttl_jit

SCRIPT = '''
import sys

import numpy as np
import ttl

ROWS = 16
WIDTH = 1
FACTOR = 2.0


@ttl.operation(grid=(1, 1))
def scaled(x, y, count, order="forward"):
    rows = x.shape[0] // 32 // WIDTH
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(WIDTH, 1), block_count=count)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(WIDTH, 1), block_count=count)

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            with x_dfb.reserve() as block:
                ttl.copy(x[row * WIDTH : row * WIDTH + WIDTH, 0:1], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block * FACTOR)

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row * WIDTH : row * WIDTH + WIDTH, 0:1]).wait()
        if order == "hangs":
            with y_dfb.wait() as block:
                ttl.copy(block, y[0:WIDTH, 0:1]).wait()


def main():
    x, y = np.random.rand(32 * ROWS, 32).astype(np.float32), np.zeros((32 * ROWS, 32), np.float32)
    scaled(x, y, 1)
    assert (y == x * np.float32(FACTOR)).all() or "--wrong" in sys.argv


if __name__ == "__main__":
    main()
'''


@pytest.fixture
def script(tmp_path):
    def write(text=SCRIPT, name="scaled.py"):
        file = tmp_path / name
        file.write_text(text)
        return file
    return write


def tuned(file, *arguments, status=SUCCESS):
    process = ttl_jit("tune", file, "--json", *arguments)
    assert process.returncode == status, process.stderr
    return json.loads(process.stdout)


def rows(found):
    return {tuple(each["values"].values()): each for each in found["candidates"]}


# ===--------------------------------------------------------------------------=== #
# What a parameter may be
# ===--------------------------------------------------------------------------=== #


def test_a_name_of_the_script_an_argument_and_an_option(script):
    file = script()
    found = tuned(file, "--param", "WIDTH=1,2", "--param=count=1,2", "--param", "dst=None,schedule")
    assert len(found["candidates"]) == 8
    cycles = [each["cycles"] for each in found["candidates"]]
    assert cycles == sorted(cycles) and cycles[0] < cycles[-1]
    assert found["best"]["values"]["WIDTH"] == "2" and found["best"]["values"]["count"] == "2"
    assert found["use"][0] == f"  WIDTH = 2, at {file.name}:8"
    assert found["use"][1] == "  count=2, argument of scaled"


def test_the_estimates_are_those_of_time(script):
    file = script()
    found = rows(tuned(file, "--param", "WIDTH=1,2"))
    for width in (1, 2):
        changed = script(SCRIPT.replace("WIDTH = 1", f"WIDTH = {width}"), "changed.py")
        (figures,) = json.loads(ttl_jit("time", changed, "--json").stdout)
        assert found[str(width),]["cycles"] == figures["cycles"]


def test_a_keyword_of_the_decorator(script):
    found = tuned(script(), "--param", "grid=(1,1),(2,2)")
    assert {each["values"]["grid"] for each in found["candidates"]} == {"(1, 1)", "(2, 2)"}
    # The kernel does the same work on each node.
    assert rows(found)["(1, 1)",]["cycles"] < rows(found)["(2, 2)",]["cycles"]


def test_the_table_names_the_best_call(script):
    process = ttl_jit("tune", script(), "--param", "WIDTH=1,4,2", "--top=1")
    assert process.returncode == SUCCESS, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0].startswith("3 candidates, 3 compared, 0 skipped")
    assert lines[1].split() == ["rank", "cycles", "us", "first/this", "WIDTH"]
    assert lines[3] == "  and 2 more"
    assert lines[4].startswith("best: WIDTH=4: ") and lines[4].endswith(" times as fast as the first candidate")
    assert lines[5] == "  WIDTH = 4, at scaled.py:8"


# ===--------------------------------------------------------------------------=== #
# Candidates that are skipped
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("parameter, kind, part", [
    ("count=1,400", "refused", "block_count must be an integer from 1 to 32, found 400"),
    ("WIDTH=1,16", "refused", "bytes of L1"),
    ("order='forward','hangs'", "deadlock", "scaled.py:"),
    ("WIDTH=1,3", "failed", "AssertionError"),
    ("FACTOR=2.0,None", "refused", "scaled.py:"),
])
def test_a_candidate_is_skipped_with_the_reason(script, parameter, kind, part):
    arguments = ["--max-l1=65536"] if "WIDTH=1,16" in parameter else []
    good, bad = tuned(script(), "--param", parameter, *arguments)["candidates"]
    assert "cycles" in good
    assert bad["skipped"] == kind and part in bad["reason"], bad


@pytest.mark.parametrize("code, reason", [
    ("'no card'", "the script ended with status 1: no card"), ("3", "the script ended with status 3: last words"),
    ("None", None), ("0", None)])
def test_a_script_that_ends_itself(script, code, reason):
    ends = f"    print('last words')\n    if WIDTH == 2:\n        raise SystemExit({code})\n"
    text = SCRIPT.replace("    scaled(x, y, 1)\n", "    scaled(x, y, 1)\n" + ends)
    good, other = tuned(script(text), "--param", "WIDTH=1,2")["candidates"]
    assert "cycles" in good and other.get("reason") == reason


def test_other_results_are_no_solution(script):
    file = script()
    found = rows(tuned(file, "--param", "FACTOR=2.0,2.00001", "--", "--wrong"))
    assert found["2.00001",]["skipped"] == "results"
    assert "differ from those of the first candidate by up to 5e-06 of the largest value" in found["2.00001",]["reason"]
    found = rows(tuned(file, "--param", "FACTOR=2.0,2.00001,2.1", "--tolerance=1e-4"))
    assert 0 < found["2.00001",]["difference"] < 1e-4
    assert found["2.1",]["skipped"] == "results"


def test_results_without_a_finite_difference_are_explained(script):
    """The first candidate writes zeros only. Differences are divided by its largest value, which is 0."""
    found = rows(tuned(script(), "--param", "FACTOR=0.0,2.0", "--", "--wrong"))
    reason = found["2.0",]["reason"]
    assert "have no finite difference from those of the first candidate" in reason
    assert "leaves tiles unwritten" in reason and "up to inf" not in reason


def test_results_that_were_there_before_are_not_computed(script):
    """WIDTH=3 leaves out the last of 16 rows, but y already has the results: the script's test passes."""
    text = SCRIPT.replace("    scaled(x, y, 1)\n", "    y[:] = x * np.float32(FACTOR)\n    scaled(x, y, 1)\n")
    found = rows(tuned(script(text), "--param", "WIDTH=1,3,4", "--tolerance=1e-3"))
    assert found["3",]["skipped"] == "results"
    assert "cycles" in found["1",] and "cycles" in found["4",]


def test_other_inputs_cannot_be_compared(script):
    text = SCRIPT.replace("np.random.rand(32 * ROWS, 32)", "np.random.default_rng().random((32 * ROWS, 32))")
    found = tuned(script(text), "--param", "WIDTH=1,2")
    assert [each.get("skipped") for each in found["candidates"]] == [None, "inputs"]
    assert len(tuned(script(), "--param", "WIDTH=1,2")["candidates"]) == 2


def test_without_a_solution_the_command_fails(script):
    found = tuned(script(), "--param", "WIDTH=0,64", status=SCRIPT_FAILED)
    assert found["best"] is None and all(each["skipped"] for each in found["candidates"])


def test_a_crash_is_a_reason(script):
    text = SCRIPT.replace("def main():\n", "def main():\n    if WIDTH == 2:\n        import os\n        os.abort()\n")
    found = rows(tuned(script(text), "--param", "WIDTH=1,2,4"))
    assert found["2",]["reason"] == "the process ended: signal SIGABRT"
    assert "cycles" in found["1",] and "cycles" in found["4",]


def test_a_dry_run_compares_nothing(script):
    file = script()
    found = tuned(file, "--param", "WIDTH=1,2", "--dry-run", "--", "--wrong")
    assert not found["checked"]
    usual = rows(tuned(file, "--param", "WIDTH=1,2"))
    assert {each["cycles"] for each in found["candidates"]} == {each["cycles"] for each in usual.values()}


# ===--------------------------------------------------------------------------=== #
# Searches
# ===--------------------------------------------------------------------------=== #


def test_random_searches_of_one_seed_are_the_same(script):
    space = ["--param", "WIDTH=1,2,4,8", "--param", "count=1,2,3,4,5,6"]
    first, again, other = (tuned(script(), *space, f"--search=random:5:{seed}") for seed in (1, 1, 2))
    assert first == again and len(first["candidates"]) == 5
    assert rows(first).keys() != rows(other).keys()
    assert ("1", "1") in rows(first) and ("1", "1") in rows(other)


def test_halving_drops_the_slower_half_in_each_rung(script):
    space = ["--param", "WIDTH=1,2,4", "--param=count=1,2"]
    found = tuned(script(), *space, "--search=halving", "--budget", "ROWS=16,32")
    whole = tuned(script(), *space, "--param", "ROWS=32")
    assert found["best"] == whole["best"]
    # Three of six, and the first candidate, with which the others are compared.
    assert found["dropped"] == 2 and len(found["candidates"]) == 4
    assert ("1", "1", "32") in rows(found)


# ===--------------------------------------------------------------------------=== #
# Wrong arguments
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("arguments, part", [
    ([], "the search space is empty"),
    (["--param", "WIDTH="], "parameter WIDTH has no values"),
    (["--param", "WIDTH"], "expected NAME=VALUE,VALUE"),
    (["--param", "WIDTH=1,,2"], "expected values with commas"),
    (["--param", "WIDHT=1"], "has a parameter 'WIDHT'; did you mean 'WIDTH'?"),
    (["--param", "WIDTH=1", "--param=WIDTH=2"], "parameter WIDTH is given twice"),
    (["--param", "WIDTH=1,1"], "has the value 1 twice"),
    (["--param", "dst=none-of-them"], "--dst: expected one of"),
    (["--param", "time=on"], "option --time cannot be a parameter"),
    (["--param", "math_approx_mode=True,False", "--kernel"], "expected one argument"),
    (["--param", "WIDTH=1", "--search=best"], "found 'best'"),
    (["--param", "WIDTH=1", "--search=random"], "needs the number of its candidates"),
    (["--param", "WIDTH=1", "--search=halving"], "needs a budget"),
    (["--param", "WIDTH=1", "--budget=ROWS=1"], "no other search takes one"),
    (["--param", "WIDTH=1", "--search=halving", "--budget=WIDTH=1"], "WIDTH is a parameter, too"),
    (["--param", "WIDTH=1", "--tolerance=2"], "expected a number from 0 to 1"),
    (["--param", "WIDTH=1", "--workers=0"], "expected a number from 1"),
    (["--param", "WIDTH=1", "--workers=1", "--cluster=tcp://a:1"], "exclude each other"),
    (["--param", "x=1,2", "--param=" + "WIDTH=" + ",".join(map(str, range(1, 10001)))], "20000 candidates are more"),
])
def test_wrong_arguments_are_usage_errors(script, arguments, part):
    process = ttl_jit("tune", script(), *arguments)
    assert process.returncode == USAGE, process.stdout
    assert process.stderr.startswith("ttl-jit tune: ") and part in process.stderr


def test_a_name_with_two_assignments_is_no_parameter(script):
    file = script(SCRIPT.replace("FACTOR = 2.0", "FACTOR = 2.0\nWIDTH = 2"))
    process = ttl_jit("tune", file, "--param", "WIDTH=1")
    assert process.returncode == USAGE
    assert f"{file}:10: 'WIDTH' gets a value twice, also in line 8" in process.stderr


def test_only_scripts_can_be_tuned(tmp_path):
    file = tmp_path / "kernel.mlir"
    file.write_text("module {}\n")
    process = ttl_jit("tune", file, "--param", "a=1")
    assert process.returncode == USAGE and "tune runs scripts (.py)" in process.stderr
    assert ttl_jit("tune", tmp_path / "none.py", "--param", "a=1").returncode == USAGE


# ===--------------------------------------------------------------------------=== #
# Campaigns
# ===--------------------------------------------------------------------------=== #


def test_workers_change_nothing(script):
    space = ["--param", "WIDTH=1,2,4", "--param=count=1,2"]
    assert tuned(script(), *space, "--workers=1") == tuned(script(), *space, "--workers=4")


def test_an_interrupted_search_goes_on(script, tmp_path):
    """The marks say which candidates ran."""
    text = SCRIPT.replace("def main():\n", f"def main():\n    import time\n    time.sleep(0.5)\n"
                          f"    open({str(tmp_path)!r} + f'/mark{{WIDTH}}', 'a').write('x')\n")
    journal = tmp_path / "journal"
    command = [TTL_JIT, "tune", script(text), "--param", "WIDTH=1,2,4,8,16", "--workers=1", "--json",
               f"--journal={journal}"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 3) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in errors, errors
    known = journal.read_bytes().count(b"\n") - 1
    assert 2 <= known < 5
    with open(journal, "ab") as stream:
        stream.write(b'["measure')  # as if it had been killed while it wrote
    ended = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120)
    assert ended.returncode == SUCCESS, ended.stderr
    assert len(json.loads(ended.stdout)["candidates"]) == 5
    assert (tmp_path / "mark1").read_text() == "x", "the first candidate must run only once"
    other = ttl_jit("tune", command[2], "--param", "WIDTH=1", f"--journal={journal}")
    assert other.returncode == USAGE and "is the journal of a campaign with other options" in other.stderr


# ===--------------------------------------------------------------------------=== #
# In Python
# ===--------------------------------------------------------------------------=== #

WIDTH = 1


@ttl.operation(grid=(1, 1))
def added(x, y, count):
    rows = x.shape[0] // 32 // WIDTH
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(WIDTH, 1), block_count=count)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(WIDTH, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            with x_dfb.reserve() as block:
                ttl.copy(x[row * WIDTH : row * WIDTH + WIDTH, 0:1], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row * WIDTH : row * WIDTH + WIDTH, 0:1]).wait()


def tensors():
    return np.ones((512, 32), np.float32), np.zeros((512, 32), np.float32)


def test_tune_in_python_leaves_the_tensors_as_they_are():
    x, y = tensors()
    found = ttl.tune(added, (x, y, 1), {"count": [1, 2, 400], "WIDTH": [1, 4]})
    assert (y == 0).all() and WIDTH == 1
    assert found.best == {"count": 2, "WIDTH": 4}
    assert [each.get("skipped") for each in found.candidates] == [None] * 4 + ["refused"] * 2
    assert found.cycles == min(each["cycles"] for each in found.candidates[:4])
    assert "  added(..., count=2)\n  WIDTH = 4\n" in str(found)
    found.call(x, y, 1)
    assert (y == 2).all()
    y[:] = 0
    added(x, y, 1)  # the operation itself is what it was
    assert (y == 2).all()
    assert json.loads(found.to_json())["best"]["values"] == {"count": "2", "WIDTH": "4"}


@pytest.mark.parametrize("wrap", [lambda y: y, ttl.partial], ids=["plain", "partial"])
def test_tune_in_python_finds_what_a_candidate_leaves_out(wrap):
    x, y = np.ones((512, 32), np.float32), np.full((512, 32), 2, np.float32)
    found = ttl.tune(added, (x, wrap(y), 1), {"WIDTH": [1, 3, 4]}, tolerance=0.5)
    assert {each["values"]["WIDTH"]: each.get("skipped") for each in found.candidates} == {
        "1": None, "3": "results", "4": None}
    assert (y == 2).all()


def test_tune_in_python_lets_a_kernel_read_its_output():
    """Where x is 0, the kernel does not change y. tune() runs it again, to see that it writes these rows."""
    @ttl.operation(grid=(1, 1))
    def summed(x, y, count):
        for row in range(y.shape[0] // 32):
            x_dfb, in_dfb, out_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=count)
                                      for _ in range(3))
            ttl.copy(x[row, 0], x_dfb.reserve())
            ttl.copy(y[row, 0], in_dfb.reserve())
            out_dfb.reserve().store(x_dfb.wait() + in_dfb.wait())
            ttl.copy(out_dfb.wait(), y[row, 0])

    x, y = np.repeat([0, 1], 32)[:, None].astype(np.float32) * np.ones((64, 32), np.float32), np.ones((64, 32))
    found = ttl.tune(summed, (x, y.astype(np.float32), 2), {"count": [2, 1]})
    assert [each.get("skipped") for each in found.candidates] == [None, None]


def test_tune_in_python_takes_keywords_options_and_searches():
    x, y = tensors()
    found = ttl.tune(added, (x, y, 1), {"grid": [(1, 1), (1, 2)], "dst": [None, "schedule"]}, search="random:3:1")
    assert len(found.candidates) == 3
    found = ttl.tune(added, (x, y), {"WIDTH": [1, 2, 4]}, search="halving", budget=("count", [1, 2]), compute=False)
    assert found.best["count"] == 2 and "nothing was computed" in str(found)


def of_width(width):
    """Returns an operation with the name of a function around it in each of its threads."""
    @ttl.operation(grid=(1, 1))
    def squared(x, y):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(width, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(width, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            for row in range(0, x.shape[0] // 32, width):
                with x_dfb.reserve() as block:
                    ttl.copy(x[row : row + width, 0:1], block).wait()

        @ttl.compute()
        def compute():
            for _ in range(0, x.shape[0] // 32, width):
                with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                    y_block.store(x_block * x_block)

        @ttl.datamovement()
        def writer():
            for row in range(0, x.shape[0] // 32, width):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row : row + width, 0:1]).wait()
    return squared


def test_a_name_of_a_function_around_the_operation():
    squared, (x, y) = of_width(1), tensors()
    found = ttl.tune(squared, (x, y), {"width": [1, 4]})
    assert found.best == {"width": 4} and found.candidates[0]["cycles"] < found.candidates[1]["cycles"]
    found.call(x, y)
    assert (y == 1).all()


def test_a_tensor_that_is_given_twice_stays_one():
    x, _ = tensors()
    x[:] = 3
    found = ttl.tune(of_width(1), (x, x), {"width": [1, 4]})
    assert [each.get("skipped") for each in found.candidates] == [None, None]
    assert (x == 3).all()


def test_any_exception_of_a_body_is_a_reason():
    @ttl.operation(grid=(1, 1))
    def failing(x, y, count):
        if count == 2:
            raise KeyError("two")
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    found = ttl.tune(failing, (*tensors(), 1), {"count": [1, 2, 3]})
    assert [each.get("reason") for each in found.candidates] == [None, None, "KeyError: 'two'"]


@pytest.mark.parametrize("arguments, error, part", [
    (({},), ValueError, "the search space is empty"),
    (({"count": []},), ValueError, "parameter count has no values"),
    (({"cuont": [1]},), ValueError, "has no parameter 'cuont'; did you mean 'count'?"),
    (({"count": 1},), TypeError, r"parameter 'count' must have a list of values, such as \[1, 2\], found 1"),
    (({3: [1, 2]},), TypeError, "the name of a parameter must be a string, found 3"),
    (([1],), TypeError, "must be a dict"),
    (({"dst": ["nothing"]},), ValueError, "--dst"),
])
def test_wrong_arguments_in_python(arguments, error, part):
    with pytest.raises(error, match=part):
        ttl.tune(added, (*tensors(), 1), *arguments)
    with pytest.raises(TypeError, match="needs an operation"):
        ttl.tune(len, (), {"count": [1]})
    with pytest.raises(ValueError, match="tolerance must be"):
        ttl.tune(added, (*tensors(), 1), {"count": [1]}, tolerance=3)


def test_tune_in_python_keeps_the_estimates_of_the_program(script):
    """A candidate that ends with a fault has no estimate to tell of either."""
    text = SCRIPT.replace("    scaled(x, y, 1)\n", "    scaled(x, y, 1)\n"
                          "    ttl.tune(scaled, (x, y, 1), {'order': ['forward', 'hangs'], 'WIDTH': [1, 4]})\n")
    process = ttl_jit("time", script(text), "--json")
    assert process.returncode == SUCCESS, process.stderr
    (alone,) = json.loads(ttl_jit("time", script(), "--json").stdout)
    assert [each["cycles"] for each in json.loads(process.stdout)] == [alone["cycles"]] and process.stderr == ""
