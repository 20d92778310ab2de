//===- RunScript.cpp - run_on_device.py ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ProgramText.h"

using namespace ttjit;

static constexpr llvm::StringLiteral kScript =
    R"py("""Runs the programs of program.json on a Tenstorrent card. Made by ttl-jit.

From Python:      import run_on_device; run_on_device.run("NAME", tensors)
                  run(..., numbers={"s": 2.0}) gives other values to run-time numbers
From the shell:   python run_on_device.py [NAME]    (inputs are random numbers)
"""

import json
import pathlib
import struct
import sys

import ttnn

HERE = pathlib.Path(__file__).resolve().parent
FILE = json.loads((HERE / "program.json").read_text())
PROGRAMS = {program["name"]: program for program in FILE["programs"]}

FORMATS = {
    "Float32": "float32",
    "Float16_b": "bfloat16",
    "Bfp8_b": "bfloat8_b",
    "Bfp4_b": "bfloat4_b",
    "Int32": "int32",
    "UInt32": "uint32",
    "UInt16": "uint16",
    "UInt8": "uint8",
}


def dtype_of(name):
    if name not in FORMATS:
        raise ValueError(f"ttnn has no dtype for the format {name}")
    return getattr(ttnn, FORMATS[name])


def cores_of(ranges):
    corners = [(ttnn.CoreCoord(*start), ttnn.CoreCoord(*end)) for start, end in ranges]
    return ttnn.CoreRangeSet([ttnn.CoreRange(start, end) for start, end in corners])


def word(value):
    """Arguments are unsigned words of 32 bits."""
    return value & 0xFFFFFFFF


def zeroed_words(buffer, program, device):
    """A tensor in L1, one shard per core, with the first values of the semaphore words."""
    import torch

    cores = cores_of(program["core_ranges"])
    words = buffer["initial_words"]
    count = cores.num_cores()
    shard = ttnn.ShardSpec(cores, [1, len(words)], ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shard
    )
    rows = torch.tensor([words] * count, dtype=torch.int32)
    return ttnn.from_torch(
        rows, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, memory_config=memory
    )


def buffer_descriptor(buffer, program, tensors, kept):
    cores = cores_of(program["core_ranges"])
    formats = [
        ttnn.CBFormatDescriptor(
            buffer_index=entry["buffer_index"],
            data_format=dtype_of(entry["data_format"]),
            page_size=entry["page_size"],
        )
        for entry in buffer["formats"]
    ]
    backing, offset = None, 0
    if "tensor" in buffer:
        backing, offset = tensors[buffer["tensor"]], buffer["address_offset"]
    elif "initial_words" in buffer:
        backing = zeroed_words(buffer, program, tensors[0].device())
        kept.append(backing)
    if backing is None:
        return ttnn.CBDescriptor(
            total_size=buffer["total_size"], core_ranges=cores, format_descriptors=formats
        )
    descriptor = ttnn.cb_descriptor_from_sharded_tensor(
        formats[0].buffer_index,
        backing,
        address_offset=offset,
        total_size=buffer["total_size"],
        core_ranges=cores,
    )
    descriptor.format_descriptors = formats
    return descriptor


def config_descriptor(kernel, num_ids):
    if kernel["processor"] == "reader":
        return ttnn.ReaderConfigDescriptor()
    if kernel["processor"] == "writer":
        return ttnn.WriterConfigDescriptor()
    settings = kernel["config"]
    config = ttnn.ComputeConfigDescriptor(
        math_fidelity=getattr(ttnn.MathFidelity, settings["math_fidelity"]),
        fp32_dest_acc_en=settings["fp32_dest_acc_en"],
        dst_full_sync_en=settings["dst_full_sync_en"],
        math_approx_mode=settings["math_approx_mode"],
    )
    if settings["unpack_to_dest_fp32"]:
        modes = [ttnn.UnpackToDestMode.Default] * num_ids
        for index in settings["unpack_to_dest_fp32"]:
            modes[index] = ttnn.UnpackToDestMode.UnpackToDestFp32
        config.unpack_to_dest_mode = modes
    return config


def number_word(entry, numbers):
    """The word of a number: that of `numbers`, or else that of the call that was emitted."""
    value = numbers.get(entry["name"], entry["value"])
    if entry["type"] == "int32":
        return word(int(value))
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def kernel_descriptor(kernel, tensors, numbers):
    compile_time_args = list(kernel["compile_time_args"])
    num_ids = len(compile_time_args)
    for number in kernel["tensor_accessors"]:
        compile_time_args += ttnn.TensorAccessorArgs(tensors[number]).get_compile_time_args()
    common = [
        tensors[number].buffer_address()
        for number in kernel["common_runtime_args_are_addresses_of"]
    ]
    common += [number_word(each, numbers) for each in kernel.get("common_runtime_arg_numbers", ())]
    runtime_args = [
        (ttnn.CoreCoord(*entry["core"]), [word(value) for value in entry["values"]])
        for entry in kernel["runtime_args"]
    ]
    return ttnn.KernelDescriptor(
        kernel_source=str(HERE / kernel["file"]),
        core_ranges=cores_of(kernel["core_ranges"]),
        compile_time_args=compile_time_args,
        defines=list(kernel["defines"].items()),
        runtime_args=runtime_args,
        common_runtime_args=common,
        config=config_descriptor(kernel, num_ids),
    )


def semaphore_descriptor(semaphore, program):
    fields = {
        "core_ranges": cores_of(program["core_ranges"]),
        "initial_value": semaphore["initial_value"],
    }
    if FILE["metalium"] != "old":  # older trees number semaphores in the order of the list
        fields["id"] = semaphore["id"]
    return ttnn.SemaphoreDescriptor(**fields)


def numbers_of(program):
    """The names of the run-time numbers of a program."""
    kernels = program["kernels"]
    return {each["name"] for kernel in kernels for each in kernel.get("common_runtime_arg_numbers", ())}


def build(name, tensors, numbers=None):
    """Returns the ttnn.ProgramDescriptor, and tensors that must live as long as it runs."""
    program, kept, numbers = PROGRAMS[name], [], numbers or {}
    for wrong in numbers.keys() - numbers_of(program):
        known = ", ".join(sorted(numbers_of(program))) or "it has none"
        raise ValueError(f"{name} has no run-time number '{wrong}': {known}")
    descriptor = ttnn.ProgramDescriptor(
        kernels=[kernel_descriptor(kernel, tensors, numbers) for kernel in program["kernels"]],
        semaphores=[semaphore_descriptor(entry, program) for entry in program["semaphores"]],
        cbs=[buffer_descriptor(entry, program, tensors, kept) for entry in program["buffers"]],
    )
    return descriptor, kept


def run(name, tensors, numbers=None):
    """Runs a program on tensors that are on the card, in the order of its arguments. `numbers` has
    values for its run-time numbers, by name; without it they are those of the emitted call."""
    descriptor, kept = build(name, tensors, numbers)
    result = ttnn.generic_op(tensors, descriptor)
    del kept
    return result


def memory_config(entry):
    if entry["memory_layout"] != "interleaved":
        raise ValueError(f"make the sharded tensor '{entry['name']}' yourself and call run()")
    return ttnn.L1_MEMORY_CONFIG if entry["memory"] == "l1" else ttnn.DRAM_MEMORY_CONFIG


def random_tensor(entry, device):
    import torch

    layout = ttnn.TILE_LAYOUT if entry["layout"] == "tile" else ttnn.ROW_MAJOR_LAYOUT
    return ttnn.from_torch(
        torch.rand(entry["shape"]),
        dtype=dtype_of(entry["format"]),
        layout=layout,
        device=device,
        memory_config=memory_config(entry),
    )


def main(arguments):
    name = arguments[0] if arguments else next(iter(PROGRAMS))
    device = ttnn.open_device(device_id=0)
    try:
        tensors = [random_tensor(entry, device) for entry in PROGRAMS[name]["tensors"]]
        run(name, tensors)
        print(ttnn.to_torch(tensors[-1]))
    finally:
        ttnn.close_device(device)


if __name__ == "__main__":
    main(sys.argv[1:])
)py";

std::string ttjit::runScript() { return kScript.str(); }
