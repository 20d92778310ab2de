# SPDX-License-Identifier: Apache-2.0
"""The interactive session (REPL) in a pseudo-terminal: editing, completion, history, Ctrl-C."""

import os
import pty
import re
import select
import signal
import time

import pytest
from running import ROOT, TTL_JIT, environment

PROMPT = "ttl>"
QUERY = b"\x1b[6n"  # with this sequence, the program asks where the cursor is
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A session in a pseudo-terminal."""

    def __init__(self, folder, **variables):
        state = {"TERM": "xterm", "XDG_STATE_HOME": os.fspath(folder), **variables}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(TTL_JIT, ["ttl-jit"], environment(**state))

    def send(self, text):
        os.write(self.fd, text.encode())

    def read_until(self, pattern, seconds=30):
        """Returns the text up to the first match of the pattern. Raises an AssertionError if none comes."""
        found, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    data = os.read(self.fd, 1 << 16)
                except OSError:
                    break
                if QUERY in data:
                    os.write(self.fd, b"\x1b[1;1R")
                found += data.decode(errors="replace")
            if re.search(pattern, CONTROL.sub("", found)):
                return CONTROL.sub("", found)
        raise AssertionError(f"no {pattern!r} in {CONTROL.sub('', found)!r}")

    def enter(self, line, pattern):
        self.send(line + "\r")
        return self.read_until(pattern)

    def end(self):
        self.send(":quit\r")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    os.read(self.fd, 1 << 16)
                except OSError:
                    time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError("the session did not end")


@pytest.fixture
def terminal(tmp_path):
    opened = Terminal(tmp_path)
    opened.read_until(PROMPT)
    yield opened
    os.close(opened.fd)


def test_a_statement_and_the_end(terminal):
    terminal.enter("print(6 * 7)", r"\n42\r\n")
    assert terminal.end() == 0


def test_lines_of_a_block_are_indented(terminal):
    terminal.enter("for i in range(2):", r"\.\.\.>")
    terminal.enter("print('line', i)", r"\.\.\.>")
    terminal.enter("", r"line 0\r\nline 1\r\n")
    assert terminal.end() == 0


def completed(typed, rest):
    """Returns a pattern for a completed word. The editor may draw the whole word again. Or it moves back
    over some of the typed part and draws only what follows.
    """
    starts = [re.escape((typed + rest)[at:]) for at in range(len(typed) + 1)]
    return f"(?s){re.escape(typed)}.*?(?:{'|'.join(starts)})|{re.escape(typed + rest)}"


def test_completion(terminal):
    pytest.importorskip("prompt_toolkit")
    terminal.send("np.zeros_l\t")
    terminal.read_until(completed("zeros_l", "ike"))
    terminal.enter("(np.ones(2))", r"array\(\[0\., 0\.\]\)")
    terminal.send(":kern\t")
    terminal.read_until(completed(":kern", "els"))
    assert terminal.enter("", PROMPT)
    terminal.send(":layout 64 --vi\t")
    terminal.read_until(completed("--vi", "ew="))
    assert terminal.enter("2x1", PROMPT)
    assert terminal.end() == 0


def test_history(tmp_path):
    pytest.importorskip("prompt_toolkit")
    first = Terminal(tmp_path)
    first.read_until(PROMPT)
    first.enter("print('remem' + 'bered')", "remembered")
    assert first.end() == 0
    os.close(first.fd)
    second = Terminal(tmp_path)
    second.read_until(PROMPT)
    second.send("\x1b[A\x1b[A")  # two lines up: before :quit
    second.read_until(r"'bered'")
    second.enter("", "remembered")
    assert second.end() == 0
    os.close(second.fd)


def test_ctrl_c_drops_the_statement(terminal):
    terminal.send("1 +\x03")
    terminal.read_until(PROMPT)
    terminal.enter("print(6 * 7)", r"\n42\r\n")
    assert terminal.end() == 0


def test_ctrl_c_stops_a_running_statement(terminal):
    terminal.send("import time; print('be' + 'gun'); time.sleep(60)\r")
    terminal.read_until("begun")
    terminal.send("\x03")
    terminal.read_until(r"interrupted[\s\S]*ttl>")
    assert terminal.end() == 0


def test_ctrl_d_ends_the_session(terminal):
    terminal.send("\x04")
    assert terminal.end() == 0


def test_a_kernel_stops_at_a_breakpoint(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.read_until(PROMPT)
    folder = str(ROOT / "tests/python/objects")
    terminal.enter(f"import sys; sys.path.insert(0, {folder!r}); from copies import scale, tensors", PROMPT)
    terminal.enter("a, y = tensors(32)", PROMPT)
    terminal.enter(":break event push", "breakpoint 1: event push[^$]*" + PROMPT)
    terminal.enter("scale(a, y, 2.0)", r"breakpoint 1 push[^$]*\(ttl\) ")
    terminal.enter(":threads", r"\* \(0,0\) [^$]*\(ttl\) ")
    terminal.enter(":delete 1", r"\(ttl\) ")
    terminal.enter(":continue", r"has ended[^$]*\(ttl\) ")
    terminal.enter(":back 5", r"\[\d+\] \(0,0\) [^$]*\(ttl\) ")
    terminal.enter(":continue", r"has ended[^$]*\(ttl\) ")
    terminal.enter(":continue", PROMPT)
    assert terminal.end() == 0
