# ===- _environment.py - the environment variables TTLANG_* ------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# Scripts set these variables, too, so they are read at every call.
# ===----------------------------------------------------------------------------===//

import os


def is_compile_only():
    """Returns whether TTLANG_COMPILE_ONLY=1 is set: a call then compiles its kernel and does not
    run it."""
    return os.environ.get("TTLANG_COMPILE_ONLY", "0") not in ("", "0")


def check_profiles():
    """Fails if variables are set that exclude each other. Their profiles need a card."""
    names = ("TTLANG_AUTO_PROFILE", "TTLANG_SIGNPOST_PROFILE")
    if all(os.environ.get(name, "0") not in ("", "0") for name in names):
        raise ValueError(f"{names[0]} and {names[1]} exclude each other: unset one of them")


def wants_initial_ir():
    return bool(os.environ.get("TTLANG_INITIAL_MLIR"))


def write_ir(initial, program):
    """Writes the IR of a compilation to the files that TTLANG_INITIAL_MLIR and TTLANG_FINAL_MLIR
    name. Either argument may be None."""
    if initial is not None and wants_initial_ir():
        _write("TTLANG_INITIAL_MLIR", initial)
    if program is not None and os.environ.get("TTLANG_FINAL_MLIR"):
        _write("TTLANG_FINAL_MLIR", program.ir())


def _write(variable, text):
    name = os.environ.get(variable)
    try:
        with open(name, "w") as file:
            file.write(text)
    except OSError as error:
        raise OSError(f"{variable}: cannot write {name}: {error.strerror}") from None
