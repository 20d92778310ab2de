# SPDX-License-Identifier: Apache-2.0
"""Every example with the arithmetic of the card: it states how far off a result may be there, and no
result is farther off."""

import pytest
from running import EXAMPLES, SUCCESS, run

SHARED = {"check", "programs"}
FILES = sorted(path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py") if path.stem not in SHARED)
# random_numbers.py prints what it has; the others compare.
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
    """A product that lacks the first 32 of its 256 summands exceeds the limit of the card."""
    for name in ("check.py", "matmul_single_core.py"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    broken = tmp_path / "matmul_single_core.py"
    text = broken.read_text()
    assert "a64 @ b64," in text
    broken.write_text(text.replace("a64 @ b64,", "a64[:, 32:] @ b64[32:],"))
    process = run(broken, "--numerics=device")
    assert process.returncode != SUCCESS and "elements are wrong" in process.stderr
