# SPDX-License-Identifier: Apache-2.0
"""Runs a script as __main__ with the values of a candidate."""

import ast
import contextlib
import os
import sys
import tempfile
import traceback
import types

from ttl_jit.tune import _measure


class Script:
    """A script whose top-level names, and arguments and keywords of its operations, may be
    parameters."""

    def __init__(self, file, arguments=()):
        self.file, self.arguments = os.path.abspath(file), list(arguments)
        self.source = _read(file)
        self.tree = ast.parse(self.source, self.file)
        self.names = _assigned(self.tree)
        self.operations = _operations(self.tree)
        self.places = {}  # known answers of place()

    def place(self, name):
        """Returns which kind of parameter a name is: names, arguments, keywords or options; and the words
        that say so."""
        if name not in self.places:
            self.places[name] = self._place(name)
        return self.places[name]

    def _place(self, name):
        if name in self.names:
            return "names", self._line_of(name)
        users = [each.name for each in self.operations if name in _parameters(each)]
        if users:
            return "arguments", f"argument of {', '.join(users)}"
        if name in _measure.KEYWORDS or any(name in _keywords(each) for each in self.operations):
            return "keywords", "keyword of @ttl.operation"
        option = name.replace("-", "_")
        if option in _measure.option_names():
            return "options", f"option --{_measure.option_names()[option]}"
        if option in (each.replace("-", "_") for each in _measure.NO_PARAMETERS):
            raise ValueError(f"option --{name} cannot be a parameter")
        raise ValueError(self._unknown(name))

    def _line_of(self, name):
        lines = self.names[name]
        if len(lines) > 1:
            raise ValueError(f"{self.file}:{lines[1]}: '{name}' gets a value twice, also in line {lines[0]}: a "
                             "parameter must have one assignment at the top of the script")
        return f"{os.path.basename(self.file)}:{lines[0]}"

    def _unknown(self, name):
        from ttl import _source

        known = [*self.names, *(each for operation in self.operations for each in _parameters(operation)),
                 *_measure.KEYWORDS, *_measure.option_names()]
        similar = _source.similar(name, known)
        rule = ("a parameter is a name that the script assigns at its top level, an argument or a keyword of an "
                "operation, or an option of ttl-jit")
        return (f"no kernel of {self.file} has a parameter '{name}'" +
                (f"; did you mean '{similar}'? ({rule})" if similar else f": {rule}"))

    def sorted(self, values):
        """Returns the values of a candidate by what they are."""
        found = _measure.Values()
        for name, value in values.items():
            kind, _ = self.place(name)
            getattr(found, kind)[name.replace("-", "_") if kind == "options" else name] = value
        return found


def _read(file):
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ValueError(f"cannot read '{file}': {reason}") from None


def _targets(node):
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    is_assignment = isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
    return [each.id for each in targets if isinstance(each, ast.Name)] if is_assignment else []


def _assigned(tree):
    """Returns the lines of the assignments to each name at the top level."""
    found = {}
    for node in tree.body:
        for name in _targets(node):
            found.setdefault(name, []).append(node.lineno)
    return found


def _operations(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _decorator(node) is not None]


def _decorator(function):
    """Returns the decorator that makes an operation of a function, or None."""
    for each in function.decorator_list:
        name = each.func if isinstance(each, ast.Call) else each
        if getattr(name, "attr", getattr(name, "id", None)) in ("operation", "kernel", "atom", "pykernel_gen"):
            return each
    return None


def _parameters(function):
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _keywords(function):
    decorator = _decorator(function)
    return [each.arg for each in decorator.keywords] if isinstance(decorator, ast.Call) else []


class _Assign(ast.NodeTransformer):
    """Replaces the values of names that a script assigns at its top level. Positions stay."""

    def __init__(self, values):
        self.values = values

    def module(self, tree):
        for node in tree.body:
            for name in set(_targets(node)) & self.values.keys():
                value = ast.parse(repr(self.values[name]), mode="eval").body
                for each in ast.walk(value):
                    ast.copy_location(each, node.value)
                node.value = value
        return tree


@contextlib.contextmanager
def _quiet():
    """Keeps what the process prints; yields a function that returns its last line."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)

        def last_line():
            sys.stdout.flush()
            sys.stderr.flush()
            stream.seek(0)
            lines = stream.read().decode(errors="replace").split("\n")
            return next((line for line in reversed(lines) if line.strip()), "")

        try:
            yield last_line
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, copy in zip((1, 2), kept):
                os.dup2(copy, number)
                os.close(copy)


def _execute(script, names, last_line):
    """Runs the script. An exception of a kernel stays; each other one becomes a Refused."""
    from ttl._errors import Located

    main = types.ModuleType("__main__")
    main.__file__, main.__builtins__ = script.file, __builtins__
    sys.modules["__main__"] = main
    sys.argv = [script.file, *script.arguments]
    code = compile(_Assign(names).module(ast.parse(script.source, script.file)), script.file, "exec", dont_inherit=True)
    try:
        exec(code, main.__dict__)
    except SystemExit as error:
        if error.code not in (None, 0):
            status, said = (error.code, last_line()) if isinstance(error.code, int) else (1, str(error.code))
            raise _measure.Refused("failed", f"the script ended with status {status}: {said}") from None
    except Exception as error:
        if isinstance(error, (Located, _measure.Refused)):
            raise
        frames = traceback.extract_tb(error.__traceback__)
        place = next((each for each in reversed(frames) if each.filename == script.file), frames[-1])
        text = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        raise _measure.Refused("failed", f"{place.filename}:{place.lineno}: {text}") from None


def run(script, values, kernel, computes):
    """Returns the launches of a run with these values, and the names of the parameters that were used."""
    sorted_values = script.sorted(values)
    names, sorted_values.names = sorted_values.names, {}
    folder = os.path.dirname(script.file)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    _measure.seed_all()
    with _quiet() as last_line, _measure.measured(sorted_values, kernel, computes) as launches:
        _execute(script, names, last_line)
    if not launches:
        raise _measure.Refused("failed", "the script launched " +
                               (f"no kernel '{kernel}'" if kernel else "no kernel"))
    return launches, sorted_values.used | names.keys()


# ===--------------------------------------------------------------------------=== #
# The jobs of a campaign
# ===--------------------------------------------------------------------------=== #

_references = {}  # launches of the candidates that others are compared with, by their values


_scripts = {}  # by their files, arguments and texts: each is read once


def _script_of(arguments):
    key = arguments["file"], *arguments["script"], arguments["source"]
    if key not in _scripts:
        _scripts[key] = Script(arguments["file"], arguments["script"])
    script = _scripts[key]
    if script.source != arguments["source"]:
        raise ValueError(f"{script.file} was changed while it was tuned")
    return script


def _run_job(arguments, key):
    values = {name: ast.literal_eval(text) for name, text in arguments[key].items()}
    return run(_script_of(arguments), values, arguments["kernel"], arguments["computes"])


def measure(arguments):
    """Measures one candidate. Returns its launches, or why it has none."""
    try:
        launches, used = _run_job(arguments, "values")
    except _measure.Refused as refused:
        return {"kind": refused.kind, "reason": str(refused)}
    return {"launches": [[each.kernel, each.cycles, each.us, each.bits] for each in launches.values()],
            "used": sorted(used)}


def compare(arguments):
    """Returns how far the results of a candidate are from those of the reference."""
    key = repr(arguments["reference"])
    try:
        if key not in _references:
            _references[key] = _run_job(arguments, "reference")[0]
        launches, _ = _run_job(arguments, "values")
    except _measure.Refused as refused:
        return {"kind": refused.kind, "reason": str(refused)}
    return {"difference": max(_differences(launches, _references[key]), default=0.0)}


def _differences(launches, expected):
    for kernel in launches.keys() & expected.keys():
        arrays = expected[kernel].arrays()
        for name, array in launches[kernel].arrays().items():
            if name in arrays:
                yield _measure.largest_difference(array, arrays[name])
