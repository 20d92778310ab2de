"""Each optimisation has a switch, and code for every CPU and of every level of LLVM's optimiser: the
bits stay the same."""

import pytest
from running import EXAMPLES, hashes, run
from test_examples import HASHES

SWITCHES = ("--tile-loops=off", "--block-transfers=off", "--aliases=off", "--share-arrays=off")
# A CPU without AVX, and one without AVX-512.
CODE = ("--host-cpu=x86-64-v2", "--host-cpu=x86-64-v3", "--opt-level=0", "--opt-level=2")
SETTINGS = [(option,) for option in SWITCHES + CODE]
SETTINGS += [SWITCHES, (*SWITCHES, "--host-cpu=x86-64-v2", "--opt-level=0")]


@pytest.mark.parametrize("options", SETTINGS, ids=",".join)
def test_examples_have_the_same_bits(options):
    for example, expected in HASHES.items():
        name, *arguments = example.split()
        process = run(EXAMPLES / f"{name}.py", "--engine=jit", *options, "--", "--hash", *arguments)
        assert hashes(process) == expected.split(), example
        assert process.stderr == "", example
