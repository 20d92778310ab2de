# ===- _config.py - d2m_jit.config ------------------------------------------------------===
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import dataclasses


@dataclasses.dataclass
class Config:
    """Settings that programs make. `use_tile_matmul` and `kernel_io_in_dram` choose between ways to
    the same values, of which there is one here; the others have counterparts among the options of
    ttl-jit, such as --dump."""

    backend: str = "device"
    kernel_io_in_dram: bool = False
    use_tile_matmul: bool = False

    def __setattr__(self, name, value):
        if name not in type(self).__dataclass_fields__ and value:
            raise AttributeError(
                f"d2m_jit.config has no {name}: run `ttl-jit run --help` for the options that print "
                "the IR, or trace and measure a kernel"
            )
        super().__setattr__(name, value)


config = Config()
