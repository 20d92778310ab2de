# ===- _config.py - d2m_jit.config --------------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import dataclasses
import os


def _is_set(variable):
    return os.environ.get(variable, "").strip().lower() in ("1", "true", "yes", "on")


@dataclasses.dataclass
class Config:
    """Settings that programs assign. `use_tile_matmul` and `kernel_io_in_dram` have no effect: on a card
    they choose between two ways to compute the same values, and the emulated device has one way. The print_
    settings choose what to_host() prints. Any other setting fails: ttl-jit has options for it."""

    backend: str = "device"
    kernel_io_in_dram: bool = False
    use_tile_matmul: bool = False
    print_pipeline: bool = _is_set("D2M_JIT_PRINT_PIPELINE")
    print_ir_before_pipeline: bool = _is_set("D2M_JIT_PRINT_IR_BEFORE")
    print_ir_after_pipeline: bool = _is_set("D2M_JIT_PRINT_IR_AFTER")
    print_ir_after_each_pass: bool = _is_set("D2M_JIT_PRINT_IR_AFTER_ALL")

    @property
    def prints(self):
        """Returns whether the IR of kernels is printed."""
        return self.print_ir_before_pipeline or self.print_ir_after_pipeline or self.print_ir_after_each_pass

    def __setattr__(self, name, value):
        if name not in type(self).__dataclass_fields__ and value:
            raise AttributeError(
                f"d2m_jit.config has no {name}: run `ttl-jit run --help` for the options that trace and "
                "measure a kernel"
            )
        super().__setattr__(name, value)


config = Config()
