# SPDX-License-Identifier: Apache-2.0
"""Lists and runs the cases FORM/CONTEXT/STYLE (see forms_program.py), and compares results with the model."""

import linecache
import re
import traceback
import warnings

import forms_compute
import forms_contexts
import forms_movement
import forms_program
import numpy as np
import ttl

FORMS = {f"{form.thread}.{form.name}": form for form in (*forms_compute.FORMS, *forms_movement.FORMS)}
ENGINES = ("jit", "interp", "emitted")
# Messages with which the emitted C++ refuses what docs/metalium.md lists as not supported.
NOT_EMITTED = re.compile("runs on the host only|cannot be called on the card|on the device: set fp32|--emit|"
                         "Metalium|tt-metal")
# All checks but "outputs", because many forms write only a part of their tensor.
CHECKS = "race,init,memory,numerics,broadcast,protocol"
STEPS = 50_000_000  # limit of the device's steps, for endless loops. Emitted wait_any() polls 200,000 times
LARGER = 1.25  # lines of emitted C++ with many iterations may be at most this many times those with few


def cases():
    """Yields the names FORM/CONTEXT/STYLE of all cases."""
    for name, form in FORMS.items():
        for context in forms_contexts.CONTEXTS:
            if is_legal(form, context):
                for style in form.styles:
                    yield f"{name}/{context}/{style}"


def is_legal(form, context):
    if context in form.without:
        return False
    if context in forms_contexts.OF_MOVEMENT:
        return form.thread == "movement" and not form.names and form.grid == (1, 1)
    return True


def run(case, folder):
    """Runs a case on all engines. Returns how the results differ from the model's, as a list of texts."""
    name, context, style = case.split("/")
    form = FORMS[name]
    result = forms_program.expected(form, context)
    arrays = forms_program.tensor_arrays(form, forms_program.counts(form, result))
    op = operation(form, context, style, result, arrays, f"{folder}/program.py")
    findings, bits = [], {}
    for engine in ENGINES:
        if engine == "emitted" and not form.emits:
            continue
        try:
            bits[engine] = launch(op, form, arrays, engine=engine)
        except Exception as error:  # exceptions of the package, too: each is a finding
            if form.refused and re.search(form.refused, str(error)):
                return []
            if not (engine == "emitted" and NOT_EMITTED.search(str(error))):
                findings.append(f"{engine}: {described(error)}")
    findings += differences(form, result, bits)
    if not findings:
        findings += variants(op, form, context, arrays, bits, folder)
    return findings


def operation(form, context, style, result, arrays, file):
    text = forms_program.program_text(form, context, style, result.order, arrays)
    with open(file, "w") as stream:
        stream.write(text)
    linecache.checkcache()
    scope = {"__name__": "program", "__file__": file}
    exec(compile(text, file, "exec", dont_inherit=True), scope)
    return scope["op"]


def launch(op, form, arrays, **options):
    """Runs the operation; returns {name: bytes} of its results."""
    arguments = {name: forms_program.placed(form, name, array) for name, array in arrays.items()}
    with warnings.catch_warnings(), ttl.options(limit=STEPS, **options):
        warnings.simplefilter("ignore")
        op(*arguments.values())
    return {name: forms_program.contents(arguments[name]) for name in arguments if name in "yzu"}


def differences(form, result, bits):
    for engine, outputs in bits.items():
        for name, array in result.outputs.items():
            found = np.asarray(outputs[name], array.dtype).reshape(array.shape)
            if not np.allclose(found, array, rtol=form.rtol, atol=form.rtol, equal_nan=True):
                places = np.argwhere(~np.isclose(found, array, rtol=form.rtol, atol=form.rtol, equal_nan=True))
                at = tuple(places[0])
                yield f"{engine}: {name}{list(map(int, at))} is {found[at]}, should be {array[at]} ({len(places)} differ)"
    engines = list(bits)
    for engine in engines[1:]:
        for name in bits[engine]:
            if bits[engine][name].tobytes() != bits[engines[0]][name].tobytes():
                yield f"{engine} and {engines[0]} differ in {name}"


def variants(op, form, context, arrays, bits, folder):
    """Yields differences: --check=all and --strict must not change bits, longer loops not lengthen the C++."""
    for is_wanted, options in ((form.checked, {"check": CHECKS}), (form.strict, {"strict": True})):
        if is_wanted:
            try:
                again = launch(op, form, arrays, engine="jit", **options)
            except Exception as error:
                yield f"{options}: {described(error)}"
                continue
            for name in again:
                if again[name].tobytes() != bits["jit"][name].tobytes():
                    yield f"{options}: other bits of {name}"
    if context == forms_contexts.LONG and "emitted" in bits:
        yield from grown(form, folder)


def grown(form, folder):
    """Yields a text if the thread has more lines of C++ for 75 iterations than for 3."""
    lines = []
    for context in (forms_contexts.SHORT, forms_contexts.LONG):
        result = forms_program.expected(form, context)
        arrays = forms_program.tensor_arrays(form, forms_program.counts(form, result))
        op = operation(form, context, form.styles[0], result, arrays, f"{folder}/{context}.py")
        arguments = [forms_program.placed(form, name, array) for name, array in arrays.items()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kernel = op.compile(*arguments)
        threads = [name for name in kernel.engines if name == form_thread(form, kernel)]
        lines.append(sum(len(kernel.cpp(name).splitlines()) for name in threads))
    if lines[1] > LARGER * lines[0]:
        yield f"C++ of {lines[0]} lines for 3 iterations, {lines[1]} for 75"


def form_thread(form, kernel):
    return "form" if "form" in kernel.engines else list(kernel.engines)[-1]


def described(error):
    """Returns one line with an exception's class, source line and message."""
    if isinstance(error, (ttl.CompileError, ttl.RuntimeFault)):
        line = linecache.getline(error.file, error.line).strip()
        others = [each.message for each in getattr(error, "others", ())]
        return f"{type(error).__name__} at '{line}': {error.message}" + (f" AND {others}" if others else "")
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} at {frames[-1].filename}:{frames[-1].lineno}"
