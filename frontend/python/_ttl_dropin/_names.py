# ===- _names.py - other names of ttl-jit's modules ---------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

_UTILITIES = {
    "": "ttl.utils",
    ".correctness": "ttl.utils.correctness",
    ".block_allocation": "ttl.utils.block_allocation",
}

# Name of an imported module -> the ttl-jit module whose contents it gets.
ALIASES = {
    "ttlang": "ttl",
    "ttlang.ttl": "ttl",
    "ttlang.math": "ttl.math",
    "ttlang.ttl_api": "ttl.ttl_api",
    "ttlang.d2m_api": "ttl.ttl_api",
    "ttlang.operators": "ttl.operators",
    "ttlang.config": "ttl.config",
    "ttlang.compiler_options": "ttl.compiler_options",
    "ttlang.dataflow_buffer": "ttl.dataflow_buffer",
    "ttlang.diagnostics": "ttl.diagnostics",
    "ttlang.dtype_utils": "ttl.dtype_utils",
    "pykernel": "ttl.ttl_api",
    "pykernel.d2m_api": "ttl.ttl_api",
    "pykernel.kernel_ast": "ttl.ttl_api",
    "pykernel._src": "ttl.ttl_api",
    "pykernel._src.kernel_ast": "ttl.ttl_api",
    "d2m_jit.api": "d2m_jit",
    "d2m_jit.sim": "d2m_jit",
    "sim.ttl": "ttl",
    "sim.ttnn": "ttnn",
    "python": "_ttl_dropin",
    "python.sim": "sim",
    "python.sim.ttl": "ttl",
    "python.sim.ttnn": "ttnn",
    "python.sim.testing": "sim.testing",
    "python.sim.typedefs": "sim.typedefs",
    "python.sim.ttnnsim": "sim.ttnnsim",
    "python.sim.dfb": "sim.dfb",
    "test_config": "ttl.config",
    **{"utils" + name: target for name, target in _UTILITIES.items()},
    **{"ttlang.utils" + name: target for name, target in _UTILITIES.items()},
}

# Names that users also give to modules of their own.
GENERIC = ("utils", "test_config", "python")
