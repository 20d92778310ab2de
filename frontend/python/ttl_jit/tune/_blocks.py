# SPDX-License-Identifier: Apache-2.0
"""Which numbers of an operation are parts of the shapes of its blocks, and which are its grid."""

import ast
import os

from ttl import _source

MAKERS = "make_dataflow_buffer_like"


def numbers(operation, args, kwargs):
    """Returns the arguments, names of the body and constants of the decorator on which the shape of a block
    depends and that are integers, or tuples of these, with their values."""
    _, node = _source.function_node(operation.function)
    if node is None:
        return {}
    known, parameters = values(operation, args, kwargs), operation.signature.parameters
    return {name: known[name] for name, is_local in _names_of_shapes(node).items()
            if _is_extent(known.get(name)) and (name in parameters or not is_local)}


def names_of_grid(operation, grid):
    """Returns the names by which the decorator writes the grid and which the body reads, too: with the
    dimensions that each is, or none for a name of the whole grid. Another grid needs other values of them."""
    _, node = _source.function_node(operation.function)
    written = _written_grid(node) if node else None
    known = {**operation.function.__globals__, **_cells(operation.function)}
    read = {name for statement in (node.body if node else ()) for name in _names(statement)}

    def is_name(each, value):
        return isinstance(each, ast.Name) and each.id in read and known.get(each.id) == value
    if is_name(written, grid):
        return {written.id: ()}
    found = {}
    if isinstance(written, ast.Tuple) and len(written.elts) == len(grid):
        for place, each in enumerate(written.elts):
            if is_name(each, grid[place]):
                found.setdefault(each.id, []).append(place)
    return found


def _written_grid(function):
    """Returns the expression of the grid in the decorator of an operation, or None."""
    for call in function.decorator_list:
        if isinstance(call, ast.Call):
            found = [each.value for each in call.keywords if each.arg == "grid"]
            if found or call.args:
                return (found or call.args)[0]
    return None


def others(value):
    """Returns values with one number changed: twice the number, and half of it if it is even."""
    if isinstance(value, tuple):
        return [(*value[:at], other, *value[at + 1:]) for at, each in enumerate(value) for other in others(each)]
    return ([value // 2] if value % 2 == 0 else []) + [value * 2]


def advice(operation):
    """Returns why no block of an operation can be changed, and what to do."""
    file, node = _source.function_node(operation.function)
    lines = sorted({each.lineno for each in _shapes(node)}) if node else []
    at = f" at {os.path.basename(file.name)}:{lines[0]}" if lines else ""
    return (f"no block of {operation.__name__}() has an extent{at} that depends on an integer argument or a global "
            "integer: give the number a name, such as BLOCK, and use it in shape= and in the loops")


def _is_extent(value):
    if isinstance(value, tuple):
        return bool(value) and all(map(_is_extent, value))
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def values(operation, args, kwargs):
    """Returns the values that names have in the body: those of the module, of functions around it, of the
    decorator and of the arguments."""
    bound = operation.signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return {**operation.function.__globals__, **_cells(operation.function), **operation.options.constants,
            **bound.arguments}


def _cells(function):
    """Returns the variables of the functions around a function."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {name: _content(cell) for name, cell in cells}


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # the variable has no value yet
        return None


def _shapes(body):
    """Yields the expressions that are the shape of a block."""
    for node in ast.walk(body):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name == MAKERS and len(node.args) > 1:
            yield node.args[1]
        yield from (each.value for each in node.keywords if each.arg == "shape")


def _names_of_shapes(body):
    """Returns the names in the shapes of blocks, and those on which the variables there depend, with
    whether the body assigns them."""
    assigned = {}
    for node in ast.walk(body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            for name in {name for target in targets for name in _names(target)}:
                assigned.setdefault(name, []).append(node.value)
    found, rest = {}, [name for shape in _shapes(body) for name in _names(shape)]
    while rest:
        name = rest.pop(0)
        if name not in found:
            found[name] = name in assigned
            rest += [each for value in assigned.get(name, ()) for each in _names(value)]
    return found


def _names(node):
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
