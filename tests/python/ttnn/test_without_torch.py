# SPDX-License-Identifier: Apache-2.0
"""ttnn works without torch, and does not import torch even if it is installed."""

import subprocess
import sys

SCRIPT = """
import sys
sys.modules["torch"] = None  # import torch raises ImportError
import numpy as np
import ttnn

tensor = ttnn.from_numpy(np.ones((3, 3), np.float32), device=ttnn.open_device())
assert (tensor + tensor).to_numpy().sum() == 18
assert ttnn.zeros((2,), dtype=ttnn.bfloat16).to_numpy().sum() == 0
try:
    ttnn.from_torch([1.0])
except TypeError:
    pass
else:
    raise AssertionError("accepted")
"""

UNTOUCHED = """
import sys
import ttnn

ttnn.ones((2, 2)) + 1
assert "torch" not in sys.modules
"""


def test_without_torch():
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)


def test_torch_is_not_imported():
    subprocess.run([sys.executable, "-c", UNTOUCHED], check=True)
