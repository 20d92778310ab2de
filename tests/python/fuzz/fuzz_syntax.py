# SPDX-License-Identifier: Apache-2.0
"""Makes random expressions and statements of kernel functions."""

import ast

ATOMS = """
None; 'x'; 1.5; 10**30; -1; 0; 1; 2; (); []; {}; lambda: 0; True; ttl; ttl.node(); ttl.node(dims=1)
range(3); range(10**9); slice(0, 1); len; int; object(); b'q'; 1j; ...; ttl.copy; ttl.math
ttl.math.exp; (1, 2, 3); ttl.math.zeros(shape=(1, 1)); ttl.Pipe((0, 0), (1, 1)); ttl.PipeNet([])
9**9**9; ttl.Semaphore(0); ttl.grid_size(); ttl.grid_size(dims=1); ttl.GroupTransfer(); 2**31 - 1
ttl.block.fill(1.0, shape=(1, 1)); ttl.TILE_SHAPE; float('nan'); float('inf'); 1e300; print; super()
__name__; NotImplemented; ttl.node; ttl.Kernel('k'); type; iter([1]); 'a' 'b'; f''; not 0; {1}; {1: 2}
""".replace("\n", ";").split(";")
SHAPES = """
({0}, {1}); [{0}, {1}]; {0} + {1}; {0} - {1}; {0} * {1}; {0} / {1}; {0} // {1}; {0} % {1}
{0} ** {1}; {0} @ {1}; {0} < {1}; {0} == {1}; {0} and {1}; {0} or {1}; not {0}; -{0}; {0}[{1}]
{0}[{1}, {2}]; {0}[{1}:{2}]; {0}({1}); {0}.wait(); {0}.reserve(); {0}.pop(); {0}.push(); {0}.shape
{0}.store({1}); ttl.copy({0}, {1}); ttl.copy({0}, {1}).wait(); {0} if {1} else {2}; len({0})
[{0} for q in {1}]; [q for q in {0} if {1}]; (q := {0}); f'{{{0}}}'; f'{{{0}!r:>{{{1}}}}}'; {{{0}: {1}}}
min({0}, {1}); max({0}); abs({0}); int({0}); float({0}); range({0}, {1}); slice({0}, {1}); sum({0})
ttl.math.exp({0}); ttl.math.max({0}, {1}); ttl.math.where({0}, {1}, {2}); {0} in {1}; {0} is {1}
ttl.math.broadcast({0}, dims=[{1}]); ttl.math.reduce_sum({0}, dims=[{1}]); ttl.math.fill({0}, shape={1})
ttl.math.transpose({0}); ttl.math.typecast({0}, {1}); (lambda v: v + {1})({0}); {0}[::{1}]; *{0},
(lambda: {0})(); list({0}); tuple({0}); dict(zip({0}, {1})); enumerate({0}); zip({0}, {1}); sorted({0})
{0} < {1} < {2}; isinstance({0}, {1}); {0}.if_src(lambda p: {1}); {0}.if_dst({1}); ttl.node({0}); bool({0})
{0}.get_remote({1}).inc({2}); {0}.set({1}); {0}.wait_ge({1}); str({0}); print({0}); round({0}); any({0})
ttl.raw_element_read({0}, {1}); ttl.raw_element_write({0}, {1}, value={2}); ttl.read_index({0}, 0, 0)
ttl.math.round({0}, {1}); ttl.math.pow({0}, {1}); ttl.math.clamp({0}, {1}, {2}); {0} ^ {1}; ~{0}; {0} << {1}
""".replace("\n", ";").split(";")
STATEMENTS = """
return; return {0}; pass; raise ValueError({0}); assert {0}; assert {0}, {1}; del {n}; break; continue
import math; yield {0}; q: int = {0}; q, r = {0}; {n} = {0}; {n} += {0}; global {n}; q[0] = {0}; print({0})
q = r = {0}; {0}; {n}, *q = {0}; {n}[{0}] = {1}; {n}.x = {0}; nonlocal {n}; {n} @= {0}; await {0}
print({0}, x={1}); (yield); from math import *; {n}: {0} = {1}; q = [{0}, {1}]; q = lambda v: {0}
""".replace("\n", ";").split(";")
BLOCKS = """
if {0}: {a}|else: {b}
for q in {0}: {a}
for q in range({0}): {a}
while {0}: {a}
with {0}: {a}
with {0} as q: {a}
def q(v=1): {a}
try: {a}|except Exception: {b}
class Q: {a}
for q in {0}: {a}|else: {b}
match {0}:|    case 1: {a}
async def q(): {a}
def q(*v, **w): {a}
while {0}: {a}|else: {b}
""".strip().splitlines()


def _texts(lines):
    return [text.strip() for text in lines if text.strip()]


ATOMS, SHAPES, STATEMENTS = _texts(ATOMS), _texts(SHAPES), _texts(STATEMENTS)


def _expression_text(chance, names, depth):
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(names) if chance.random() < 0.6 else chance.choice(ATOMS)
    parts = [f"({_expression_text(chance, names, depth - 1)})" for _ in range(3)]
    return chance.choice(SHAPES).format(*parts)


def _statement_text(chance, names, depth):
    parts = [_expression_text(chance, names, 2) for _ in range(2)]
    if depth == 0 or chance.random() < 0.6:
        return chance.choice(STATEMENTS).format(*parts, n=chance.choice(names))
    inner = [_statement_text(chance, names, 0) for _ in range(2)]
    return chance.choice(BLOCKS).format(*parts, a=inner[0], b=inner[1]).replace("|", "\n")


def random_expression(chance, names):
    """Returns the syntax tree of a random expression that uses these names."""
    while True:
        text = _expression_text(chance, names, chance.choice((0, 1, 1, 2, 3)))
        try:
            return ast.parse(text, mode="eval").body
        except SyntaxError:
            pass


def random_statements(chance, names):
    """Returns the syntax trees of one or two random statements that use these names."""
    while True:
        text = _statement_text(chance, names, chance.choice((0, 1)))
        try:
            return ast.parse(text).body
        except SyntaxError:
            pass
