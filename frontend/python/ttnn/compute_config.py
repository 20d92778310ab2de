# SPDX-License-Identifier: Apache-2.0
"""Configurations of compute kernels. The functions of ttnn on the host accept them and compute the
same results with each of them."""

import enum

from _ttjit import public_methods

__all__ = (
    "BlackholeComputeKernelConfig GrayskullComputeKernelConfig MathFidelity UnpackToDestMode "
    "WormholeComputeKernelConfig init_device_compute_kernel_config"
).split()


class MathFidelity(enum.Enum):
    """The number of bits of the factors that a multiplication uses."""

    LoFi = 0
    HiFi2 = 2
    HiFi3 = 3
    HiFi4 = 4
    Invalid = 255


class UnpackToDestMode(enum.Enum):
    """The way in which a buffer's tiles reach the DST registers."""

    Default = 0
    UnpackToDestFp32 = 1


@public_methods
class WormholeComputeKernelConfig:
    """The options of a compute kernel."""

    def __init__(self, math_fidelity=MathFidelity.LoFi, math_approx_mode=True,
                 fp32_dest_acc_en=False, packer_l1_acc=False, dst_full_sync_en=False,
                 throttle_level=None):
        self.math_fidelity = math_fidelity
        self.math_approx_mode = math_approx_mode
        self.fp32_dest_acc_en = fp32_dest_acc_en
        self.packer_l1_acc = packer_l1_acc
        self.dst_full_sync_en = dst_full_sync_en
        self.throttle_level = throttle_level

    def __eq__(self, other):
        return isinstance(other, WormholeComputeKernelConfig) and vars(self) == vars(other)

    def __hash__(self):
        return hash(tuple(vars(self).values()))

    def __repr__(self):
        options = ", ".join(f"{key}={value!r}" for key, value in vars(self).items())
        return f"WormholeComputeKernelConfig({options})"


BlackholeComputeKernelConfig = GrayskullComputeKernelConfig = WormholeComputeKernelConfig


def init_device_compute_kernel_config(arch, device_kernel_config=None, *,
                                      math_fidelity=None, math_approx_mode=True,
                                      fp32_dest_acc_en=False, packer_l1_acc=False,
                                      dst_full_sync_en=False, throttle_level=None):
    """Returns the given configuration, or a new one for an architecture. The default of
    math_fidelity is LoFi.

    Raises a TypeError for an option that does not exist.

    Example:

        options = ttnn.init_device_compute_kernel_config("wormhole_b0", fp32_dest_acc_en=True)
    """
    if device_kernel_config is not None:
        return device_kernel_config
    fidelity = MathFidelity.LoFi if math_fidelity is None else math_fidelity
    return WormholeComputeKernelConfig(fidelity, math_approx_mode, fp32_dest_acc_en,
                                       packer_l1_acc, dst_full_sync_en, throttle_level)
