# SPDX-License-Identifier: Apache-2.0
"""Runs an example with --emit, then repeats each of its launches with the emitted run_on_device.py. Fails
if a tensor's bits differ.

usage: ttl-jit run rerun_emitted.py --emit=FOLDER -- FOLDER EXAMPLE [ARGUMENT...]"""

import importlib.util
import pathlib
import runpy
import sys

import _ttjit
import numpy as np
import ttnn
from ttl import _launch

launches = []  # (program, tensors before the launch, their bits after it) of each launch
launch = _ttjit.launch


def on_device(tensor):
    """Makes a copy of a tensor on the device."""
    copy = ttnn.Tensor.from_storage(tensor.shape, None, tensor.dtype, tensor.layout,
                                    tensor.memory_config(), ttnn.open_device())
    copy.write_bits(tensor.bits().copy())
    return copy


def recorded(program, tensors, *rest):
    """Launches a program and records it. A tensor that is passed twice is copied once."""
    copies = {id(tensor): on_device(tensor) for tensor in tensors}
    fault = launch(program, tensors, *rest)
    launches.append((program, [copies[id(tensor)] for tensor in tensors],
                     [tensor.bits().copy() for tensor in tensors]))
    return fault


def script_of(folder):
    spec = importlib.util.spec_from_file_location("run_on_device", folder / "run_on_device.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


folder, example, *arguments = sys.argv[1:]
_launch._ttjit.launch = recorded
sys.path.insert(0, str(pathlib.Path(example).parent))
sys.argv = [example, *arguments]
runpy.run_path(example, run_name="__main__")
_ttjit.launch = launch

script = script_of(pathlib.Path(folder))
names = {}  # program names, in the order in which programs were compiled
for program, before, after in launches:
    name = names.setdefault(id(program), list(script.PROGRAMS)[len(names)]
                            if id(program) not in names else None)
    script.run(name, before)
    for number, (tensor, bits) in enumerate(zip(before, after)):
        assert np.array_equal(tensor.bits().view(np.uint8), bits.view(np.uint8)), (name, number)
print(f"{len(launches)} launches again, {len(names)} programs")
