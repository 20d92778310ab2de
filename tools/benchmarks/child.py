# SPDX-License-Identifier: Apache-2.0
"""The process that runs one case of tools/bench: its last line of output is JSON."""

import json

from benchmarks import measure
from benchmarks.cases import CASES


def main(arguments):
    if "--list" in arguments:
        print("\n".join(CASES))
        return
    name, *options = arguments
    print(json.dumps(measure.run(CASES[name]("--quick" in options), "--quick" in options)))
