# SPDX-License-Identifier: Apache-2.0
"""The types of buffers and blocks, for annotations in scripts of the simulator."""

from ttl import DataflowBuffer, make_dataflow_buffer_like  # noqa: F401
from ttl import TensorBlock as Block  # noqa: F401
