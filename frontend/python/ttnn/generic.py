# SPDX-License-Identifier: Apache-2.0
"""generic_op runs a program of Metalium kernels in C++ on the emulated device."""

import math
import operator
import os
import warnings

import _ttjit

from . import fabric, settings, words
from .compute_config import MathFidelity, UnpackToDestMode
from .connections import MeshProgramDescriptor, number_of
from .cores import CoreRangeSet, as_core
from .operands import check_tensor
from .program import (
    CBDescriptor,
    ComputeConfigDescriptor,
    DataMovementConfigDescriptor,
    DataMovementProcessor,
    KernelDescriptor,
    ProgramDescriptor,
    ReaderConfigDescriptor,
    RuntimeArgs,
    SemaphoreDescriptor,
    WriterConfigDescriptor,
)

__all__ = ["generic_op"]

_NAME = "ttnn.generic_op()"
_WORD = 1 << 32
# The values of hw::Processor (C++).
_RISCV_1, _RISCV_0, _COMPUTE = range(3)
_FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
_COMPUTE_FLAGS = ("fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode", "bfp8_pack_precise")
_KINDS = {_RISCV_1: "reader (RISCV_1)", _RISCV_0: "writer (RISCV_0)", _COMPUTE: "compute"}


def generic_op(io_tensors, program_descriptor):
    """Runs the kernels of a program on the emulated device. The tensors are on the device; the last
    one is the result, which is returned. A ttnn.MeshProgramDescriptor has a program for each device
    of the open mesh.

    Raises a ValueError for a tensor that is not on the device, and a ttl.CompileError for errors of
    the C++ compiler.

    Example:

        y = ttnn.generic_op([x, y], ttnn.ProgramDescriptor(kernels, semaphores, buffers))
    """
    from ttl import _launch, _partial, _report  # ttl imports ttnn

    io_tensors, _, partial = _partial.unwrap(io_tensors, {})
    tensors = _check_tensors(io_tensors)
    if isinstance(program_descriptor, MeshProgramDescriptor):
        record = _mesh_program(program_descriptor, tensors)
    elif isinstance(program_descriptor, ProgramDescriptor):
        record = _program(program_descriptor, tensors)
    else:
        raise TypeError(f"{_NAME}: program_descriptor={program_descriptor!r}: expected a "
                        "ttnn.ProgramDescriptor or a ttnn.MeshProgramDescriptor")
    chosen = settings.current()
    compiled, diagnostics = _ttjit.compile_cpp(record, chosen)
    _report.settle(diagnostics)
    names = [f"io_tensors[{i}]" for i in range(len(tensors))]
    with _partial.marked(tensor for tensor in tensors if id(tensor) in partial):
        _launch.launch(compiled, tensors, names, [], chosen)
    return tensors[-1]


def _check_tensors(io_tensors):
    tensors = [check_tensor(tensor, f"{_NAME}: io_tensors") for tensor in io_tensors]
    if not tensors:
        raise ValueError(f"{_NAME}: io_tensors is empty: expected at least one tensor")
    for i, tensor in enumerate(tensors):
        if tensor.device() is None:
            raise ValueError(f"{_NAME}: io_tensors[{i}] is on the host, and kernels know addresses "
                             "of tensors on the device: make it with device=")
    return tensors


# ===--------------------------------------------------------------------------=== #
# Descriptors to records: a record is a dictionary that _ttjit.compile_cpp() reads
# ===--------------------------------------------------------------------------=== #


def _program(descriptor, tensors):
    if not descriptor.kernels:
        raise ValueError(f"{_NAME}: the program has no kernels")
    kernels = [_kernel(kernel, i) for i, kernel in enumerate(descriptor.kernels)]
    _check_kernels(kernels)
    buffers = [entry for i, cb in enumerate(descriptor.cbs) for entry in _buffers(cb, i)]
    _check_buffers(buffers)
    size = tensors[0].device().compute_with_storage_grid_size()
    for i, kernel in enumerate(kernels):
        _check_grid(kernel["cores"], size, f"kernels[{i}]")
    for buffer in buffers:
        _check_grid(buffer["cores"], size, f"cbs[{buffer['memory']}]")
    return {"name": "generic_op", "num_tensors": len(tensors), "kernels": kernels, "devices": 1,
            "buffers": _merged(buffers), "semaphores": _semaphores(descriptor)}


# ===--------------------------------------------------------------------------=== #
# Several devices
#
# The grid of a run has the cores of all devices side by side: core (x, y) of device d is in column
# d * columns + x. Kernels that differ only in their cores and runtime arguments are joined to one.


def _on_device(record, first):
    """Returns the record of a program with its cores moved to the columns of its device, from `first` on."""
    def shifted(cores):
        return [(x + first, y) for x, y in cores]

    kernels = [{**kernel, "cores": shifted(kernel["cores"]),
                "args": [((x + first, y), words) for (x, y), words in kernel["args"]]}
               for kernel in record["kernels"]]
    buffers = [{**buffer, "cores": shifted(buffer["cores"])} for buffer in record["buffers"]]
    semaphores = [(id_, value, cores and shifted(cores)) for id_, value, cores in record["semaphores"]]
    return {**record, "kernels": kernels, "buffers": buffers, "semaphores": semaphores}


def _joined_kernels(records):
    joined = {}
    for record in records:
        for kernel in record["kernels"]:
            key = repr({name: value for name, value in kernel.items() if name not in ("cores", "args")})
            known = joined.setdefault(key, {**kernel, "cores": [], "args": []})
            known["cores"] += kernel["cores"]
            known["args"] += kernel["args"]
    return list(joined.values())


def _joined_semaphores(records, columns, rows):
    joined = {}
    for device, record in enumerate(records):
        for id_, value, cores in record["semaphores"]:
            all_cores = [(device * columns + x, y) for x in range(columns) for y in range(rows)]
            joined.setdefault((id_, value), []).extend(cores or all_cores)
    return [(id_, value, cores) for (id_, value), cores in joined.items()]


def _programs_of(descriptor, mesh):
    """Returns the program of each device, row-major."""
    programs = {}
    for devices, program in descriptor.programs_of_devices():
        for place in devices:
            number = number_of(place, mesh)
            if programs.setdefault(number, program) is not program:
                raise ValueError(f"{_NAME}: the program descriptor has two programs for device {tuple(place)}")
    if len(programs) != math.prod(mesh):
        raise ValueError(f"{_NAME}: the program descriptor has programs for {len(programs)} devices: "
                         f"expected one for each of the {math.prod(mesh)} devices of the mesh")
    return [programs[number] for number in range(len(programs))]


def _mesh_program(descriptor, tensors):
    mesh = fabric.open_mesh()
    if mesh is None:
        raise ValueError(f"{_NAME}: no mesh is open: call ttnn.open_mesh_device before")
    records = [_program(program, tensors) for program in _programs_of(descriptor, tuple(mesh.shape))]
    cores = [core for record in records for each in record["kernels"] + record["buffers"] for core in each["cores"]]
    cores += [core for record in records for _, _, cores in record["semaphores"] for core in cores or ()]
    columns, rows = (max(core[axis] for core in cores) + 1 for axis in range(2))
    records = [_on_device(record, device * columns) for device, record in enumerate(records)]
    buffers = [buffer for record in records for buffer in record["buffers"]]
    _check_buffers(buffers)
    return {**records[0], "kernels": _joined_kernels(records), "buffers": _merged(buffers),
            "semaphores": _joined_semaphores(records, columns, rows),
            "devices": len(records), "columns": columns, "packet": fabric.get_tt_fabric_max_payload_size_bytes()}


def _cores(core_ranges, what):
    if core_ranges is None:
        raise ValueError(f"{_NAME}: {what}: core_ranges is missing")
    cores = [(core.x, core.y) for core in CoreRangeSet(core_ranges).cores()]
    if not cores:
        raise ValueError(f"{_NAME}: {what}: core_ranges is empty")
    return cores


def _check_grid(cores, size, what):
    """Warns of a core that the chip lacks; under --strict that is an error. `size` has the columns and rows of
    the compute grid."""
    outside = [(x, y) for x, y in cores if x >= size.x or y >= size.y]
    if not outside:
        return
    columns, rows = (max(core[axis] for core in outside) + 1 for axis in range(2))
    message = (f"{_NAME}: {what}: core {outside[0]} is outside of the compute grid, which has "
               f"{words.plural(size.x, 'column')} and {words.plural(size.y, 'row')}; --arch=NAME@"
               f"{max(columns, size.x)}x{max(rows, size.y)} gives the chip more cores")
    if settings.current().strict:
        raise ValueError(message)
    import ttl

    warnings.warn(f"{message} (the program runs, because the emulated chip has more)", ttl.LimitWarning, stacklevel=4)


def _words(values, what):
    words = []
    for i, value in enumerate(values):
        try:
            words.append(operator.index(value))
        except TypeError:
            raise TypeError(f"{_NAME}: {what}: argument {i} is {value!r}: expected an integer; the bits of a float "
                            "are int(np.float32(x).view(np.uint32))") from None
    for word in words:
        if not -_WORD // 2 <= word < _WORD:
            raise ValueError(f"{_NAME}: {what}: {word} does not fit in 32 bits")
    return [word % _WORD for word in words]


def _source(kernel, what):
    source = str(kernel.kernel_source)
    if kernel.source_type == KernelDescriptor.SourceType.SOURCE_CODE:
        return f"<{what}>", source
    try:
        with open(source, encoding="utf-8") as file:
            return os.path.relpath(source) if not os.path.isabs(source) else source, file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{_NAME}: {what}: cannot read '{source}': {error}; for code in place of "
                         "a file, give source_type=SOURCE_CODE") from None


def _processor(config, what):
    if isinstance(config, ReaderConfigDescriptor):
        return _RISCV_1
    if isinstance(config, WriterConfigDescriptor):
        return _RISCV_0
    if isinstance(config, ComputeConfigDescriptor):
        return _COMPUTE
    if isinstance(config, DataMovementConfigDescriptor):
        return _RISCV_1 if config.processor == DataMovementProcessor.RISCV_1 else _RISCV_0
    raise TypeError(f"{_NAME}: {what}: config={config!r}: expected a ReaderConfigDescriptor, "
                    "WriterConfigDescriptor, DataMovementConfigDescriptor or "
                    "ComputeConfigDescriptor")


def _is_core(value):
    return hasattr(value, "x") or (isinstance(value, tuple) and len(value) == 2)


def _arguments(runtime_args, what):
    """Returns [((x, y), words)]. The arguments are a RuntimeArgs, pairs of a core and a list, or
    lists indexed by x and y."""
    if isinstance(runtime_args, RuntimeArgs):
        pairs = list(runtime_args)
    elif all(isinstance(entry, (tuple, list)) and entry and _is_core(entry[0])
             for entry in runtime_args):
        pairs = [((as_core(core, what).x, as_core(core, what).y), values)
                 for core, values in runtime_args]
    else:
        pairs = [((x, y), values) for x, column in enumerate(runtime_args)
                 for y, values in enumerate(column)]
    return [(core, _words(values, what)) for core, values in pairs]


def _named_arguments(named, what):
    """Returns the macro from which the headers of kernels read the named compile-time arguments. `named`
    is a dictionary or a list of pairs (name, number)."""
    pairs = list(named.items() if hasattr(named, "items") else named)
    if not pairs:
        return {}
    what += ": named_compile_time_args"
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 and str(pair[0]).isidentifier()
               for pair in pairs):
        raise TypeError(f"{_NAME}: {what}={named!r}: expected pairs of an identifier and a number")
    values = _words([value for _, value in pairs], what)
    return {"TTJIT_NAMED_ARGS": "".join(f'{{"{name}",{value}u}},'
                                        for (name, _), value in zip(pairs, values))}


def _unpack_modes(config, what):
    """Returns the macro from which the headers of kernels read the numbers of the buffers whose mode is
    UnpackToDestFp32."""
    modes = list(getattr(config, "unpack_to_dest_mode", ()))
    wrong = [mode for mode in modes if not isinstance(mode, UnpackToDestMode)]
    if wrong:
        raise TypeError(f"{_NAME}: {what}: unpack_to_dest_mode has {wrong[0]!r}: expected ttnn.UnpackToDestMode")
    ids = [i for i, mode in enumerate(modes) if mode is UnpackToDestMode.UnpackToDestFp32]
    return {"TTJIT_UNPACK_TO_DEST": "".join(f"{i}," for i in ids)} if ids else {}


def _include_paths(kernel, what):
    """Returns the folders that #include searches: that of the kernel's file, then compiler_include_paths."""
    paths = list(kernel.compiler_include_paths)
    for path in paths:
        if not isinstance(path, (str, os.PathLike)) or not os.path.isdir(path):
            raise ValueError(f"{_NAME}: {what}: compiler_include_paths has {path!r}: expected a folder")
    if kernel.source_type == KernelDescriptor.SourceType.FILE_PATH:
        paths.insert(0, os.path.dirname(os.path.abspath(kernel.kernel_source)))
    return [os.path.abspath(path) for path in paths]


def _kernel(kernel, number):
    what = f"kernels[{number}]"
    if not isinstance(kernel, KernelDescriptor):
        raise TypeError(f"{_NAME}: {what}={kernel!r}: expected a ttnn.KernelDescriptor")
    file, text = _source(kernel, what)
    defines = {**dict(kernel.defines), **_named_arguments(kernel.named_compile_time_args, what),
               **_unpack_modes(kernel.config, what)}
    cores = _cores(kernel.core_ranges, what)
    args = _arguments(kernel.runtime_args, f"{what}: runtime_args")
    for core, _ in args:
        if core not in cores:
            raise ValueError(f"{_NAME}: {what}: runtime_args has core {core}, which is not in "
                             "core_ranges")
    processor = _processor(kernel.config, what)
    compute = _compute(kernel.config, what) if processor == _COMPUTE else None
    return {"file": file, "text": text, "processor": processor, "compute": compute,
            "cores": cores, "defines": [f"{name}={value}" for name, value in defines.items()],
            "compile_time_args": _words(kernel.compile_time_args, f"{what}: compile_time_args"),
            "common_args": _words(kernel.common_runtime_args, f"{what}: common_runtime_args"),
            "args": args, "include_paths": _include_paths(kernel, what)}


def _check_kernels(kernels):
    taken = {}
    for i, kernel in enumerate(kernels):
        for core in kernel["cores"]:
            other = taken.setdefault((core, kernel["processor"]), i)
            if other != i:
                raise ValueError(f"{_NAME}: kernels[{other}] and kernels[{i}] are both the "
                                 f"{_KINDS[kernel['processor']]} kernel of core {core}")


def _buffers(cb, number):
    what = f"cbs[{number}]"
    if not isinstance(cb, CBDescriptor):
        raise TypeError(f"{_NAME}: {what}={cb!r}: expected a ttnn.CBDescriptor")
    if cb.remote_format_descriptors or cb.global_circular_buffer:
        raise ValueError(f"{_NAME}: {what}: the emulated device has no global circular buffers")
    base = None if cb.buffer is None else cb.buffer.buffer_address()
    for entry in cb.format_descriptors:
        if entry.page_size <= 0 or cb.total_size <= 0 or cb.total_size % entry.page_size:
            raise ValueError(f"{_NAME}: {what}: total_size={cb.total_size}, page_size="
                             f"{entry.page_size}: expected a multiple of a page")
        if not 0 <= entry.buffer_index < 64:
            raise ValueError(f"{_NAME}: {what}: buffer_index={entry.buffer_index}: expected a "
                             "number from 0 to 63")
        yield {"index": entry.buffer_index, "dtype": entry.data_format,
               "page_bytes": entry.page_size, "total_bytes": cb.total_size, "memory": number,
               "cores": _cores(cb.core_ranges, what), "base": base, "offset": cb.address_offset,
               "tensor": "" if cb.buffer is None else f"the tensor of {what}"}


def _facts(buffer):
    return {key: value for key, value in buffer.items() if key not in ("cores", "memory", "tensor")}


def _check_buffers(buffers):
    known = {}
    for buffer in buffers:
        other = known.setdefault(buffer["index"], buffer)
        if other is buffer:
            continue
        common = set(other["cores"]) & set(buffer["cores"])
        if common:
            raise ValueError(f"{_NAME}: cbs[{other['memory']}] and cbs[{buffer['memory']}] both "
                             f"have buffer_index {buffer['index']} on core {min(common)}")
        if _facts(other) != _facts(buffer):
            raise ValueError(f"{_NAME}: cbs[{other['memory']}] and cbs[{buffer['memory']}] give "
                             f"buffer_index {buffer['index']} different sizes or formats on "
                             "different cores, which the emulated device does not support")


def _merged(buffers):
    """Returns one record for each buffer index, with the cores of all records of that index."""
    merged = {}
    for buffer in buffers:
        first = merged.setdefault(buffer["index"], dict(buffer, cores=[]))
        first["cores"] += buffer["cores"]
    return list(merged.values())


def _semaphores(descriptor):
    """Returns [(id, initial value, cores)]. Without core_ranges, all cores have the semaphore: cores
    is None."""
    taken, found = {}, []
    for number, semaphore in enumerate(descriptor.semaphores):
        what = f"semaphores[{number}]"
        if not isinstance(semaphore, SemaphoreDescriptor):
            raise TypeError(f"{_NAME}: {what}={semaphore!r}: expected a ttnn.SemaphoreDescriptor")
        id_ = number if semaphore.id is None else semaphore.id
        if not isinstance(id_, int):
            raise TypeError(f"{_NAME}: {what}: id={id_!r}: expected an integer")
        cores = None if semaphore.core_ranges is None else _cores(semaphore.core_ranges, what)
        _check_owners(taken.setdefault(id_, []), number, id_, cores)
        found.append((id_, _words([semaphore.initial_value], what)[0], cores))
    return found


def _check_owners(others, number, id_, cores):
    """Raises a ValueError if another descriptor with this semaphore id has a core in common with this one."""
    for other, of_other in others:
        common = cores if of_other is None else of_other if cores is None else (
            set(cores) & set(of_other))
        if common is None or common:
            where = f"core {min(common)}" if common else "all cores"
            raise ValueError(f"{_NAME}: semaphores[{other}] and semaphores[{number}] both have id "
                             f"{id_} on {where}: give each semaphore of a core its own id")
    others.append((number, cores))


def _compute(config, what):
    """Returns the settings of a compute kernel."""
    fidelity = config.math_fidelity
    if not isinstance(fidelity, MathFidelity) or fidelity.name not in _FIDELITIES:
        raise ValueError(f"{_NAME}: {what}: config has math_fidelity={fidelity!r}: expected "
                         + " or ".join(f"ttnn.MathFidelity.{name}" for name in _FIDELITIES))
    flags = {name: getattr(config, name) for name in _COMPUTE_FLAGS}
    for name, value in flags.items():
        if value not in (False, True):
            raise ValueError(f"{_NAME}: {what}: config has {name}={value!r}: expected True or False")
    return {"math_fidelity": fidelity.value, **{name: bool(value) for name, value in flags.items()}}
