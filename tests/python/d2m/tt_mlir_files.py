# SPDX-License-Identifier: Apache-2.0
"""Runs the d2m functions in tt-mlir's .mlir test files, and compares their results with an evaluator's.

python3 tests/python/d2m/tt_mlir_files.py FOLDER [PATTERN] [--engines=jit,interp,emitted] [--update]
    FOLDER is a clone of tt-mlir; the files used are those below test/ttmlir that contain `d2m.`. Prints a line
    for each function of a file whose path contains PATTERN. --update writes the table of docs/d2m.md.

evaluator.py computes the expected values of d2m functions, tests/python/models/model_evaluator.py those of ttir. A
file counts as run if one of its functions gives these values, with the same bits on all engines that were named."""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("models", "docs", "")]

import evaluator  # noqa: E402
import ir_text  # noqa: E402
import judge  # noqa: E402
import lone_threads  # noqa: E402
import module_text  # noqa: E402
import numpy as np  # noqa: E402
import tile_evaluator  # noqa: E402

RIGHT, NOTHING = "right", "right: stores nothing"
SECONDS = 240  # limit for one function
LARGEST = 1 << 24  # limit for the elements of a tensor
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "d2m.md"
START, END = "<!-- files: tests/python/d2m/tt_mlir_files.py FOLDER --update -->\n", "\n<!-- end of files -->"


class TooSlow(Exception):
    """A function ran longer than SECONDS."""


def first_error(text):
    """Returns the first error in a tool's messages, without its position."""
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines()[:1] or ["no message"]
    return re.sub(r"^\S*?:\d+:\d+: ", "", lines[0]).removeprefix("error: ")[:160]


#
# Functions
#


def judge_d2m(function, body, engines, folder):
    """Runs a d2m function; returns RIGHT, or NOTHING if it stores nothing, or a text that says what fails."""
    name = function.op.attrs["sym_name"]
    main, kinds = judge.main_for(function)
    path = pathlib.Path(folder) / "module.mlir"
    path.write_text(judge.module_with(body, name, main))
    runs = [judge.run_engine(path, engine) for engine in engines]
    if runs[0].returncode:
        return first_error(runs[0].stderr)
    for engine, run in zip(engines, runs):
        if run.stdout != runs[0].stdout:
            return f"{engine} gives other values than {engines[0]}: {first_error(run.stderr)}"
    expected, _ = judge.expected_of(function)
    found = judge.differences(kinds, expected, judge.printed_arrays(runs[0].stdout, kinds))
    if found:
        return "other values: " + "; ".join(found)
    return NOTHING if "stores nothing" in runs[0].stderr else RIGHT


def judge_ttir(name, part, engines):
    """Runs a ttir function; returns RIGHT, or a text that says what is wrong."""
    import judge_files
    import ttl

    try:
        module, returned = module_text.read_functions(part)[name]
        judge_files.check(name, module, returned, part, engines)
    except (ttl.CompileError, ttl.RuntimeFault, module_text.Unreadable, AssertionError, ValueError) as error:
        return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]
    return RIGHT


def only_function(body, name):
    """Returns the module, in MLIR's generic form, with this function only."""
    lines, inside, kept = [], False, True
    for line in body.splitlines():
        if line.startswith('  "func.func"'):
            inside, kept = not line.rstrip().endswith(": () -> ()"), f"sym_name = {name}" in line
            lines += [line] * kept
        elif not inside or kept:
            lines.append(line)
        inside = inside and not line.startswith("  })")
    return "\n".join(lines) + "\n"


def stored(kind, array):
    """Returns a memref's array as row-major elements, in numpy's type for its format."""
    rows = np.swapaxes(array, -3, -2) if kind.tile else array
    dtype = {"f16": np.float16, "si32": np.int32, "u32": np.uint32}.get(kind.format, np.float32)
    return rows.reshape(judge.stored_shape(kind)).astype(dtype)


def judge_thread(function, body, engines):
    """Runs a thread on one core; returns RIGHT or NOTHING, or a text that says what is wrong."""
    import ttl

    name = function.op.attrs["sym_name"]
    before = [stored(kind, array) for kind, array in zip(function.types, judge.arguments_of(function))]
    found = []
    for engine in engines:
        arrays = [array.copy() for array in before]
        try:
            ttl.load_mlir(only_function(body, name), options=f"--engine={engine}").functions[name.strip('"')](*arrays)
        except (ttl.CompileError, ttl.RuntimeFault, ValueError) as error:
            return str(error).strip().splitlines()[0][:160]
        found.append(arrays)
    for engine, arrays in zip(engines, found):
        if any(a.tobytes() != b.tobytes() for a, b in zip(arrays, found[0])):
            return f"{engine} gives other values than {engines[0]}"
    expected, kinds = judge.expected_of(function)
    wrong = judge.differences(kinds, expected, [judge.from_stored(k, a) for k, a in zip(kinds, found[0])])
    if wrong:
        return "other values: " + "; ".join(wrong)
    same = all(a.tobytes() == b.tobytes() for a, b in zip(before, found[0]))
    return NOTHING if same else RIGHT


def kind_of(function):
    dialects = {op.name.partition(".")[0] for op in evaluator.walk(function.body)}
    return "d2m" if "d2m" in dialects else "ttir" if dialects & {"ttir", "ttnn"} else "none"


def largest(function):
    """Returns the number of elements of the largest tensor in the function."""
    kinds = [kind for op in evaluator.walk(function.body) for kind in op.result_types]
    kinds += [kind for _, kind in function.body.arguments]
    shapes = [re.match(r"tensor<((?:\d+x)+)", kind) for kind in kinds]
    return max((math.prod(map(int, shape[1][:-1].split("x"))) for shape in shapes if shape), default=0)


def judge_function(function, body, part, engines, folder):
    name = function.op.attrs["sym_name"].strip('"')
    if largest(function) > LARGEST:
        return f"takes more than {SECONDS} s: a tensor has {largest(function)} elements"
    kind = kind_of(function)
    if kind == "none":
        return "has no op of d2m"
    try:
        signal.alarm(SECONDS)
        if "d2m.thread" in function.op.attrs:
            return judge_thread(function, body, engines)
        return judge_d2m(function, body, engines, folder) if kind == "d2m" else judge_ttir(name, part, engines)
    except (TooSlow, subprocess.TimeoutExpired):
        return f"takes more than {SECONDS} s"
    except evaluator.Unsupported as error:
        return f"the evaluator does not know {error}"
    except Exception as error:  # the evaluator's error is this function's status
        return f"the evaluator stops: {type(error).__name__}: {error}"[:160]
    finally:
        signal.alarm(0)


#
# Files
#


def lone_threads_of(text):
    """Returns a module's functions, wrapped to run on one core, if all are d2m threads; else nothing."""
    ops = [op for op in ir_text.parse_module(text) if op.name == "func.func" and op.regions[0].ops]
    if not all(map(lone_threads.is_lone_thread, ops)):
        return []
    return [evaluator.Function(lone_threads.as_program(op)) for op in ops]


def judge_part(part, engines, folder):
    """Returns (function name, status) for each function of one module."""
    expects = re.search(r"expected-error|CHECK\S*: .*error", part) is not None
    parsed = judge.tool("ttl-opt", "--mlir-print-op-generic", "-", text=part)
    if parsed.returncode:
        error = first_error(parsed.stderr)
        return [("module", f"is refused, as tt-mlir does: {error}" if expects else f"cannot be read: {error}")]
    try:
        functions = lone_threads_of(parsed.stdout) or judge.functions_of(part)
    except evaluator.Unsupported as error:
        return [("module", f"the evaluator does not know {error}")]
    body, found = parsed.stdout.rstrip(), []
    for function in functions:
        status = judge_function(function, body, part, engines, folder)
        expected = expects and not status.startswith(RIGHT) and "evaluator" not in status
        name = function.op.attrs["sym_name"].strip('"')
        found.append((name, f"is refused, as tt-mlir does: {status}" if expected else status))
    return found or [("module", "has no public function with a body")]


def judge_file(path, engines):
    def stop(*_):
        raise TooSlow

    tile_evaluator.TIMEOUT = 10
    signal.signal(signal.SIGALRM, stop)
    text = path.read_text()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        parts = re.split(r"^// -----.*$", text, flags=re.M)
        every = [part for part in parts if re.search(r"^[^/\n]*\b(func|module|d2m|ttir)\b", part, re.M)]
        # Separators count only if the file asks for a split or has several modules.
        whole = "split-input-file" not in text and len(re.findall(r"^module\b", text, re.M)) < 2
        for number, part in enumerate([text] if whole else every):
            found += [(f"{number}:{name}", status) for name, status in judge_part(part, engines, folder)]
    return found


def judge_alone(path, engines):
    """Runs judge_file() in a process of its own, because it may crash or use too much memory."""
    code = "import json, pathlib, tt_mlir_files as files\n"
    code += f"found = files.judge_file(pathlib.Path({str(path)!r}), {engines})\nprint('found ' + json.dumps(found))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    process = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    for line in process.stdout.splitlines():
        if line.startswith("found "):
            return json.loads(line.removeprefix("found "))
    return [("module", f"the process ends with status {process.returncode}: {process.stderr.strip()[-100:]}")]


def runs(statuses):
    return any(status.startswith(RIGHT) for _, status in statuses)


#
# The table
#

REASONS = [  # (text in a status, reason in the table); the first row that fits counts
    ("is refused, as tt-mlir does", "the file tests an error, and there is one here, too"),
    ("no public function", "no function to run"),
    ("needs a d2m.generic", "threads that need arguments of a `d2m.generic`: an error at their lines"),
    ("cannot be read", "ops, types or attributes that are not read: an error at their lines"),
    ("an argument of", "arguments that a launch does not have: numbers, queues, memory of one core"),
    ("nobody has written it", "a block is pushed that nobody wrote: an error at its line"),
    ("before anything is written", "a block is read that nobody wrote: an error at its line"),
    ("nothing was written", "a block is read that nobody wrote: an error at its line"),
    ("a number of elements", "copies of a number of elements: an error at their lines"),
    ("not on the device", "an operand that is not on the device: an error at its line"),
    ("data movement threads", "more data movement threads than a core has: an error at the line of the program"),
    ("deadlock", "a semaphore that nobody sets: a deadlock with its line"),
    ("takes more than", "a function takes more than four minutes"),
    ("does not fit its layout", "a tensor that does not fit its layout: an error at its line"),
    ("view", "a view that does not fit its tensor: an error at its line"),
    ("is not supported", "an op or a form that is not supported: an error at its line"),
    ("the evaluator", "the evaluator does not know an op or a type"),
]


def reason_of(path, statuses):
    if "negative" in path:
        return REASONS[0][1]
    for text, reason in REASONS:
        if any(text in status for _, status in statuses):
            return reason
    return "an op or a form that is not supported: an error at its line"


def table(results):
    """Returns the table of docs/d2m.md. `results`: {path below test/ttmlir: statuses}."""
    right = [path for path, statuses in results.items() if runs(statuses)]
    groups = {}
    for path, statuses in results.items():
        if path not in right:
            groups.setdefault(reason_of(path, statuses), []).append(path)
    silent = sum(all(status != RIGHT for _, status in results[path]) for path in right)
    count = len(results)
    lines = [
        f"{len(right)} of {count} files have a function that gives the evaluator's values. In {silent} of them it",
        "stores nothing, so that only the end of the run is compared.",
        "",
    ]
    lines += ["| files | why no function of them runs |", "| --- | --- |"]
    for reason, paths in sorted(groups.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {len(paths)} | {reason} |")
    for reason, paths in sorted(groups.items(), key=lambda item: -len(item[1])):
        names = ", ".join(f"`{path.removesuffix('.mlir')}`" for path in sorted(paths))
        lines += ["", *wrapped(f"{reason[0].upper()}{reason[1:]}: {names}.")]
    return "\n".join(lines)


def wrapped(text, width=120):
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def update(results):
    page = PAGE.read_text()
    PAGE.write_text(page[: page.index(START) + len(START)] + table(results) + page[page.index(END) :])


def files_of(folder, pattern):
    root = folder / "test" / "ttmlir"
    every = sorted(path for path in root.rglob("*.mlir") if "d2m." in path.read_text())
    return root, [path for path in every if pattern in str(path)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--engines", default="jit")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    root, paths = files_of(arguments.folder, arguments.pattern)
    results, engines = {}, arguments.engines.split(",")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, found in zip(paths, pool.map(judge_alone, paths, [engines] * len(paths))):
            results[str(path.relative_to(root))] = found
            for name, status in found:
                print(f"{path.relative_to(root)} {name}: {status}", flush=True)
    print(f"{sum(map(runs, results.values()))} of {len(results)} files have a function that is right")
    if arguments.update:
        update(results)


if __name__ == "__main__":
    main()
