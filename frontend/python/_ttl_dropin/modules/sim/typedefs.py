# SPDX-License-Identifier: Apache-2.0
"""Types that annotations in the simulator's scripts name."""

from ttl import IndexType, Pipe

Shape = tuple
CoreCoord = tuple
CoreIndex = int
Index = int
Size = int
