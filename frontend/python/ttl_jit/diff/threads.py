# SPDX-License-Identifier: Apache-2.0
"""The threads of a random operation, in one of several spellings."""

import textwrap


def indented(lines):
    return textwrap.indent("\n".join(lines), "    ").split("\n")


class Threads:
    """Writes the body of an operation after its buffers."""

    def __init__(self, kernel):
        self.kernel, self.random = kernel, kernel.random
        self.held = [each for each in kernel.inputs if not each.is_streamed]
        self.streamed = [each for each in kernel.inputs if each.is_streamed]
        self.node = f"node = {self._node()}"
        self.is_node_in_body = self.random.random() < 0.2

    def _node(self):
        return self.random.choice((
            "ttl.node(dims=1)",
            f"ttl.node(dims=2)[0] * {self.kernel.grid[1]} + ttl.node(dims=2)[1]",
        ))

    def lines(self):
        if self.kernel.form.is_unified:
            return [self.node, *self._loops(self._unified())]
        lines = [self.node] if self.is_node_in_body else []
        lines += [f"{self._net(each)}" for each in self.held if each.exchange]
        if self.kernel.is_shuffled:
            lines += ["arrived = ttl.Semaphore()", "go = ttl.Semaphore()"]
            lines += [f"z_dfb = ttl.make_dataflow_buffer_like(z, shape={self.kernel.block})"]
        lines += self._thread("datamovement", "reader", self._loops(self._reads()))
        lines += self._thread("compute", "compute", self._loops(self._computes()))
        return lines + self._thread("datamovement", "writer", self._loops(self._writes()) + self._shuffle())

    def _thread(self, kind, name, body):
        node = [] if self.is_node_in_body else [self.node]
        return ["", f"@ttl.{kind}()", f"def {name}():", *indented([*node, *body])]

    # ===----------------------------------------------------------------------=== #
    # Loops
    # ===----------------------------------------------------------------------=== #

    def _loops(self, body):
        loops = self.kernel.loops
        for variable, extent in reversed(list(zip(loops.variables, loops.extents))):
            body = self._loop(variable, extent, body)
        return body

    def _loop(self, variable, extent, body):
        if self.random.random() < 0.15:
            return [f"{variable} = 0", f"while {variable} < {extent}:", *indented([*body, f"{variable} += 1"])]
        return [f"for {variable} in range({extent}):", *indented(body)]

    def _inner_loop(self, body):
        return self._loop("k", str(self.kernel.loops.inner), body) if body else []

    # ===----------------------------------------------------------------------=== #
    # Reading
    # ===----------------------------------------------------------------------=== #

    def _reads(self):
        loops = self.kernel.loops
        lines = []
        for each in self.held:
            if each.exchange:
                lines += getattr(self, "_" + each.exchange)(each)
        lines += self._acquire_and_read([each for each in self.held if not each.exchange], loops.at())
        lines += self._inner_loop(self._acquire_and_read(self.streamed, loops.inner_at()))
        if self.random.random() < 0.1:
            lines.append(f'print("node", node, "block", {loops.at()}, i % 3 - 1, (node + 1) / (i + 2))')
        return lines

    def _acquire_and_read(self, streams, at):
        if not streams:
            return []
        style = self.random.choice((self._read_in_with, self._read_and_push, self._read_inferred, self._read_group))
        return style(streams, at)

    def _read_in_with(self, streams, at):
        items = ", ".join(f"{each.name}_dfb.reserve() as {each.name}_blk" for each in streams)
        copies = [f"{each.name}_copy = ttl.copy({each.slice(at)}, {each.name}_blk)" for each in streams]
        waits = [f"{each.name}_copy.wait()" for each in streams]
        return [f"with {items}:", *indented(copies + waits)]

    def _read_and_push(self, streams, at):
        lines = []
        for each in streams:
            lines += [
                f"{each.name}_blk = {each.name}_dfb.reserve()",
                f"ttl.copy({each.slice(at)}, {each.name}_blk).wait()",
                f"{each.name}_blk.push()",
            ]
        return lines

    def _read_inferred(self, streams, at):
        return [f"ttl.copy({each.slice(at)}, {each.name}_dfb.reserve()).wait()" for each in streams]

    def _read_group(self, streams, at):
        items = ", ".join(f"{each.name}_dfb.reserve() as {each.name}_blk" for each in streams)
        copies = [f"group.add(ttl.copy({each.slice(at)}, {each.name}_blk))" for each in streams]
        return [f"with {items}:", *indented(["group = ttl.GroupTransfer()", *copies, "group.wait_all()"])]

    # ===----------------------------------------------------------------------=== #
    # Exchanges
    # ===----------------------------------------------------------------------=== #

    def _net(self, stream):
        columns, rows = self.kernel.grid
        nodes = self.kernel.nodes
        if stream.exchange == "ring":
            pipes = f"[ttl.Pipe(n, (n + 1) % {nodes}) for n in range({nodes})]"
        else:
            pipes = f"[ttl.Pipe((0, 0), (slice(0, {columns}), slice(0, {rows})))]"
        return f"{stream.name}_net = ttl.PipeNet({pipes})"

    def _ring(self, stream):
        """Returns statements: each node sends its block to the next one, and gets one from the node before."""
        name, at = stream.name, self.kernel.loops.at()
        return [
            f"with {name}_dfb.reserve() as {name}_blk:",
            f"    ttl.copy({stream.slice(at)}, {name}_blk).wait()",
            f"    {name}_net.if_src(lambda pipe: ttl.copy({name}_blk, pipe).wait())",
            f"with {name}_dfb.reserve() as {name}_next:",
            f"    {name}_net.if_dst(lambda pipe: ttl.copy(pipe, {name}_next).wait())",
        ]

    def _multicast(self, stream):
        """Returns statements: node 0 reads a block and sends it to all nodes, itself too."""
        name, at = stream.name, self.kernel.loops.at()
        return [
            f"if {name}_net.is_src():",
            f"    with {name}_send_dfb.reserve() as {name}_own:",
            f"        ttl.copy({stream.slice(at)}, {name}_own).wait()",
            f"        {name}_net.if_src(lambda pipe: ttl.copy({name}_own, pipe).wait())",
            f"    {name}_send_dfb.wait().pop()",
            f"with {name}_dfb.reserve() as {name}_blk:",
            f"    {name}_net.if_dst(lambda pipe: ttl.copy(pipe, {name}_blk).wait())",
        ]

    def _shuffle(self):
        """Returns statements: after all nodes have written, each copies what the next one wrote."""
        if not self.kernel.is_shuffled:
            return []
        nodes, most = self.kernel.nodes, self.kernel.loops.blocks(1)
        y = self.kernel.output
        source, target = y.slice(f"((node + 1) % {nodes}) * {most}"), y.slice(f"node * {most}")
        return [
            "arrived.get_remote((0, 0)).inc(1)",
            "if node == 0:",
            f"    arrived.wait_ge({nodes})",
            "    go.get_remote_multicast().set(1)",
            "go.wait_eq(1)",
            "with z_dfb.reserve() as z_blk:",
            f"    ttl.copy({source}, z_blk).wait()",
            f"    ttl.copy(z_blk, z{target[len(y.name):]}).wait()",
        ]

    # ===----------------------------------------------------------------------=== #
    # Computing and writing
    # ===----------------------------------------------------------------------=== #

    def _computes(self):
        lines = self.kernel.lines
        inner = self._inner_loop(self._waited(self.streamed, lines.inner)) if self.streamed else []
        body = [*lines.before, *inner, *lines.after]
        if self.random.random() < 0.3:
            return self._waited(self.held, ["y_blk = y_dfb.reserve()", *body, "y_blk.push()"])
        return self._waited(self.held, ["with y_dfb.reserve() as y_blk:", *indented(body)])

    def _waited(self, streams, body):
        """Returns the statements with the blocks of the inputs around them."""
        if not streams:
            return body
        names = [name for each in streams for name in _blocks(each)]
        if self.random.random() < 0.3:
            waits = [f"{name} = {_buffer(name)}.wait()" for name in names]
            return [*waits, *body, *(f"{name}.pop()" for name in names)]
        items = ", ".join(f"{_buffer(name)}.wait() as {name}" for name in names)
        return [f"with {items}:", *indented(body)]

    def _writes(self):
        target = self.kernel.output.slice(self.kernel.loops.at())
        return self.random.choice((
            ["with y_dfb.wait() as y_blk:", f"    ttl.copy(y_blk, {target}).wait()"],
            ["y_blk = y_dfb.wait()", f"ttl.copy(y_blk, {target}).wait()", "y_blk.pop()"],
            [f"ttl.copy(y_dfb.wait(), {target}).wait()"],
        ))

    def _unified(self):
        loops, lines = self.kernel.loops, self.kernel.lines
        inner = self._fetched(self.streamed, loops.inner_at()) + lines.inner if self.streamed else []
        return [
            *self._fetched(self.held, loops.at()),
            "y_blk = y_dfb.reserve()",
            *lines.before, *self._inner_loop(inner), *lines.after,
            f"ttl.copy(y_dfb.wait(), {self.kernel.output.slice(loops.at())}).wait()",
        ]

    def _fetched(self, streams, at):
        lines = []
        for each in streams:
            lines += [
                f"ttl.copy({each.slice(at)}, {each.name}_dfb.reserve()).wait()",
                f"{each.name}_blk = {each.name}_dfb.wait()",
            ]
        return lines


def _blocks(stream):
    """Returns the names of the blocks of an input that an iteration uses."""
    return [f"{stream.name}_blk"] + ([f"{stream.name}_next"] if stream.exchange == "ring" else [])


def _buffer(block):
    return block.rpartition("_")[0] + "_dfb"
