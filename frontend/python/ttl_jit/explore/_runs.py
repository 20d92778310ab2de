# SPDX-License-Identifier: Apache-2.0
"""Runs a script with --explore in a process of its own, and reads the findings from its output."""

import base64
import os
import re
import subprocess
import sys
import tempfile

SUCCESS, RUNTIME_FAULT = 0, 4
_SAME = re.compile(r"explore: kernel (.*): (\d+) orders give the same results; they show (\d+) pairs of events")
_RUN = "import sys; from ttl_jit.main import main; sys.exit(main())"


def explore(arguments):
    """Runs the script; returns the exit status, what it wrote to standard error, the decisions of the
    order with another result (as text, empty if there is none) and for each launch the kernel, the number
    of orders and that of the pairs of events."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "explore.replay")
        command = [sys.executable, "-c", _RUN, "run", arguments["file"], "--", *arguments["script"]]
        variables = {**arguments["options"], "TTL_EXPLORE": f"{arguments['orders']}:{file}",
                     "TTL_SEED": str(arguments["seed"])}
        process = subprocess.run(command, env={**_without_options(), **variables}, cwd=arguments["folder"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 text=True, errors="replace")
        launches = [(name, int(orders), int(pairs)) for name, orders, pairs in _SAME.findall(process.stderr)]
        return {"status": process.returncode, "errors": process.stderr.replace(file, "FILE"),
                "decisions": _decisions(file), "launches": launches}


def _without_options():
    """Returns the environment without options, in which Python finds this package."""
    import ttl_jit

    package = os.path.dirname(os.path.dirname(ttl_jit.__file__))
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTL_")}
    return {**kept, "PYTHONPATH": path}


def _decisions(file):
    if not os.path.exists(file):
        return ""
    with open(file, "rb") as stream:
        return base64.b64encode(stream.read()).decode()


def write_decisions(text, file):
    """Writes decisions for --schedule=replay."""
    with open(file, "wb") as stream:
        stream.write(base64.b64decode(text))
