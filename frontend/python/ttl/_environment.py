# ===- _environment.py - the environment variables TTLANG_* -------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A script may set the variables TTLANG_* while it runs, so they are read at every call.
# ===--------------------------------------------------------------------------=== #

import os
import pathlib

import _ttjit
from ttl import _report

_RUNNER = '''"""Runs the kernel {name}: run(tensors), with its different tensors in the order of the arguments."""

import importlib.util
import pathlib

_FOLDER = pathlib.Path(__file__).resolve().parent / {folder!r}
_spec = importlib.util.spec_from_file_location("run_on_device", _FOLDER / "run_on_device.py")
_device = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_device)
_program = _device.PROGRAMS[{name!r}]

KERNEL_PATHS = [(str(_FOLDER / each["file"]), each["processor"]) for each in _program["kernels"]]
CB_CONFIGS = _program["buffers"]


def run(tensors, device=None):
    # `device` is the one that the tensors are on.
    wanted = [each["name"] for each in _program["tensors"]]
    if len(tensors) != len(wanted):
        raise ValueError(f"{name} takes {{len(wanted)}} tensors ({{', '.join(wanted)}}), found "
                         f"{{len(tensors)}}; a tensor that it was given twice is in the list once")
    return _device.run({name!r}, tensors)
'''


def is_compile_only():
    """Returns whether TTLANG_COMPILE_ONLY=1 is set: a call then compiles its kernel and does not
    run it."""
    return _ttjit.is_variable_set("TTLANG_COMPILE_ONLY")


def options():
    """Returns the (name, value) pairs of the options that variables ask for."""
    return (("compile-only", "1"),) if is_compile_only() else ()


def check_profiles():
    """Raises a ValueError if both variables that ask for a profile are set. One alone has no effect here,
    because profiles need a card."""
    names = ("TTLANG_AUTO_PROFILE", "TTLANG_SIGNPOST_PROFILE")
    if all(map(_ttjit.is_variable_set, names)):
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


def write_runner(name, program, is_new):
    """Writes the Python program that TTLANG_EMIT_RUNNER names. It runs the kernel alone. The kernel's
    C++ is in a folder beside it. A kernel that was compiled before replaces no file."""
    path = os.environ.get("TTLANG_EMIT_RUNNER")
    if not path or not is_new and os.path.exists(path):
        return
    folder = pathlib.Path(path).with_suffix("")
    folder = folder.with_name(folder.name + "_kernels")
    write_sources(folder, program, "TTLANG_EMIT_RUNNER")
    _write("TTLANG_EMIT_RUNNER", _RUNNER.format(name=name, folder=folder.name))


def write_sources(folder, program, asker):
    """Writes the C++ of a kernel, and the files that run it on a card, into a folder. `asker` is the
    option or the variable that asks for it."""
    files, diagnostics = program.card_files()
    _report.settle(diagnostics)
    folder = pathlib.Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files:
            (folder / file).write_text(text)
    except OSError as error:
        raise OSError(f"{asker}: cannot write {folder}: {error.strerror}") from None


def _write(variable, text):
    name = os.environ.get(variable)
    try:
        with open(name, "w") as file:
            file.write(text)
    except OSError as error:
        raise OSError(f"{variable}: cannot write {name}: {error.strerror}") from None
