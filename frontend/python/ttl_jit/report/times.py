# SPDX-License-Identifier: Apache-2.0
"""The command `ttl-jit time A --vs B`: which lines gained, which lost."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from ttl_jit.report import _line_pairs

SUCCESS, FAILED, USAGE = 0, 1, 2
MOST_LINES = 12


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise ValueError(message)


def _parser():
    parser = _Parser(prog="ttl-jit time", allow_abbrev=False)
    parser.add_argument("file")
    parser.add_argument("--vs", required=True)
    parser.add_argument("--json", nargs="?", const="-")
    return parser


class NoEstimate(Exception):
    """A program did not run. `status` is its exit status."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def _estimates(file, arguments):
    """Returns the estimates of the kernels of a program, or of a file that --time=FILE.json wrote."""
    if file.endswith(".json"):
        return _read(file)
    if not file.endswith((".py", ".mlir")):
        raise ValueError(f"expected a script (.py), kernels (.mlir) or estimates (.json), found '{file}'; two traces "
                         "are compared by: ttl-jit report TRACE --vs OTHER")
    if not os.path.isfile(file):
        raise ValueError(f"cannot read '{file}': there is no such file")
    with tempfile.TemporaryDirectory(prefix="ttl-jit-time-") as folder:
        result = os.path.join(folder, "estimates.json")
        _run(file, result, arguments)
        return _read(result)


def _run(file, result, arguments):
    import ttl_jit
    from ttl_jit import main

    path = os.pathsep.join([ttl_jit.packages(), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, main.__file__, "time", file, f"--json={result}"]
    process = subprocess.run([*command, "--", *arguments] if arguments else command, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": path})
    if process.returncode:
        raise NoEstimate(f"{process.stdout.rstrip()}\n'{file}' ended with status {process.returncode}",
                         process.returncode)


def _read(file):
    try:
        with open(file, encoding="utf-8") as stream:
            found = json.load(stream)
        for each in found:
            if "failure" not in each:
                {key: each[key] for key in ("kernel", "cycles", "us", "lines", "critical_path")}
    except OSError as error:
        raise ValueError(f"cannot read '{file}': {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"'{file}' holds no estimates of this version: write them with ttl-jit time PROGRAM "
                         "--json=FILE.json") from None
    return [each for each in found if "failure" not in each]


def _paired_kernels(first, second):
    """Returns the pairs of kernels with the same name, then the others in their order; and the names of
    those without a partner."""
    others = {each["kernel"]: each for each in second}
    pairs = [(each, others.pop(each["kernel"])) for each in first if each["kernel"] in others]
    known = {one["kernel"] for one, _ in pairs}
    rest = [each for each in first if each["kernel"] not in known]
    pairs += list(zip(rest, others.values()))
    count = min(len(rest), len(others))
    return pairs, [each["kernel"] for each in [*rest[count:], *list(others.values())[count:]]]


def _places(estimate):
    return {(line["file"], line["line"]): line["path"] for line in estimate["lines"]}


def difference(first, second):
    """Returns the difference of two estimates of a kernel, as what JSON can hold. Cycles of lines and
    resources are those of the critical path: their sums are the time."""
    one, other = _places(first), _places(second)
    lines = [{"before": before and list(before), "after": after and list(after),
              "cycles_before": one.get(before, 0), "cycles_after": other.get(after, 0)}
             for before, after in _line_pairs.LinePairs(one, other).pairs(one, other)]
    names = dict.fromkeys([*first["critical_path"], *second["critical_path"]])
    return {
        "kernel": first["kernel"], "other_kernel": second["kernel"],
        "cycles_before": first["cycles"], "cycles_after": second["cycles"],
        "us_before": first["us"], "us_after": second["us"],
        "lines": sorted(lines, key=lambda line: -abs(_change(line))),
        "resources": {name: [first["critical_path"].get(name, 0), second["critical_path"].get(name, 0)]
                      for name in names},
    }


def _change(line):
    return line["cycles_after"] - line["cycles_before"]


def _verdict(found):
    before, after = found["cycles_before"], found["cycles_after"]
    names = " / ".join(dict.fromkeys([found["kernel"], found["other_kernel"]]))
    change = "no change"
    if before != after:
        change = f"{after - before:+.0f} cycles, {100 * (after - before) / before:+.1f} %"
    return f"kernel {names}: {before:.0f} -> {after:.0f} cycles ({change})"


def _line_rows(title, lines):
    shown = [line for line in lines if abs(_change(line)) >= 0.5]
    rows = [f"  {_change(line):>+9.0f} {line['cycles_before']:>9.0f} -> {line['cycles_after']:>9.0f}  " +
            _line_text(line) for line in shown[:MOST_LINES]]
    left = len(shown) - MOST_LINES
    return ([title, *rows] if rows else []) + ([f"  and {left} more"] if left > 0 else [])


def _line_text(line):
    before, after = (tuple(each) if each else None for each in (line["before"], line["after"]))
    places = _line_pairs.shown(before)
    if before != after:
        places += f" -> {_line_pairs.shown(after)}"
    return f"{places:<28}  {_line_pairs.text_of(after or before)[:60]}".rstrip()


def text(found):
    """Returns the lines of the report on a kernel."""
    gained = [line for line in found["lines"] if _change(line) < 0]
    lost = [line for line in found["lines"] if _change(line) > 0]
    resources = sorted(found["resources"].items(), key=lambda item: -abs(item[1][1] - item[1][0]))
    rows = [f"  {after - before:>+9.0f} {before:>9.0f} -> {after:>9.0f}  {name}"
            for name, (before, after) in resources if abs(after - before) >= 0.5]
    return [_verdict(found), *_line_rows("lines that gained (cycles of the critical path):", gained),
            *_line_rows("lines that lost:", lost), *(["resources:", *rows] if rows else [])]


def _compare(words, arguments):
    options = _parser().parse_args(words)
    first, second = (_estimates(file, arguments) for file in (options.file, options.vs))
    pairs, alone = _paired_kernels(first, second)
    if not pairs:
        raise ValueError(f"nothing to compare: '{options.file}' launched {len(first)} kernels, '{options.vs}' "
                         f"{len(second)}")
    found = [difference(*pair) for pair in pairs]
    if options.json == "-":
        print(json.dumps(found, indent=1))
        return
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(found, indent=1) + "\n")
    lines = [line for each in found for line in text(each)]
    lines += [f"kernel {name}: only in one of the versions" for name in alone]
    print("\n".join(lines))


def main(arguments):
    """Returns the exit status. `arguments` are those of the command, "--", and those of the programs."""
    split = arguments.index("--")
    try:
        _compare(arguments[:split], arguments[split + 1:])
    except NoEstimate as error:
        print(error, file=sys.stderr)
        return error.status if error.status > 0 else FAILED
    except (ValueError, OSError) as error:
        print(f"ttl-jit time: {error}", file=sys.stderr)
        return USAGE
    return SUCCESS
