# SPDX-License-Identifier: Apache-2.0
"""--explore runs launches in many orders. The file that it writes repeats the first run that differs."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from running import EXAMPLES, ROOT, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, USAGE, hashes, run, ttl_jit
from test_examples import HASHES

SLOW_READER = ROOT / "tests" / "broken" / "explore" / "slow_reader.py"


def explored(folder, text=None, runs=200):
    """Writes a script into a folder and runs it with --explore; returns the finished process."""
    (folder / "script.py").write_text(text or SLOW_READER.read_text())
    return ttl_jit("run", "script.py", f"--explore={runs}", cwd=folder)


def replayed(folder):
    return ttl_jit("run", "script.py", "--schedule=replay:explore.replay", cwd=folder)


@pytest.mark.parametrize("option", ("--schedule=fair", "--schedule=greedy", "--dma=eager",
                                    "--schedule=random", "--schedule=random --seed=1"))
def test_no_usual_order_shows_the_mistake(option):
    assert run(SLOW_READER, *option.split()).returncode == SUCCESS


def test_the_result_of_one_order_differs(tmp_path):
    process = explored(tmp_path)
    assert process.returncode == RUNTIME_FAULT
    assert "error: the result of kernel kernel depends on the order of its threads" in process.stderr
    assert "note: tensor y, element [192, 0]: 4 (0x40800000) at the launch, 0 " in process.stderr
    assert "note: written by thread writer of node (1, 0) at script.py:47:21" in process.stderr
    assert f"repeat it with --schedule=replay:{tmp_path}/explore.replay" in process.stderr


def test_the_file_repeats_it_100_of_100_times(tmp_path):
    explored(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        processes = list(pool.map(lambda _: replayed(tmp_path), range(100)))
    assert {process.stdout for process in processes} == {"the last tile is 0.0\n"}
    assert {process.returncode for process in processes} == {SCRIPT_FAILED}


def test_the_same_seed_finds_the_same_order(tmp_path):
    texts = set()
    for _ in range(2):
        explored(tmp_path)
        texts.add((tmp_path / "explore.replay").read_text())
    assert len(texts) == 1


def test_an_order_with_a_fault(tmp_path):
    read = "ttl.copy(middle[0, 0], block).wait()"
    text = SLOW_READER.read_text().replace(
        read, f"{read}\n                assert ttl.raw_element_read(block, 0, 0) > 0, 'early'")
    process = explored(tmp_path, text)
    assert process.returncode == RUNTIME_FAULT
    assert "early" in process.stderr and "--explore found it in order " in process.stderr
    again = replayed(tmp_path)
    assert again.returncode == RUNTIME_FAULT and "early" in again.stderr


def test_launches_before_and_after_the_one_that_differs(tmp_path):
    text = SLOW_READER.read_text()
    good = text.replace("            for i in range(OWN):\n                with x_dfb",
                        "            ready.wait_ge(1)\n            for i in range(OWN):\n"
                        "                with x_dfb")
    good = good.replace("ttl.copy(block, middle[0, 0]).wait()",
                        "ttl.copy(block, middle[0, 0]).wait()\n"
                        "                ready.get_remote((1, 0)).inc(1)")
    good = good.replace("    @ttl.datamovement()\n    def reader",
                        "    ready = ttl.Semaphore()\n\n    @ttl.datamovement()\n    def reader")
    good = good.split("x = np.ones")[0].replace("def kernel(", "def good(")
    calls = "good(x, middle, y)\nmiddle[:], y[:] = 0, 0\nkernel(x, middle, y)"
    text = good + text.split("T, OWN = 32, 6")[1].replace("kernel(x, middle, y)\nprint", f"{calls}\nprint")
    process = explored(tmp_path, text + "\n")
    assert process.returncode == RUNTIME_FAULT
    assert "the result of kernel kernel depends" in process.stderr
    again = replayed(tmp_path)
    assert again.stdout == "the last tile is 0.0\n" and again.returncode == SCRIPT_FAILED


@pytest.mark.parametrize("example", HASHES)
def test_every_order_of_an_example_gives_the_same_bits(example):
    name, *arguments = example.split()
    process = run(EXAMPLES / f"{name}.py", "--explore=12", "--", "--hash", *arguments)
    assert hashes(process) == HASHES[example].split()
    assert "12 orders give the same results" in process.stderr


def test_a_kernel_that_calls_the_host_is_not_repeated(tmp_path):
    text = SLOW_READER.read_text().replace("        node = ttl.node(dims=1)\n        if node == 0:\n"
                                           "            with x_dfb",
                                           "        say()\n        node = ttl.node(dims=1)\n"
                                           "        if node == 0:\n            with x_dfb")
    text = text.replace("T, OWN = 32, 6", "T, OWN = 32, 6\nsay = ttl.host_function(lambda: None)")
    process = explored(tmp_path, text)
    assert process.returncode == SUCCESS
    assert "explore: kernel kernel: calls functions of the host, so it runs once" in process.stderr


@pytest.mark.parametrize("value", ("", "0", "-1", "many", "5:", "1.5"))
def test_a_wrong_number_of_orders(value):
    process = run(SLOW_READER, f"--explore={value}")
    assert process.returncode == USAGE
    assert f"expected a number of runs, and perhaps :FILE; found '{value}'" in process.stderr


def test_a_file_that_cannot_be_written(tmp_path):
    (tmp_path / "script.py").write_text(SLOW_READER.read_text())
    process = ttl_jit("run", "script.py", "--explore=200:/nowhere/file", cwd=tmp_path)
    assert process.returncode == USAGE
    assert "--explore: /nowhere is not a directory" in process.stderr


def test_another_option_that_chooses_orders():
    process = run(SLOW_READER, "--explore=5", "--compare=engines")
    assert process.returncode == USAGE and "--explore chooses the orders" in process.stderr
