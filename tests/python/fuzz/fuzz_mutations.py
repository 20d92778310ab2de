# SPDX-License-Identifier: Apache-2.0
"""Makes mutants: random changes of a program's tokens, of its lines, and of its syntax tree.

A mutant is text that Python can compile. The same state of the random generator makes the same mutant."""

import ast
import builtins
import copy
import io
import tokenize
import warnings

from fuzz_refused import random_statement
from fuzz_syntax import random_expression, random_statements

MAX_ATTEMPTS = 40  # after so many attempts, a mutant that does not compile is given up
MAX_CHARACTERS = 40_000
LITERALS = """
0 1 -1 2 3 7 31 32 33 64 1000 2**31-1 2**31 -2**31 10**30 0.0 -0.0 1.5 1e38 1e400 -1e400 1j None
True False '' 'x' '\\ud800' b'q' ... () [] {} (1,1) (0,0) (1,2,3) (0,) (2,1) slice(None) slice(0,1) range(3)
""".split()
OPERATORS = "+ - * / // % ** @ << >> & | ^ < <= > >= == != and or in is , . = += -= *= : ( ) [ ]".split()


def mutate(text, chance, others):
    """Returns a mutant of `text`. `others` are programs whose statements it may get."""
    for _ in range(MAX_ATTEMPTS):
        mutant = text
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
            mutant = _mutate_once(mutant, chance, others) or mutant
        if mutant != text and len(mutant) < MAX_CHARACTERS and compiles(mutant):
            return mutant
    return text


def compiles(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant", "exec")
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return True


def _mutate_once(text, chance, others):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    function = _choose_function(tree, chance)
    if function is None:
        return None
    if chance.random() < 0.4:
        return _mutate_lines(text, function, chance)
    change = chance.choice(TREE_CHANGES)
    change(function, chance, others)
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except (ValueError, RecursionError, TypeError, AttributeError):
        return None  # the changed tree has no text


# ===--------------------------------------------------------------------------=== #
# Where to change a program
# ===--------------------------------------------------------------------------=== #


def functions_of(tree):
    """Returns (function, enclosing functions) for every function of a program."""
    found, rest = [], [(tree, ())]
    while rest:
        node, outer = rest.pop()
        inner = (*outer, node) if isinstance(node, ast.FunctionDef) else outer
        if isinstance(node, ast.FunctionDef):
            found.append((node, outer))
        rest += [(child, inner) for child in ast.iter_child_nodes(node)]
    return sorted(found, key=lambda each: each[0].lineno)


def _weight(function, outer):
    """Returns a function's weight in the choice: kernel functions are changed more often than others."""
    decorators = [ast.unparse(each) for each in function.decorator_list]
    if any(text.startswith("ttl.") and "operation" not in text for text in decorators):
        return 8
    if any("operation" in text for text in decorators):
        return 2
    return 4 if outer else 1


def _choose_function(tree, chance):
    functions = functions_of(tree)
    if not functions:
        return None
    weights = [_weight(*each) for each in functions]
    return chance.choices(functions, weights)[0][0]


# ===--------------------------------------------------------------------------=== #
# Tokens and lines
# ===--------------------------------------------------------------------------=== #


def _mutate_lines(text, function, chance):
    lines = text.splitlines()
    first, last = function.lineno - 1, function.end_lineno
    part = lines[first:last]
    change = chance.choice((_change_tokens, _change_tokens, _change_tokens, _change_lines))
    changed = change(part, chance)
    return "\n".join([*lines[:first], *changed, *lines[last:]]) + "\n"


def _change_lines(part, chance):
    """Deletes, repeats, swaps or indents lines."""
    part = list(part)
    start = chance.randrange(len(part))
    end = min(len(part), start + chance.choice((1, 1, 2, 3)))
    target = chance.randrange(len(part))
    kind = chance.choice("delete repeat move indent dedent".split())
    if kind == "delete":
        del part[start:end]
    elif kind == "repeat":
        part[target:target] = part[start:end]
    elif kind == "move":
        moved = part[start:end]
        del part[start:end]
        part[target:target] = moved
    else:
        shift = (lambda line: "    " + line) if kind == "indent" else (lambda line: line[4:])
        part[start:end] = [shift(line) for line in part[start:end]]
    return part or ["pass"]


def _change_tokens(part, chance):
    """Deletes, repeats, swaps or replaces tokens of one line."""
    candidates = [index for index, line in enumerate(part) if line.strip()]
    if not candidates:
        return part
    index = chance.choice(candidates)
    tokens = _tokens(part[index].strip())
    if not tokens:
        return part
    names = sorted({token for line in part for token in _tokens(line.strip()) if token.isidentifier()})
    indent = part[index][: len(part[index]) - len(part[index].lstrip())]
    _change_token(tokens, names, chance)
    return [*part[:index], indent + " ".join(tokens), *part[index + 1 :]]


def _tokens(line):
    skipped = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    try:
        found = list(tokenize.generate_tokens(io.StringIO(line).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return line.split(" ")
    return [token.string for token in found if token.type not in skipped]


def _change_token(tokens, names, chance):
    at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    kind = chance.choice("delete repeat swap neighbours literal name operator".split())
    if kind == "delete":
        del tokens[at]
    elif kind == "repeat":
        tokens.insert(other, tokens[at])
    elif kind == "swap":
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == "neighbours" and at + 1 < len(tokens):
        tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    elif kind == "literal":
        tokens[_one_of(tokens, chance, lambda text: text[0].isdigit() or text[0] in "'\"", at)] = (
            chance.choice(LITERALS)
        )
    elif kind == "name" and names:
        tokens[_one_of(tokens, chance, str.isidentifier, at)] = chance.choice(names)
    else:
        tokens[_one_of(tokens, chance, lambda text: text in OPERATORS, at)] = chance.choice(OPERATORS)


def _one_of(tokens, chance, is_wanted, otherwise):
    found = [index for index, token in enumerate(tokens) if is_wanted(token)]
    return chance.choice(found) if found else otherwise


# ===--------------------------------------------------------------------------=== #
# Syntax trees
# ===--------------------------------------------------------------------------=== #


def _nodes(function, kind):
    return [node for statement in function.body for node in ast.walk(statement)
            if isinstance(node, kind)]


def _lists(function):
    """Returns the lists of statements inside a function."""
    blocks = [function.body]
    for statement in function.body:
        for node in ast.walk(statement):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list) and block:
                    blocks.append(block)
    return blocks


def _names(function):
    """Returns the names that the function reads, and `ttl`."""
    used = [node.id for node in _nodes(function, ast.Name) if not hasattr(builtins, node.id)]
    return sorted({*used, "ttl"})


def _reads(function):
    """Yields (node, field, index) for every expression that the function's body reads."""
    for node in _nodes(function, ast.AST):
        for field, value in ast.iter_fields(node):
            for index, item in enumerate(value if isinstance(value, list) else [value]):
                is_read = isinstance(getattr(item, "ctx", ast.Load()), ast.Load)
                if isinstance(item, ast.expr) and is_read:
                    yield node, field, index if isinstance(value, list) else None


def _get(place):
    node, field, index = place
    value = getattr(node, field)
    return value if index is None else value[index]


def _put(place, expression):
    node, field, index = place
    if index is None:
        setattr(node, field, expression)
    else:
        getattr(node, field)[index] = expression


def _replace_expression(function, chance, _others):
    places = list(_reads(function))
    if places:
        _put(chance.choice(places), random_expression(chance, _names(function)))


def _swap_expressions(function, chance, _others):
    places = list(_reads(function))
    if len(places) < 2:
        return
    one, two = chance.sample(places, 2)
    first, second = copy.deepcopy(_get(one)), copy.deepcopy(_get(two))
    _put(one, second)
    _put(two, first)


def _change_literal(function, chance, _others):
    constants = _nodes(function, ast.Constant)
    if constants:
        new = ast.parse(chance.choice(LITERALS), mode="eval").body
        target = chance.choice(constants)
        for place in list(_reads(function)):
            if _get(place) is target:
                _put(place, new)
                return


def _change_arguments(function, chance, _others):
    calls = _nodes(function, ast.Call)
    if not calls:
        return
    call = chance.choice(calls)
    kind = chance.choice("drop add repeat keyword star shuffle".split())
    new = random_expression(chance, _names(function))
    if kind == "drop" and call.args:
        call.args.pop(chance.randrange(len(call.args)))
    elif kind == "repeat" and call.args:
        call.args.append(copy.deepcopy(chance.choice(call.args)))
    elif kind == "keyword":
        known = "shape dims dim acc dst src start value initial block_count x".split()
        call.keywords.append(ast.keyword(chance.choice(known), new))
    elif kind == "star":
        call.args.append(ast.Starred(new, ast.Load()))
    elif kind == "shuffle":
        chance.shuffle(call.args)
    else:
        call.args.append(new)


ATTRIBUTES = (
    "wait push pop store reserve shape dtype src dst if_src if_dst is_src set inc get_remote add "
    "wait_all wait_eq wait_ge exp foo __class__ __dict__ node copy math block append items real T"
).split()


def _change_attribute(function, chance, _others):
    attributes = _nodes(function, ast.Attribute)
    if attributes:
        chance.choice(attributes).attr = chance.choice(ATTRIBUTES)


def _change_operator(function, chance, _others):
    kinds = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
             ast.LShift, ast.BitAnd)
    comparisons = (ast.Eq, ast.NotEq, ast.Lt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn)
    operators = _nodes(function, (ast.BinOp, ast.AugAssign, ast.Compare, ast.BoolOp))
    if not operators:
        return
    node = chance.choice(operators)
    if isinstance(node, ast.Compare):
        node.ops[0] = chance.choice(comparisons)()
    elif isinstance(node, ast.BoolOp):
        node.op = chance.choice((ast.And, ast.Or))()
    else:
        node.op = chance.choice(kinds)()


def _insert_statements(function, chance, _others):
    block = chance.choice(_lists(function))
    at = chance.randint(0, len(block))
    block[at:at] = random_statements(chance, _names(function))


def _delete_statement(function, chance, _others):
    block = chance.choice(_lists(function))
    block.pop(chance.randrange(len(block)))
    if not block:
        block.append(ast.Pass())


def _repeat_statement(function, chance, _others):
    source, target = chance.choice(_lists(function)), chance.choice(_lists(function))
    target.insert(chance.randint(0, len(target)), copy.deepcopy(chance.choice(source)))


def _swap_statements(function, chance, _others):
    block = chance.choice(_lists(function))
    one, two = chance.randrange(len(block)), chance.randrange(len(block))
    block[one], block[two] = block[two], block[one]


WRAPPERS = """
if ttl.node(dims=1) == 0: pass
if ttl.node(dims=1) > 5: pass
if True: pass
for q in range(2): pass
for q in range(ttl.node(dims=1)): pass
for q in (1, 2): pass
while ttl.node(dims=1) > 3: pass
while True: pass
with ttl.signpost('s'): pass
for q in range(3, 0, -1): pass
""".strip().splitlines()


def _wrap_statements(function, chance, _others):
    """Moves statements into a branch or a loop."""
    block = chance.choice(_lists(function))
    start = chance.randrange(len(block))
    end = min(len(block), start + chance.choice((1, 1, 2, 4)))
    wrapper = ast.parse(chance.choice(WRAPPERS)).body[0]
    wrapper.body = block[start:end]
    if isinstance(wrapper, ast.While) and chance.random() < 0.8:
        wrapper.body.append(ast.Break())
    block[start:end] = [wrapper]


def _unwrap_statement(function, chance, _others):
    blocks = [each for each in _nodes(function, (ast.If, ast.For, ast.While, ast.With))]
    if not blocks:
        return
    chosen = chance.choice(blocks)
    for block in _lists(function):
        if chosen in block:
            at = block.index(chosen)
            block[at : at + 1] = chosen.body
            return


def _take_statement(function, chance, others):
    """Inserts a statement of another program."""
    tree = ast.parse(chance.choice(others))
    functions = [each for each, outer in functions_of(tree) if outer] or [None]
    donor = chance.choice(functions)
    if donor is not None:
        block = chance.choice(_lists(function))
        block.insert(chance.randint(0, len(block)), chance.choice(chance.choice(_lists(donor))))


def _blocks(function):
    """Returns the names of blocks: {"r": names of reserved blocks, "w": names of blocks from wait()}."""
    found = {"r": [], "w": []}
    for node in _nodes(function, (ast.withitem, ast.Assign)):
        value = node.context_expr if isinstance(node, ast.withitem) else node.value
        target = node.optional_vars if isinstance(node, ast.withitem) else node.targets[0]
        if isinstance(target, ast.Name) and isinstance(value, ast.Call):
            method = getattr(value.func, "attr", "")
            if method in ("reserve", "wait"):
                found["r" if method == "reserve" else "w"].append(target.id)
    return found


def _plant_refused(function, chance, _others):
    """Inserts a random statement that uses the function's own blocks."""
    block = chance.choice(_lists(function))
    at = chance.randint(0, len(block))
    try:
        block[at:at] = ast.parse(random_statement(chance, _blocks(function))).body
    except SyntaxError:
        pass


def _rename(function, chance, _others):
    """Replaces one use of a variable by another variable."""
    uses = _nodes(function, ast.Name)
    if uses:
        chance.choice(uses).id = chance.choice(_names(function))


TREE_CHANGES = (
    _replace_expression, _replace_expression, _replace_expression, _swap_expressions, _change_literal,
    _change_literal, _change_arguments, _change_attribute, _change_operator, _insert_statements,
    _insert_statements, _delete_statement, _repeat_statement, _swap_statements, _wrap_statements,
    _wrap_statements, _unwrap_statement, _take_statement, _rename, _plant_refused, _plant_refused,
    _plant_refused,
)  # fmt: skip
