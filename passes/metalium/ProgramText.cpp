//===- ProgramText.cpp - program.json -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ProgramText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using llvm::json::Array;
using llvm::json::Object;

//===--------------------------------------------------------------------------===//
// Cores
//===--------------------------------------------------------------------------===//

// Returns the ranges of the program's cores. All rows are full, except perhaps the last one.
static Array coreRanges(const DeviceProgram &program) {
  int64_t fullRows = program.numCores / program.columns;
  int64_t rest = program.numCores % program.columns;
  Array ranges;
  if (fullRows)
    ranges.push_back(Array{Array{0, 0}, Array{program.columns - 1, fullRows - 1}});
  if (rest)
    ranges.push_back(Array{Array{0, fullRows}, Array{rest - 1, fullRows}});
  return ranges;
}

//===--------------------------------------------------------------------------===//
// Tensors and memory
//===--------------------------------------------------------------------------===//

template <typename Range> static Array numbers(const Range &range) {
  Array array;
  for (auto value : range)
    array.push_back(static_cast<int64_t>(value));
  return array;
}

static Object describe(const DeviceTensor &tensor) {
  Object out{{"name", tensor.name}};
  if (!tensor.type)
    return out;
  out["shape"] = numbers(tensor.type.getShape());
  if (auto format = ttcore::getDataTypeOf(tensor.type.getElementType()))
    out["format"] = hw::formatName(ttcore::getDataFormat(*format));
  auto encoding = dyn_cast_or_null<ttl::TensorEncodingAttr>(tensor.type.getEncoding());
  if (!encoding)
    return out;
  auto layout = encoding.getLayout();
  out["memory"] = ttcore::stringifyMemorySpace(encoding.getMemorySpace()).str();
  out["memory_layout"] = ttcore::stringifyTensorMemoryLayout(layout.getMemoryLayout()).str();
  out["layout"] = layout.isTiled() ? "tile" : "row_major";
  if (layout.getMemoryLayout() != ttcore::TensorMemoryLayout::Interleaved) {
    out["shard_shape"] = numbers(layout.getShard());
  }
  return out;
}

// Returns ranges of cores: those of one column that follow each other are one range.
static Array coreRanges(const std::set<std::pair<int64_t, int64_t>> &cores) {
  Array ranges;
  for (auto at = cores.begin(); at != cores.end();) {
    auto [x, y] = *at;
    int64_t end = y;
    while (++at != cores.end() && *at == std::pair(x, end + 1))
      ++end;
    ranges.push_back(Array{Array{x, y}, Array{x, end}});
  }
  return ranges;
}

static Object describe(const DeviceBuffer &buffer, const DeviceProgram &program) {
  Array formats;
  auto addFormat = [&](int id) {
    formats.push_back(Object{{"buffer_index", id},
                             {"data_format", hw::formatName(buffer.format)},
                             {"page_size", buffer.pageBytes}});
  };
  addFormat(buffer.id);
  llvm::for_each(buffer.aliases, addFormat);
  Object out{{"name", buffer.name},
             {"core_ranges", buffer.cores.empty() ? coreRanges(program) : coreRanges(buffer.cores)},
             {"total_size", buffer.totalBytes},
             {"formats", std::move(formats)}};
  if (buffer.tensor) {
    out["tensor"] = *buffer.tensor;
    out["address_offset"] = buffer.tensorOffset;
  }
  if (!buffer.words.empty())
    out["initial_words"] = numbers(buffer.words);
  if (buffer.isAllocated)
    out["allocated"] = true;
  return out;
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

// Returns the name in ttnn.MathFidelity.
static std::string fidelityName(const DeviceProgram &program) {
  auto fidelity = program.config ? program.config.getMathFidelity() : ttcore::MathFidelity::HiFi4;
  switch (fidelity) {
  case ttcore::MathFidelity::LoFi:
    return "LoFi";
  case ttcore::MathFidelity::HiFi2:
    return "HiFi2";
  case ttcore::MathFidelity::HiFi3:
    return "HiFi3";
  case ttcore::MathFidelity::HiFi4:
    return "HiFi4";
  }
  return "HiFi4";
}

static Object describeCompute(const DeviceProgram &program) {
  return Object{{"math_fidelity", fidelityName(program)},
                {"fp32_dest_acc_en", program.fp32Dest()},
                {"dst_full_sync_en", program.fullSyncEnabled()},
                {"math_approx_mode", program.config && program.config.getMathApproxMode()},
                {"unpack_to_dest_fp32", numbers(program.unpackToDest)}};
}

// Describes the arguments of each core. With several devices each core of each of them has an
// entry: its device, and the devices to which it sends.
static Array describeArguments(const DeviceKernel &kernel, const DeviceProgram &program) {
  Array cores;
  int64_t ofDevice = program.columns * program.rows;
  int64_t count = program.devices == 1 ? static_cast<int64_t>(kernel.arguments.size())
                                       : program.devices * ofDevice;
  for (int64_t i = 0; i < count; ++i) {
    auto [x, y] = program.core(i % ofDevice);
    auto place = static_cast<size_t>(i);
    std::vector<int32_t> values =
        kernel.arguments.empty() ? std::vector<int32_t>() : kernel.arguments[place];
    Object entry{{"core", Array{x, y}}, {"values", numbers(values)}};
    if (program.devices > 1)
      entry["device"] = i / ofDevice;
    if (!kernel.reached.empty())
      entry["reaches"] = numbers(kernel.reached[place]);
    if (program.devices > 1 || !values.empty())
      cores.push_back(std::move(entry));
  }
  return cores;
}

// Describes a number. JSON has no infinities: they are texts, as Python's float() reads them.
static llvm::json::Value describeValue(const CommonNumber &number) {
  float value = std::bit_cast<float>(number.bits);
  if (!number.isFloat)
    return number.bits;
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return value;
}

static Array describeNumbers(const DeviceKernel &kernel) {
  Array all;
  for (const CommonNumber &number : kernel.numbers) {
    Object described{{"name", number.name},
                     {"type", number.isFloat ? "float32" : "int32"},
                     {"value", describeValue(number)}};
    if (number.launchNumber)
      described["number"] = *number.launchNumber;
    all.push_back(std::move(described));
  }
  return all;
}

static const char *processorName(ttl::Processor processor) {
  switch (processor) {
  case ttl::Processor::RISCV_1:
    return "reader";
  case ttl::Processor::RISCV_0:
    return "writer";
  default:
    return "compute";
  }
}

// Describes a kernel. Compile-time argument k is the id of buffer k; the accessors' words follow.
static Object describe(const DeviceKernel &kernel, const DeviceProgram &program) {
  bool isCompute = kernel.processor == ttl::Processor::Compute;
  Object out{{"name", kernel.thread},
             {"file", kernel.file},
             {"processor", processorName(kernel.processor)},
             {"core_ranges", coreRanges(program)},
             {"compile_time_args", numbers(llvm::seq(0, program.numIds))},
             {"tensor_accessors", numbers(kernel.accessors)},
             {"common_runtime_args_are_addresses_of", numbers(kernel.tensors)},
             {"runtime_args", describeArguments(kernel, program)},
             {"runtime_arg_names", Array(kernel.argumentNames)},
             {"defines", Object()},
             {"counts", describeCounts(kernel.counts)}};
  if (!kernel.numbers.empty())
    out["common_runtime_arg_numbers"] = describeNumbers(kernel);
  if (isCompute)
    out["config"] = describeCompute(program);
  return out;
}

//===--------------------------------------------------------------------------===//
// The fabric
//===--------------------------------------------------------------------------===//

// A way along one axis of the mesh, up or down.
using MeshDirection = std::pair<size_t, bool>;

// Returns the directions of a device from another one: one for each axis on which they differ.
static std::vector<MeshDirection> directionsTo(int64_t to, int64_t from, ArrayRef<int64_t> mesh) {
  std::vector<MeshDirection> directions;
  for (size_t axis = mesh.size(); axis-- > 0;) {
    int64_t there = to % mesh[axis], here = from % mesh[axis];
    if (there != here)
      directions.emplace_back(axis, there > here);
    to /= mesh[axis];
    from /= mesh[axis];
  }
  return directions;
}

std::string ttjit::fabricOf(const DeviceProgram &program) {
  constexpr size_t kConnectionsOfNode = 2; // of a 1-D fabric
  if (!program.usesFabric())
    return "DISABLED";
  auto ofDevice = static_cast<size_t>(program.columns * program.rows);
  for (const DeviceKernel &kernel : program.kernels)
    for (auto [place, reached] : llvm::enumerate(kernel.reached)) {
      std::set<MeshDirection> used;
      for (int32_t device : reached) {
        auto from = static_cast<int64_t>(place / ofDevice);
        std::vector<MeshDirection> directions = directionsTo(device, from, program.mesh);
        if (directions.size() > 1)
          return "FABRIC_2D";
        used.insert(directions.begin(), directions.end());
      }
      if (used.size() > kConnectionsOfNode)
        return "FABRIC_2D";
    }
  return "FABRIC_1D";
}

static constexpr llvm::StringLiteral kReadme = R"md(# Programs for several devices

Made by ttl-jit. `python run_on_device.py` opens a mesh, runs the programs, and compares what they write with
the emulated device. program.json describes the programs: run_on_device.py is the host program of all of them.

| program | mesh | fabric |
| --- | --- | --- |
)md";

static constexpr llvm::StringLiteral kAboutFabric = R"md(
The fabric is the smallest one that has all routes. run_on_device.py sets that of the script if the script has
set one, and `--fabric=NAME` any other one: `ttnn.set_fabric_config` before the mesh is opened, and `DISABLED`
after it was closed.

Each data movement kernel of a node that sends to another device has a connection for each direction, which it
opens at its start and closes at its end. A receiver of a block sends, too: it tells the sender that there is
room. Each connection takes a link between two neighbours of its own. run_on_device.py says which program needs
more links than the machine has; no mux is used.

The words and blocks that other devices write are in tensors in L1, which run_on_device.py makes before a program
begins: a device may send to one that has not begun yet.
)md";

std::string ttjit::readmeFile(ArrayRef<DeviceProgram> programs) {
  std::string text = kReadme.str();
  bool isNeeded = false;
  for (const DeviceProgram &program : programs) {
    if (program.devices == 1)
      continue;
    isNeeded = true;
    std::string shape = llvm::join(
        llvm::map_range(program.mesh, [](int64_t extent) { return std::to_string(extent); }), "x");
    text += llvm::formatv("| {0} | {1} | {2} |\n", program.name, shape, fabricOf(program)).str();
  }
  return isNeeded ? text + kAboutFabric.str() : std::string();
}

//===--------------------------------------------------------------------------===//
// Programs
//===--------------------------------------------------------------------------===//

Object ttjit::describeProgram(const DeviceProgram &program) {
  Array tensors, buffers, semaphores, kernels;
  for (const DeviceTensor &tensor : program.tensors)
    tensors.push_back(describe(tensor));
  for (const DeviceBuffer &buffer : program.buffers)
    buffers.push_back(describe(buffer, program));
  for (const DeviceSemaphore &semaphore : program.semaphores)
    semaphores.push_back(Object{{"id", semaphore.id},
                                {"name", semaphore.name},
                                {"core_ranges", coreRanges(program)},
                                {"initial_value", semaphore.initialValue}});
  for (const DeviceKernel &kernel : program.kernels)
    kernels.push_back(describe(kernel, program));
  Object out{{"name", program.name},
             {"arch", program.archName},
             {"core_ranges", coreRanges(program)},
             {"tensors", std::move(tensors)},
             {"buffers", std::move(buffers)},
             {"semaphores", std::move(semaphores)},
             {"kernels", std::move(kernels)}};
  if (program.devices > 1) {
    out["mesh"] = numbers(program.mesh);
    out["fabric"] = fabricOf(program);
  }
  return out;
}

std::string ttjit::programFile(ArrayRef<DeviceProgram> programs,
                               const hw::MetaliumVersion &version) {
  Array entries;
  for (const DeviceProgram &program : programs)
    entries.push_back(describeProgram(program));
  std::string_view generation = hw::kMetaliumGenerations[static_cast<int>(version.generation)];
  Object file{{"made_by", "ttl-jit"},
              {"metalium", std::string(generation)},
              {"programs", std::move(entries)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(file))).str();
}

std::string ttjit::describeConfig(const DeviceProgram &program) {
  std::string text;
  auto add = [&](StringRef part) { text += (text.empty() ? "" : ", ") + part.str(); };
  if (program.fp32Dest())
    add("fp32_dest_acc_en");
  if (program.fullSyncEnabled())
    add("dst_full_sync_en");
  if (program.config)
    add("math_fidelity " + fidelityName(program));
  if (program.config && program.config.getMathApproxMode())
    add("math_approx_mode");
  if (!program.unpackToDest.empty()) {
    std::string ids;
    for (int id : program.unpackToDest)
      ids += (ids.empty() ? "" : " ") + std::to_string(id);
    add("unpack_to_dest_mode UnpackToDestFp32 for buffers " + ids);
  }
  return text;
}
