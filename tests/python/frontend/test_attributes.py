# SPDX-License-Identifier: Apache-2.0
"""Attributes and methods of values in kernel functions, and the errors for unknown names."""

import pytest
import ttl
from kernels import run, zeros

GRID = (2, 1)
LINES = {
    "an int": ("n.nosuch", "a run-time int has no attribute 'nosuch'"),
    "a method of Python's int": ("n.bit_length", "a run-time int has no attribute 'bit_length'"),
    "a float": ("(n + 0.5).real", "a run-time float has no attribute 'real'"),
    "a text": ("f'{n}'.startswith", "a run-time string has no attribute 'startswith'"),
    "a list": ("[n].append", "a list has no attribute 'append'"),
    "a slice of a tensor": ("a[0, n].shape", "a slice of a tensor has no attribute 'shape': the tensor has a shape"),
    "a net's method": ("net.is_src",
                       r"(found|between) the method is_src\(\)(: call it, with '\(\)'| and a run-time bool)"),
}
PLACES = {
    "branch": "if {0}:\n    print(1)",
    "while": "while not {0}:\n    n = n + 1",
    "loop": "for i in range(n + 3):\n    if {0}:\n        print(i)",
    "nested loops": "for i in range(n + 3):\n    for j in range(i):\n        print(1 if {0} else 2)",
    "helper": "def helper(n):\n    return 1 if {0} else 2\nprint(helper(n))",
    "operand": "print(n > 0 and {0})",
}
HEAD = """import ttl


@ttl.operation(grid=(2, 1))
def op(a):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])
"""
THREAD = "    @ttl.datamovement()\n    def thread():\n        n = ttl.node(dims=1)\n"


def operation(tmp_path, place, unified):
    head, indent = (HEAD + "    n = ttl.node(dims=1)\n", 4) if unified else (HEAD + THREAD, 8)
    text = head + "".join(" " * indent + line + "\n" for line in place.splitlines())
    file = tmp_path / "kernel.py"
    file.write_text(text)
    scope = {}
    exec(compile(text, str(file), "exec"), scope)
    return scope["op"], text


@pytest.mark.parametrize("unified", [False, True], ids=["threads", "unified"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value", LINES)
def test_an_attribute_that_a_value_lacks(tmp_path, value, place, unified):
    expression, message = LINES[value]
    op, text = operation(tmp_path, PLACES[place].format(expression), unified)
    with pytest.raises(ttl.CompileError, match=message) as caught:
        op.ir(zeros(64, 64))
    line = text.splitlines()[caught.value.line - 1]
    assert expression in line[caught.value.column - 1 :], str(caught.value)


def test_getattr_with_a_default():
    class Config:
        rows = 2

    def body(zero, config):
        assert getattr(zero, "nosuch", 3) == 3 and getattr(zero, "nosuch", zero + 4) == 4
        assert getattr(config, "columns", zero + 5) == 5 and getattr(config, "rows", zero) == 2
        assert not hasattr(zero, "nosuch")

    run(body, Config)
    with pytest.raises(ttl.CompileError, match="a run-time int has no attribute 'nosuch'"):
        run(lambda zero: print(getattr(zero, "nosuch")))


def test_methods_are_values():
    """A bound method can be stored in a variable, and hasattr() knows methods."""

    @ttl.operation(grid=(1, 1))
    def op(a):
        semaphore = ttl.Semaphore(2)
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            wait, reserve = semaphore.wait_ge, dfb.reserve
            wait(2)
            with reserve() as block:
                handle = ttl.copy(a[0, 0], block)
                finish = handle.wait
                assert hasattr(handle, "wait") and not hasattr(handle, "nosuch")
                finish()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as block:
                ttl.copy(block, a[0, 0]).wait()

    op(zeros())
