# SPDX-License-Identifier: Apache-2.0
"""Runs one case of tools/bench and prints the result as JSON, in the last line of its output. With
--serve, it launches the case's kernel once for each line of input and answers with a line."""

import json
import sys

from benchmarks import measure
from benchmarks.cases import CASES


def serve(case):
    case.launch()
    case.check()
    print("ready", flush=True)
    for _ in sys.stdin:
        case.launch()
        print("done", flush=True)


def main(arguments):
    if "--list" in arguments:
        print("\n".join(CASES))
        return
    name, *options = arguments
    if "--serve" in options:
        serve(CASES[name]("--quick" in options))
        return
    print(json.dumps(measure.run(CASES[name]("--quick" in options), "--quick" in options)))
