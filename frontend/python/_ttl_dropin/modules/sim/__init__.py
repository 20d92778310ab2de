# SPDX-License-Identifier: Apache-2.0
"""TT-Lang and ttnn under the names with which scripts of the simulator import them: from sim
import ttl, ttnn."""

import ttl
from ttl import ttnn
from sim import testing, typedefs
from sim.testing import assert_pcc
from sim.typedefs import IndexType, Pipe, Shape
from ttl import (
    TILE_SHAPE,
    CircularBuffer,
    GroupTransfer,
    PipeNet,
    Program,
    TensorAccessor,
    compute,
    copy,
    core,
    datamovement,
    grid_size,
    if_pipe_dst,
    if_pipe_src,
    is_tiled,
    kernel,
    make_circular_buffer_like,
    make_dataflow_buffer_like,
    math,
    node,
    operation,
)

TTNN_AVAILABLE = True
