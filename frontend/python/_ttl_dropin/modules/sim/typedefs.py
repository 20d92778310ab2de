# SPDX-License-Identifier: Apache-2.0
"""Types that annotations in scripts of the simulator name."""

from ttl import IndexType, Pipe  # noqa: F401

Shape = tuple
CoreCoord = tuple
CoreIndex = int
Index = int
Size = int
