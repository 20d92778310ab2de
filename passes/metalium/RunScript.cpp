//===- RunScript.cpp - run_on_device.py ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ProgramText.h"

using namespace ttjit;

static constexpr llvm::StringLiteral kScript =
    R"py("""Runs the programs of program.json on a Tenstorrent card. Made by ttl-jit.

From Python:      import run_on_device; run_on_device.run("NAME", tensors)
                  run(..., numbers={"s": 2.0}) gives other values to run-time numbers
From the shell:   python run_on_device.py          repeats the launches of launches.jsonl and compares;
                                                 the exit status is 1 if one differs too much
                  python run_on_device.py NAME     runs a program on random inputs
"""

import argparse
import itertools
import json
import pathlib
import struct
import sys

import numpy
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


def zeroed_words(buffer, device, keywords):
    """A tensor in L1, one shard per core, with the first values of the semaphore words, or zeros."""
    import torch

    cores = cores_of(buffer["core_ranges"])
    words = buffer.get("initial_words") or [0] * (buffer["total_size"] // 4)
    count = cores.num_cores()
    shard = ttnn.ShardSpec(cores, [1, len(words)], ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shard
    )
    rows = torch.tensor([words] * count, dtype=torch.int32)
    return ttnn.from_torch(
        rows, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, memory_config=memory,
        **keywords,
    )


def buffer_descriptor(buffer, tensors, kept, **keywords):
    cores = cores_of(buffer["core_ranges"])
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
    elif "initial_words" in buffer or "allocated" in buffer:
        backing = zeroed_words(buffer, tensors[0].device(), keywords)
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


def kernel_descriptor(kernel, tensors, numbers, device=None):
    """The kernel of a device of a mesh, or of the only device."""
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
        if entry.get("device") == device
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


def semaphore_descriptor(semaphore):
    fields = {
        "core_ranges": cores_of(semaphore["core_ranges"]),
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
        semaphores=[semaphore_descriptor(entry) for entry in program["semaphores"]],
        cbs=[buffer_descriptor(entry, tensors, kept) for entry in program["buffers"]],
    )
    return descriptor, kept


# Several devices: each has a program of its own, which differs in run-time arguments. README.md says
# what a kernel needs of the fabric.

ONE_DIMENSION = ("FABRIC_1D", "FABRIC_1D_RING", "FABRIC_1D_NEIGHBOR_EXCHANGE")


def places_of(mesh):
    """The places of the devices, in the order of their numbers."""
    return list(itertools.product(*map(range, mesh)))


def first_hop(source, destination, mesh, fabric):
    """On a 1-D fabric: the neighbour to which packets go first, and the number of hops."""
    (axis,) = [axis for axis, (a, b) in enumerate(zip(source, destination)) if a != b]
    distance, extent = destination[axis] - source[axis], mesh[axis]
    step, hops = (1 if distance > 0 else -1), abs(distance)
    if fabric == "FABRIC_1D_RING" and extent > 2 and hops == extent - 1:
        step, hops = -step, 1  # the link that closes the ring
    neighbour = list(source)
    neighbour[axis] = (source[axis] + step) % extent
    return tuple(neighbour), hops


class Fabric:
    """The links that the kernels of a device use."""

    def __init__(self, name, program, number, device, fabric):
        self.name, self.number, self.device, self.fabric = name, number, device, fabric
        self.mesh = program["mesh"]
        self.places = places_of(self.mesh)
        self.used = {}  # direction -> number of links in use

    def node(self, place):
        return self.device.get_fabric_node_id(ttnn.MeshCoordinate(*place))

    def link(self, direction, node):
        """A link for a connection in this direction, which no other connection has."""
        links = ttnn.get_forwarding_link_indices(self.node(self.places[self.number]), node)
        used = self.used[direction] = self.used.get(direction, 0) + 1
        if used > len(links):
            raise ValueError(
                f"{self.name}: device {self.number} needs more than the {len(links)} links that the machine "
                "has in one direction: each thread of a node that sends there takes one; use fewer nodes"
            )
        return links[used - 1]

    def route(self, other):
        """(connection node, hops, node) for a device to which a core sends."""
        source, destination = self.places[self.number], self.places[other]
        if self.fabric not in ONE_DIMENSION:
            return self.node(destination), 0, self.node(destination)
        neighbour, hops = first_hop(source, destination, self.mesh, self.fabric)
        return self.node(neighbour), hops, self.node(destination)

    def connect(self, descriptor, index, core, reaches):
        """The run-time arguments with which the kernel of a core sends to devices."""
        source, connections, routes = self.node(self.places[self.number]), {}, []
        for other in reaches:
            first, hops, node = self.route(other)
            direction = ttnn.get_eth_forwarding_direction(source, first)
            connections.setdefault(direction, first)
            slot = list(connections).index(direction)
            routes += [other, slot, hops, int(node.chip_id), int(node.mesh_id)]
        words = [len(reaches), len(connections), *routes]
        if not connections:
            return [*words, 0, 0, 0]
        links = [self.link(direction, node) for direction, node in connections.items()]
        return words + list(ttnn.setup_routing_plane_connection(
            source, list(connections.values()), links, descriptor, index, ttnn.CoreCoord(*core)
        ))


def add_device_arguments(descriptor, program, fabric):
    """Gives the kernels of a device its number, and the arguments for their connections."""
    for index, kernel in enumerate(program["kernels"]):
        arguments = ttnn.RuntimeArgs()
        for entry in kernel["runtime_args"]:
            if entry["device"] == fabric.number:
                x, y = entry["core"]
                words = fabric.connect(descriptor, index, (x, y), entry["reaches"]) if "reaches" in entry else []
                arguments[x][y] = [*map(word, entry["values"]), fabric.number, *words]
        descriptor.kernels[index].runtime_args = arguments


def build_mesh(name, tensors, numbers=None, fabric=None):
    """Returns the ttnn.MeshProgramDescriptor, and tensors that must live as long as it runs."""
    program, kept, numbers = PROGRAMS[name], [], numbers or {}
    device, fabric = tensors[0].device(), fabric or program["fabric"]
    if list(device.shape) != program["mesh"]:
        raise ValueError(f"{name} is a program for a mesh of {program['mesh']}, not of {list(device.shape)}")
    same = ttnn.ReplicateTensorToMesh(device)
    buffers = [buffer_descriptor(entry, tensors, kept, mesh_mapper=same) for entry in program["buffers"]]
    result = ttnn.MeshProgramDescriptor()
    for number, place in enumerate(places_of(program["mesh"])):
        descriptor = ttnn.ProgramDescriptor(
            kernels=[kernel_descriptor(kernel, tensors, numbers, number) for kernel in program["kernels"]],
            semaphores=[semaphore_descriptor(entry) for entry in program["semaphores"]],
            cbs=buffers,
        )
        add_device_arguments(descriptor, program, Fabric(name, program, number, device, fabric))
        coordinate = ttnn.MeshCoordinate(*place)
        result[ttnn.MeshCoordinateRange(coordinate, coordinate)] = descriptor
    return result, kept


def spare_tensor(name, device):
    """A tensor of one tile for a program without tensors, because ttnn.generic_op needs one."""
    import torch

    if device is None:
        raise ValueError(f"{name} has no tensors: pass device=, the device or mesh that runs it")
    same = {"mesh_mapper": ttnn.ReplicateTensorToMesh(device)} if "mesh" in PROGRAMS[name] else {}
    return ttnn.from_torch(torch.zeros(32, 32), layout=ttnn.TILE_LAYOUT, device=device, **same)


def run(name, tensors, numbers=None, fabric=None, device=None):
    """Runs a program on tensors that are on the card, in the order of its arguments. `numbers` has
    values for its run-time numbers, by name; without it they are those of the emitted call. `fabric` is
    the name of the mesh's ttnn.FabricConfig, without it that of README.md. A program without tensors
    needs the `device`."""
    tensors = tensors or [spare_tensor(name, device)]
    if "mesh" not in PROGRAMS[name]:
        descriptor, kept = build(name, tensors, numbers)
        result = ttnn.generic_op(tensors, descriptor)
        del kept
        return result
    descriptor, kept = build_mesh(name, tensors, numbers, fabric)
    ttnn.synchronize_device(tensors[0].device())  # all devices have their words
    result = ttnn.generic_op(tensors, descriptor)
    ttnn.synchronize_device(tensors[0].device())
    del kept
    return result


def sharded_memory(layout, buffer, shards, shape):
    """Memory with shards of this shape; `layout` is a name of ttnn.TensorMemoryLayout."""
    cores, orientation = cores_of(shards["cores"]), getattr(ttnn.ShardOrientation, shards["orientation"])
    if "distribution" in shards:
        strategy = getattr(ttnn.ShardDistributionStrategy, shards["distribution"])
        return ttnn.MemoryConfig(buffer, ttnn.NdShardSpec(shape, cores, orientation, strategy))
    shard = ttnn.ShardSpec(cores, shape, orientation)
    return ttnn.MemoryConfig(getattr(ttnn.TensorMemoryLayout, layout), buffer, shard)


class Opened:
    """The device of a program: `with Opened(mesh, fabric) as device`."""

    def __init__(self, mesh, fabric):
        self.mesh, self.fabric = mesh, fabric

    def __enter__(self):
        if self.mesh is None:
            self.device = ttnn.open_device(device_id=0)
            return self.device
        if self.fabric != "DISABLED":
            ttnn.set_fabric_config(getattr(ttnn.FabricConfig, self.fabric))
        self.device = ttnn.open_mesh_device(ttnn.MeshShape(*self.mesh))
        return self.device

    def __exit__(self, *_):
        if self.mesh is None:
            ttnn.close_device(self.device)
            return
        ttnn.close_mesh_device(self.device)
        if self.fabric != "DISABLED":
            ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def memory_config(entry):
    if entry["memory_layout"] != "interleaved":
        raise ValueError(f"make the sharded tensor '{entry['name']}' yourself and call run()")
    return ttnn.L1_MEMORY_CONFIG if entry["memory"] == "l1" else ttnn.DRAM_MEMORY_CONFIG


def random_tensor(entry, device, **keywords):
    import torch

    layout = ttnn.TILE_LAYOUT if entry["layout"] == "tile" else ttnn.ROW_MAJOR_LAYOUT
    return ttnn.from_torch(
        torch.rand(entry["shape"]),
        dtype=dtype_of(entry["format"]),
        layout=layout,
        device=device,
        memory_config=memory_config(entry),
        **keywords,
    )


# The launches that ttl-jit ran: launches.jsonl has a line for each.


def read_launches():
    path = HERE / "launches.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def recorded_memory(entry):
    buffer = getattr(ttnn.BufferType, entry["buffer_type"])
    if "shards" in entry:
        shards = entry["shards"]
        return sharded_memory(entry["memory_layout"], buffer, shards, shards["shape"])
    return ttnn.MemoryConfig(getattr(ttnn.TensorMemoryLayout, entry["memory_layout"]), buffer)


def recorded_tensor(entry, device, mesh):
    import torch

    layout = ttnn.TILE_LAYOUT if entry["layout"] == "TILE" else ttnn.ROW_MAJOR_LAYOUT
    elements, mapper = numpy.load(HERE / entry["before"]), {}
    if mesh:  # the parts of all devices
        elements = elements.reshape(-1, *elements.shape[2:])
        mapper = {"mesh_mapper": ttnn.ShardTensorToMesh(device, dim=0)}
    return ttnn.from_torch(
        torch.from_numpy(elements),
        dtype=getattr(ttnn, entry["dtype"].lower()),
        layout=layout,
        device=device,
        memory_config=recorded_memory(entry),
        **mapper,
    )


def recorded_numbers(launch):
    """The run-time numbers of a launch, by name."""
    numbers = {}
    for kernel in PROGRAMS[launch["program"]]["kernels"]:
        for entry in kernel.get("common_runtime_arg_numbers", ()):
            if "number" in entry:
                bits = launch["numbers"][entry["number"]][0]
                is_float = entry["type"] == "float32"
                numbers[entry["name"]] = struct.unpack("<f", struct.pack("<i", bits))[0] if is_float else bits
    return numbers


def largest_error(found, wanted):
    """The largest difference, and the largest magnitude of what was wanted."""
    if wanted.dtype == numpy.int32:
        found, wanted = (each.astype(numpy.int64) & 0xFFFFFFFF for each in (found, wanted))
    else:
        found, wanted = (numpy.asarray(each, numpy.float64) for each in (found, wanted))
    same = (found == wanted) | (numpy.isnan(found) & numpy.isnan(wanted))
    with numpy.errstate(invalid="ignore"):
        error = numpy.where(same, 0, numpy.abs(found - wanted))
    error = numpy.where(numpy.isnan(error), numpy.inf, error)
    magnitude = numpy.abs(wanted[numpy.isfinite(wanted)])
    return float(error.max(initial=0)), float(magnitude.max(initial=0))


def values_of(tensor, mesh):
    if mesh:
        return numpy.stack([values_of_part(part) for part in ttnn.get_device_tensors(tensor)])
    return values_of_part(tensor)


def values_of_part(tensor):
    if hasattr(ttnn, "to_numpy"):
        return ttnn.to_numpy(tensor)
    values = ttnn.to_torch(tensor)
    return values.float().numpy() if values.is_floating_point() else values.numpy()


def compare(number, launch, tensors, tolerance):
    """Compares what a launch wrote; returns whether it is within the tolerance."""
    passes = True
    for entry, tensor in zip(launch["tensors"], tensors):
        if "after" not in entry:
            continue
        error, magnitude = largest_error(values_of(tensor, launch.get("mesh")), numpy.load(HERE / entry["after"]))
        is_near = error <= tolerance * magnitude
        passes = passes and is_near
        print(
            f"{'pass' if is_near else 'FAIL'}: launch {number} of {launch['program']}, "
            f"{entry['name']}: largest error {error:.6g}, largest magnitude {magnitude:.6g}"
        )
    return passes


def fabric_of(launch, options):
    """The name of the fabric's configuration: that of the command line, of the script, or the smallest."""
    program = PROGRAMS[launch["program"]]
    of_script = launch.get("fabric", "DISABLED")
    return options.fabric or (program.get("fabric") if of_script == "DISABLED" else of_script)


def repeat_all(launches, options):
    """Repeats launches, each on a device as that of the script; returns whether all are within the
    tolerance."""
    tolerance = default_tolerance(launches) if options.tolerance is None else options.tolerance
    numbered, passes = list(enumerate(launches, 1)), True

    def device_of(each):
        mesh = PROGRAMS[each[1]["program"]].get("mesh")  # a launch without tensors names no mesh
        return each[1].get("mesh", mesh), fabric_of(each[1], options)

    for (mesh, fabric), group in itertools.groupby(numbered, key=device_of):
        with Opened(mesh, fabric) as device:
            passes = repeat(list(group), device, tolerance, fabric) and passes
    return passes


def repeat(launches, device, tolerance, fabric):
    """Repeats launches and compares; returns whether all are within the tolerance."""
    tensors, passes = {}, True
    for number, launch in launches:
        for entry in launch["tensors"]:
            if "before" in entry:
                tensors[entry["tensor"]] = recorded_tensor(entry, device, launch.get("mesh"))
        used = [tensors[entry["tensor"]] for entry in launch["tensors"]]
        run(launch["program"], used, recorded_numbers(launch), fabric, device)
        if not used:
            print(f"pass: launch {number} of {launch['program']}: it has no tensors, so nothing is compared")
        passes = compare(number, launch, used, tolerance) and passes
    return passes


def default_tolerance(launches):
    """On the emulated device all bits are equal, if it computed as it does for kernels in C++."""
    is_equal = hasattr(ttnn, "to_numpy") and all(each["numerics"] == "host" for each in launches)
    return 0.0 if is_equal else 0.02


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", choices=PROGRAMS, metavar="PROGRAM",
                        help="run this program on random inputs; without it, the launches that were "
                             "recorded are repeated and compared")
    parser.add_argument("--tolerance", type=float, help="the largest error that passes, as a part of "
                        "the largest magnitude of a tensor (on a card 0.02)")
    parser.add_argument("--fabric", help="the ttnn.FabricConfig of a mesh, such as FABRIC_1D")
    options = parser.parse_args(arguments)
    launches = [] if options.program else read_launches()
    if launches:
        return 0 if repeat_all(launches, options) else 1
    name = options.program or next(iter(PROGRAMS))
    fabric = fabric_of({"program": name}, options)
    with Opened(PROGRAMS[name].get("mesh"), fabric) as device:
        same = {"mesh_mapper": ttnn.ReplicateTensorToMesh(device)} if "mesh" in PROGRAMS[name] else {}
        tensors = [random_tensor(entry, device, **same) for entry in PROGRAMS[name]["tensors"]]
        run(name, tensors, fabric=fabric, device=device)
        if not tensors:
            return 0
        only = ttnn.get_device_tensors(tensors[-1])[0] if "mesh" in PROGRAMS[name] else tensors[-1]
        print(ttnn.to_torch(only))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
)py";

std::string ttjit::runScript() { return kScript.str(); }
