# SPDX-License-Identifier: Apache-2.0
"""A launch reuses a compiled program only if all Python values that the compiler
read for it are unchanged: globals, closures, attributes, items and so on."""
# feature: Arguments

import collections
import dataclasses
import enum
import fractions
import functools
import gc
import math
import os
import pathlib
import runpy
import subprocess
import sys
import threading
import types

import numpy as np
import pytest
import ttl


def hits_and_misses(action):
    before = ttl._cache_info()
    action()
    after = ttl._cache_info()
    return after.hits - before.hits, after.misses - before.misses


HIT, MISS = (1, 0), (0, 1)


def fills(value):
    """Returns a function that runs an operation and returns the number it stores. The
    operation's kernel function calls `value()`, so the compiler evaluates `value`."""

    @ttl.operation(grid=(1, 1))
    def fill(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as blk:
                blk.store(ttl.math.fill(float(value()), shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    def run():
        y = np.zeros((32, 32), np.float32)
        fill(y)
        return y[0, 0]

    return run


class Config:
    tiles = 2
    table = [1, 2, 3]

    def __init__(self, width=1):
        self.width = width
        self.inner = types.SimpleNamespace(depth=4)
        self.calls = 0

    def double(self):
        return self.width * 2

    def total(self):
        return sum(x * self.scale_of(x) for x in self.table) + self.inner.depth

    def scale_of(self, x):
        return FACTOR if x > 1 else 1

    @property
    def half(self):
        return self.width / 2

    @staticmethod
    def static():
        return Config.tiles

    @classmethod
    def of_class(cls):
        return cls.tiles + 1

    def count(self):
        self.calls += 1
        return self.calls


FACTOR = 3
SCALE = 1


def helper(config):
    return config.width + config.inner.depth


def deep(config):
    return helper(config) + SCALE


class Slotted:
    __slots__ = ("x",)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Data:
    n: int = 1
    parts: tuple = (1, 2)


Point = collections.namedtuple("Point", "x y")


class Case:
    """A kernel calls `value`. After the first launch, `change` changes what `value` returns."""

    def __init__(self, value, change):
        self.value = value
        self.change = change


def case_class_attribute():
    config = Config()
    return Case(lambda: config.tiles, lambda: setattr(Config, "tiles", Config.tiles + 3))


def case_attribute_of_class():
    return Case(lambda: Config.tiles, lambda: setattr(Config, "tiles", Config.tiles + 3))


def case_method():
    config = Config()
    return Case(lambda: config.double(), lambda: setattr(config, "width", 5))


def case_method_that_calls():
    config = Config()
    return Case(lambda: config.total(), lambda: setattr(config.inner, "depth", 9))


def case_global_of_a_method():
    config = Config()
    return Case(lambda: config.total(), lambda: globals().update(FACTOR=FACTOR + 1))


def case_replaced_method():
    config = Config()
    return Case(lambda: config.double(), lambda: setattr(config, "double", lambda: 77))


def case_property():
    config = Config()
    return Case(lambda: config.half, lambda: setattr(config, "width", 8))


def case_static_method():
    return Case(lambda: Config.static(), lambda: setattr(Config, "tiles", Config.tiles + 2))


def case_class_method():
    return Case(lambda: Config.of_class(), lambda: setattr(Config, "tiles", Config.tiles + 2))


def case_method_with_effects():
    config = Config()
    return Case(lambda: config.count(), lambda: None)


def case_helper():
    config = Config()
    return Case(lambda: helper(config), lambda: setattr(config.inner, "depth", 7))


def case_helper_of_a_helper():
    config = Config()
    return Case(lambda: deep(config), lambda: globals().update(SCALE=SCALE + 1))


def case_getattr():
    config = Config()
    return Case(lambda: getattr(config, "width"), lambda: setattr(config, "width", 6))


def case_getattr_default():
    config = Config()
    return Case(lambda: getattr(config, "later", 1), lambda: setattr(config, "later", 6))


def case_hasattr():
    config = Config()
    return Case(lambda: hasattr(config, "later"), lambda: setattr(config, "later", 6))


def case_partial():
    config = Config()
    partial = functools.partial(helper, config)
    return Case(lambda: partial(), lambda: setattr(config, "width", 30))


def case_numpy_element():
    array = np.arange(5)
    return Case(lambda: array[2], lambda: array.__setitem__(2, 9))


def case_numpy_function():
    array = np.arange(5)
    return Case(lambda: np.sum(array), lambda: array.__setitem__(2, 9))


def case_numpy_method_of_a_tensor():
    array = np.ones((32, 32), np.float32)
    return Case(lambda: array.max(), lambda: array.__setitem__((0, 0), 9))


def case_set():
    values = {1, 2}
    return Case(lambda: len(values), lambda: values.add(3))


def case_member_of_a_set():
    values = {1, 2}
    return Case(lambda: 3 in values, lambda: values.add(3))


def case_deque():
    values = collections.deque([1, 2])
    return Case(lambda: values[0], lambda: values.rotate(1))


def case_bytearray():
    values = bytearray(b"abc")
    return Case(lambda: values[0], lambda: values.__setitem__(0, 7))


def case_iterator():
    values = iter(range(5))
    return Case(lambda: next(values), lambda: None)


def case_generator():
    values = (x for x in range(5))
    return Case(lambda: next(values), lambda: None)


def case_slots():
    slotted = Slotted()
    slotted.x = 1
    return Case(lambda: slotted.x, lambda: setattr(slotted, "x", 2))


def case_dataclass():
    data = Data()
    return Case(lambda: data.n + data.parts[1], lambda: setattr(data, "parts", (1, 5)))


def case_nested_list():
    values = [[1, 2], {"k": Config()}]
    return Case(lambda: values[1]["k"].width, lambda: setattr(values[1]["k"], "width", 6))


def case_default_argument():
    config = Config()

    def with_default(c=config, n=[1]):
        return c.width + n[0]

    return Case(lambda: with_default(), lambda: with_default.__defaults__[1].append(0) or
                with_default.__defaults__[1].__setitem__(0, 4))


def case_new_global_hides_a_builtin():
    return Case(lambda: abs(-3), lambda: globals().update(abs=lambda x: 55))


def case_module_attribute():
    module = types.ModuleType("settings")
    module.n = 1
    return Case(lambda: module.n, lambda: setattr(module, "n", 2))


def case_getattr_method():
    class Dynamic:
        n = 0

        def __getattr__(self, name):
            Dynamic.n += 1
            return Dynamic.n

    dynamic = Dynamic()
    return Case(lambda: dynamic.anything, lambda: None)


def case_operator_of_a_class():
    class Number:
        n = 1

        def __add__(self, other):
            return self.n + other

    number = Number()
    return Case(lambda: number + 1, lambda: setattr(number, "n", 9))


def case_random():
    generator = np.random.default_rng(0)
    return Case(lambda: generator.random(), lambda: None)


def case_float():
    config = Config(width=0.5)
    return Case(lambda: config.width, lambda: setattr(config, "width", 0.25))


CASES = {name[5:]: value for name, value in globals().items() if name.startswith("case_")}


SHARED = {"FACTOR": FACTOR, "SCALE": SCALE}


def restore():
    globals().update(SHARED)
    globals().pop("abs", None)
    Config.tiles = 2


@pytest.fixture(autouse=True)
def unchanged_module():
    yield
    restore()


@pytest.mark.parametrize("name", CASES)
def test_a_change_is_seen(name):
    golden = CASES[name]()
    expected = [np.float32(float(golden.value()))]
    golden.change()
    expected.append(np.float32(float(golden.value())))
    assert expected[0] != expected[1], "change() must change the result of value()"
    restore()
    case = CASES[name]()
    run = fills(case.value)
    results = [run()]
    case.change()
    results.append(run())
    assert results == expected


def values_that_stay():
    config, data = Config(), Data()
    partial = functools.partial(pow, 3)
    table = {"a": [1, 2.5], "b": (4, None)}
    array = np.arange(4)
    third = fractions.Fraction(1, 3)
    return {
        "global": lambda: FACTOR,
        "closure": lambda: len(table["a"]) + table["b"][0],
        "class attribute": lambda: config.tiles + Config.table[1],
        "method": lambda: config.double(),
        "method that calls": lambda: config.total(),
        "property": lambda: config.half,
        "helper": lambda: deep(config),
        "getattr": lambda: getattr(config, "width", 3),
        "partial": lambda: partial(2),
        "numpy": lambda: array[1] + np.prod(array[1:]) + array.max(),
        "math": lambda: math.ceil(2.5) + math.gcd(4, 6) + (7).bit_length(),
        "enum": lambda: Color.RED.value if Color.RED is not Color.BLUE else 0,
        "dataclass": lambda: data.n + sum(data.parts),
        "named tuple": lambda: Point(1, 2)[0] if False else Point._fields.index("y"),
        "sorted": lambda: sorted([3, 1, 2])[0] + max(table["a"]),
        "text": lambda: int("a-5".split("-")[1]),
        "fraction": lambda: third.numerator,
    }


@pytest.mark.parametrize("name", values_that_stay())
def test_equal_values_compile_once(name):
    value = values_that_stay()[name]
    run = fills(value)
    results = []
    assert hits_and_misses(lambda: results.append(run())) == MISS
    assert hits_and_misses(lambda: results.append(run())) == HIT
    assert results == [np.float32(float(value()))] * 2


def test_programs_for_values_that_come_back_are_kept():
    config = Config()
    run = fills(lambda: config.width if config.tiles == 2 else config.inner.depth)
    assert hits_and_misses(run) == MISS
    config.tiles = 1  # now value() reads config.inner.depth instead of config.width
    assert hits_and_misses(run) == MISS
    config.tiles = 2
    assert hits_and_misses(run) == HIT
    config.tiles = 1
    assert hits_and_misses(run) == HIT
    config.inner.depth = 5
    assert hits_and_misses(run) == MISS
    config.width = 8  # value() does not read this attribute while tiles is 1
    assert hits_and_misses(run) == HIT
    assert run() == 5


EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    "name", [file.stem for file in EXAMPLES.glob("*.py") if "ttl.operation" in file.read_text()]
)
def test_second_launch_of_an_example_compiles_nothing(name, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [name])
    monkeypatch.setenv("TTL_ARCH", "wormhole_b0")  # one example changes it; this restores it
    file = str(EXAMPLES / f"{name}.py")
    assert hits_and_misses(lambda: runpy.run_path(file, run_name="__main__")) == (1, 1)


def test_launches_of_several_threads():
    config = Config()
    run = fills(lambda: config.width)
    results = []

    def launch():
        results.extend(run() for _ in range(20))

    threads = [threading.Thread(target=launch) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1.0] * 80


def test_captured_tensors_of_a_later_call():
    tensors = {"a": np.ones((32, 32), np.float32)}

    @ttl.operation(grid=(1, 1))
    def copy(y):
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(tensors["a"][0, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    y = np.zeros((32, 32), np.float32)
    assert hits_and_misses(lambda: copy(y)) == MISS
    assert y[0, 0] == 1
    tensors["a"] = np.full((32, 32), 2, np.float32)
    assert hits_and_misses(lambda: copy(y)) == HIT
    assert y[0, 0] == 2
    tensors["a"][:] = 3
    assert hits_and_misses(lambda: copy(y)) == HIT
    assert y[0, 0] == 3
    tensors["a"] = np.full((64, 32), 4, np.float32)
    assert hits_and_misses(lambda: copy(y)) == MISS
    assert y[0, 0] == 4


# ===--------------------------------------------------------------------------=== #
# Memory of programs in the cache
# ===--------------------------------------------------------------------------=== #

GROWTH = """
import gc
import numpy as np
import ttl

def used():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

def make(n):
    @ttl.operation(grid=(1, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as out:
                out.store(ttl.block.fill(n, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return op

y = np.zeros((32, 32), np.float32)
for i in range(300):
    make(i + 0.5)(y)
    assert y[0, 0] == i + 0.5
    if i == 99:
        gc.collect()
        before = used()
gc.collect()
print((used() - before) / 200)
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps freed memory")
def test_kernels_that_are_gone_free_their_code(tmp_path):
    """Each kernel's code and cache entry take about 54 KiB if they are not freed. The script runs in a
    process of its own, in which all threads share one heap, so that other work does not count."""
    script = tmp_path / "growth.py"
    script.write_text(GROWTH)
    process = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300,
                             check=False, env={**os.environ, "TTL_ENGINE": "jit", "MALLOC_ARENA_MAX": "1"})
    assert process.returncode == 0, process.stderr
    assert float(process.stdout) < 15, "each kernel leaves 15 KiB or more behind"


def test_an_equal_operation_finds_the_program_of_one_that_is_gone():
    def make(number):
        @ttl.operation(grid=(1, 1))
        def op(a):
            @ttl.datamovement()
            def reader():
                assert number == number

        return op

    x = np.zeros((32, 32), np.float32)
    assert hits_and_misses(lambda: make(1)(x)) == MISS
    gc.collect()
    assert hits_and_misses(lambda: make(1)(x)) == HIT
