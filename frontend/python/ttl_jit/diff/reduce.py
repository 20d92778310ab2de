# SPDX-License-Identifier: Apache-2.0
"""Makes a program smaller as long as it still shows what was found.

The reducer changes Python's syntax tree, so it works on any program. It drops statements, replaces a
compound statement by its body and an expression by a part of it, joins threads to a unified body,
writes values for variables, and makes numbers smaller. The changes that remove most come first.
"""

import ast
import copy
import itertools
from dataclasses import dataclass

from ttl_jit.diff import variants as variant_texts
from ttl_jit.diff.children import Job

_SMALL = (0, 1, 2)
_ORDERING = ("wait", "inc(", "set(", "push", "pop", "barrier")


class Reducer:
    """`children` runs programs; `variants` are the two whose results differ. A smaller program shows
    the same if its finding has the same `signature`. `difference` is the text of the last such finding."""

    def __init__(self, children, variants, signature):
        self.children, self.variants, self.signature = children, variants, signature
        self.tried, self.difference = 0, None
        # Without the statements that order threads, a program may have several correct results.
        first, second = variants
        self.keeps_order = first.order() != second.order()

    def reduce(self, text):
        """Returns a program of which no single change gives a smaller one that shows the same; the
        program itself if it does not show the finding."""
        tree = ast.parse(text)
        if self._first([tree]) is None:
            return text
        while True:
            smaller = tree
            for changes in (_dropped_names, self._statements, _bodies, _joined_threads, _parts, _numbers, _bounds,
                            _without_variables):
                smaller = self._apply(smaller, changes)
            if smaller is tree:
                return ast.unparse(tree) + "\n"
            tree = smaller

    def _statements(self, tree):
        return _dropped_statements(tree, _ORDERING if self.keeps_order else ())

    def _apply(self, tree, changes):
        """Returns the tree after all changes of one kind that keep the finding."""
        skipped, text = 0, ast.unparse(tree) + "\n"
        while True:
            rest = itertools.islice(changes(tree), skipped, None)
            batch = list(itertools.islice(rest, 4 * self.children.most))
            if not batch:
                return tree
            candidates = [change.applied(tree) for change in batch]
            found = self._first(candidates, text)
            if found is None:
                skipped += len(batch)
            else:
                tree, skipped = candidates[found], skipped + found
                text = ast.unparse(tree) + "\n"

    def _first(self, trees, before=""):
        """Returns the index of the first tree that shows the finding, or None. A tree whose text is
        `before` does not count."""
        texts = [ast.unparse(tree) + "\n" for tree in trees]
        jobs = [Job(index, text, self.variants) for index, text in enumerate(texts) if text != before]
        self.tried += len(jobs)
        good = {job.number: report["finding"]["text"] for job, report in self.children.run(jobs, batch=2)
                if self._is_same(report)}
        first = min(good, default=None)
        self.difference = good.get(first, self.difference)
        return first

    def _is_same(self, report):
        return report["finding"] is not None and signature(report["finding"]["text"]) == self.signature


def signature(text):
    """Returns what must stay of a finding while its program becomes smaller: its kind, without
    tensors, elements and lines."""
    if "elements differ" in text:
        return "elements differ"
    return " ".join(word for word in text.replace(":", " ").split() if not any(map(str.isdigit, word)))


def reduce(found, children):
    """Makes the program of a Found as small as it gets, with the text that tells its difference."""
    two = [variant_texts.of(text) for text in found.variants]
    reducer = Reducer(children, two, signature(found.text))
    found.program = reducer.reduce(found.program)
    found.text = reducer.difference or found.text


# ===--------------------------------------------------------------------------=== #
# Changes of a tree
# ===--------------------------------------------------------------------------=== #


@dataclass
class Change:
    """Replaces the nodes with these numbers, in the order of ast.walk, by copies of others: by a
    list in a list of statements."""

    numbers: tuple
    replacement: object

    def applied(self, tree):
        changed = copy.deepcopy(tree)
        nodes = list(ast.walk(changed))
        targets = {id(nodes[number]) for number in self.numbers}
        for node in nodes:
            for field, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(node, field, self._items(value, targets, field))
                    _drop_pass(node, field)
                elif id(value) in targets:
                    setattr(node, field, copy.deepcopy(self.replacement))
        return ast.fix_missing_locations(changed)

    def _items(self, values, targets, field):
        items = []
        for value in values:
            if id(value) not in targets:
                items.append(value)
                continue
            new = copy.deepcopy(self.replacement)
            items += new if isinstance(new, list) else [new]
        return items or ([ast.Pass()] if values and field == "body" else [])


def _drop_pass(node, field):
    statements = [each for each in getattr(node, field) if not isinstance(each, ast.Pass)]
    if statements:
        setattr(node, field, statements)


def _numbered(tree, kinds):
    return [(number, node) for number, node in enumerate(ast.walk(tree)) if isinstance(node, kinds)]


class _Dropper(ast.NodeTransformer):
    """Drops statements and items of with statements that mention one of these names, and with statements
    of which nothing is left: a block that nobody fills hides the finding behind another one."""

    def __init__(self, names):
        self.names = names

    def applied(self, tree):
        return ast.fix_missing_locations(self.visit(copy.deepcopy(tree)))

    def _mentions(self, node):
        return any(isinstance(each, ast.Name) and each.id in self.names for each in ast.walk(node))

    def _simple(self, node):
        return None if self._mentions(node) else node

    visit_Expr = visit_Assign = visit_AugAssign = visit_Return = _simple

    def visit_With(self, node):
        node.items = [item for item in node.items if not self._mentions(item)]
        node.body = self._visited(node.body)
        if all(isinstance(each, ast.Pass) for each in node.body):
            return None
        return node if node.items else node.body

    def visit_If(self, node):
        if self._mentions(node.test):
            return None
        return self.visit_For(node)

    def visit_For(self, node):
        node.body, node.orelse = self._visited(node.body), [self.visit(each) for each in node.orelse]
        node.orelse = [each for each in node.orelse if each is not None]
        return node

    visit_While = visit_For

    def visit_FunctionDef(self, node):
        node.body = self._visited(node.body)
        return node

    def _visited(self, statements):
        kept = []
        for each in statements:
            new = self.visit(each)
            kept += new if isinstance(new, list) else [] if new is None else [new]
        return kept or [ast.Pass()]


def _dropped_names(tree):
    """Yields changes that drop all names of a buffer, such as x0_dfb, x0_blk and x0_net, or one name, in all
    threads at once: dropping only the sends of a net, or only its receives, would be a deadlock."""
    groups = {}
    for name in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}):
        groups.setdefault(name.split("_")[0], []).append(name)
    yield from (_Dropper(set(names)) for _, names in sorted(groups.items()))
    yield from (_Dropper({name}) for names in groups.values() if len(names) > 1 for name in names)


def _dropped_statements(tree, kept):
    for number, node in _numbered(tree, ast.stmt):
        is_simple = isinstance(node, (ast.Expr, ast.Assign))
        text = ast.unparse(node) if kept and is_simple else ""
        if not isinstance(node, ast.Pass) and not any(word in text for word in kept):
            yield Change((number,), [])


def _bodies(tree):
    """Yields changes: loops, conditions and with statements become their bodies, counting loops `for`."""
    for number, node in _numbered(tree, (ast.If, ast.For, ast.While, ast.With)):
        yield Change((number,), node.body)
        if isinstance(node, ast.If) and node.orelse:
            yield Change((number,), node.orelse)
        if isinstance(node, ast.While) and _is_counted(node):
            yield Change((number,), _for_loop(node))


def _is_counted(loop):
    """Returns whether a while loop is `while NAME < END: ...; NAME += 1`."""
    test, last = loop.test, loop.body[-1]
    return (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt) and isinstance(test.left, ast.Name)
            and isinstance(last, ast.AugAssign) and isinstance(last.target, ast.Name)
            and last.target.id == test.left.id and len(loop.body) > 1)


def _for_loop(loop):
    name, end = loop.test.left.id, loop.test.comparators[0]
    return ast.For(ast.Name(name, ast.Store()), ast.Call(ast.Name("range", ast.Load()), [end], []),
                   loop.body[:-1], [])


class _Joiner(ast.NodeTransformer):
    """Replaces the threads of a kernel by their bodies: the kernel becomes unified."""

    def __init__(self, kernel):
        self.kernel = kernel

    def applied(self, tree):
        return ast.fix_missing_locations(self.visit(copy.deepcopy(tree)))

    def visit_FunctionDef(self, node):
        if node.name == self.kernel:
            parts = [each.body if isinstance(each, ast.FunctionDef) and each.decorator_list else [each]
                     for each in node.body]
            node.body = [statement for part in parts for statement in part]
        return node


def _joined_threads(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(isinstance(each, ast.FunctionDef) for each in node.body):
            yield _Joiner(node.name)


class _Writer(ast.NodeTransformer):
    """Writes the value of a variable for its uses in a function, and drops its assignment."""

    def __init__(self, function, statement):
        self.function, self.statement = function, statement
        self.name, self.value = statement.targets[0].id, statement.value

    def applied(self, tree):
        nodes = list(ast.walk(tree))
        place = next(number for number, node in enumerate(nodes) if node is self.function)
        dropped = next(number for number, node in enumerate(nodes) if node is self.statement)
        changed = copy.deepcopy(tree)
        copies = list(ast.walk(changed))
        self.target = copies[dropped]
        self.visit(copies[place])
        return ast.fix_missing_locations(changed)

    def visit_Assign(self, node):
        return None if node is self.target else self.generic_visit(node)

    def visit_Name(self, node):
        return copy.deepcopy(self.value) if node.id == self.name else node


def _without_variables(tree):
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        written = [node.id for node in ast.walk(function)
                   if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        for statement in function.body[:-1]:
            if (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
                    and written.count(statement.targets[0].id) == 1):
                yield _Writer(function, statement)


def _bounds(tree):
    """Yields changes: slices whose bounds are no numbers become numbers, or slices from 0."""
    for number, node in _numbered(tree, ast.Slice):
        if all(isinstance(bound, (ast.Constant, type(None))) for bound in (node.lower, node.upper)):
            continue
        for value in _SMALL:
            yield Change((number,), ast.Constant(value))
        for end in (1, 2, 4):
            yield Change((number,), ast.Slice(ast.Constant(0), ast.Constant(end)))


def _parts(tree):
    """Yields changes: calls and operators become one of their operands."""
    for number, node in _numbered(tree, (ast.Call, ast.BinOp)):
        for part in [node.left, node.right] if isinstance(node, ast.BinOp) else node.args:
            yield Change((number,), part)


def _numbers(tree):
    """Yields changes: numbers become smaller, one of them, or all equal ones of a function, such as the
    extents of blocks."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.Module, ast.FunctionDef)):
            yield from _equal_numbers(tree, function)
    for number, node in _numbered(tree, ast.Constant):
        for value in _smaller(node.value):
            yield Change((number,), ast.Constant(value))


def _equal_numbers(tree, function):
    inside = {id(node) for node in ast.walk(function)}
    places = {}
    for number, node in _numbered(tree, ast.Constant):
        if id(node) in inside and type(node.value) is int:
            places.setdefault(node.value, []).append(number)
    for value, numbers in places.items():
        if len(numbers) > 1:
            for smaller in _smaller(value):
                yield Change(tuple(numbers), ast.Constant(smaller))


def _smaller(value):
    if type(value) is int:
        yield from (small for small in _SMALL if small < value)
        if value % 64 == 0 and value > 0:
            yield value // 2
    elif type(value) is float and value not in (0.0, 1.0):
        yield 1.0
