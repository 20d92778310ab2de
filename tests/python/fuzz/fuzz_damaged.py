# SPDX-License-Identifier: Apache-2.0
"""Reads damaged files and sessions: `fuzz_damaged.py KIND [--count=N] [--first=N] [--seed=N] [--jobs=N]`.

KIND is `kernel` (files of saved kernels), `schedule` (--schedule-file), `replay` (--schedule=replay),
`trace` (files for ttl-jit report) or `dap` (sessions of an editor). A case is made from its number and runs
in a forked child. Findings are a signal, a hang, an exception that is not documented, and a
traceback of the package. Each finding is printed with its number: --first=NUMBER --count=1 repeats it.
"""

import argparse
import collections
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import traceback
import zlib

import fuzz_batches
import fuzz_command
from fuzz_batches import SECONDS, WALL_SECONDS
from fuzz_damage import damage_bytes, damage_text, damage_value

ROOT = pathlib.Path(__file__).parents[3]

# ===--- Saved kernels --------------------------------------------------------=== #


class Kernels:
    """Damaged files of saved kernels. Most get the right checksum, so that the damage itself is read."""

    def __init__(self, folder):
        import numpy
        import ttl

        sys.path.insert(0, str(ROOT / "tests" / "python" / "objects"))
        from copies import copy, scale, tensors

        self.ttl, self.path = ttl, folder / "case.ttl"
        self.tensors = lambda rows: [numpy.array(each) for each in tensors(rows)]
        self.bases = []
        for operation, rows, rest, options in ((scale, 32, (2.0,), None), (copy, 64, (), None),
                                               (scale, 32, (2.0,), "--engine=interp --limit=100000"),
                                               (pick(), 64, (), None), (pushed(), 32, (), None)):
            operation.compile(*tensors(rows), *rest, options=options).save(self.path)
            data = self.path.read_bytes()
            self.bases.append((rows, data, json.loads(zlib.decompress(data.partition(b"\n")[2]))))

    def run(self, random):
        rows, data, fields = random.choice(self.bases)
        self.path.write_bytes(self._damaged(random, data, fields))
        errors = (ValueError, self.ttl.CompileError)
        try:
            kernel = self.ttl.load(self.path)
        except errors as error:
            return clean(error)
        try:
            with self.ttl.options(limit=100_000):
                kernel(*self.tensors(rows))
        except (*errors, TypeError, self.ttl.RuntimeFault) as error:
            return clean(error)
        return None

    def _damaged(self, random, data, fields):
        way = random.random()
        if way < 0.15:
            return damage_bytes(random, data)
        if way < 0.25:
            return sealed(damage_bytes(random, data.partition(b"\n")[2]))
        if way < 0.55:
            fields = {**fields, "ir": damage_text(random, fields["ir"])}
        else:
            fields = damage_value(random, fields)
        return sealed(zlib.compress(json.dumps(fields).encode()))


def sealed(body):
    return b"ttl-jit kernel 1 %s\n" % hashlib.sha256(body).hexdigest().encode() + body


def pick():
    """Returns an operation in which each node copies the input tile that belongs to the other node."""
    import ttl

    @ttl.operation(grid=(2, 1))
    def spread(a, y):
        x, _ = ttl.node(dims=2)
        source = 1 - x
        buffer = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)

        @ttl.datamovement()
        def reader():
            with buffer.reserve() as block:
                ttl.copy(a[source, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with buffer.wait() as block:
                ttl.copy(block, y[x, 0]).wait()

    return spread


def pushed():
    """Returns an operation with loops and a branch, and a call of a Python function."""
    import ttl

    note = ttl.host_function(lambda n: None, restype=None)

    @ttl.operation(grid=(1, 1))
    def work(a, y):
        source = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)
        result = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)

        @ttl.datamovement()
        def reader():
            for i in range(ttl.node(dims=1) + 3):
                if i == 1:
                    note(i)
                with source.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()

        @ttl.compute()
        def compute():
            for _ in range(3):
                with source.wait() as x, result.reserve() as out:
                    out.store(ttl.math.exp(x) + x)

        @ttl.datamovement()
        def writer():
            for _ in range(3):
                with result.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    return work


def clean(error):
    """Returns what is wrong with the text of an error, or None if nothing is wrong."""
    text = str(error)
    return f"internal error: {text}" if "internal error" in text else None


# ===--- Schedules and replays ------------------------------------------------=== #

SCHEDULE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernels = transform.structured.match ops{["ttl.compute"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %kernels : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.debug.emit_remark_at %one, "here" : !transform.any_op
    }
    %many = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.print %root : !transform.any_op
    transform.yield
  }
}
"""


class Schedules:
    def __init__(self, folder):
        import ttl

        sys.path.insert(0, str(ROOT / "tests" / "python" / "objects"))
        from copies import scale, tensors

        self.ttl, self.path = ttl, folder / "case.mlir"
        self.compile = lambda: scale.compile(*tensors(32), 2.0, options=f"--schedule-file={self.path}")
        found = sorted((ROOT / "tests").rglob("*schedule*.mlir"))
        self.bases = [SCHEDULE, *(each.read_text() for each in found if "named_sequence" in each.read_text())]

    def run(self, random):
        text = damage_text(random, random.choice(self.bases))
        data = text.encode("utf-8", "replace")
        self.path.write_bytes(damage_bytes(random, data) if random.random() < 0.1 else data)
        try:
            self.compile()
        except (ValueError, self.ttl.CompileError) as error:
            return clean(error)
        return None


class Programs:
    """Damaged files that ttl-jit itself reads."""

    PROGRAM = ROOT / "tests" / "lit" / "programs" / "add.mlir"

    def __init__(self, folder):
        self.command = fuzz_command.Command(folder / "messages")

    def file(self, path, option):
        """Runs a program with an option that names an output file; returns the bytes of that file."""
        subprocess.run([TTL_JIT, "run", self.PROGRAM, f"--{option}={path}"], check=True)
        return path.read_bytes()

    def judge(self, *words):
        """Runs a command; returns what is wrong with its end, or None."""
        status, messages = self.command.run(*words)
        if "Traceback" in messages or "internal error" in messages or status not in (0, 1, 2, 3, 4):
            return f"status {status}: {messages}"
        return None if status == 0 or messages.strip() else "it fails without a message"


TTL_JIT = pathlib.Path(sys.prefix) / "bin" / "ttl-jit"
for _folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
    if (pathlib.Path(_folder).parent / "bin" / "ttl-jit").exists():
        TTL_JIT = (pathlib.Path(_folder).parent / "bin" / "ttl-jit").resolve()


class Replays(Programs):
    def __init__(self, folder):
        super().__init__(folder)
        self.path = folder / "case.replay"
        self.base = self.file(self.path, "record")

    def run(self, random):
        self.path.write_bytes(damage_bytes(random, self.base))
        engine = "jit" if random.random() < 0.1 else "interp"
        return self.judge("run", self.PROGRAM, f"--schedule=replay:{self.path}", f"--engine={engine}",
                          "--limit=100000")


class Traces(Programs):
    def __init__(self, folder):
        import ttl_jit.report.command  # in the parent, so that children need not import it

        super().__init__(folder)
        self.bases = [(folder / f"case{suffix}", self.file(folder / f"whole{suffix}", "trace"))
                      for suffix in (".json", ".json.zst")]

    def run(self, random):
        path, base = random.choice(self.bases)
        damaged = damage_bytes(random, base)
        if path.suffix == ".json" and random.random() < 0.5:
            damaged = damage_text(random, base.decode()).encode("utf-8", "replace")
        path.write_bytes(damaged)
        return self.judge("report", path, *(["--json=/dev/null"] if random.random() < 0.3 else []))


# ===--- Sessions of editors --------------------------------------------------=== #

SCRIPT = """
import sys
sys.path.insert(0, FOLDER)
from copies import scale, tensors
scale(*tensors(32), 2.0)
print("done")
"""


class Sessions:
    """Sessions with the debug adapter in this process. Messages to it wait until the kernel stops, as an
    editor does."""

    def __init__(self, folder):
        import numpy  # noqa: F401
        import ttl  # noqa: F401
        from ttl_jit.debugger import _channel, _dap

        _dap._PATIENCE = 10 * WALL_SECONDS  # the adapter must not end a hang: it is a finding
        self.dap, self.channel = _dap, _channel
        copies = str(ROOT / "tests" / "python" / "objects")
        self.program = folder / "case.py"
        self.program.write_text(SCRIPT.replace("FOLDER", repr(copies)))
        self.source = os.path.join(copies, "copies.py")

    def messages(self):
        source = {"path": self.source}
        asked = [
            ("initialize", {"adapterID": "ttl"}), ("launch", {"program": str(self.program), "args": ["a"]}),
            ("setBreakpoints", {"source": source, "breakpoints": [{"line": 34}, {"line": 39, "condition": "factor > 1"},
                                                                  {"line": 44, "logMessage": "at {block.shape}"}]}),
            ("setFunctionBreakpoints", {"breakpoints": [{"name": "writer", "hitCondition": ">= 1"}]}),
            ("setExceptionBreakpoints", {"filters": ["fault"]}), ("configurationDone", {}), ("threads", {}),
            ("stackTrace", {"threadId": 1}), ("scopes", {"frameId": 0}), ("variables", {"variablesReference": 1}),
            ("variables", {"variablesReference": 2}), ("evaluate", {"expression": "a[0, 0] + 1", "frameId": 0}),
            ("setVariable", {"variablesReference": 7, "name": "[0]", "value": "2"}), ("next", {"threadId": 1}),
            ("dataBreakpointInfo", {"name": "source", "variablesReference": 4}),
            ("setDataBreakpoints", {"breakpoints": [{"dataId": "result"}]}), ("stepIn", {"threadId": 1}),
            ("stepBack", {"threadId": 1}), ("continue", {"threadId": 1}), ("exceptionInfo", {"threadId": 1}),
            ("reverseContinue", {"threadId": 1}), ("pause", {"threadId": 1}), ("stepOut", {"threadId": 1}),
            ("continue", {"threadId": 1}), ("continue", {"threadId": 1}), ("disconnect", {}),
        ]
        return [{"seq": i + 1, "type": "request", "command": command, "arguments": arguments}
                for i, (command, arguments) in enumerate(asked)]

    def run(self, random):
        messages = self.messages()
        if random.random() < 0.3:
            at, other = random.randrange(len(messages)), random.randrange(len(messages))
            messages[at], messages[other] = messages[other], messages[at]
        for _ in range(random.choice((0, 1, 1, 2, 5))):
            at = random.randrange(len(messages))
            messages[at] = damage_value(random, messages[at])
        parts = [self._framed(random, message) for message in messages]
        if random.random() < 0.15:
            parts = [damage_bytes(random, b"".join(parts))]
        elif random.random() < 0.2:
            del parts[random.randrange(len(parts)) :]
        return self._session(parts)

    def _framed(self, random, message):
        body = json.dumps(message).encode()
        way = random.random()
        if way < 0.01:
            body = damage_bytes(random, body)
        size = b"%d" % len(body)
        if way > 0.995:
            size = random.choice((b"-1", b"", b"x", b"0", b"99999999999999999999", b"1e3", b"%d" % (len(body) + 7),
                                  b"1" * 5000))
        return b"Content-Length: " + size + b"\r\n\r\n" + body

    def _session(self, parts):
        findings, written = [], io.BytesIO()
        threading.excepthook = lambda args: findings.append(
            "".join(traceback.format_exception(args.exc_type, args.exc_value, args.exc_traceback)))
        sys.unraisablehook = lambda args: findings.append(f"unraisable: {args.exc_value!r}")
        reader = Paced(parts)
        adapter = self.dap.Adapter(self.channel.Channel(reader, written), run_script)
        reader.adapter = adapter
        requests = threading.Thread(target=adapter.read_requests, daemon=True)
        requests.start()
        adapter.run_script()
        requests.join(SECONDS * 4)
        if requests.is_alive():
            findings.append("the thread that reads requests does not end")
        if b"the debugger fails" in written.getvalue() or b"Traceback" in written.getvalue():
            findings.append(written.getvalue().decode("utf-8", "replace")[-3000:])
        return "\n".join(findings) or None


class Paced:
    """A stream of bytes in parts. Each part comes when the kernel stops, or after a moment."""

    def __init__(self, parts):
        self.parts, self.now, self.adapter = collections.deque(parts), io.BytesIO(), None

    def _more(self):
        if self.now.tell() < len(self.now.getvalue()) or not self.parts:
            return
        end = time.monotonic() + 0.05
        while not self.adapter._is_stopped and not self.adapter._done.is_set() and time.monotonic() < end:
            time.sleep(0.0005)
        self.now = io.BytesIO(self.parts.popleft())

    def readline(self, most=-1):
        self._more()
        return self.now.readline(most)

    def read(self, size):
        self._more()
        return self.now.read(size)


def run_script(file, quits):
    """Runs the script as ttl-jit dap does, without its messages; returns the exit status."""
    sys.modules.pop("copies", None)
    try:
        exec(compile(pathlib.Path(file).read_text(), file, "exec"), {"__name__": "__main__", "__file__": file})
        return 0
    except (Exception, SystemExit):
        return 1  # damage can name another file or argument


# ===--- Running --------------------------------------------------------------=== #

KINDS = {"kernel": Kernels, "schedule": Schedules, "replay": Replays, "trace": Traces, "dap": Sessions}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    fuzz_batches.add_arguments(parser)
    chosen = parser.parse_args(arguments)
    if chosen.kind == "dap":
        os.environ["TTL_DEBUG"] = "on"
    os.environ.setdefault("TTL_CACHE", "off")
    findings = 0
    for number, text in fuzz_batches.run(KINDS[chosen.kind], chosen):
        if text:
            findings += 1
            print(f"{chosen.kind} {number}: {text}\n", flush=True)
    print(f"{chosen.count} cases of {chosen.kind}, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
