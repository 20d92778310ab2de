# SPDX-License-Identifier: Apache-2.0
"""Makes random programs whose statements fit the types of operands, but are in an order that the language
mostly refuses: two stores, sums in and around loops, releases on some paths only, blocks that loops carry,
statements of the other kind of thread, shapes that do not fit, uses after a release."""

HEAD = """
import numpy as np
import ttl
import ttnn

{outer}
@ttl.operation(grid={grid})
def op(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape={a}, block_count={count})
    b_dfb = ttl.make_dataflow_buffer_like(b, shape={b})
    c_dfb = ttl.make_dataflow_buffer_like(b, shape={b})
    y_dfb = ttl.make_dataflow_buffer_like(y, shape={y}, block_count={count})
    sem = ttl.Semaphore()
"""
TAIL = """
op(np.ones((64, 128), np.float32), np.ones((64, 128), np.float32),
   np.zeros((64, 128), np.float32))
"""
SHAPES = ("(1, 1)",) * 6 + ("(1, 2)", "(2, 2)", "(2, 1)", "(1, 4)")
BUFFERS = {"reader": ("a_dfb", "b_dfb"), "compute": ("a_dfb", "b_dfb", "c_dfb", "y_dfb"),
           "writer": ("y_dfb",), "unified": ("a_dfb", "b_dfb", "c_dfb", "y_dfb")}
FILLED_BY = {"reader": ("a_dfb", "b_dfb"), "compute": ("c_dfb", "y_dfb"), "writer": (),
             "unified": ("a_dfb", "b_dfb", "c_dfb", "y_dfb")}

# {r}: a reserved block, to be filled; {w}: a block of wait(), to be read; {e}: an expression; {v}: a variable.
COMPUTE = """
{r}.store({e}); {r}.store({e}); {r} += {e}; {r}.store({e}, acc=True); {r}.store({r} + {e})
{v} = {e}; {v} = {v} + {w}; {v} += {w}; {r}.store(0); {r}.store({w}[0, 0]); {r} += {r}; {r} *= 2
{r}[0:1, 0:1].store({e}); {w}.store({e}); {w} += {e}; {v} = {w}; {r} = {w}; {r} -= {e}
{r}.store(ttl.math.fill({n}, shape=(1, 1))); print({w}); {r}.store(ttl.math.fill({n}, shape=(2, 2)))
{r}, {w} = {w}, {r}; {v} = ({w}, {r}); {v} = [{w}]; {r}.store({v}[0]); {v} = None; {v} = {n}
"""
COPIES = """
ttl.copy({t}[{i}, {i}], {r}).wait(); ttl.copy({w}, {t}[{i}, {i}]).wait(); x = ttl.copy({w}, {t}[{i}, {i}])
x = ttl.copy({t}[{i}, {i}], {r}); x.wait(); x.wait(); group.add(ttl.copy({t}[{i}, {i}], {r}))
group.wait_all(); ttl.copy({t}[{i}:{i} + 1, 0:2], {r}).wait(); ttl.copy({w}, {r}).wait(); sem.set({n})
sem.wait_ge({n}); ttl.copy({t}[{i}, {i}], {r}[0, 0]).wait(); z = x; x = None; ttl.copy({r}, {t}[0, 0])
"""
BLOCKS = """
{r} = {f}.reserve(); {w} = {g}.wait(); {r}.push(); {w}.pop(); {r}.push(); {w}.pop(); {g}.pop(); {f}.push()
{r} = {f}.reserve(); {w} = {g}.wait(); {w} = {f}.wait(); {r} = {g}.reserve(); helper({w}); helper({r})
{w} = helper({w}); held.append({w}); held.append({f}.reserve()); held[0].pop(); held.pop().push()
return; pass; n += 1; {v} = n; n = {i}; {r}, {w} = {f}.reserve(), {g}.wait(); held = [{w}, {r}]
"""
EXPRESSIONS = """
{w}; {w}; {w} + {w}; {w} * {n}; {w} @ {w}; ttl.math.exp({w}); {v}; {v} + {w}; {w} - {r}; -{w}; {r}
ttl.math.reduce_sum({w}, dims=[0]); ttl.math.broadcast({w}, dims=[-1]); ttl.math.transpose({w})
ttl.math.where({w}, {w}, {w}); ttl.math.max({w}, {v}); ttl.math.fill({n}, shape=(1, 1)); {w} / {w}
ttl.math.broadcast(ttl.math.reduce_max({w}, dims=[-1]), dims=[-1]); {w} @ {w} + {v}; ({w} + {w}) @ {w}
"""
LOOPS = """
for i in range({k}):
for i in range(ttl.node(dims=1) + {k}):
for i in range(n, n + 2):
while n < {k}:
for j in (0, 1):
with ttl.signpost('s'):
if n == {k}:
if ttl.node(dims=1) == {k}:
if ttl.node(dims=1) < {k} and n > 0:
if True:
while True:
"""
WITHS = """
with {f}.reserve() as {r}:
with {g}.wait() as {w}:
with {g}.wait() as {w}, {f}.reserve() as {r}:
with {f}.reserve() as {w}:
"""
STARTS = ("{r} = {f}.reserve()", "{w} = {g}.wait()", "v = 1", "u = 2", "i = 0", "x = None",
          "group = ttl.GroupTransfer()")
# Numbers of statements in a thread, and in a branch or loop. With few statements, more runs before an error.
SIZES = (((1, 1, 2), (1, 1, 2)), ((2, 3, 4, 6), (1, 2, 2, 3, 4)))
FINAL = ("break", "continue", "n += 1", "pass", "return")


def _choices(text):
    return [each.strip() for each in text.replace("\n", ";").split(";") if each.strip()]


COMPUTE, COPIES, BLOCKS, EXPRESSIONS = map(_choices, (COMPUTE, COPIES, BLOCKS, EXPRESSIONS))
LOOPS, WITHS = LOOPS.strip().splitlines(), WITHS.strip().splitlines()


class Thread:
    """Builds the body of one thread as lines of text."""

    def __init__(self, chance, name):
        self.chance, self.name = chance, name
        self.lines, self.names = [], {"r": ["r_blk"], "w": ["w_blk"], "v": ["v", "u"]}
        self.sizes = chance.choice(SIZES)

    def text(self, indent):
        self.add(indent, "n = ttl.node(dims=1)")
        self.add(indent, "held = []")
        for line in self.chance.sample(STARTS, len(STARTS)):
            if self.chance.random() < (0.05 if "Group" in line and self.name == "compute" else 0.9):
                self.add(indent, self.fill(line))
        self.block(indent, 0)
        return "\n".join(self.lines)

    def add(self, indent, line):
        self.lines.append(" " * indent + line)

    def block(self, indent, depth):
        for _ in range(self.chance.choice(self.sizes[depth > 0])):
            if depth < 4 and self.chance.random() < (0.5 if depth < 2 else 0.25):
                self.nest(indent, depth)
            else:
                self.add(indent, self.fill(self.chance.choice(self.statements())))

    def statements(self):
        """Returns a list of statements to choose from: mostly those that this kind of thread may execute."""
        own = {"compute": COMPUTE, "unified": self.chance.choice((COMPUTE, COPIES))}
        other = self.chance.choice((COMPUTE, COPIES))
        return self.chance.choices((own.get(self.name, COPIES), BLOCKS, other), (6, 3, 1))[0]

    def nest(self, indent, depth):
        head = self.fill(self.chance.choice(self.chance.choice((LOOPS, WITHS))))
        self.add(indent, head)
        self.block(indent + 4, depth + 1)
        if head.startswith("while"):
            self.add(indent + 4, "n += 1" if self.chance.random() < 0.7 else "break")
        elif head.startswith("for") and self.chance.random() < 0.15:
            self.add(indent + 4, self.chance.choice(FINAL))
        elif head.startswith("if") and self.chance.random() < 0.5:
            if self.chance.random() < 0.2 and depth:
                self.add(indent + 4, self.chance.choice(FINAL[2:]))
            self.add(indent, "else:")
            self.block(indent + 4, depth + 1)

    def fill(self, template):
        chance = self.chance
        filled = FILLED_BY[self.name] or BUFFERS[self.name]
        read = [each for each in BUFFERS[self.name] if each not in filled] or BUFFERS[self.name]
        if chance.random() < 0.1:
            filled = read = ("a_dfb", "b_dfb", "c_dfb", "y_dfb")
        values = {"f": chance.choice(filled), "g": chance.choice(read), "t": chance.choice("aby"),
                  "i": chance.choice(("0", "0", "i", "n", "1")), "n": chance.choice("0123"),
                  "k": chance.choice(("0", "1", "2", "3", "5", "70"))}
        names = {key: chance.choice(known) for key, known in self.names.items()}
        if "{e}" in template:
            values["e"] = chance.choice(EXPRESSIONS).format(**values, **names)
        if chance.random() < 0.1 and template.startswith(("{r} =", "{w} =")):
            kind = template[1]
            self.names[kind].append(f"{kind}{len(self.names[kind])}")
            names[kind] = self.names[kind][-1]
        return template.format(**values, **names)


def program(chance):
    """Returns the text of a random program."""
    shapes = [chance.choice(SHAPES) for _ in range(3)] if chance.random() < 0.3 else ["(1, 1)"] * 3
    helper = ["def helper(block):", *(f"    {line}" for line in _helper(chance).splitlines())]
    outside = chance.random() < 0.5
    lines = ["\n".join(helper) if outside else ""]
    head = HEAD.format(outer=lines[0], grid=chance.choice(("(1, 1)", "(2, 1)", "(2, 2)")),
                       a=shapes[0], b=shapes[1], y=shapes[2], count=chance.choice((1, 2, 2, 3)))
    body = "" if outside else "\n".join("    " + line for line in helper)
    if chance.random() < 0.3:
        threads = Thread(chance, "unified").text(4)
    else:
        threads = "\n".join(_thread(chance, name) for name in ("reader", "compute", "writer"))
    return head + body + "\n" + threads + "\n" + TAIL


def _thread(chance, name):
    decorator = "compute" if name == "compute" else "datamovement"
    # A simple thread has no errors, so that more of the kernel is compiled.
    text = SIMPLE[name] if chance.random() < 0.4 else Thread(chance, name).text(8)
    return f"    @ttl.{decorator}()\n    def {name}():\n{text}\n"


SIMPLE = {
    "reader": """
        for i in range(4):
            with a_dfb.reserve() as r_blk:
                ttl.copy(a[0, i], r_blk).wait()
            with b_dfb.reserve() as r_blk:
                ttl.copy(b[0, i], r_blk).wait()
""",
    "compute": """
        for i in range(4):
            with a_dfb.wait() as w_blk, b_dfb.wait() as v, y_dfb.reserve() as r_blk:
                r_blk.store(w_blk + v)
""",
    "writer": """
        for i in range(4):
            with y_dfb.wait() as w_blk:
                ttl.copy(w_blk, y[0, i]).wait()
""",
}


def _helper(chance):
    return chance.choice((
        "block.store(block)", "block += block", "block.pop()", "block.push()", "return block",
        "if ttl.node(dims=1) == 0:\n    return block\nreturn block + block",
        "if ttl.node(dims=1) == 0:\n    block.pop()", "for k in range(3):\n    block += 1",
        "return block * 2", "block.store(0)\nblock.push()", "return None",
        "while True:\n    return block"))


# ===--------------------------------------------------------------------------=== #
# Statements to insert into other programs
# ===--------------------------------------------------------------------------=== #


def random_statement(chance, names):
    """Returns the text of a random statement that uses a program's names, given as {kind: [names]}."""
    name = chance.choice(("compute", "reader", "unified"))
    thread = Thread(chance, name)
    for kind, known in names.items():
        if known:
            thread.names[kind] = known
    if chance.random() < 0.4:
        thread.nest(0, 3)
        return "\n".join(thread.lines)
    return thread.fill(chance.choice(thread.statements()))
