# SPDX-License-Identifier: Apache-2.0
"""Strings with lone surrogates, which Python makes for example of file names that are not UTF-8. UTF-8
cannot encode a lone surrogate: messages and output show its escape, as in \\ud800."""

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl
from ttl import _errors, _location

TEXT = "\ud800"
SHOWN = r"\ud800"


def launch(body):
    """Calls body(buffer, node number) in a data movement thread."""

    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            body(a_dfb, ttl.node(dims=1))

    op(np.zeros((32, 32), np.float32))


def test_printed_text(capfd):
    launch(lambda buffer, n: print(TEXT, n))
    assert capfd.readouterr().out == f"(0, 0) reader: {SHOWN} 0\n"


def test_names_of_signposts():
    def body(buffer, n):
        with ttl.signpost(TEXT):
            pass

    launch(body)


@pytest.mark.parametrize("body", [
    lambda buffer, n: getattr(buffer, TEXT),
    lambda buffer, n: ttl.node(**{TEXT: 1}),
    lambda buffer, n: ttl.copy(f"{n:{TEXT}}", n),
    lambda buffer, n: print(f"{n}{TEXT}" + n),
    lambda buffer, n: {1: 2}[TEXT],
])
def test_refusals(body):
    with pytest.raises(ttl.CompileError) as caught:
        launch(body)
    assert caught.value.location.line > 1


def test_texts_of_exceptions():
    def raises(buffer, n):
        raise ValueError(TEXT)

    def asserts(buffer, n):
        assert n == 5, TEXT

    def calls(buffer, n):
        note(n)

    def fail(n):
        raise ValueError(TEXT)

    note = ttl.host_function(fail, restype=None)
    for body, error in ((raises, ttl.RuntimeFault), (asserts, ttl.RuntimeFault), (calls, ttl.RuntimeFault)):
        with pytest.raises(error) as caught:
            launch(body)
        assert SHOWN in caught.value.message


def test_options():
    for make in (lambda: ttl.options(f"--engine={TEXT}"), lambda: ttl.options(engine=TEXT)):
        with pytest.raises(ValueError, match=r"--engine: expected text that UTF-8 can express, found '\\ud800'"):
            make()


def test_errors_that_python_renders():
    place = _location.Location("dir/é\udcff.py", 3, 4, 3, 5)
    error = ttl.CompileError(f"wrong {TEXT}", place, [_errors.Note(f"note {TEXT}", place)])
    text = error.render()
    assert f"error: wrong {SHOWN}" in text and r"dir/é\udcff.py:3:4" in text and f"note {SHOWN}" in text


def test_modules():
    with pytest.raises(ValueError, match=r"line 2 of the text of compile_mlir\(\) has a character .*: '\\ud800'"):
        ttl.compile_mlir(f"module {{\n{TEXT}}}\n")


SCRIPT = """
import numpy as np, ttl

@ttl.operation(grid=(1, 1))
def op(a):
    @ttl.datamovement()
    def reader():
        print(ttl.node(dims=1) @ 1)

op(np.zeros((32, 32), np.float32))
"""


def test_a_script_whose_name_is_not_utf8(tmp_path):
    file = os.path.join(os.fsencode(tmp_path), b"k\xff.py")
    with open(file, "w") as stream:
        stream.write(SCRIPT)
    run = subprocess.run([sys.executable, file], capture_output=True)
    assert run.returncode == 1 and br"k\udcff.py:8:" in run.stderr, run.stderr
    assert b"print(ttl.node(dims=1) @ 1)" in run.stderr and b"Traceback" in run.stderr
