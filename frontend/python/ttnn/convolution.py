# SPDX-License-Identifier: Apache-2.0
"""Convolutions. They are computed in double precision and rounded once."""

import collections

import numpy as np

from .activations import activate
from .operands import check_tensor, compute, finish, integer_of
from .types import TILE_LAYOUT, bfloat16
from .program import _Descriptor

__all__ = ["Conv2dConfig", "conv2d"]


class Conv2dConfig(_Descriptor):
    """How a device convolves. Only the activation has an effect on the host."""

    _fields = dict(
        weights_dtype=bfloat16, activation=None, deallocate_activation=False,
        reallocate_halo_output=True, act_block_h_override=0, act_block_w_div=1,
        reshard_if_not_optimal=False, override_sharding_config=False, shard_layout=None,
        core_grid=None, transpose_shards=False, output_layout=TILE_LAYOUT,
        enable_act_double_buffer=False, enable_weights_double_buffer=False,
        full_inner_dim=False, in_place=False, enable_kernel_stride_folding=False,
        config_tensors_in_dram=False, dtype=None, input_channels_alignment=32,
    )


def _pair(value, name, lowest):
    """Returns the numbers for rows and for columns."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    numbers = tuple(integer_of(each, f"ttnn.conv2d(): {name}") for each in values)
    if len(numbers) != 2 or min(numbers) < lowest:
        raise ValueError(f"ttnn.conv2d(): {name}={value!r}: expected a number or two numbers, at "
                         f"least {lowest}")
    return numbers


def _margins(padding):
    """Returns the padding above, below, left and right."""
    if isinstance(padding, (tuple, list)) and len(padding) == 4:
        top, bottom = _pair(padding[:2], "padding", 0)
        left, right = _pair(padding[2:], "padding", 0)
        return (top, bottom), (left, right)
    rows, columns = _pair(padding, "padding", 0)
    return (rows, rows), (columns, columns)


def _array(tensor, name):
    check_tensor(tensor, f"ttnn.conv2d(): {name}")
    return compute("conv2d", np.array, {name: tensor}, False)


def _reshaped(array, name, shape):
    if array.size != int(np.prod(shape)):
        raise ValueError(f"ttnn.conv2d(): {name} has shape {array.shape}, expected as many "
                         f"elements as in {tuple(shape)}")
    return array.reshape(shape)


def _extent(size, margins, kernel, stride, dilation, name):
    extent = (size + sum(margins) - dilation * (kernel - 1) - 1) // stride + 1
    if extent < 1:
        raise ValueError(f"ttnn.conv2d(): the kernel does not fit the {size} {name} of the input")
    return extent


def _convolved(x, w, groups, stride, dilation, extents):
    """Convolves x (batch, rows, columns, channels) with w (out, in / groups, rows, columns)."""
    result = np.zeros((x.shape[0], *extents, w.shape[0]))
    inputs, outputs = w.shape[1], w.shape[0] // groups
    for row in range(w.shape[2]):
        for column in range(w.shape[3]):
            top, left = row * dilation[0], column * dilation[1]
            part = x[:, top : top + stride[0] * extents[0] : stride[0],
                     left : left + stride[1] * extents[1] : stride[1]][:, : extents[0], : extents[1]]
            for group in range(groups):
                weights = w[group * outputs : (group + 1) * outputs, :, row, column]
                channels = part[..., group * inputs : (group + 1) * inputs]
                result[..., group * outputs : (group + 1) * outputs] += channels @ weights.T
    return result


class Geometry(collections.namedtuple("Geometry", "kernel stride dilation margins image weights groups")):
    """The numbers of a convolution; `image` and `weights` are shapes."""

    __slots__ = ()

    @property
    def extents(self):
        """The rows and columns of the result. Raises a ValueError if the kernel does not fit the image."""
        return tuple(_extent(*each) for each in zip(self.image[1:3], self.margins, self.kernel, self.stride,
                                                    self.dilation, ("rows", "columns")))


def geometry(*, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, batch_size, input_height,
             input_width, **_others):
    """Returns the Geometry of the arguments of conv2d(). Raises a ValueError for wrong numbers."""
    kernel, stride = _pair(kernel_size, "kernel_size", 1), _pair(stride, "stride", 1)
    dilation, margins = _pair(dilation, "dilation", 1), _margins(padding)
    if groups < 1 or in_channels % groups or out_channels % groups:
        raise ValueError(f"ttnn.conv2d(): groups={groups} does not divide {in_channels} and "
                         f"{out_channels} channels")
    return Geometry(kernel, stride, dilation, margins, (batch_size, input_height, input_width, in_channels),
                    (out_channels, in_channels // groups, *kernel), groups)


def with_extras(result, extents, *, return_output_dim, return_weights_and_bias, weight_tensor, bias_tensor, **_others):
    """Returns what conv2d() returns: the result, or a list that begins with it if an option asks for more."""
    found = [result]
    if return_output_dim:
        found.append(list(extents))
    if return_weights_and_bias:
        found.append([weight_tensor, bias_tensor])
    return found if len(found) > 1 else found[0]


def conv2d(*, input_tensor, weight_tensor, in_channels, out_channels, device=None,
           bias_tensor=None, kernel_size, stride=(1, 1), padding=(0, 0), dilation=(1, 1),
           batch_size, input_height, input_width, conv_config=None, compute_config=None,
           groups=1, return_output_dim=False, return_weights_and_bias=False, slice_config=None,
           **options):
    """Returns the convolution of x (batch, rows, columns, channels) with weights (out, in / groups,
    rows, columns), as a tensor (1, 1, batch * rows * columns, out). With return_output_dim, a list of
    the result's rows and columns follows the tensor. With return_weights_and_bias, a list of the
    weights and the bias follows.

    Shapes count elements. Raises a TypeError for an argument that is no tensor, and a ValueError
    for extents that do not fit.

    Example:

        y = ttnn.conv2d(input_tensor=ttnn.ones((1, 1, 16, 8)), weight_tensor=ttnn.ones((4, 8, 3, 3)),
                        in_channels=8, out_channels=4, kernel_size=(3, 3), batch_size=1,
                        input_height=4, input_width=4)
    """
    given = {name: value for name, value in locals().items() if name != "options"}
    g = geometry(**given)
    x = _reshaped(_array(input_tensor, "input_tensor"), "input_tensor", g.image)
    w = _reshaped(_array(weight_tensor, "weight_tensor"), "weight_tensor", g.weights)
    with np.errstate(all="ignore"):
        result = _convolved(np.pad(x, ((0, 0), *g.margins, (0, 0))), w, groups, g.stride, g.dilation, g.extents)
        if bias_tensor is not None:
            result = result + _reshaped(_array(bias_tensor, "bias_tensor"), "bias_tensor",
                                        (out_channels,))
        result = activate(result, getattr(conv_config, "activation", None) or None)
    array = result.reshape(1, 1, -1, out_channels)
    return with_extras(finish("conv2d", input_tensor, array, options), g.extents, **given)
