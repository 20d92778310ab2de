# SPDX-License-Identifier: Apache-2.0
"""Returns the programs that the fuzzer mutates: the examples, kernels with one mistake each, and the
tests of the language. Each is the text of one Python file."""

import ast
import pathlib
from dataclasses import dataclass

PYTHON_TESTS = pathlib.Path(__file__).parent.parent
FRONTEND = PYTHON_TESTS / "frontend"
EXAMPLES = PYTHON_TESTS.parents[1] / "examples"
MISTAKES = FRONTEND / "common_mistakes"
SUITES = (
    "block_functions block_shapes carried_values dtypes ir language layouts nodes_in_bodies "
    "operations path_ends pipes recovery refusals run static_eval transfer_groups unified "
    "values_across_regions"
).split()
MAX_CASES = 4  # cases that are taken from one parametrized test
# Words of programs that are left out: a mutant must not start processes or change files.
UNSAFE = ("subprocess", "os.", "signal.", "open(", "tmp_path", "sys.executable")


@dataclass
class Program:
    name: str
    text: str


def programs():
    found = [*_examples(), *_mistakes(), *_tests()]
    return [each for each in found if not any(word in each.text for word in UNSAFE)]


def folders():
    """Returns the folders in which programs find the modules that they import."""
    return [str(EXAMPLES), str(FRONTEND)]


# ===--------------------------------------------------------------------------=== #
# Examples
# ===--------------------------------------------------------------------------=== #


def _examples():
    for file in sorted(EXAMPLES.glob("*.py")):
        if file.name != "check.py":
            yield Program(file.stem, _plain(ast.parse(file.read_text())))


def _plain(tree):
    return ast.unparse(tree) + "\n"


# ===--------------------------------------------------------------------------=== #
# A function and the statements that it needs
# ===--------------------------------------------------------------------------=== #


def _bound_names(statement):
    """Returns the names that a statement of a module defines."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _slice(statements, root):
    """Returns the statements of a module that the function `root` needs, in order."""
    makers = {name: each for each in statements for name in _bound_names(each)}
    needed, rest = [], [root]
    while rest:
        statement = rest.pop()
        if statement in needed:
            continue
        needed.append(statement)
        names = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
        rest += [makers[name] for name in names if name in makers]
    return [each for each in statements if each in needed]


# ===--------------------------------------------------------------------------=== #
# Mistakes
# ===--------------------------------------------------------------------------=== #

_LAUNCH = """
@ttl.operation(grid={grid})
def op(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape={a})
    b_dfb = ttl.make_dataflow_buffer_like(b, shape={b})
    y_dfb = ttl.make_dataflow_buffer_like(y, shape={y})
    {name}(a, b, y, a_dfb, b_dfb, y_dfb)

op(*(ttnn.ones((64, 64)) for _ in range(3)))
"""


def _mistakes():
    common = ast.parse((MISTAKES / "__init__.py").read_text()).body
    for file in sorted(MISTAKES.glob("*.py")):
        statements = [*common, *ast.parse(file.read_text()).body]
        for function in statements:
            if isinstance(function, ast.FunctionDef) and _is_mistake(function):
                yield Program(f"{file.stem}.{function.name}", _mistake(statements, function))


def _is_mistake(function):
    return any(ast.unparse(each).startswith("mistake(") for each in function.decorator_list)


def _mistake(statements, function):
    (decorator,) = function.decorator_list
    facts = {keyword.arg: keyword.value for keyword in decorator.keywords}
    shapes = ast.literal_eval(facts["shapes"]) if "shapes" in facts else {}
    grid = ast.unparse(facts["grid"]) if "grid" in facts else (1, 1)
    function.decorator_list = []
    local = [each for each in statements if not _is_of_catalogue(each)]
    body = "\n\n".join(ast.unparse(each) for each in _slice(local, function))
    if "import ttl\n" not in body:
        body = "import ttl\n" + body
    extents = {name: shapes.get(name, (1, 1)) for name in "aby"}
    return "import ttnn\n" + body + _LAUNCH.format(name=function.name, grid=grid, **extents)


def _is_of_catalogue(statement):
    """Returns whether a statement imports helpers of the catalogue of mistakes (relative imports)."""
    return isinstance(statement, ast.ImportFrom) and statement.level > 0


# ===--------------------------------------------------------------------------=== #
# Tests
# ===--------------------------------------------------------------------------=== #


def _tests():
    for suite in SUITES:
        file = FRONTEND / f"test_{suite}.py"
        statements = ast.parse(file.read_text()).body
        for function in statements:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                yield from _cases(suite, statements, function)


def _cases(suite, statements, function):
    """Yields a program for each of the first MAX_CASES cases of a test that needs no fixture."""
    marks = [ast.unparse(each) for each in function.decorator_list]
    tables = [each for each in function.decorator_list
              if ast.unparse(each).startswith("pytest.mark.parametrize")]
    wanted = {argument.arg for argument in function.args.args}
    name = f"{suite}.{function.name}"
    if not tables and not wanted:
        yield _case(name, statements, function, f"{function.name}()\n")
    elif len(tables) == 1 and not any("pytest.param(" in mark for mark in marks):
        names = [text.strip() for text in ast.literal_eval(tables[0].args[0]).split(",")]
        if wanted == set(names):
            for index in range(_length(tables[0].args[1])):
                call = _CALL.format(names=names, values=ast.unparse(tables[0].args[1]),
                                    index=index, test=function.name)
                yield _case(f"{name}[{index}]", statements, function, call)


_CALL = """
names = {names}
value = list({values})[{index}]
{test}(**dict(zip(names, value if len(names) > 1 else [value])))
"""


def _length(values):
    return min(len(values.elts), MAX_CASES) if isinstance(values, (ast.List, ast.Tuple)) else 1


def _case(name, statements, function, call):
    needs = ast.parse(call).body
    function.decorator_list = []
    wanted = _slice([*statements, *needs], function)
    for statement in needs:
        wanted += [each for each in _slice([*statements, *needs], statement) if each not in wanted]
    ordered = [each for each in [*statements, *needs] if each in wanted]
    return Program(name, "\n\n".join(ast.unparse(each) for each in ordered) + "\n")
