# SPDX-License-Identifier: Apache-2.0
"""`return`, `break`, `continue` and `raise` under run-time conditions."""
# feature: for; while; return; Blocks in with

import linecache
import random
import threading
import time

import numpy as np
import pytest
import ttl


def tensor(rows=32, columns=32):
    return np.zeros((rows, columns), np.float32)


def operation(function, cases):
    """Returns an operation that asserts function(n) == expected for each case (n, expected)."""

    @ttl.operation(grid=(2, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            for n, expected in cases:
                assert function(x * y + n) == expected

    return op


def check(function, numbers=range(8)):
    operation(function, [(n, function(n)) for n in numbers])(tensor())


def defined(source, name, tmp_path):
    """Writes `source` to a file, executes it, and returns its function `name`."""
    file = tmp_path / f"{name}.py"
    file.write_text(source)
    linecache.checkcache(str(file))
    scope = {}
    exec(compile(source, str(file), "exec"), scope)
    return scope[name]


def in_one_branch(n):
    if n > 2:
        if n == 4:
            return 40
        x = n + 1
    else:
        x = n * 2
    return x * 10


def in_the_middle(n):
    total = 0
    if n == 1:
        return -1
    elif n == 2:
        total += 5
    elif n == 3:
        return -3
    elif n == 4:
        total += 6
    total += n
    if n > 5:
        total += 100
        if n == 7:
            return total
    return total * 2


def on_every_path(n):
    if n > 3:
        if n > 5:
            return 5
        else:
            return 4
    else:
        return n


def from_a_for(n):
    for i in range(n):
        if i * i > n:
            return i
    return -1


def from_nested_loops(n):
    total = 0
    for i in range(n):
        j = 0
        while j < 5:
            total += i * j
            if total > 12:
                return total + j
            j += 1
    return total


def from_an_endless_loop(n):
    while True:
        if n > 20:
            return n
        n = n * 2 + 1


def break_and_continue(n):
    found = -1
    odd = 0
    for i in range(0, 20, 2):
        if i % 3 == 1:
            continue
        odd += 1
        if i > n:
            found = i
            break
    return found * 100 + odd


def break_of_the_inner_loop(n):
    total = 0
    for i in range(4):
        for j in range(10):
            if j > n - i:
                break
            total += j
        else_ = total
        if else_ > 9:
            break
    return total


def break_in_a_while(n):
    i = 0
    while i < 10:
        i += 1
        if i % 2 == 0:
            continue
        if i > n:
            break
    return i


def unrolled(n):
    total = 0
    for t in (3, n, 5, 9, 8):
        if t == 9:
            break
        if t == 4:
            continue
        if t == 7:
            return -total
        total = total * 10 + t
    return total


def downwards(n):
    last = 0
    for i in range(n, -3, -2):
        last = i
        if i < 3:
            break
    return last


def condition_after_the_end(n):
    x = 3
    while 12 // x > 0:
        x -= 1
        if x == 0:
            break
    return x + n


def raises(n):
    if n < 0:
        raise ValueError("negative")
    if n < 4:
        return n
    elif n < 100:
        return 2 * n
    raise ValueError("large")


def kind_after_raise(n):
    if n > 4:
        y = 0.5
    elif n >= 0:
        y = 1
    else:
        raise ValueError("negative")
    return y


def first_of(n):
    for i in range(10):
        return i + n
    return -1


def helper_in_a_loop(n):
    total = 0
    for i in range(n):
        if from_a_for(i) > 1:
            continue
        total += i
    return total


FUNCTIONS = [
    in_one_branch, in_the_middle, on_every_path, from_a_for, from_nested_loops,
    from_an_endless_loop, break_and_continue, break_of_the_inner_loop, break_in_a_while, unrolled,
    downwards, condition_after_the_end, raises, kind_after_raise, first_of, helper_in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_meaning_is_python_s(function):
    check(function)


class Program:
    """Makes the text of a random Python function f(n) of an integer."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        body = self.block(depth=3, in_loop=False, indent=1)
        self.text = f"def f(n):\n    x = n\n    y = 0\n{body}    return y * 1000 + x\n"

    def condition(self):
        number = self.random.randrange(5)
        return self.random.choice(
            [f"x % 3 == {number % 3}", f"y > {number * 9}", f"n == {number}", "n % 2 == 0", "True"]
        )

    def block(self, depth, in_loop, indent):
        count = self.random.randrange(1, 4)
        return "".join(self.statement(depth, in_loop, indent) for _ in range(count))

    def statement(self, depth, in_loop, indent):
        space = "    " * indent
        kinds = ["assign", "assign", "return"] + ["leave"] * 2 * in_loop
        kinds += ["if", "if", "if", "for", "while", "items"] * (depth > 0)
        kind = self.random.choice(kinds)
        if kind == "assign":
            name = self.random.choice("xy")
            return f"{space}{name} = ({name} * 3 + x + y + {self.random.randrange(9)}) % 101\n"
        if kind == "return":
            return f"{space}return y + {self.random.randrange(9)}\n"
        if kind == "leave":
            return f"{space}{self.random.choice(['break', 'continue'])}\n"
        if kind == "if":
            return self.branches(depth - 1, in_loop, indent)
        self.count += 1
        name = f"i{self.count}"
        head = {
            "for": f"{space}for {name} in range(x % 4):\n",
            "items": f"{space}for {name} in (1, n, 3):\n",
            "while": f"{space}{name} = 0\n{space}while {name} < 3 + x % 2:\n{space}    {name} += 1\n",
        }[kind]
        use = f"{space}    y = (y + {name}) % 101\n"
        return head + use + self.block(depth - 1, True, indent + 1)

    def branches(self, depth, in_loop, indent):
        space = "    " * indent
        text = f"{space}if {self.condition()}:\n" + self.block(depth, in_loop, indent + 1)
        while self.random.random() < 0.4:
            text += f"{space}elif {self.condition()}:\n" + self.block(depth, in_loop, indent + 1)
        if self.random.random() < 0.5:
            text += f"{space}else:\n" + self.block(depth, in_loop, indent + 1)
        return text


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed, tmp_path):
    check(defined(Program(seed).text, "f", tmp_path), range(5))


def test_what_follows_is_built_once(tmp_path):
    def text_of(count):
        source = "def f(n):\n    x = 0\n" + "".join(
            f"    if n == {i}:\n        x += {i}\n    elif n == {i + 100}:\n        return {i}\n"
            for i in range(count)
        )
        function = defined(source + "    return x\n", "f", tmp_path)
        return operation(function, [(0, 0)]).ir(tensor())

    few, many = (len(text_of(count).splitlines()) for count in (9, 18))
    assert many < 2.2 * few


def with_elifs(count, tmp_path):
    source = "def f(n):\n    x = 0\n    if n == 0:\n        x = 7\n"
    source += "".join(f"    elif n == {i}:\n        x = {i}\n" for i in range(1, count))
    return operation(defined(source + "    return x\n", "f", tmp_path), [(5, 5)])


def test_many_elifs(tmp_path):
    op = with_elifs(2500, tmp_path)
    before = time.process_time()
    op.ir(tensor())
    assert time.process_time() - before < 15  # takes 2 s if linear, and took 46 s when it was quadratic


def test_elifs_on_a_small_stack(tmp_path):
    op = with_elifs(900, tmp_path)
    errors = []

    def launch():
        try:
            op(tensor())
        except ttl.CompileError as error:
            errors.append(error)

    before = threading.stack_size(1 << 20)
    try:
        thread = threading.Thread(target=launch)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    for error in errors:
        assert "stack of this Python thread" in error.message
        assert error.file == str(tmp_path / "f.py") and error.line > 100


def test_values_of_different_kinds():
    def either(n):
        if n == 0:
            return None
        return 1

    def some(n):
        if n == 0:
            return 1

    for function in (either, some):
        with pytest.raises(ttl.CompileError, match="returns values of different kinds"):
            operation(function, [(0, 1)]).ir(tensor())


def test_a_variable_that_a_broken_loop_lacks():
    def function(n):
        for t in (1, 2):
            if n == t:
                break
            x = t
        return x

    with pytest.raises(ttl.CompileError, match="'x' has no value if the loop"):
        operation(function, [(0, 2)]).ir(tensor())


def test_a_value_made_inside_one_branch():
    def function(n):
        if n == 3:
            return 1
        elif n == 2:
            pair = (n, n + 1)
            if n > 7:
                return 2
        else:
            pair = (n, n, n)
        return pair[1]

    with pytest.raises(ttl.CompileError, match="'pair' has values of different kinds after each"):
        operation(function, [(0, 2)]).ir(tensor())


def test_return_releases_what_with_acquired():
    def step(a_dfb, y_dfb, i):
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            if i == 1:
                y_blk.store(a_blk * 2)
                return 0
            if i == 2:
                y_blk.store(a_blk * 3)
                return 1
            y_blk.store(a_blk)
        return 2

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(4):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()

        @ttl.compute()
        def compute():
            for i in range(4):
                code = step(a_dfb, y_dfb, i)
                assert code == (0 if i == 1 else 1 if i == 2 else 2)

        @ttl.datamovement()
        def writer():
            for i in range(10):
                if i == 4:
                    break
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    a = np.random.default_rng(1).random((128, 32), np.float32)
    y = tensor(128)
    op(a, y)
    factors = np.repeat(np.float32([1, 2, 3, 1]), 32)[:, None]
    assert np.array_equal(y, a * factors)


@pytest.mark.parametrize("mode", ["raise", "assert"])
def test_a_raise_inside_with_leaves_the_blocks_unwritten(mode):
    """`mode` is known at compile time: the store is not compiled, and every path raises."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                if mode == "copy":
                    y_blk.store(a_blk)
                elif mode == "raise":
                    raise NotImplementedError(f"mode {mode}")
                else:
                    assert False, f"mode {mode}"

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    with pytest.raises(ttl.RuntimeFault, match=f"mode {mode}"):
        op(tensor(), tensor())


def carried_transfer(leave):
    """Runs a kernel with a loop whose variable holds a block and the handle of a copy into it. `leave`
    is "return" or "break": how the loop ends."""

    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            def search(pending, limit):
                for i in range(limit):
                    block = a_dfb.reserve()
                    copy = ttl.copy(a[0, 0], block)
                    pending[1].wait()
                    pending[0].push()
                    pending = (block, copy)
                    if i == 2:
                        if leave == "return":
                            return pending
                        break
                return pending

            first = a_dfb.reserve()
            block, copy = search((first, ttl.copy(a[0, 0], first)), ttl.node(dims=1) + 9)
            copy.wait()
            block.push()

        @ttl.compute()
        def compute():
            for _ in range(4):
                with a_dfb.wait():
                    pass

    op(tensor())


@pytest.mark.filterwarnings("ignore")  # the compute thread pops blocks that it has not read
def test_a_return_of_a_transfer_from_inside_a_loop():
    message = "returns a tuple from inside a loop, .* write 'break', and return the variable after"
    with pytest.raises(ttl.CompileError, match=message):
        carried_transfer("return")
    carried_transfer("break")
