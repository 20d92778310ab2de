# SPDX-License-Identifier: Apache-2.0
"""Measures a row of `tools/bench mesh` on several host threads or ranks. mesh.py runs this script with
ttl-jit, for ranks under mpirun."""

import sys

from benchmarks import mesh

mesh.run_together(sys.argv[1], *map(int, sys.argv[2:]))
