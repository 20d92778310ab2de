"""Runs the functions of a d2m module on the engines and in the evaluator, and compares their results."""

import os
import pathlib
import re
import subprocess

import evaluator
import ir_text
import numpy as np

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build"))
SCALARS = {"si32": "i32", "u32": "ui32", "u16": "ui16", "u8": "ui8"}


def tool(name, *arguments, text=None):
    return subprocess.run(
        [BUILD / "bin" / name, *arguments], input=text, capture_output=True, text=True, timeout=300, check=False
    )


def generic_form(text):
    result = tool("ttl-opt", "--mlir-print-op-generic", "-", text=text)
    assert result.returncode == 0, result.stderr
    return result.stdout


def splitmix(seed, count):
    """Returns the same numbers as ttltest.random with this seed: `count` values in [-1, 1)."""
    mask, values = (1 << 64) - 1, np.empty(count)
    for i in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        values[i] = -1 + 2 * (((z ^ (z >> 31)) >> 11) * 2.0**-53)
    return values


def stored_shape(kind):
    shape = list(kind.shape)
    for i, extent in enumerate(kind.tile):
        shape[i - 2] *= extent
    return shape


def from_stored(kind, rows):
    """Converts row-major elements of a memref to the evaluator's form, in which tiles are innermost."""
    if not kind.tile:
        return np.array(rows).reshape(kind.shape)
    *outer, rows_of_tiles, columns = kind.shape
    parts = np.array(rows).reshape(*outer, rows_of_tiles, kind.tile[0], columns, kind.tile[1])
    return np.swapaxes(parts, -3, -2).copy()


def stored_type(kind):
    element = SCALARS.get(kind.format, kind.format)
    tile = ", tile = 32x32" if kind.tile else ""
    encoding = f", #ttl.tensor_encoding<dram, #ttl.layout<interleaved{tile}>>" if kind.grid else ""
    return f"tensor<{'x'.join(map(str, stored_shape(kind)))}x{element}{encoding}>"


def arguments_of(function):
    arrays = []
    for seed, kind in enumerate(function.types, 1):
        rows = splitmix(seed, int(np.prod(stored_shape(kind))))
        rows = np.trunc(rows) if kind.format in SCALARS else kind.rounded(rows)
        arrays.append(from_stored(kind, rows))
    return arrays


def main_for(function):
    """Returns the text of a @main that calls the function with fixed random values and prints its results."""
    op, lines, values, printed = function.op, [], [], []
    for number, (_, text) in enumerate(function.body.arguments):
        kind = function.types[number]
        if not kind:
            raise evaluator.Unsupported(f"an argument of type {text}")
        stored = stored_type(kind) if kind.grid or text.startswith("memref") else text
        lines.append(f"%t{number} = ttltest.random {number + 1} : {stored}")
        values.append(f"%t{number}")
        if kind.tile and not kind.grid:
            raise evaluator.Unsupported("an argument of tiles without a layout")
        if stored != text:
            values[-1] = f"%a{number}"
            lines.append(f"%a{number} = builtin.unrealized_conversion_cast %t{number} : {stored} to {text}")
        if text.startswith("memref"):
            printed.append((kind, f"%t{number}", stored))
    inputs, outputs = re.match(r"\((.*)\) -> (.*)$", op.attrs["function_type"], flags=re.S).groups()
    results = outputs[1:-1] if outputs.startswith("(") else outputs
    types = ir_text.split(results)
    names = [f"%r{i}" for i in range(len(types))]
    name = op.attrs["sym_name"].strip('"')
    made = f"{', '.join(names)} = " if names else ""
    lines.append(f"{made}func.call @{name}({', '.join(values)}) : ({inputs}) -> ({results})")
    for value, text in zip(names, types):
        kind = evaluator.Type(text)
        if text.startswith("memref"):
            stored = stored_type(kind)
            lines.append(f"{value}s = builtin.unrealized_conversion_cast {value} : {text} to {stored}")
            printed.append((kind, value + "s", stored))
        else:
            printed.append((kind, value, text))
    lines += [f"ttltest.print {value} : {text}" for _, value, text in printed]
    return "func.func @main() {\n" + "\n".join(lines) + "\nreturn\n}\n", [kind for kind, _, _ in printed]


def module_with(body, name, main):
    """Returns the module with `main`, this function and functions that are threads: errors of others cannot
    stop the run. If the function's own name is `main`, it is renamed to `program`."""
    if name == '"main"':
        body, name = body.replace('sym_name = "main"', 'sym_name = "program"'), '"program"'
        main = main.replace("func.call @main(", "func.call @program(")
    lines, kept, inside = body.splitlines(), [], None
    for line in lines:
        if line.startswith('  "func.func"'):
            is_thread = "function_type = () -> ()" in line and "private" in line
            inside = is_thread or f"sym_name = {name}" in line
            multiline = not line.rstrip().endswith(": () -> ()")
            if inside:
                kept.append(line)
            inside = inside if multiline else None
        elif inside is None:
            kept.append(line)
        else:
            if inside:
                kept.append(line)
            if line.startswith("  })"):
                inside = None
    assert kept[-1].startswith("})"), kept[-1]
    return "\n".join(kept[:-1]) + "\n" + main + kept[-1] + "\n"


def numbers(line):
    return [float(word) for word in line.split()]


def printed_arrays(output, kinds):
    """Returns the arrays that ttltest.print printed."""
    arrays, lines = [], output.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("tensor<")] + [len(lines)]
    for kind, begin, end in zip(kinds, heads, heads[1:]):
        rows = [number for line in lines[begin + 1 : end] for number in numbers(line)]
        arrays.append(from_stored(kind, rows))
    return arrays


def functions_of(text):
    ops = ir_text.parse_module(generic_form(text))
    found = [op for op in ops if op.name == "func.func" and op.regions and op.regions[0].ops]
    functions = {op.attrs["sym_name"].strip('"'): op for op in found}
    public = [op for op in found if "private" not in op.attrs.get("sym_visibility", "") or has_program(op)]
    return [evaluator.Function(op, functions) for op in public]


def has_program(op):
    return any(inner.name == "d2m.generic" for inner in evaluator.walk(op.regions[0]))


def run_engine(module, engine):
    return tool("ttl-jit", "run", f"--engine={engine}", str(module))


def expected_of(function):
    arguments = arguments_of(function)
    results, kinds = function.run(arguments)
    every = zip(arguments, function.types, function.body.arguments)
    memrefs = [(array, kind) for array, kind, (_, text) in every if text.startswith("memref")]
    return [array for array, _ in memrefs] + list(results), [kind for _, kind in memrefs] + list(kinds)


def tolerance(kind):
    return {"bf16": 2e-2, "f16": 3e-3}.get(kind.format, 2e-5)


def check(text, folder, engines=("jit", "interp", "emitted")):
    """Compares every function of a module with the evaluator; returns the differences as texts."""
    problems = []
    for number, function in enumerate(functions_of(text)):
        main, kinds = main_for(function)
        path = pathlib.Path(folder) / f"module{number}.mlir"
        path.write_text(module_with(generic_form(text).rstrip(), function.op.attrs["sym_name"], main))
        outputs = [run_engine(path, engine) for engine in engines]
        name = function.op.attrs["sym_name"]
        if outputs[0].returncode:
            problems.append(f"{name}: {outputs[0].stderr.strip()}")
            continue
        for engine, other in zip(engines, outputs):
            if other.stdout != outputs[0].stdout:
                problems.append(f"{name}: {engine} gives other values than {engines[0]}: {other.stderr}")
        expected, _ = expected_of(function)
        found = printed_arrays(outputs[0].stdout, kinds)
        problems += [f"{name}: {text}" for text in differences(kinds, expected, found)]
    return problems


def differences(kinds, expected, found):
    """Compares arrays; elements that the program never writes may have any value."""
    problems = []
    for i, (kind, want, got) in enumerate(zip(kinds, expected, found)):
        got = np.where(want == evaluator.UNWRITTEN, 0, got)
        want = np.where(want == evaluator.UNWRITTEN, 0, want)
        finite = np.abs(np.where(np.isfinite(want), want, 0))
        bound = tolerance(kind) * max(1.0, float(finite.max(initial=0)))
        if not np.allclose(got, want, rtol=tolerance(kind), atol=bound, equal_nan=True):
            problems.append(f"value {i} differs by up to {np.nanmax(np.abs(np.subtract(got, want)))}")
    return problems
