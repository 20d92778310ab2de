# SPDX-License-Identifier: Apache-2.0
"""ttnn under the simulator's name for it. Its class Tensor takes a torch tensor and a layout."""

import ttnn
from ttnn import *  # noqa: F403
from ttnn import TILE_LAYOUT


class _Kind(type(ttnn.Tensor)):
    def __instancecheck__(cls, value):
        return isinstance(value, ttnn.Tensor)


class Tensor(ttnn.Tensor, metaclass=_Kind):
    """Tensor(torch_tensor, layout=TILE_LAYOUT) makes a ttnn.Tensor; all ttnn tensors are
    instances."""

    def __new__(cls, tensor, layout=TILE_LAYOUT, memory_config=None):
        return ttnn.from_torch(tensor, layout=layout, memory_config=memory_config)
