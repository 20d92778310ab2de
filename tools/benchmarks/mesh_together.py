# SPDX-License-Identifier: Apache-2.0
"""A row of `tools/bench mesh` on host threads or ranks: ttl-jit runs this script, perhaps under mpirun."""

import sys

from benchmarks import mesh

mesh.run_together(sys.argv[1], *map(int, sys.argv[2:]))
