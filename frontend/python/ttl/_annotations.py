# ===- _annotations.py - types that annotations of kernel values name ---------------===
# SPDX-License-Identifier: Apache-2.0
#
# Blocks and handles exist only in kernels. Programs name their types in annotations.
# ===----------------------------------------------------------------------------===//


class TensorBlock:
    """A block of a dataflow buffer, or an expression of blocks."""


class CopyTransferHandler:
    """The handle that ttl.copy() returns."""


class ReceiveRequest(CopyTransferHandler):
    """The handle of a copy from a pipe."""


class ReadyReceive:
    """The result of ttl.wait_any()."""


MemTx = CopyTransferHandler

for _class in (TensorBlock, CopyTransferHandler, ReceiveRequest, ReadyReceive):
    _class.__module__ = "ttl"
