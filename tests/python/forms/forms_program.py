# SPDX-License-Identifier: Apache-2.0
"""Makes the programs of the matrix from a form (a statement), a context (a place in a thread) and a style
(threads, or one unified body): the text of an operation, its tensors, and the results of the model."""

import re
import threading
import zlib
from dataclasses import dataclass, field

import forms_contexts
import forms_model as model
import numpy as np
import ttnn
from forms_values import INTEGERS, Buffer, Tensor, elements, rounded

SOURCES, SINKS, OWN = "abcd", "yz", "qrs"
DISTINCT = 4  # different blocks in a source's tensor; longer runs read them again
STYLES = ("threads", "unified")


@dataclass
class Form:
    """A statement of the language. `outer` has a line CTX, which is replaced by the context around `body`."""

    name: str
    body: str
    outer: str = "CTX"
    thread: str = "compute"
    names: tuple = ()  # variables of `outer` that `body` assigns
    setup: str = ""  # statements of the operation's body
    module: str = ""  # statements at the top of the module
    shape: dict = field(default_factory=dict)  # the shape of each buffer's blocks, in tiles
    dtype: object = "float32"  # an element type, or a dict of them by tensor
    data: dict = field(default_factory=dict)  # a key of DATA for each tensor
    tensors: str = ""  # the tensors that the form itself copies: "t" from, "u" to
    layout: dict = field(default_factory=dict)
    count: int = 3  # block_count of the buffers
    grid: tuple = (1, 1)
    rtol: float = 0
    styles: tuple = STYLES
    without: tuple = ()  # contexts in which the language refuses the form, or that have no end
    refused: str = ""  # the error with which the language refuses the form in some places
    options: str = ""
    emits: bool = True
    strict: bool = False  # the form also compiles with --strict
    checked: bool = True  # --check=all finds nothing in the form

    def of(self, name, table, default):
        return table.get(name, default) if isinstance(table, dict) else table

    def dtype_of(self, name):
        return self.of(name, self.dtype, "float32")

    def shape_of(self, name):
        return self.shape.get(name, (1, 1))

    def text(self):
        return "\n".join((self.module, self.setup, self.outer, self.body))

    def buffers(self):
        return [name for name in SOURCES + SINKS + OWN if re.search(rf"\b{name}_dfb\b", self.text())]


# ===--------------------------------------------------------------------------=== #
# Tensors
# ===--------------------------------------------------------------------------=== #


def _normal(rng, shape):
    return rng.standard_normal(shape, dtype=np.float32)


DATA = {
    "normal": _normal,
    "positive": lambda rng, shape: np.abs(_normal(rng, shape)) + np.float32(0.25),
    "small": lambda rng, shape: (_normal(rng, shape) / 4).clip(-0.9, 0.9),
    "integers": lambda rng, shape: rng.integers(-8, 9, shape).astype(np.float32),
    "naturals": lambda rng, shape: rng.integers(0, 9, shape).astype(np.float32),
    "counts": lambda rng, shape: rng.integers(1, 9, shape).astype(np.float32),
    "bits": lambda rng, shape: rng.integers(0, 2, shape).astype(np.float32),
}


def numbers(form, name, shape):
    dtype = form.dtype_of(name)
    default = {"int32": "integers"}.get(dtype, "naturals" if dtype in INTEGERS else "normal")
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return rounded(DATA[form.data.get(name, default)](rng, shape), dtype)


def stacked(form, name, count):
    """Returns the extents of a tensor that holds `count` blocks of a buffer, one below the other."""
    first, *rest = elements(form.shape_of(name))
    return (first * count, *rest)


T_SHAPE = (128, 128)


def tensor_arrays(form, outputs):
    """Returns {name: array} for the operation's parameters. `outputs` counts the blocks of each sink."""
    arrays = {}
    for name in form.buffers():
        if name in SOURCES:
            arrays[name] = numbers(form, name, stacked(form, name, DISTINCT))
        elif name in SINKS:
            arrays[name] = rounded(np.zeros(stacked(form, name, outputs[name])), form.dtype_of(name))
    for name in form.tensors:
        shape = form.layout.get(name, {}).get("shape", T_SHAPE)
        data = numbers(form, name, shape) if name != "u" else rounded(np.zeros(shape), form.dtype_of(name))
        arrays[name] = data
    return arrays


def placed(form, name, array):
    """Returns the array, or a tensor made of it, to be passed as an argument."""
    options = {key: value for key, value in form.layout.get(name, {}).items() if key not in ("shape", "shard")}
    dtype = form.dtype_of(name)
    if dtype == "float32" and not options:
        return np.array(array)
    options = {key: value() if callable(value) else value for key, value in options.items()}
    if "memory_config" in options:
        options["device"] = ttnn.open_device(device_id=0)
    return ttnn.from_numpy(np.array(array), dtype=getattr(ttnn, dtype), **options)


def contents(argument):
    return argument if isinstance(argument, np.ndarray) else ttnn.to_numpy(argument)


# ===--------------------------------------------------------------------------=== #
# Feeding the thread under test
# ===--------------------------------------------------------------------------=== #

STEP_OF = {
    ("in", "threads"): "with {n}_dfb.reserve() as block:\n    ttl.copy({n}[{at}], block).wait()",
    ("out", "threads"): "with {n}_dfb.wait() as block:\n    ttl.copy(block, {n}[{at}]).wait()",
    ("in", "unified"): "ttl.copy({n}[{at}], {n}_dfb.reserve()).wait()",
    ("out", "unified"): "ttl.copy({n}_dfb.wait(), {n}[{at}]).wait()",
}


def _step(form, style, name, index):
    """Returns the statement that moves block `index` of a buffer. `index` may contain the variable `step`."""
    first, *rest = form.shape_of(name)
    number = f"({index}) % {DISTINCT}" if name in SOURCES else index
    others = "".join(f", 0:{extent}" for extent in rest)
    kind = "in" if name in SOURCES else "out"
    text = STEP_OF[kind, style].format(n=name, at=f"row : row + {first}{others}")
    return f"row = ({number}) * {first}\n{text}"


def moves(form, style, order):
    """Returns statements that move the blocks of the buffers in this order; repetitions become loops."""
    lines, seen = [], dict.fromkeys(order, 0)
    while order:
        period, count = _repetition(order)
        body, inside = [], {}
        for name in order[:period]:
            each = order[:period].count(name)
            body.append(_step(form, style, name, f"{seen[name] + inside.get(name, 0)} + step * {each}"))
            inside[name] = inside.get(name, 0) + 1
        lines.append(f"for step in range({count}):\n" + forms_contexts.indented("\n".join(body), 4))
        for name in order[: period * count]:
            seen[name] += 1
        order = order[period * count :]
    return "\n".join(lines) or "pass"


def _repetition(order):
    """Finds the longest beginning of a list that repeats itself; returns its period and repetitions."""
    best = (1, 1)
    for period in range(1, min(9, len(order) + 1)):
        count = 1
        while order[period * count : period * (count + 1)] == order[:period]:
            count += 1
        if count * period > best[0] * best[1] and (count > 1 or period == 1):
            best = (period, count)
    return best


# ===--------------------------------------------------------------------------=== #
# The text
# ===--------------------------------------------------------------------------=== #

HEAD = """import numpy as np
import ttl
import ttnn

{module}

@ttl.operation(grid={grid}{options})
def op({parameters}):
"""
BUFFER = "{n}_dfb = ttl.make_dfb(ttnn.{dtype}, {shape}, block_count={count})"
LIKE = "{n}_dfb = ttl.make_dataflow_buffer_like({n}, shape={shape}, block_count={count})"
THREAD = "@ttl.{kind}({place})\ndef {name}():\n"
KINDS = {"compute": "compute", "movement": "datamovement"}
# Keywords of the decorators that bind threads to processors, and of the operation if it has one body.
PLACES = {"compute": 'hint="math"', "feeder": 'processor="noc1"', "form": 'processor="noc1"'}
UNIFIED_PLACES = 'processors={"reader": "noc1"}'


def is_bound(form, context, style):
    """Returns whether the program binds its threads to processors: half of the cases do."""
    return zlib.crc32(f"{form.name} {context} {style}".encode()) % 2 == 0


def statements(form, context):
    """Returns the statements of the thread under test."""
    inner = forms_contexts.apply(context, form.body, form.names)
    return "zero = ttl.node(dims=1)\n" + forms_contexts.place(form.outer, "CTX", inner)


def _setup(form, context, arrays):
    lines = []
    for name in form.buffers():
        template = BUFFER if name in OWN else LIKE
        lines.append(template.format(n=name, dtype=form.dtype_of(name), shape=form.shape_of(name),
                                     count=form.count))
    if context in forms_contexts.OF_MOVEMENT:
        lines.append(forms_contexts.NET)
    return "\n".join((*lines, form.setup.strip("\n")))


def _thread(kind, name, text, is_placed):
    place = PLACES.get("compute" if kind == "compute" else name, "") if is_placed else ""
    return THREAD.format(kind=KINDS[kind], name=name, place=place) + forms_contexts.indented(text, 4)


def program_text(form, context, style, order, arrays):
    """Returns the text of the file that defines the operation `op`."""
    body, places = [_setup(form, context, arrays)], is_bound(form, context, style)
    text, options = statements(form, context), form.options
    into = [name for kind, name in order if kind == "wait" and name in SOURCES]
    out = [name for kind, name in order if kind == "push" and name in SINKS]
    if style == "unified":
        body += [moves(form, style, into) if into else "", text, moves(form, style, out) if out else ""]
        options = ", ".join(filter(None, (options, UNIFIED_PLACES if places else "")))
    elif form.thread == "compute":
        body += [_thread("movement", "feeder", moves(form, style, into), places),
                 _thread("compute", "form", text, places),
                 _thread("movement", "writer", moves(form, style, out), places)]
    else:
        both = [name for kind, name in order
                if (kind == "wait" and name in SOURCES) or (kind == "push" and name in SINKS)]
        body.append(_thread("movement", "form", text, places))
        if both:
            body.append(_thread("movement", "other", moves(form, style, both), places))
    head = HEAD.format(module=form.module.strip("\n"), grid=form.grid, parameters=", ".join(arrays),
                       options=f", {options}" if options else "")
    return head + "\n".join(forms_contexts.indented(each, 4) for each in body if each.strip()) + "\n"


# ===--------------------------------------------------------------------------=== #
# The model's run
# ===--------------------------------------------------------------------------=== #


@dataclass
class Expected:
    order: list
    outputs: dict  # name: array


def expected(form, context):
    """Returns the order and results that the model computes; raises Stuck if a thread waits for ever."""
    machine = model.MACHINE.current = model.Machine(form.grid)
    shared = {name: Tensor(numbers(form, name, form.layout.get(name, {}).get("shape", T_SHAPE))
                                 if name != "u" else
                                 rounded(np.zeros(form.layout.get(name, {}).get("shape", T_SHAPE)),
                                               form.dtype_of(name)),
                                 form.dtype_of(name), form.layout.get(name, {}).get("layout") is None,
                                 form.layout.get(name, {}).get("shard"))
              for name in form.tensors}
    errors, nodes = [], []
    code = _code(form, context)
    for node in range(machine.nodes):
        nodes.append(threading.Thread(target=_node, args=(form, machine, node, shared, code, errors), daemon=True))
    for thread in nodes:
        thread.start()
    for thread in nodes:
        thread.join(2 * model.WAIT_SECONDS)
    if errors:
        raise errors[0]
    outputs = {name: np.concatenate(blocks) for name, blocks in machine.sinks.items() if blocks}
    outputs.update({name: tensor.array for name, tensor in shared.items() if name == "u"})
    return Expected(machine.log, outputs)


def _code(form, context):
    setup = form.setup + ("\n" + forms_contexts.NET if context in forms_contexts.OF_MOVEMENT else "")
    text = (form.module + "\ndef whole():\n" + forms_contexts.indented(setup + "\npass", 4)
            + "\n    def form():\n" + forms_contexts.indented(statements(form, context), 8) + "\n    form()\n")
    return compile(text, f"model of {form.name} in {context}", "exec")


def _node(form, machine, node, shared, code, errors):
    machine.place.node, machine.place.made = node, 0
    try:
        scope = {"ttl": model.language(), "np": np, "ttnn": ttnn, **model.MODEL_BUILTINS, **shared}
        buffers = {}
        for name in form.buffers():
            source = None
            if name in SOURCES:
                array = numbers(form, name, stacked(form, name, DISTINCT))
                source = _blocks(array, form, name)
            buffers[name] = Buffer(machine, name, form.dtype_of(name), form.shape_of(name), source)
            scope[f"{name}_dfb"] = buffers[name]
        machine.sinks = {name: buffer.pushed for name, buffer in buffers.items() if name in SINKS}
        exec(code, scope)
        scope["whole"]()
        for buffer in buffers.values():
            buffer.flush()
    except BaseException as error:  # the caller reports it
        errors.append(error)


def _blocks(array, form, name):
    parts = np.split(array, DISTINCT)
    return lambda k: parts[k % DISTINCT].reshape(elements(form.shape_of(name)))


def counts(form, result):
    return {name: max(1, sum(each == ("push", name) for each in result.order)) for name in form.buffers()}
