# ===- _program_descriptor.py - a compiled kernel as descriptors of ttnn ------=== #
# SPDX-License-Identifier: Apache-2.0
#
# --emit writes run_on_device.py, which makes the descriptors of program.json. A compiled kernel gets
# its descriptors from the same script, so both ways give the same program. The descriptors contain the
# C++, so that no file is needed to run them.
# ===--------------------------------------------------------------------------=== #

import importlib.util
import pathlib
import tempfile

from ttl import _report


def make(name, program, tensors):
    """Returns the ttnn.ProgramDescriptor of a compiled program for tensors on the device, which are
    (name, tensor) in the order of the launch."""
    files, diagnostics = program.card_files()
    if _report.has_errors(diagnostics):
        _report.settle(diagnostics)
    _check_tensors(name, tensors)
    texts = dict(files)
    with tempfile.TemporaryDirectory() as folder:
        for file in ("program.json", "run_on_device.py"):
            pathlib.Path(folder, file).write_text(texts[file], encoding="utf-8")
        script = _module(pathlib.Path(folder, "run_on_device.py"))
    expected = script.PROGRAMS[name]["tensors"]
    if len(expected) != len(tensors):
        raise TypeError(f"kernel {name} was compiled for {len(expected)} different tensors, found "
                        f"{len(tensors)}: compile it for calls that pass one tensor twice")
    if "mesh" in script.PROGRAMS[name]:
        raise ValueError(f"kernel {name}: program_descriptor() works for one device only: for a mesh, run "
                         "the script with --emit, and use build_mesh() of run_on_device.py")
    descriptor, _ = script.build(name, [tensor for _, tensor in tensors])
    kernels = list(descriptor.kernels)
    for kernel in kernels:
        kernel.kernel_source = texts[pathlib.Path(kernel.kernel_source).name]
        kernel.source_type = type(kernel).SourceType.SOURCE_CODE
    descriptor.kernels = kernels  # reading descriptor.kernels gives a copy of ttnn's list
    return descriptor


def _check_tensors(name, tensors):
    for argument, tensor in tensors:
        if not hasattr(tensor, "device") or tensor.device() is None:
            raise ValueError(f"kernel {name}: program_descriptor() needs the address of {argument}, "
                             "which is on the host: make it with device=, or move it with "
                             "ttnn.to_device()")


def _module(file):
    spec = importlib.util.spec_from_file_location("run_on_device", file)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script
