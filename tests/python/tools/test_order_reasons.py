# SPDX-License-Identifier: Apache-2.0
"""--stats says whether the results of a kernel may depend on the order of its threads, and why."""

import json
import re

import pytest
from running import EXAMPLES, KERNELS, SUCCESS, run

SAME = "order: all orders of threads and transfers have the same results, unless there is a race"
MAY = "order: the results may depend on the order of threads and transfers:"

KERNEL = """
import numpy as np
import ttl


host = ttl.host_function(lambda n: n + 1)


@ttl.operation(grid=(2, 1))
def kernel(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    other = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    mark = ttl.Semaphore({initial})
    ring = ttl.PipeNet([ttl.Pipe(0, 1), ttl.Pipe(1, 0)])

    @ttl.datamovement()
    def first():
        zero = ttl.node(dims=1) // 2
        {first}

    @ttl.datamovement()
    def second():
        zero = ttl.node(dims=1) // 2
        {second}


kernel(np.zeros((32, 32), np.float32))
"""
OWN = "mark.get_remote((ttl.node(dims=1),))"
SEND = "with dfb.reserve() as block: ttl.copy(y[0, 0], block).wait(); " \
       "ring.if_src(lambda pipe: ttl.copy(block, pipe).wait())"
RECEIVE = "with other.reserve() as block: ring.if_dst(lambda pipe: ttl.wait_any((ttl.copy(pipe, block),)))"


def orders(tmp_path, text, *options):
    file = tmp_path / "kernel.py"
    file.write_text(text)
    return orders_of(file, tmp_path, *options)


def orders_of(file, tmp_path, *options):
    """Returns the lines of --stats about the order of threads, and the JSON's reasons, of one kernel."""
    process = run(file, "--stats", *options)
    assert process.returncode == SUCCESS, process.stderr
    found = re.search(r"^  (order: .*)\n((?:    .*\n)*)", process.stderr, re.MULTILINE)
    numbers = tmp_path / "numbers.json"
    assert run(file, f"--stats={numbers}", *options).returncode == SUCCESS
    reasons = json.loads(numbers.read_text())[0]["order_reasons"]
    assert [line.strip() for line in found[2].splitlines()] == reasons
    return found[1], reasons


@pytest.mark.parametrize("first, second, initial", [
    ("pass", "pass", 0),
    ("mark.get_remote((0,)).inc(1)", "mark.wait_ge(zero)", 0),
    ("mark.get_remote((0,)).inc(1); mark.get_remote((1,)).inc(2)", "mark.wait_ge(2)", 0),
    ("mark.set(3)", "mark.wait_ge(2)", 0),
    ("mark.set(3)", "mark.wait_eq(3)", 1),
    ("mark.set(3); mark.get_remote((1,)).set(3)", "mark.wait_eq(3); mark.set(3)", 3),
    ("print(zero)", "assert zero == 0", 0),
], ids=str)
def test_kernels_whose_orders_have_the_same_results(tmp_path, first, second, initial):
    text = KERNEL.format(first=first, second=second, initial=initial)
    assert orders(tmp_path, text) == (SAME, [])


@pytest.mark.parametrize("first, second, initial, reason", [
    ("OWN.inc(1)", "mark.wait_eq(1)", 0, "wait_eq() of line {second} may miss a number of semaphore 'mark'"),
    ("mark.set(3)", "mark.wait_eq(zero + 3)", 0, "wait_eq() of line {second} may miss a number of semaphore 'mark'"),
    ("mark.set(3)", "while zero: mark.wait_eq(0)", 0,
     "wait_eq() of line {second} may miss a number of semaphore 'mark'"),
    ("mark.set(1); mark.set(2)", "mark.wait_ge(1)", 0, "semaphore 'mark' is set to several numbers, in line {first}"),
    ("mark.set(zero + 1)", "mark.wait_ge(1)", 0, "semaphore 'mark' is set to several numbers, in line {first}"),
    ("mark.set(1)", "mark.wait_ge(1)", 2, "semaphore 'mark' is set to several numbers, in line {first}"),
    ("OWN.inc(1)", "mark.wait_ge(1); mark.set(0)", 0,
     "semaphore 'mark' is set in line {second} and increased in line {first}"),
    ("OWN.inc(zero + 1)", "mark.wait_ge(1)", 0, "semaphore 'mark' may become smaller in line {first}"),
    (SEND, RECEIVE, 0, "wait_any() of line {second} takes what arrives first"),
    ("host(zero)", "pass", 0, "the function that line {first} calls may keep a state"),
], ids=str)
def test_kernels_whose_results_may_depend_on_the_order(tmp_path, first, second, initial, reason):
    first = first.replace("OWN", OWN)
    text = KERNEL.format(first=first, second=second, initial=initial)
    lines = text.splitlines()
    bodies = {"first": first, "second": second}
    place = {name: lines.index(f"        {body}") + 1 for name, body in bodies.items()}
    assert orders(tmp_path, text) == (MAY, [reason.format(**place)])


@pytest.mark.parametrize("example, options", [
    ("matmul_multicore", ()), ("softmax", ()), ("ring_all_gather", ()), ("ring_all_reduce", ())])
def test_examples(tmp_path, example, options):
    assert orders_of(EXAMPLES / f"{example}.py", tmp_path, *options) == (SAME, [])


def test_modules_and_kernels_in_cpp():
    module = KERNELS.parents[2] / "lit" / "programs" / "add.mlir"
    assert SAME in run(module, "--stats").stderr
    process = run(EXAMPLES / "metalium" / "eltwise_binary.py", "--stats")
    assert "kernel " in process.stderr and "order:" not in process.stderr
