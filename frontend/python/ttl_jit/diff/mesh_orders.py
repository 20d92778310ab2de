# SPDX-License-Identifier: Apache-2.0
"""Pieces whose results depend on the order of threads, on purpose: ttl-jit must say so of them."""

from ttl_jit.diff.mesh_pieces import Piece, point
from ttl_jit.diff.threads import indented


class _Race(Piece):
    """Two devices send to device 0, or change a semaphore there. Each reads some blocks before, which takes
    time."""

    def write(self):
        devices = self.kernel.devices
        self.one, self.other = self.random.sample(range(1, devices), 2) if devices > 2 else (1, 0)
        self.x = self.input("x", self.kernel.nodes * 4)
        self.race()

    def delay(self):
        """Returns statements that take some time: reads of a few blocks."""
        name = self.buffer(f"delay{len(self.setup)}", self.x)
        read = [f"with {name}.reserve() as {name}_blk:",
                f"    ttl.copy({self.x.slice(f'node * 4 + {self.random.randint(0, 3)}')}, {name}_blk).wait()",
                f"with {name}.wait() as {name}_blk:", "    pass"]
        return self.loop("j", self.random.randint(1, 4), read) if self.random.random() < 0.6 else []


class Arrivals(_Race):
    """Takes the block that arrives first: ttl.wait_any."""

    def race(self):
        y, mark = self.output("y", self.kernel.nodes * 3), self.buffer("mark", self.x)
        buffers = [self.buffer(name, self.x) for name in ("left", "right")]
        senders = (self.one, self.other)
        nets = [self.net(f"net{number}", self.kernel.nets.edges([(sender, 0)]))
                for number, sender in enumerate(senders)]
        for number, (sender, net) in enumerate(zip(senders, nets)):
            self.threads[self.sender] += self._send(sender, net)
        self.threads[self.receiver] += self._receive(nets, buffers, y, mark)

    def _send(self, sender, net):
        out = self.buffer(f"out{sender}", self.x)
        body = [*self.delay(), *self.fill(out, self.x.slice("node * 4")), f"with {out}.wait() as {out}_blk:",
                f"    {net}.if_src(lambda pipe: ttl.copy({out}_blk, pipe).wait())"]
        return [f"if {net}.is_src():", *indented(body)]

    def _receive(self, nets, buffers, y, mark):
        left, right = buffers
        one, other, done = (f"{self.name}_{name}" for name in ("one", "other", "done"))
        chosen = [f"if {done}.index() == 0:", *indented(self.fill(mark, self.x.slice("node * 4 + 1"))), "else:",
                  *indented(self.fill(mark, self.x.slice("node * 4 + 2")))]
        inner = [f"with {right}.reserve() as {right}_blk:",
                 f"    {other} = ttl.copy(right_pipe, {right}_blk)",
                 f"    {done} = ttl.wait_any(({one}, {other}), start={self.random.randint(0, 1)})",
                 *indented(chosen), f"    {one}.wait()", f"    {other}.wait()"]
        outer = [f"with {left}.reserve() as {left}_blk:", f"    {one} = ttl.copy(left_pipe, {left}_blk)", "",
                 f"    def {self.name}_second(right_pipe):", *indented(indented(inner)), "",
                 f"    {nets[1]}.if_dst({self.name}_second)"]
        stores = [line for number, buffer in enumerate((left, right, mark))
                  for line in self.drain(buffer, y.slice(f"node * 3 + {number}"))]
        return [f"def {self.name}_first(left_pipe):", *indented([*outer, *stores]), "",
                f"{nets[0]}.if_dst({self.name}_first)"]


class _Signals(_Race):
    """Two devices change a semaphore of device 0, which waits in a way that depends on the order. What it waits
    for may never come; if it comes, a block is stored."""

    is_unchecked = True
    changes = ("inc(1)", "inc(1)")

    def race(self):
        y, own = self.output("y", self.kernel.nodes), self.buffer("own", self.x)
        self.signal = self.semaphore("signal")
        for sender, change in zip((self.one, self.other), self.changes):
            thread = self.sender if sender else self.receiver
            body = [*self.delay(), f"{self.signal}.get_remote({point(self.kernel, '0', '0')}).{change}"]
            self.threads[thread] += [f"if me == {sender} and node == 0:", *indented(body)]
        self.threads[self.sender] += ["if me == 0 and node == 0:", *indented([*self.delay(), *self.waits()])]
        self.threads[self.sender] += [*self.fill(own, self.x.slice("node * 4")), *self.drain(own, y.slice("node"))]


class PassedValue(_Signals):
    """Waits for a value that may have passed."""

    def waits(self):
        return [f"{self.signal}.wait_eq(1)"]


class TwoSetters(_Signals):
    """The semaphore keeps the value that was set last."""

    changes = ("set(1)", "set(2)")

    def waits(self):
        return [f"{self.signal}.wait_ge(1)", *self.delay(), f"{self.signal}.wait_eq({self.random.randint(1, 2)})"]


class LostIncrement(_Signals):
    """An increment that comes before the semaphore is set is lost."""

    changes = ("inc(1)", "set(1)")

    def waits(self):
        return [f"{self.signal}.wait_ge({self.random.randint(1, 2)})"]


class Reset(_Signals):
    """Device 0 sets its semaphore back, while others may increment it."""

    def waits(self):
        return [f"{self.signal}.wait_ge(1)", f"{self.signal}.set(0)", *self.delay(), f"{self.signal}.wait_ge(1)"]


PIECES = (Arrivals, Arrivals, PassedValue, TwoSetters, LostIncrement, Reset)
