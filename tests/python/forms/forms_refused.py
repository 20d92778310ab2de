# SPDX-License-Identifier: Apache-2.0
"""Statements that the language refuses. In every context, each gives one error, at the line marked HERE."""

import linecache
import os
import re
import traceback
import warnings

import forms_cases
import forms_contexts
import forms_program
import ttl
from forms_program import Form

PACKAGE = os.path.dirname(os.path.dirname(ttl.__file__))
X = "with a_dfb.wait() as x, y_dfb.reserve() as o:\n    "
XZ = "with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as o:\n    "
S = "with s_dfb.reserve() as s:\n    "
OUT = "\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[0, 0]).wait()"
FILL = "\n    ttl.copy(t[0, 0], s).wait()"
STORE = "\n    o.store(x)"


def statement(name, text, message, **fields):
    """Returns a statement of a compute thread that holds the blocks x and o, and the error's text."""
    return Form(name, X + text + "  # HERE" + STORE, **fields), message


def of_blocks(name, text, message, **fields):
    return Form(name, XZ + text + "  # HERE" + STORE, **fields), message


def of_movement(name, text, message, before="", after=FILL, **fields):
    """Returns a statement of a data movement thread that fills a block s, and the error's text."""
    body = S + before + text + "  # HERE" + after + OUT
    return Form(name, body, thread="movement", tensors="tu", **fields), message


def whole(name, body, message, **fields):
    return Form(name, body, **fields), message


COMPILE = [
    statement("undefined_name", "v = no_such_name", "name 'no_such_name' is not defined"),
    statement("misspelt_function", "v = ttl.math.expp(x)", "expp"),
    statement("missing_method", "v = x.missing()", "missing"),
    statement("read_too_early", "v = later + 1", "'?later'? is (read before it has a value|not defined)"),
    whole("value_of_one_branch", X + "if i == 1:\n        only = 2\n    o.store(x + only)  # HERE", "after only one of the branches"),
    of_blocks("shapes", "v = x + z", "shapes of blocks must match", shape={"b": (2, 1)}),
    of_blocks("product_shapes", "v = z @ z", r"\(2, 1\) @ \(2, 1\)", shape={"b": (2, 1)}),
    of_blocks("store_shape", "o.store(z)", r"\(2, 1\)", shape={"b": (2, 1)}),
    of_blocks("element_types", "v = x + z", "cannot be operands of one operation", dtype={"b": "int32"}),
    statement("store_of_number", "o.store(1)", "must be a block"),
    statement("other_augmented", "o -= x", "only '\\+=' works on a reserved block"),
    statement("block_as_condition", "v = 1 if x else 2", "condition"),
    of_blocks("comparison_as_condition", "v = 1 if x == z else 2", "condition"),
    of_blocks("chained_comparison", "v = x < z < 1", "chain"),
    statement("identity_of_numbers", "v = i + zero is i + zero", "=="),
    statement("copy_in_compute", "ttl.copy(x, o)", "compute thread", styles=("threads",)),
    statement("element_in_compute", "v = ttl.raw_element_read(x, 0, 0)", "compute", styles=("threads",)),
    statement("semaphore_in_compute", "mark.set(1)", "compute", setup="mark = ttl.Semaphore()", styles=("threads",)),
    statement("import", "import math", "import", styles=("threads",)),
    statement("global", "global zzz", "global"),
    statement("del", "del i", "not supported"),
    statement("yield", "v = yield", "not supported"),
    whole("try", X + "try:  # HERE\n        pass\n    finally:\n        pass" + STORE, "fault"),
    whole("class", X + "class C:  # HERE\n        pass" + STORE, "class"),
    whole("match", X + "match i:  # HERE\n        case 1:\n            pass" + STORE, "match"),
    whole("item_assignment", X + "v = [1, 2]\n    v[0] = 3  # HERE" + STORE, "(item|assign)"),
    whole("attribute_assignment", X + "x.colour = 3  # HERE" + STORE, "(attribute|assign)"),
    whole("run_time_index", X + "v = (1, 2, 3)\n    w = v[i + zero]  # HERE" + STORE, "must be known at compile time"),
    statement("function_of_python", "v = np.sqrt(i + zero)", "runs in Python at compile time"),
    statement("large_number", "v = i + zero + 2**31", "does not fit"),
    statement("python_error", "v = 1 // 0", "ZeroDivisionError"),
    statement("too_few_arguments", "v = ttl.math.max(x)", "max"),
    statement("unknown_keyword", "v = ttl.math.exp(x, scail=2)", "scail"),
    statement("reduce_dims", "v = ttl.reduce_sum(x, dims=[2])", "dim"),
    of_blocks("broadcast_dims", "v = ttl.broadcast(z, dims=[0]) + z", "broadcast", shape={"b": (2, 1)}),
    of_blocks("broadcasts_without_shape", "o.store(ttl.broadcast(x, dims=[0]) + ttl.broadcast(z, dims=[1]))", "broadcasts without a shape"),
    statement("function_of_floats", "v = ttl.exp(x)", "integers", dtype="int32"),
    statement("wait_with_argument", "v = a_dfb.wait(1)", "wait"),
    whole("second_release", X + "o.store(x)\n    x.pop()\n    x.pop()  # HERE", "(no block|released|already)"),
    whole("use_after_release", X + "x.pop()\n    o.store(x)  # HERE", "(released|popped)"),
    whole("store_after_push", X + "o.store(x)\n    o.push()\n    o.store(x)  # HERE", "(released|pushed)"),
    whole("push_of_garbage", "with a_dfb.wait() as x:\n    o = y_dfb.reserve()\n    o.push()  # HERE", "nobody has written", styles=("threads",)),
    whole("read_of_garbage", X + "o.store(o + x)  # HERE", "(nobody has written|must be written)"),
    whole("released_on_some_paths", "x = a_dfb.wait()  # HERE\nwith y_dfb.reserve() as o:\n    o.store(x)\nif i == 1:\n    x.pop()", "some paths"),
    of_movement("index", "ttl.copy(t[4, 0], s)", "index 4 is out of range"),
    of_movement("slice", "ttl.copy(t[3:5, 0], s)", "slice 3:5 is out of range"),
    of_movement("slice_step", "ttl.copy(t[0:4:2, 0], s)", "step"),
    of_movement("slice_extent", "ttl.copy(t[i : i * 2, 0], s)", "(must be known|is empty)"),
    of_movement("copy_shapes", "ttl.copy(t[0:2, 0], s)", "shape"),
    of_movement("too_many_indices", "ttl.copy(t[0, 0, 0], s)", "(indices|dimensions)"),
    of_movement("float_index", "ttl.copy(t[0.5, 0], s)", "integer"),
    of_movement("copy_types", "ttl.copy(t[0, 0], s)", "element types differ", dtype={"t": "bfloat16"}, after="\n    ttl.copy(u[0, 0], s).wait()"),
    of_movement("copy_of_tensors", "ttl.copy(t[0, 0], u[0, 0])", "(block|tensor)"),
    of_movement("copy_with_one_end", "ttl.copy(t[0, 0])", "copy"),
    of_movement("copy_of_number", "ttl.copy(3, s)", "copy"),
    of_movement("arithmetic", "v = s + s", "data movement thread", styles=("threads",)),
    of_movement("second_wait", "h.wait()", "(wait|complete)", before="h = ttl.copy(t[0, 0], s)\n    h.wait()\n    "),
    of_movement("element_coordinates", "v = ttl.raw_element_read(s, 0)", "coordinate"),
    of_movement("element_out_of_range", "ttl.raw_element_write(s, 32, 0, value=1.0)", "outside a block", after=""),
    of_movement("element_of_integers", "v = ttl.raw_element_read(s, 0, 0)", "(float|int32)", dtype="int32"),
    of_movement("copy_to_pipe", "ttl.copy(s, ttl.Pipe(0, 0))", "(pipe|Pipe)"),
    of_movement("inc_of_multicast", "mark.get_remote_multicast().inc(1)", "inc", setup="mark = ttl.Semaphore()"),
    of_movement("wait_any_of_reads", "ttl.wait_any((h,))", "wait_any", before="h = ttl.copy(t[0, 0], s)\n    "),
    of_movement("condition_on_tensor", "v = 1 if t else 2", "(condition|tensor|truth value)"),
    whole("released_and_waited_for", S + "h = ttl.copy(t[0, 0], s)\n    s.push()  # HERE" + OUT, "", thread="movement", tensors="tu", styles=()),
]  # fmt: skip

FAULTS = [
    statement("assert", "assert i > 100, f'i is {i}'", "i is"),
    statement("raise_alone", "raise ValueError(f'number {i}')", "ValueError: number", styles=("threads",)),
    whole("raise", X + "if i > -1:\n        raise ValueError(f'number {i}')  # HERE" + STORE, "ValueError: number"),
    statement("overflow", "x = x * ((zero + 1) * 2147483647 + 1)", "overflow"),
    statement("division", "x = x * (5 // zero)", "(zero|division)"),
    statement("unused_overflow", "x = x + 0; unused = (zero + 1) * 2147483647 + 1", "overflow"),
    statement("unused_division", "x = x + 0; 5 // zero", "(zero|division)"),
    of_movement("index_at_run_time", "ttl.copy(t[i + 4, 0], s).wait()", "out of range", after=""),
    of_movement("negative_index_at_run_time", "ttl.copy(t[zero - 1, 0], s).wait()", "out of range", after=""),
    of_movement("element_at_run_time", "ttl.raw_element_write(s, i + 32, 0, value=1.0)", "(outside a block|out of range)", after=""),
    of_movement("deadlock", "mark.wait_ge(1)", "deadlock", setup="mark = ttl.Semaphore()"),
    whole("deadlock_of_blocks", S + "ttl.copy(t[0, 0], s).wait()\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[0, 0]).wait()\nwith s_dfb.wait() as s:  # HERE\n    ttl.copy(s, u[0, 1]).wait()", "deadlock", thread="movement", tensors="tu", styles=("threads",)),
]  # fmt: skip

# Statements whose error depends on the value of `i`, which some contexts make known to the compiler.
OF_RUN_TIME = ("value_of_one_branch", "released_on_some_paths", "slice_extent")
UNROLLED = (*forms_contexts.UNROLLED, *forms_contexts.ONCE, "branch_not", "return_of_thread")
KINDS = {"CompileError": COMPILE, "RuntimeFault": FAULTS}
TABLE = {f"refused.{form.thread}.{form.name}": (form, message, kind)
         for kind, table in KINDS.items() for form, message in table if form.styles}
ORDER = [(kind, name) for _ in range(90) for kind, name in
         (("wait", "a"), ("wait", "b"), ("push", "y"))]


def cases():
    for name, (form, _, kind) in TABLE.items():
        for context in forms_contexts.CONTEXTS:
            if context in forms_contexts.OF_MOVEMENT and form.thread != "movement":
                continue
            if context in UNROLLED and name.endswith(OF_RUN_TIME):
                continue
            for style in form.styles:
                yield f"{name}/{context}/{style}"


def made(case):
    """Returns a case's form, arrays and program text, and the message and kind of the expected error."""
    name, context, style = case.split("/")
    form, message, kind = TABLE[name]
    used = form.buffers()
    order = [each for each in ORDER if each[1] in used]
    arrays = forms_program.tensor_arrays(form, dict.fromkeys("yz", 90))
    return form, arrays, forms_program.program_text(form, context, style, order, arrays), message, kind


def text(case):
    return made(case)[2]


def run(case, folder):
    """Runs a case; returns texts that say what is wrong with its error."""
    form, arrays, program, message, kind = made(case)
    file = f"{folder}/program.py"
    with open(file, "w") as stream:
        stream.write(program)
    linecache.checkcache()
    scope = {"__name__": "program", "__file__": file}
    exec(compile(program, file, "exec", dont_inherit=True), scope)
    engines = forms_cases.ENGINES if kind == "RuntimeFault" else ("jit",)
    findings = []
    for engine in engines:
        findings += [f"{engine}: {each}" for each in answer(scope["op"], form, arrays, engine, message, kind)]
    return findings


def answer(op, form, arrays, engine, message, kind):
    arguments = [forms_program.placed(form, name, array) for name, array in arrays.items()]
    try:
        with warnings.catch_warnings(), ttl.options(engine=engine, limit=forms_cases.STEPS):
            warnings.simplefilter("ignore")
            op(*arguments)
    except (ttl.CompileError, ttl.RuntimeFault) as error:
        if engine == "emitted" and kind == "RuntimeFault" and isinstance(error, ttl.CompileError):
            return
        yield from judged(error, message, kind)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
    else:
        yield "no error"


def judged(error, message, kind):
    """Yields texts that say what is wrong with an error."""
    line = linecache.getline(error.file, error.line).strip()
    certain = kind == "RuntimeFault" and isinstance(error, ttl.CompileError)  # found before the run
    if not isinstance(error, getattr(ttl, kind)) and not certain:
        yield f"{type(error).__name__} instead of {kind}: {error.message}"
    if "# HERE" not in line:
        yield f"at the line '{line}': {error.message}"
    if not re.search(message, error.message):
        yield f"has another message: {error.message}"
    lines = [error.line]  # a context may repeat the statement at several lines
    for other in getattr(error, "others", ()):
        if other.line in lines or "# HERE" not in linecache.getline(other.file, other.line):
            yield f"more than one error: {error.message}, {other.message}"
        lines.append(other.line)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith(PACKAGE)]
    if frames:
        yield f"shows the frame {frames[-1].filename}:{frames[-1].lineno}"
