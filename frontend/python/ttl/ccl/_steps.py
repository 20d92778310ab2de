# ===- _steps.py - what a data movement thread of a collective does with a block  === #
# SPDX-License-Identifier: Apache-2.0
#
# Each function moves one block and waits until it has moved. Kernels of collectives call the functions.
# ===--------------------------------------------------------------------------=== #

import ttl


def read(source, buffer):
    """Copies slices of a tensor, or what a pipe brings, into the next block of the buffer."""
    with buffer.reserve() as block:
        ttl.copy(source, block).wait()


def take(net, buffer):
    """Receives the next block of the buffer, on devices that the net sends to."""
    with buffer.reserve() as block:
        net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())


def give(net, buffer):
    """Sends the oldest block of the buffer, from devices that the net sends from."""
    with buffer.wait() as block:
        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())


def write(buffer, destination):
    """Copies the oldest block of the buffer to slices of a tensor, or to a pipe."""
    with buffer.wait() as block:
        ttl.copy(block, destination).wait()
