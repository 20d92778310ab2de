# SPDX-License-Identifier: Apache-2.0
"""Launches from Python threads, asyncio tasks and forked processes."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest
import ttl
import ttnn

from copies import copy, scale, tensors

TOTAL = 10_000  # launches of all threads, or of all processes, together
GROWTH = 8 << 20  # bytes by which a process may grow during the launches


def memory():
    """Returns how many bytes of this process are in physical memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def launch_many(seed, failures, launches=400):
    """Launches two kernels in turn, which other threads launch at the same time."""
    a = np.random.default_rng(seed).standard_normal((64, 32)).astype(np.float32)
    small, factor = a[:32].copy(), np.float32(seed % 3 + 1)
    for _ in range(launches // 2):
        y, z = np.zeros_like(a), np.zeros_like(small)
        copy(a, y)
        scale(small, z, float(factor))
        if not ((y == a).all() and (z == small * factor).all()):
            failures.append(seed)


def test_two_threads_launch_at_the_same_time():
    failures = []
    launch_many(0, failures)
    before = memory()
    threads = [
        threading.Thread(target=launch_many, args=(seed, failures, TOTAL // 2)) for seed in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert memory() - before < GROWTH


def test_two_threads_compile_at_the_same_time():
    failures = []

    def compile_many(first):
        for factor in range(first, first + 10):
            a, y = tensors(32)
            scale.compile(a, y, float(factor), options="--cache=off")(a, y, float(factor))
            if not (y == a * np.float32(factor)).all():
                failures.append(factor)

    threads = [threading.Thread(target=compile_many, args=(100 * i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def _child(seed, queue):
    failures = []
    launch_many(seed, failures)
    before = memory()
    launch_many(seed, failures, TOTAL // 4)
    queue.put((seed, failures, memory() - before))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    a, y = tensors()
    copy(a, y)  # a forked process inherits the launch cache and compiled code of this launch
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    children = [context.Process(target=_child, args=(seed, queue)) for seed in range(4)]
    for child in children:
        child.start()
    found = [queue.get(timeout=120) for _ in children]
    for child in children:
        child.join()
    assert sorted(seed for seed, _, _ in found) == list(range(4))
    for _, failures, growth in found:
        assert not failures
        assert growth < GROWTH


def test_forks_while_another_thread_launches():
    failures, ended = [], threading.Event()

    def work():
        while not ended.is_set():
            launch_many(7, failures)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for seed in range(5):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                mine = []
                a, y = tensors()
                copy(a, y)
                os._exit(bool(mine) or not (a == y).all())
            assert os.waitpid(child, 0)[1] == 0
    finally:
        ended.set()
        thread.join()
    assert not failures


def test_tasks():
    async def task(factor):
        a, y = tensors(32)
        await scale.async_(a, y, factor)
        return (y == a * np.float32(factor)).all()

    async def all_tasks():
        return await asyncio.gather(*(task(float(factor)) for factor in range(1, 5)))

    assert all(asyncio.run(all_tasks()))


def test_an_error_in_a_task():
    with ttl.options(limit=1), pytest.raises(ttl.RuntimeFault):
        asyncio.run(copy.async_(*tensors()))


@ttl.operation(grid=(1, 1))
def spin(a):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        while x == 0:
            pass


def test_ctrl_c_in_the_main_thread_ends_a_launch():
    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with ttl.options(engine="interp"), pytest.raises(KeyboardInterrupt):
        spin(tensors(32)[0])
    thread.join()
    a, y = tensors()
    copy(a, y)
    assert (a == y).all()


def test_a_host_function_that_compiles_is_refused():
    found = []

    @ttl.host_function
    def inner():
        try:
            copy.compile(*tensors(), options="--seed=99")
        except RuntimeError as error:
            found.append(str(error))

    @ttl.operation(grid=(1, 1))
    def outer(a):
        @ttl.datamovement()
        def reader():
            inner()

    outer(tensors(32)[0])
    assert found and "cannot be called from a host function" in found[0]


def test_tensors_are_made_and_dropped_while_another_thread_launches():
    failures, ended = [], threading.Event()

    def work():
        while not ended.is_set():
            launch_many(3, failures)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        device = ttnn.open_device()
        for _ in range(300):
            tensors = [ttnn.Tensor(np.ones((64, 64), np.float32), device=device) for _ in range(3)]
            del tensors[1]
    finally:
        ended.set()
        thread.join()
    assert not failures
