# SPDX-License-Identifier: Apache-2.0
"""A random operation on the devices of a mesh.

It consists of pieces, such as an exchange along a net or a barrier. Each piece gives statements to the
threads of the operation. All threads have the pieces in one order, so a piece that ends by itself
cannot make another one wait forever.
"""

import math
import re

from ttl_jit.diff import mesh_orders, mesh_pieces, mesh_relays
from ttl_jit.diff.mesh_nets import Nets, domain_text
from ttl_jit.diff.threads import indented

UNIFIED_SHARE = 0.1  # of the operations
GRIDS = ((1, 1), (1, 1), (2, 1), (1, 2), (2, 2))
PIECES = (mesh_pieces.Exchange,) * 4 + (
    mesh_relays.Relay, mesh_relays.SliceRelay, mesh_relays.SumRelay, mesh_relays.Swap,
    mesh_pieces.Local, mesh_pieces.Barrier, mesh_pieces.Chain)


class MeshKernel:
    """A random operation. Takes its tensors from the program, and makes new ones. If it `is_ordered`, its
    results do not depend on the order of threads."""

    def __init__(self, program, name, is_ordered):
        self.program, self.random, self.name = program, program.random, name
        self.shape, self.devices = program.shape, math.prod(program.shape)
        self.grid = self.random.choice(GRIDS)
        self.nodes = math.prod(self.grid)
        self.domain = domain_text(self.random, self.shape) if is_ordered else f"ttl.DeviceDomain({self.shape})"
        self.nets = Nets(self.random, self.domain, self.shape, self.grid)
        self.tensors = {}  # by the names of parameters
        pieces = (mesh_relays.Unified,) if is_ordered and self.random.random() < UNIFIED_SHARE else PIECES
        kinds = [self.random.choice(pieces) for _ in range(self.random.choice((1, 1, 2, 3)))]
        if not is_ordered:
            kinds[self.random.randrange(len(kinds))] = self.random.choice(mesh_orders.PIECES)
        self.pieces = [kind(self, f"p{number}") for number, kind in enumerate(kinds)]
        self.lines = self._head() + indented(self._body())

    def input(self, name, part, dtype):
        """Returns the tensor of a new parameter that threads read."""
        self.tensors[name] = self.program.input(part, dtype, avoid=list(self.tensors.values()))
        return self.tensors[name]

    def output(self, name, part, dtype):
        self.tensors[name] = self.program.output(part, dtype)
        return self.tensors[name]

    def _head(self):
        is_in_body = self.random.random() < 0.5
        self.nets_in_body = is_in_body
        lines = [f"{self.name}_chips = {self.domain}"]
        options = self.random.choice(("", "", "", ", fp32_dest_acc_en=True"))
        return [*lines, *([] if is_in_body else self._nets()), "", "",
                f"@ttl.operation(grid={self.grid}, device_domain={self.name}_chips{options})",
                f"def {self.name}({', '.join(self.tensors)}):"]

    def _nets(self):
        lines = [line for piece in self.pieces for line in piece.net_lines]
        return [self._renamed(line) for line in lines]

    def _renamed(self, line):
        """Returns a line in which the names of the domain and of nets begin with the name of this operation:
        they are variables of the module, which two operations of a program share."""
        line = re.sub(r"\bchips\b", f"{self.name}_chips", line)
        return re.sub(r"\b(p\d+_\w*net\w*)\b", rf"{self.name}_\1", line)

    def _body(self):
        lines = [line for piece in self.pieces for line in piece.setup]
        body = [self._renamed(line) for line in lines]
        body = (self._nets() if self.nets_in_body else []) + body
        for name, kind in (("mover", "datamovement"), ("compute", "compute"), ("other", "datamovement")):
            statements = [line for piece in self.pieces for line in piece.threads[name]]
            if statements:
                body += self._thread(name, kind, [self._renamed(line) for line in statements])
        return body + self._with_place([self._renamed(line) for piece in self.pieces for line in piece.threads["body"]])

    def _thread(self, name, kind, statements):
        return ["", f"@ttl.{kind}()", f"def {name}():", *indented(self._with_place(statements))]

    def _with_place(self, statements):
        """Returns the statements after those that make the variables which they use."""
        def has(word):
            return any(re.search(rf"\b{word}\b", line) for line in statements)

        at = [f"at = me * {self.nodes} + node"] if has("at") else []
        node = [f"node = {self._node()}"] if at or has("node") else []
        me = [f"me = {self.name}_chips.current_index()"] if at or has("me") else []
        return [*me, *node, *at, *statements]

    def _node(self):
        return self.random.choice((
            "ttl.node(dims=1)", f"ttl.node(dims=2)[0] * {self.grid[1]} + ttl.node(dims=2)[1]"))

    def text(self):
        return "\n" + "\n".join(self.lines)

    def _call(self):
        """Returns a call, at times unchecked: then devices with semaphores run on several host threads."""
        unchecked = any(piece.is_unchecked for piece in self.pieces) or self.random.random() < 0.3
        options = ', options="--check=off"' if unchecked else ""
        return f"{self.name}({', '.join(each.name for each in self.tensors.values())}{options})"

    def calls(self):
        return [self._call() for _ in range(self.random.choice((1, 1, 2)))]
