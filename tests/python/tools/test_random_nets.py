"""Random pipe nets give right data under all kinds of schedules."""
# feature: Pipes and nets

import pytest
from running import KERNELS, SUCCESS, run


@pytest.mark.parametrize(
    "options",
    (
        ("--schedule=greedy", "--dma=eager"),
        ("--schedule=greedy", "--dma=late", "--engine=interp"),
        ("--schedule=random", "--seed=1"),
        ("--schedule=parallel(2)",),
        ("--schedule=parallel(3)", "--engine=interp"),
        ("--schedule=random", "--seed=2", "--engine=interp"),
    ),
    ids=" ".join,
)
def test_receivers_get_what_the_pipes_say(options):
    process = run(KERNELS / "random_nets.py", *options, "--", "0", "12")
    assert process.returncode == SUCCESS, process.stderr
    assert process.stderr == ""
