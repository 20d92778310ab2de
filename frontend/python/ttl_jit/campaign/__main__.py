# SPDX-License-Identifier: Apache-2.0
"""Answers one batch of a campaign: reads the function, the arguments of its jobs and the seconds from
standard input, and writes the answers to standard output. Workers of a cluster start it."""

import json
import os
import sys

import ttl_jit
from ttl_jit.campaign._children import Children


def main():
    function, batch, seconds = json.load(sys.stdin)
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the jobs print is no answer
    ttl_jit.activate()
    import numpy  # noqa: F401  imported before the children are forked
    import ttl  # noqa: F401
    from ttl import ttnn  # noqa: F401

    json.dump(Children().answers(function, batch, seconds), output)
    output.close()


main()
