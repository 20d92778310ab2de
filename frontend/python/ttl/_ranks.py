# ===- _ranks.py - launches of several processes ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import os

import _ttjit
from ttl import _location


def compare_launch(name, tensors, numbers):
    """Checks that all ranks, the processes of one run, launch this kernel now, from the same line and
    with the same arguments. Raises a RuntimeError with both lines if not. Does nothing without a mesh."""
    if not _ttjit.has_ranks() or all(tensor.num_devices == 1 for tensor in tensors):
        return
    place = _location.program_location()
    arguments = [(tuple(tensor.shape), str(tensor.dtype), tensor.buffer_address()) for tensor in tensors]
    _ttjit.note_data(f"passes the arguments of '{name}'", repr((arguments, numbers)).encode())
    _ttjit.compare_ranks(f"launches '{name}' at {os.path.basename(place.file)}:{place.line}")
