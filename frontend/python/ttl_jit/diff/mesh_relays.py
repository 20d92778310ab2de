# SPDX-License-Identifier: Apache-2.0
"""Pieces in which devices pass on what they receive, once around a ring or several times."""

from ttl_jit.diff.mesh_pieces import Piece
from ttl_jit.diff.threads import indented


class _Ring(Piece):
    """A piece with a ring of devices. `steps` says how far a block goes."""

    def write(self):
        self.steps = self.random.randint(1, 5)
        self.ring = self.net("net", self.kernel.nets.ring())
        self.relay()

    def received(self, block):
        return f"{self.ring}.if_dst(lambda pipe: ttl.copy(pipe, {block}).wait())"

    def sent(self, block):
        return f"{self.ring}.if_src(lambda pipe: ttl.copy({block}, pipe).wait())"

    def slot(self, step):
        return f"node * {self.steps + 1} + {step}"


class Relay(_Ring):
    """One thread receives into a buffer and stores, the other one sends what the buffer has."""

    def relay(self):
        nodes, steps = self.kernel.nodes, self.steps
        x, y = self.input("x", nodes), self.output("y", nodes * (steps + 1))
        dfb = self.buffer("relay", x, least=2)
        block = f"{dfb}_blk"
        receive = [f"with {dfb}.reserve() as {block}:", *indented([
            "if k == 0:", f"    ttl.copy({x.slice('node')}, {block}).wait()", "else:", f"    {self.received(block)}",
            f"ttl.copy({block}, {y.slice(self.slot('k'))}).wait()"])]
        send = [f"with {dfb}.wait() as {block}:", f"    if k < {steps}:", f"        {self.sent(block)}"]
        self.threads[self.receiver] += self.loop("k", steps + 1, receive)
        self.threads[self.sender] += self.loop("k", steps + 1, send)


class SliceRelay(_Ring):
    """One thread receives into slices of a tensor, and sends on what the slice has."""

    def relay(self):
        nodes, steps = self.kernel.nodes, self.steps
        x, y = self.input("x", nodes), self.output("y", nodes * (steps + 1))
        dfb = self.buffer("relay", x)
        place = f"{self.name}_place"
        body = ["if k > 0:", f"    {place} = {y.slice(self.slot('k'))}",
                f"    {self.ring}.if_dst(lambda pipe: ttl.copy(pipe, {place}, shape={self.block}).wait())",
                f"if k < {steps}:", *indented([
                    "if k == 0:", *indented(self.fill(dfb, x.slice("node"))),
                    "else:", *indented(self.fill(dfb, y.slice(self.slot("k")))),
                    f"with {dfb}.wait() as {dfb}_sent:", f"    {self.sent(f'{dfb}_sent')}"])]
        self.threads[self.sender] += self.loop("k", steps + 1, body)


class SumRelay(_Ring):
    """A compute thread changes each block before it is sent on, as a ring that sums does."""

    def relay(self):
        nodes, steps = self.kernel.nodes, self.steps
        x, y = self.input("x", nodes * (steps + 1)), self.output("y", nodes)
        names = "into", "own", "on"
        self.into, self.own, self.on = (self.buffer(name, x) for name in names)
        self.result = self.buffer("result", y)
        first = [*self.fill(self.on_first(x), x.slice(self.slot("0")))]
        sends = [f"with {self.on}.wait() as {self.on}_sent:", f"    {self.sent(f'{self.on}_sent')}"]
        start = [f"with {self.first}.wait() as {self.first}_sent:", f"    {self.sent(f'{self.first}_sent')}"]
        more = self.loop("k", steps - 1, sends) if steps > 1 else []
        receives = self.loop("k", steps, [
            *self.fill(self.own, x.slice(self.slot("(k + 1)"))),
            f"with {self.into}.reserve() as {self.into}_blk:", f"    {self.received(f'{self.into}_blk')}"])
        end = self.drain(self.result, y.slice("node"))
        is_by_sender = self.random.random() < 0.5
        self.threads[self.sender] += first + start + more + (end if is_by_sender else [])
        self.threads[self.receiver] += receives + ([] if is_by_sender else end)
        self.threads["compute"] += self.loop("k", steps, self._computes())

    def on_first(self, x):
        self.first = self.buffer("first", x)
        return self.first

    def _computes(self):
        blocks = f"{self.into}_blk", f"{self.own}_blk"
        waits = f"with {self.into}.wait() as {blocks[0]}, {self.own}.wait() as {blocks[1]}:"
        last, on = ([f"with {name}.reserve() as {name}_blk:", f"    {name}_blk.store({self.expression(*blocks)})"]
                    for name in (self.result, self.on))
        if self.steps == 1:
            return [waits, *indented(last)]
        return [waits, *indented([f"if k == {self.steps - 1}:", *indented(last), "else:", *indented(on)])]


class Swap(_Ring):
    """One thread starts its receive, sends, and then waits for what it receives."""

    def relay(self):
        nodes, turns = self.kernel.nodes, self.steps
        x, y = self.input("x", nodes * turns), self.output("y", nodes * turns)
        out, into, at = self.buffer("out", x), self.buffer("in", x), f"node * {turns} + t"
        take = [f"with {into}.reserve() as {into}_blk:", *indented([
            f"{self.name}_xf = ttl.copy(pipe, {into}_blk)", f"with {out}.wait() as {out}_blk:",
            f"    {self.ring}.if_src(lambda other: ttl.copy({out}_blk, other).wait())", f"{self.name}_xf.wait()"])]
        body = [*self.fill(out, x.slice(at)), f"def {self.name}_take(pipe):", *indented(take), "",
                f"{self.ring}.if_dst({self.name}_take)", *self.drain(into, y.slice(at))]
        self.threads[self.sender] += self.loop("t", turns, body)


class Unified(_Ring):
    """A piece of an operation without threads: the compiler makes them. A block comes from the neighbour, is
    computed with and stored."""

    def relay(self):
        nodes, turns = self.kernel.nodes, self.steps
        x = self.input("x", nodes * turns)
        y = self.output("y", nodes * turns, self.kernel.program.dtype(self.kind))
        out, into, result = self.buffer("out", x), self.buffer("in", x), self.buffer("result", y)
        at, names = f"node * {turns} + t", [f"{self.name}_{name}" for name in ("sent", "got", "made")]
        own = [f"{self.name}_mine", self.buffer("own", x)] if self.random.random() < 0.5 else []
        blocks = names[1:2] + own[:1]

        def store(_):
            return [f"{names[2]}.store({self.expression(*blocks)})"]

        body = [f"ttl.copy({x.slice(at)}, {out}.reserve()).wait()", f"{names[0]} = {out}.wait()",
                self.sent(names[0]), self.received(f"{into}.reserve()"), f"{names[1]} = {into}.wait()"]
        if own:
            body += [f"ttl.copy({x.slice(at)}, {own[1]}.reserve()).wait()", f"{own[0]} = {own[1]}.wait()"]
        body += [f"{names[2]} = {result}.reserve()", *self.branching(store),
                 f"ttl.copy({result}.wait(), {y.slice(at)}).wait()"]
        self.threads["body"] += self.loop("t", turns, body)
