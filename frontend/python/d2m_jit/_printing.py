# ===- _printing.py - the IR of kernels, as config asks for it ----------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit

from d2m_jit._config import config

_launches = []  # (operation, arguments) of each launch since the last to_host()


def note(operation, arguments):
    """Remembers a launch for show(), if config asks for IR of kernels."""
    if config.prints:
        _launches.append((operation, arguments))


def show():
    """Prints what config asks for about the launches since the last call, and forgets them."""
    launches, _launches[:] = list(_launches), []
    if config.print_pipeline:
        print("[d2m-jit] pipeline:", ", ".join(name for _, name in _ttjit.pipeline_steps()))
    if config.print_ir_before_pipeline:
        _print("IR before pipeline:", [operation.ir(*arguments) for operation, arguments in launches])
    if not (config.print_ir_after_each_pass or config.print_ir_after_pipeline):
        return
    kernels = [operation.lower(*arguments) for operation, arguments in launches]
    if config.print_ir_after_each_pass:
        for _, name in _ttjit.pipeline_steps():
            _print(f"IR after {name}:", [kernel.ir(name) for kernel in kernels])
    if config.print_ir_after_pipeline:
        _print("IR after pipeline:", [kernel.ir() for kernel in kernels])


def _print(title, texts):
    print(f"[d2m-jit] {title}", *texts, sep="\n")
