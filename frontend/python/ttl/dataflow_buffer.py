# ===- dataflow_buffer.py - ttl.dataflow_buffer, buffers as a module ----------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._buffers import CircularBuffer, DataflowBuffer, make_dataflow_buffer_like, make_dfb

__all__ = ["CircularBuffer", "DataflowBuffer", "make_dataflow_buffer_like", "make_dfb"]
