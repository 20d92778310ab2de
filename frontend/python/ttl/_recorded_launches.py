# ===- _recorded_launches.py - launches that run_on_device.py repeats ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# With --emit=DIR, each launch of an emitted program adds a line to DIR/launches.jsonl: the program,
# its tensors, and files with their elements before and after the launch. DIR/run_on_device.py repeats the
# launches on the card and compares. A tensor's elements before a launch are written only if they differ from
# those after the previous launch.
# ===--------------------------------------------------------------------------=== #

import json
import pathlib

import _ttjit
import numpy
from ttl import _location, _warnings
from ttl._ttnn import fabric

MAX_BYTES = 1 << 28  # the most bytes of all files of a directory

_recorders = {}  # directory -> _Recorder


def launch(program, arguments, names, numbers, chosen, resources):
    """Calls _ttjit.launch(); records the launch if the program is emitted and there is no fault."""
    def run():
        return _ttjit.launch(program, arguments, names, numbers, chosen, resources)

    folder = chosen.emit_folder
    if not program.emitted_name:
        return run()
    if folder not in _recorders:
        _recorders[folder] = _Recorder(pathlib.Path(folder))
    return _recorders[folder].run(run, program, arguments, names, numbers, chosen)


class _Recorder:
    def __init__(self, folder):
        self.folder = folder
        self.known = {}  # key of a tensor -> (its number, its elements after the last launch)
        self.device = {}  # what _device() returned for the last launch
        self.launches = self.size = 0
        self.is_full = False
        (folder / "launches.jsonl").unlink(missing_ok=True)

    def run(self, run, program, arguments, names, numbers, chosen):
        """Calls `run`, and records the launch if it ends without a fault."""
        device = _device(arguments)
        if self.is_full or (device and _ttjit.has_ranks()):
            return run()
        if device != self.device:
            self.known, self.device = {}, device  # the script opens the new devices with empty memory
        before = [_elements(argument) for argument in arguments]
        fault = run()
        if fault is None:
            after = [_elements(argument) for argument in arguments]
            self._record(program, zip(arguments, names, before, after), numbers, chosen)
        return fault

    def _record(self, program, tensors, numbers, chosen):
        entries, files = [], {}
        for argument, name, before, after in tensors:
            entries.append(self._entry(argument, name, before, after, files))
        self.size += sum(array.nbytes for array in files.values())
        if self.size > MAX_BYTES:
            self.is_full = True
            number = "1 launch" if self.launches == 1 else f"{self.launches} launches"
            text = (f"--emit: run_on_device.py repeats only {number}: the tensors of this launch and the "
                    f"earlier ones take more than {MAX_BYTES >> 20} MiB")
            _warnings.warn(_warnings.OptionWarning(text, _location.program_location()))
            return
        try:
            self._write(files, {"program": program.emitted_name, "numerics": chosen.numerics, **self.device,
                                "numbers": [list(each) for each in numbers], "tensors": entries})
        except OSError as error:
            raise OSError(f"--emit: cannot write {self.folder}: {error.strerror}") from None
        self.launches += 1

    def _entry(self, argument, name, before, after, files):
        key = (_ttjit.tensor_key(argument), argument.buffer_address() if argument.device() else None)
        number, last = self.known.get(key, (len(self.known), None))
        if key[1] is None:  # an array on the host, which cannot be recognised in later launches
            number, last = f"{self.launches}-{name}", None
        entry = {"name": name, "tensor": number, **_description(argument)}
        path = f"launches/{self.launches}-{name}"
        if last is None or last.tobytes() != before.tobytes():
            entry["before"] = f"{path}-before.npy"
            files[entry["before"]] = before
        if before.tobytes() != after.tobytes():
            entry["after"] = f"{path}-after.npy"
            files[entry["after"]] = after
        if key[1] is not None:
            self.known[key] = (number, after)
        return entry

    def _write(self, files, line):
        (self.folder / "launches").mkdir(exist_ok=True)
        for path, array in files.items():
            numpy.save(self.folder / path, array)
        with open(self.folder / "launches.jsonl", "a") as file:
            file.write(json.dumps(line) + "\n")


def _device(arguments):
    """Returns the mesh and the fabric of a launch on several devices, else nothing."""
    mesh = next((each.device() for each in arguments if each.num_devices > 1), None)
    return {} if mesh is None else {"mesh": list(mesh.shape), "fabric": fabric.current().name}


def _elements(argument):
    """Returns a copy of the elements: floats as float32, integers with the bits of int32. Those of a
    tensor of a mesh are the parts of all devices."""
    if argument.num_devices > 1:
        return numpy.stack([_elements(argument.part(number)) for number in range(argument.num_devices)])
    if not _ttjit.is_integer(argument.dtype):
        return numpy.array(argument.values(), numpy.float32)
    return numpy.array(argument.bits()).astype(numpy.int64).astype(numpy.int32)


def _description(argument):
    memory = argument.memory_config()
    described = {
        "shape": list(argument.shape), "dtype": _name(argument.dtype), "layout": _name(argument.layout),
        "memory_layout": _name(memory.memory_layout), "buffer_type": _name(memory.buffer_type),
    }
    if memory.is_sharded():
        described["shards"] = _shards(memory)
    return described


def _shards(memory):
    matrix, shards = memory.shard_spec, memory.nd_shard_spec
    described = {
        "cores": [[_core(each.start), _core(each.end)] for each in shards.grid.ranges()],
        "shape": list(shards.shard_shape if matrix is None else matrix.shape),
        "orientation": _name(shards.orientation),
    }
    if matrix is None:
        described["distribution"] = _name(shards.shard_distribution_strategy)
    return described


def _name(constant):
    return str(constant).rpartition(".")[2]


def _core(core):
    return [core.x, core.y]
