# SPDX-License-Identifier: Apache-2.0
"""ttl-jit explain has a text for every pass of tt-mlir. Passes of this project that it names exist."""

import re

import pytest
from running import ROOT, SUCCESS, USAGE, ttl_jit

ROWS = re.findall(r'^UPSTREAM_(RUNS|WITHIN|NONE)\("([^"]+)", "([^"]+)", "([^"]+)"\)$',
                  (ROOT / "passes" / "UpstreamPasses.def").read_text(), re.MULTILINE)


def explained(*arguments):
    process = ttl_jit("explain", *arguments)
    assert (process.returncode, process.stderr) == (SUCCESS, "")
    return process.stdout


def test_the_list_has_every_row():
    assert len(ROWS) > 80 and len({name for _, name, *_ in ROWS}) == len(ROWS)
    signs = {"RUNS": "=>", "WITHIN": "=", "NONE": "-"}
    shown = re.findall(r"^  (\S+) +(=>|=|-) +(.*)$", explained(), re.MULTILINE)
    assert shown == [(name, signs[kind], here if kind == "NONE" else here.replace(",", ", "))
                     for kind, name, _, here in ROWS]


def test_every_pass_that_the_list_names_exists():
    names = {name for kind, *_, here in ROWS if kind != "NONE" for name in here.split(",")}
    for name in sorted(names):
        assert re.match(rf"{name}( \(stage [\w ]+\))?: \w", explained(name)), name


@pytest.mark.parametrize("name, text", [
    ("ttir-to-d2m", "ttir-to-d2m of tt-mlir makes programs on a grid of the ops of a model.\n"
                    "ttl-opt --ttir-to-d2m runs\n  ttir-decompose: "),
    ("d2m-op-scheduler", "This is part of the work of\n  ttl-assign-dst (stage dst): "),
    ("ttmetal-to-flatbuffer-bin", "ttl-jit run FILE --emit=DIR writes the C++ of the kernels"),
    ("ttl-allocate-circular-buffers", "ttl-allocate-circular-buffers (stage buffers and loops): "),
    ("ttl-allocate-circular-buffers", "  d2m-allocate gives buffers their addresses\n"),
    ("cse", "cse (stage ttkernel): Eliminate common sub-expressions\n"),
])
def test_one_pass(name, text):
    assert text in explained(name)


@pytest.mark.parametrize("arguments, message", [
    (["d2m-alocate"], "unknown pass: 'd2m-alocate'; did you mean d2m-allocate?"),
    (["zzz"], "unknown pass: 'zzz'; `ttl-jit explain` lists the passes"),
    (["cse", "canonicalize"], "explain takes the name of one pass; found also 'canonicalize'"),
])
def test_usage_errors(arguments, message):
    process = ttl_jit("explain", *arguments)
    assert (process.returncode, process.stdout) == (USAGE, "")
    assert process.stderr.startswith(f"ttl-jit: {message}")
