# SPDX-License-Identifier: Apache-2.0
"""Runs one batch of a campaign on a worker of a Dask cluster. Reads the function's name, the arguments of
the jobs and the time limit in seconds from standard input as JSON, and writes the answers to standard
output."""

import json
import os
import sys

import ttl_jit
from ttl_jit.campaign._children import Children


def main():
    function, batch, seconds = json.load(sys.stdin)
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the jobs print goes to standard error: standard output is for the answers
    ttl_jit.activate()
    import numpy  # noqa: F401  imported before the children are forked
    import ttl  # noqa: F401
    from ttl import ttnn  # noqa: F401

    json.dump(Children().answers(function, batch, seconds), output)
    output.close()


main()
