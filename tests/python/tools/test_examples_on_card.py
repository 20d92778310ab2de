# SPDX-License-Identifier: Apache-2.0
"""Every example with --numerics=device. Each states the largest error that a card's arithmetic may cause,
and no result exceeds it."""

import pytest
from running import EXAMPLES, SUCCESS, run

SHARED = {"check", "programs"}
FILES = sorted(path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py") if path.stem not in SHARED)
# Words in the examples' output. random_numbers.py prints means; the others compare with exact results.
SAYS = ("max error", "largest error", "equal", "the rows come back", "means")


def test_there_are_examples_of_each_kind():
    folders = {name.rpartition("/")[0] for name in FILES}
    assert {"", "metalium", "ttir"} <= folders


@pytest.mark.parametrize("arch", ("wormhole_b0", "blackhole"))
@pytest.mark.parametrize("name", FILES)
def test_an_example_is_right_on_the_card(name, arch):
    process = run(EXAMPLES / name, "--numerics=device", f"--arch={arch}")
    assert process.returncode == SUCCESS, process.stdout + process.stderr
    assert any(words in process.stdout for words in SAYS), process.stdout


def test_a_wrong_result_is_found(tmp_path):
    """A product without the first 32 of its 256 summands has a larger error than the example allows."""
    for name in ("check.py", "matmul_single_core.py"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    broken = tmp_path / "matmul_single_core.py"
    text = broken.read_text()
    assert "a64 @ b64," in text
    broken.write_text(text.replace("a64 @ b64,", "a64[:, 32:] @ b64[32:],"))
    process = run(broken, "--numerics=device")
    assert process.returncode != SUCCESS and "elements are wrong" in process.stderr
