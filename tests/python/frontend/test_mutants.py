# SPDX-License-Identifier: Apache-2.0
"""Kernel functions with random mistakes compile or fail at a line of the program.

The examples' kernel functions are changed in one place each; the same seeds give the
same programs in every run.
"""

import ast
import copy
import random
import signal

import pytest
import ttl
from ttl import _operation

EXAMPLES = "eltwise_add exp_chain fused_mul_add ring_all_reduce softmax stream_scale"
SEEDS = range(150)
SECONDS_PER_MUTANT = 20

EXPRESSIONS = """
None; 'x'; 1.5; 10**30; -1; []; (); lambda: 0; True; ttl; ttl.node(); ttl.node(dims=1)
range(3); range(10**9); slice(0, 1); len; int; object(); b'q'; 1j; ...; ttl.copy
ttl.math.exp; (1, 2, 3); ttl.zeros(shape=(1, 1)); ttl.Pipe((0, 0), (1, 1)); ttl.PipeNet([])
ttl.node(dims=1) % 3; 1 if ttl.node(dims=1) else 2; ttl.node(dims=1) > 1; 9**9**9; {1: 2}
[ttl.node(dims=1), 2]; ttl.Semaphore(0); [i for i in ttl.node()]; f'{ttl.node()}'; (q := 3)
""".replace("\n", ";").split(";")
STATEMENTS = """
return; return 1; pass; raise ValueError; assert 0; del x; break; import os; yield; q: int = 3
q, r = 1, 2; q, r = ttl.node(dims=1); q += 1; global q; q[0] = 1; print(1); q = r = 3
while ttl.node(dims=1): pass; for q in [1, 'x', None]: ttl.node(q); with 3: pass
if ttl.node(dims=1): return; for q in range(2): q.append(1); class Q: pass; [].append(1)
""".replace("\n", ";").split(";")
NAMES = "wait push store shape dtype src if_src set get_remote foo __class__ __dict__ exp".split()
OPERATORS = (ast.Add, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.FloorDiv)


class Compiled(BaseException):
    """The operation of the program compiled; nothing runs."""


def thread_functions(tree):
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return [
        function
        for function in functions
        if any(ast.unparse(d).startswith("ttl.") and "operation" not in ast.unparse(d)
               for d in function.decorator_list)
    ]


def nodes(function, kind=ast.AST):
    """The nodes of the function's body."""
    inner = (node for statement in function.body for node in ast.walk(statement))
    return [node for node in inner if isinstance(node, kind)]


def loads(function):
    """(node, field, index) of every expression of the body that is read."""
    for node in nodes(function):
        for field, value in ast.iter_fields(node):
            for index, item in enumerate(value if isinstance(value, list) else [value]):
                is_read = isinstance(getattr(item, "ctx", ast.Load()), ast.Load)
                if isinstance(item, ast.expr) and is_read:
                    yield node, field, index if isinstance(value, list) else None


def replace(place, expression):
    node, field, index = place
    if index is None:
        setattr(node, field, expression)
    else:
        getattr(node, field)[index] = expression


def mutate(tree, chance):
    tree = copy.deepcopy(tree)
    function = chance.choice(thread_functions(tree))
    new = ast.parse(chance.choice(EXPRESSIONS).strip() or "0", mode="eval").body
    kind = chance.choice("expression argument attribute operator statement removal".split())
    calls, attributes = nodes(function, ast.Call), nodes(function, ast.Attribute)
    operators = nodes(function, ast.BinOp)
    if kind == "argument" and calls:
        call = chance.choice(calls)
        call.args = call.args[1:] if chance.random() < 0.5 else [*call.args, new]
    elif kind == "attribute" and attributes:
        chance.choice(attributes).attr = chance.choice(NAMES)
    elif kind == "operator" and operators:
        chance.choice(operators).op = chance.choice(OPERATORS)()
    elif kind == "statement":
        statement = ast.parse(chance.choice(STATEMENTS).strip() or "pass").body
        function.body[chance.randint(0, len(function.body)) : 0] = statement
    elif kind == "removal" and len(function.body) > 1:
        function.body.pop(chance.randrange(len(function.body)))
    else:
        replace(chance.choice(list(loads(function))), new)
    return ast.unparse(ast.fix_missing_locations(tree))


def too_slow(*_):
    raise TimeoutError


@pytest.fixture
def compiling_only(monkeypatch, pytestconfig):
    def compile_only(operation, *args, **keywords):
        operation.ir(*args, **keywords)
        raise Compiled

    monkeypatch.setattr(_operation.Operation, "__call__", compile_only)
    monkeypatch.syspath_prepend(pytestconfig.rootpath / "examples")
    monkeypatch.setattr("sys.argv", ["mutant"])
    before = signal.signal(signal.SIGALRM, too_slow)
    yield
    signal.signal(signal.SIGALRM, before)


def outcome(text, file):
    file.write_text(text)
    signal.alarm(SECONDS_PER_MUTANT)
    try:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__", "__file__": str(file)})
    except SyntaxError:
        return None  # 'return' with a value in a generator, for example
    except Compiled:
        return None
    except ttl.CompileError as error:
        return None if error.file == str(file) and error.line > 0 else error
    except Exception as error:
        return error
    finally:
        signal.alarm(0)
    return RuntimeError("no operation was called")


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_mutants(compiling_only, tmp_path, pytestconfig):
    examples = [pytestconfig.rootpath / "examples" / f"{name}.py" for name in EXAMPLES.split()]
    trees = [ast.parse(example.read_text()) for example in examples]
    failures = {}
    for seed in SEEDS:
        chance = random.Random(seed)
        text = mutate(chance.choice(trees), chance)
        if (error := outcome(text, tmp_path / f"mutant{seed}.py")) is not None:
            failures[seed] = f"{type(error).__name__}: {error}"
    assert not failures
