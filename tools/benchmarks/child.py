# SPDX-License-Identifier: Apache-2.0
"""Runs one case of tools/bench and prints the result as JSON, in the last line of its output. With
--serve, launches the case's kernel once for each line of input and answers with a line. With
--forever, launches the kernel until the process is killed. The case "limits" measures how fast one
thread of the host copies and computes."""

import json
import os
import pathlib
import sys

from benchmarks import measure, references
from benchmarks.cases import CASES


def serve(case):
    case.launch()
    case.check()
    print("ready", flush=True)
    for _ in sys.stdin:
        case.launch()
        print("done", flush=True)


def forever(case):
    case.launch()
    print("ready", flush=True)
    while True:
        case.launch()


def main(arguments):
    if "--list" in arguments:
        print("\n".join(CASES))
        return
    name, *options = arguments
    if name == "limits":
        native = references.NativeLoops(pathlib.Path(os.environ["TTJIT_BUILD"]))
        print(json.dumps(references.limits(native)))
        return
    if "--forever" in options:
        forever(CASES[name](False))
    if "--serve" in options:
        serve(CASES[name]("--quick" in options))
        return
    print(json.dumps(measure.run(CASES[name]("--quick" in options), "--quick" in options)))
