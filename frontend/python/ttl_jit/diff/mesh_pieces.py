# SPDX-License-Identifier: Apache-2.0
"""Pieces of random operations on several devices. mesh_kernel.py puts several pieces together.

Statements may use three variables: `me` is the number of the device, `node` that of the node on its device,
and `at` that of the node among the nodes of all devices. A name begins with the name of its piece, so that the
reducer (reduce.py) can drop all statements of a piece at once.
"""

from ttl_jit.diff.expressions import Coverage, Expressions
from ttl_jit.diff.kernel import Stream
from ttl_jit.diff.threads import indented

FUNCTIONS = ("add", "sub", "mul", "add_scalar", "mul_scalar", "exp", "abs", "neg", "relu", "max", "reduce_sum",
             "reduce_max", "broadcast", "transpose", "i_add", "i_sub", "i_mul", "i_add_scalar", "i_abs", "i_max",
             "i_transpose", "i_broadcast")


class Piece:
    """A part of an operation. `setup` has statements of the operation's body, `threads` those of each
    thread."""

    is_unchecked = False  # whether the check of every run (docs/mesh.md) would refuse the piece

    def __init__(self, kernel, name):
        self.kernel, self.random, self.name = kernel, kernel.random, name
        self.setup, self.net_lines = [], []
        self.threads = {"mover": [], "compute": [], "other": [], "body": []}
        self.block = (self.random.choice((1, 1, 2)), self.random.choice((1, 1, 2)))
        self.kind = "i" if self.random.random() < 0.2 else "f"
        self.dtype = kernel.program.dtype(self.kind)
        self.sender, self.receiver = self.random.sample(("mover", "other"), 2)
        self.write()

    # ===----------------------------------------------------------------------=== #
    # Tensors and buffers
    # ===----------------------------------------------------------------------=== #

    def input(self, name, blocks):
        return self._stream(name, blocks, self.dtype, self.kernel.input)

    def output(self, name, blocks, dtype=None):
        return self._stream(name, blocks, dtype or self.dtype, self.kernel.output)

    def _stream(self, name, blocks, dtype, make):
        layout = self.random.choice(("rows", "columns"))
        stream = Stream(f"{self.name}_{name}", self.block, self.kind, dtype, layout=layout)
        stream.tensor = make(stream.name, stream.shape(blocks), dtype)
        return stream

    def buffer(self, name, like, least=1):
        """Makes a buffer of blocks of a tensor, and returns its name."""
        name = f"{self.name}_{name}"
        count = max(least, self.random.choice((1, 2, 2, 3)))
        self.setup.append(
            f"{name} = ttl.make_dataflow_buffer_like({like.name}, shape={self.block}, block_count={count})")
        return name

    def net(self, name, net):
        name = f"{self.name}_{name}"
        self.net_lines.append(f"{name} = ttl.PipeNet{net.text}")
        return name

    def semaphore(self, name):
        name = f"{self.name}_{name}"
        self.setup.append(f"{name} = ttl.Semaphore()")
        return name

    # ===----------------------------------------------------------------------=== #
    # Statements
    # ===----------------------------------------------------------------------=== #

    def loop(self, variable, extent, body):
        """Returns a loop; at times one with `while`, or one in another loop."""
        choice = self.random.random()
        if choice < 0.15:
            return [f"{variable} = 0", f"while {variable} < {extent}:", *indented([*body, f"{variable} += 1"])]
        if choice < 0.25:
            inner = [f"{variable} = {variable}_up + {variable}_in", *body]
            return [f"for {variable}_up in range({extent}):", f"    for {variable}_in in range(1):",
                    *indented(indented(inner))]
        return [f"for {variable} in range({extent}):", *indented(body)]

    def fill(self, buffer, source):
        """Reads a block of a tensor into a buffer."""
        block = f"{buffer}_blk"
        return self.random.choice((
            [f"with {buffer}.reserve() as {block}:", f"    ttl.copy({source}, {block}).wait()"],
            [f"{block} = {buffer}.reserve()", f"ttl.copy({source}, {block}).wait()", f"{block}.push()"]))

    def drain(self, buffer, target):
        """Writes a block of a buffer into a tensor."""
        block = f"{buffer}_blk"
        return self.random.choice((
            [f"with {buffer}.wait() as {block}:", f"    ttl.copy({block}, {target}).wait()"],
            [f"{block} = {buffer}.wait()", f"ttl.copy({block}, {target}).wait()", f"{block}.pop()"]))

    def branching(self, statements):
        """Returns statements(0), or at times a condition on the device with statements(0) in one branch
        and statements(1) in the other. The function `statements` returns statements."""
        if self.random.random() < 0.7:
            return statements(0)
        chips = ", ".join("0" for _ in self.kernel.shape)
        condition = self.random.choice((
            "me % 2 == 0", f"me < {self.kernel.devices - 1}", "me != 0 and node == 0",
            "me == 1" if self.kernel.nets.is_product else f"chips.is_current(({chips},))"))
        return [f"if {condition}:", *indented(statements(0)), "else:", *indented(statements(1))]

    def arriving(self, net, name):
        """Returns (statements to put first, the text of a number: how many transfers of a net end at this
        place)."""
        if self.random.random() < 0.3:
            return [], f"{name}.destination_count()"
        return self.counted(net.arrivals(), "count")

    def counted(self, counts, name):
        """Returns (statements that set a variable to the number of this place, the text of the number)."""
        values = [[counts.get((device, node), 0) for node in range(self.kernel.nodes)]
                  for device in range(self.kernel.devices)]
        if all(len(set(row)) == 1 for row in values):
            return self._cases([row[0] for row in values], "me", name)
        return self._cases([value for row in values for value in row], "at", name)

    def _cases(self, values, variable, name):
        usual = max(set(values), key=values.count)
        if values.count(usual) == len(values):
            return [], str(usual)
        lines = [f"{self.name}_{name} = {usual}"]
        for value in sorted(set(values) - {usual}):
            places = " or ".join(f"{variable} == {place}" for place, each in enumerate(values) if each == value)
            lines += [f"if {places}:", f"    {self.name}_{name} = {value}"]
        return lines, f"{self.name}_{name}"

    def expression(self, *blocks):
        """Returns an expression over blocks of the shape of the piece."""
        def leaf(shape, kind):
            if tuple(shape) == self.block and self.random.random() < 0.9:
                return self.random.choice(blocks)
            dtype = ", dtype=ttnn.int32" if kind == "i" else ""
            return f"ttl.block.fill({self.random.choice((-1, 2, 3))}, shape={tuple(shape)}{dtype})"

        names = self.kernel.program.functions or FUNCTIONS
        writer = Expressions(self.random, Coverage(), leaf, names)
        text = writer.write(self.block, self.kind, self.random.randint(1, 2))
        for block in blocks:
            text = text if block in text else f"({text} + {block})"
        return text


class Exchange(Piece):
    """Every node sends blocks along a net. What arrives is stored, or computed with first."""

    def write(self):
        self.net_of_chips = self.kernel.nets.choose()
        self.uses = self.random.choice(("store", "store", "slice", "each", "each", "total"))
        self.rounds = self.random.randint(1, 3)
        self.is_varied = self.uses in ("store", "slice") and self.random.random() < 0.25
        self.is_addressed = self.random.random() < 0.3  # another block for each receiver
        nodes, devices = self.kernel.nodes, self.kernel.devices
        self.x = self.input("x", nodes * self.rounds * (devices if self.is_addressed else 1))
        per_round = 1 if self.uses == "total" else devices
        self.y = self.output("y", nodes * self.rounds * per_round, self._dtype_of_output())
        self.out = self.buffer("out", self.x)
        self.into = self.buffer("in", self.x) if self.uses != "slice" else None
        self.pipes = self.net("net", self.net_of_chips)
        self._write_threads()

    def _dtype_of_output(self):
        return self.kernel.program.dtype(self.kind) if self.uses in ("each", "total") else self.dtype

    def _write_threads(self):
        self.credit = self.signal = None
        if not self.is_varied and self.net_of_chips.keeps_node and not self.kernel.nets.is_product:
            self.credit = self.semaphore("credit") if self.random.random() < 0.3 else None
        sends, receives = self._sends(), self._receives()
        own, before, after = self._finished()
        sends, receives = own + sends + before, receives + after
        if not self.is_varied:
            sends, receives = (self.loop("t", self.rounds, lines) for lines in (sends, receives))
        last = [f"{self.credit}.wait_ge({self.rounds} * {self._departures[1]})"] if self.credit else []
        self.threads[self.sender] += self._of_senders() + sends + last
        self.threads[self.receiver] += receives

    def _of_senders(self):
        """Returns statements before the sends: how many receivers a node has."""
        return self._departures[0] if self.credit else []

    # ===----------------------------------------------------------------------=== #
    # Sending
    # ===----------------------------------------------------------------------=== #

    def _place(self, receiver):
        at = f"node * {self.rounds} + t"
        return f"({at}) * {self.kernel.devices} + {receiver}" if self.is_addressed else at

    def _sends(self):
        if self.is_addressed or self.is_varied:
            give = [*self.fill(self.out, self.x.slice(self._place("pipe.destination_device_index"))),
                    f"with {self.out}.wait() as {self.name}_sent:", f"    ttl.copy({self.name}_sent, pipe).wait()"]
            if self.is_varied:
                give = self.loop("t", f"1 + pipe.destination_device_index % {self.rounds}", give)
            sends = [f"def {self.name}_give(pipe):", *indented(give), "",
                     f"{self.pipes}.if_src({self.name}_give)"]
        else:
            sends = self._sends_of_one()
        return self._waits_for_credit() + sends

    def _sends_of_one(self):
        """Returns statements that send one block to all receivers of a node."""
        def fill(other):
            turn = f"{self.rounds - 1} - t" if other else "t"
            return self.fill(self.out, self.x.slice(f"node * {self.rounds} + {turn}"))

        send = f"{self.pipes}.if_src(lambda pipe: ttl.copy({self.out}_blk, pipe).wait())"
        lines = [*self.branching(fill), f"with {self.out}.wait() as {self.out}_blk:", f"    {send}"]
        if self.random.random() < 0.4:
            lines = [f"if {self.pipes}.is_src():", *indented(lines)]
        return lines

    def _waits_for_credit(self):
        """Returns statements that wait until all receivers have the block of the round before."""
        if not self.credit:
            return []
        self._departures = self.counted(self.net_of_chips.departures(), "receivers")
        return ["if t > 0:", f"    {self.credit}.wait_ge(t * {self._departures[1]})"]

    def _gives_credit(self):
        """Tells the sender of a block, by its numbers, that the block has come."""
        if not self.credit:
            return []
        return incremented(self.kernel, self.credit, "pipe.source_device_index", "node")

    # ===----------------------------------------------------------------------=== #
    # Receiving
    # ===----------------------------------------------------------------------=== #

    def _slot(self):
        return self.y.slice(f"(node * {self.rounds} + t) * {self.kernel.devices} + pipe.source_device_index")

    def _take(self):
        """Returns statements that receive one block."""
        if self.uses == "slice":
            return [f"ttl.copy(pipe, {self._slot()}, shape={self.block}).wait()"]
        block = f"{self.into}_blk"
        copy = self.random.choice((
            [f"    ttl.copy(pipe, {block}).wait()"],
            [f"    {self.name}_xf = ttl.copy(pipe, {block})", f"    {self.name}_xf.wait()"]))
        lines = [f"with {self.into}.reserve() as {block}:", *copy]
        return lines + (self.drain(self.into, self._slot()) if self.uses == "store" else [])

    def _receives(self):
        take = self._take() + self._gives_credit()
        self._computes_in_other_thread = self.random.random() < 0.4
        if self.uses == "each":
            take += self._each()
        if self.random.random() < 0.1:
            take.append('print("device", me, "node", node, "from", pipe.source_device_index)')
        if self.is_varied:
            take = self.loop("t", f"1 + me % {self.rounds}", take)
        return [f"def {self.name}_take(pipe):", *indented(take), "", f"{self.pipes}.if_dst({self.name}_take)"]

    def _finished(self):
        """Returns the first statements of a round in the sender, and the last ones in the sender and in the
        receiver."""
        if self.uses == "total":
            own, done = self._total(self.y.slice(f"node * {self.rounds} + t"))
            return (own, done, []) if self._computes_in_other_thread else (own, [], done)
        if self.uses == "each" and self._computes_in_other_thread:
            return [], self._drained, []
        if self.uses == "slice" and not self.is_varied and self.random.random() < 0.5:
            return [], *self._read_again()
        return [], [], []

    def _read_again(self):
        """Returns statements of the sender, which reads the slices again, and the receiver's signal for it."""
        ready, again = self.semaphore("ready"), self.buffer("again", self.y)
        z = self.output("z", self.kernel.nodes * self.rounds * self.kernel.devices)
        at = f"(node * {self.rounds} + t) * {self.kernel.devices} + s"
        copies = [*self.fill(again, self.y.slice(at)), *self.drain(again, z.slice(at))]
        signal = self.random.choice((
            [f"{ready}.set(t + 1)"], incremented(self.kernel, ready, "me", "node", is_own=True)))
        return [f"{ready}.wait_ge(t + 1)", *self.loop("s", self.kernel.devices, copies)], signal

    # ===----------------------------------------------------------------------=== #
    # Computing
    # ===----------------------------------------------------------------------=== #

    def _each(self):
        """Computes a result for each block that arrives. Returns the statements after its receive."""
        result = self.buffer("result", self.y)
        setup, count = self.arriving(self.net_of_chips, self.pipes)
        arrived, made = f"{self.into}_blk", f"{result}_blk"

        def store(_):
            return [f"{made}.store({self.expression(arrived)})"]

        compute = [f"with {self.into}.wait() as {arrived}, {result}.reserve() as {made}:",
                   *indented(self.branching(store))]
        self.threads["compute"] += setup + self.loop("t", self.rounds, self.loop("c", count, compute))
        if not self._computes_in_other_thread:
            return self.drain(result, self._slot())
        slot = self.y.slice(f"(node * {self.rounds} + t) * {self.kernel.devices} + c")
        self._drained = [*setup, *self.loop("c", count, self.drain(result, slot))]
        return []

    def _total(self, target):
        """Computes the sum of all blocks of a round and a block of the node's own."""
        result, own = self.buffer("result", self.y), self.buffer("own", self.x)
        setup, count = self.arriving(self.net_of_chips, self.pipes)
        zero = "0, " if self.kind == "f" else "0, dtype=ttnn.int32, "
        add = [f"with {self.into}.wait() as {self.into}_blk:", f"    {self.name}_sum += {self.into}_blk"]
        compute = [f"with {own}.wait() as {own}_blk, {result}.reserve() as {result}_blk:", *indented([
            f"{self.name}_sum = ttl.block.fill({zero}shape={self.block})", *self.loop("c", count, add),
            f"{result}_blk.store({self.expression(f'{self.name}_sum', f'{own}_blk')})"])]
        self.threads["compute"] += setup + self.loop("t", self.rounds, compute)
        return self.fill(own, self.x.slice(f"node * {self.rounds} + t")), self.drain(result, target)


def incremented(kernel, semaphore, device, node, is_own=False):
    """Returns statements that increment a semaphore at a place; both numbers are expressions."""
    if is_own:
        place = f"(m // {kernel.grid[1]}, m % {kernel.grid[1]})"
        return [f"for m in ttl.static_range({kernel.nodes}):", f"    if {node} == m:",
                f"        {semaphore}.get_remote({place}).inc(1)"]
    return [f"for d in ttl.static_range({kernel.devices}):", f"    for m in ttl.static_range({kernel.nodes}):",
            f"        if {device} == d and {node} == m:",
            f"            {semaphore}.get_remote({point(kernel, 'd', 'm')}).inc(1)"]


def point(kernel, device, node):
    """Returns the text of a node of a device; both numbers are expressions known to the compiler."""
    items, rest = [], device
    for extent in reversed(kernel.shape):
        items.append(f"{rest} % {extent}")
        rest = f"{rest} // {extent}"
    chip = ", ".join(reversed(items))
    return f"chips[{chip}].at_node({node} // {kernel.grid[1]}, {node} % {kernel.grid[1]})"


class Local(Piece):
    """Nodes of a device exchange blocks: a multicast, or a ring of its nodes."""

    def write(self):
        nodes, rounds = self.kernel.nodes, self.random.randint(1, 3)
        x, y = self.input("x", nodes * rounds), self.output("y", nodes * rounds)
        out, into = self.buffer("out", x), self.buffer("in", x)
        pipes = self._pipes()
        self.net_lines.append(f"{self.name}_net = ttl.PipeNet({pipes})")
        at = f"node * {rounds} + t"
        send = [*self.fill(out, x.slice(at)), f"with {out}.wait() as {out}_blk:",
                f"    {self.name}_net.if_src(lambda pipe: ttl.copy({out}_blk, pipe).wait())"]
        receive = [f"with {into}.reserve() as {into}_blk:",
                   f"    {self.name}_net.if_dst(lambda pipe: ttl.copy(pipe, {into}_blk).wait())",
                   *self.drain(into, y.slice(at))]
        send = [f"if {self.name}_net.is_src():", *indented(send)]
        self.threads[self.sender] += self.loop("t", rounds, send)
        self.threads[self.receiver] += self.loop("t", rounds, receive)

    def _pipes(self):
        nodes, (columns, rows) = self.kernel.nodes, self.kernel.grid
        if nodes > 1 and self.random.random() < 0.5:
            return f"[ttl.Pipe(n, (n + 1) % {nodes}) for n in range({nodes})]"
        return f"[ttl.Pipe((0, 0), (slice(0, {columns}), slice(0, {rows})))]"


class Barrier(Piece):
    """All nodes of all devices report to one, which lets them go on. Then each reads what another node of its
    device has written."""

    def write(self):
        kernel, turns = self.kernel, self.random.randint(1, 3)
        self.arrived, self.released = self.semaphore("arrived"), self.semaphore("released")
        x, y, z = self.input("x", kernel.nodes * turns), *(self.output(name, kernel.nodes * turns) for name in "yz")
        dfb, again = self.buffer("own", x), self.buffer("again", y)
        own, other = f"node * {turns} + t", f"((node + 1) % {kernel.nodes}) * {turns} + t"
        total = kernel.nodes * kernel.devices
        body = [*self.fill(dfb, x.slice(own)), *self.drain(dfb, y.slice(own)),
                f"{self.arrived}.get_remote({point(kernel, '0', '0')}).inc(1)",
                "if me == 0 and node == 0:", f"    {self.arrived}.wait_ge((t + 1) * {total})",
                *indented(self._release()), *self._wait(),
                *self.fill(again, y.slice(other)), *self.drain(again, z.slice(own))]
        self.threads[self.sender] += self.loop("t", turns, body)

    def _release(self):
        """Returns the statements with which node 0 of device 0 lets the others go on."""
        kernel = self.kernel
        self.is_in_steps = self.random.random() < 0.4
        if self.is_in_steps:  # one node of each device, which tells the others
            return [f"for d in ttl.static_range({kernel.devices}):",
                    f"    {self.released}.get_remote({point(kernel, 'd', '0')}).set(t + 1)"]
        change = self.random.choice(("set(t + 1)", "inc(1)"))
        return [f"for d in ttl.static_range({kernel.devices}):", f"    for m in ttl.static_range({kernel.nodes}):",
                f"        {self.released}.get_remote({point(kernel, 'd', 'm')}).{change}"]

    def _wait(self):
        if not self.is_in_steps:
            return [f"{self.released}.wait_ge(t + 1)"]
        inside = self.semaphore("inside")
        return ["if node == 0:", f"    {self.released}.wait_ge(t + 1)",
                f"    {inside}.get_remote_multicast().set(t + 1)", f"{inside}.wait_ge(t + 1)"]


class Chain(Piece):
    """The devices take turns: each is let go by the one before, and the first by the last one."""

    def write(self):
        kernel, turns = self.kernel, self.random.randint(1, 3)
        turn = self.semaphore("turn")
        x, y = self.input("x", kernel.nodes * turns), self.output("y", kernel.nodes * turns)
        dfb, at = self.buffer("own", x), f"node * {turns} + t"
        following = f"(me + 1) % {kernel.devices}"
        body = ["if me > 0 or t > 0:", f"    {turn}.wait_ge(t + {self._own_turn()})", *self.fill(dfb, x.slice(at)),
                *incremented(kernel, turn, following, "node"), *self.drain(dfb, y.slice(at))]
        self.threads[self.sender] += self.loop("t", turns, body)
        self.threads[self.sender] += ["if me == 0:", f"    {turn}.wait_ge({turns})"]

    def _own_turn(self):
        """Lets device 0 begin by itself, so that it is let go once less often."""
        self.threads[self.sender] += [f"{self.name}_first = 1", "if me == 0:", f"    {self.name}_first = 0"]
        return f"{self.name}_first"
