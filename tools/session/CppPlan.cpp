//===- CppPlan.cpp - programs of C++ kernels for the device -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/CppPlan.h"

#include "diagnostics/Diagnostics.h"
#include "hw/abi/KernelThread.h"
#include "hw/facts/DataFormat.h"
#include "hw/tile/TileMath.h"
#include "tools/session/BoundResources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::plan;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// Code
//===--------------------------------------------------------------------------===//

static uint32_t maxIndex(const CppProgram &program) {
  int last = -1;
  for (const CppBuffer &buffer : program.buffers)
    last = std::max(last, buffer.index);
  return static_cast<uint32_t>(last + 1);
}

// Returns, for each buffer, the bytes of a page if a tensor is the buffer's memory, else 0.
static std::vector<uint32_t> tensorPageBytes(const CppProgram &program) {
  std::vector<uint32_t> bytes(maxIndex(program));
  for (const CppBuffer &buffer : program.buffers)
    if (!buffer.backing.tensor.empty())
      bytes[static_cast<size_t>(buffer.index)] = buffer.pageBytes;
  return bytes;
}

// Returns the formats of the buffers, as the headers of kernels name them.
static std::string formats(const CppProgram &program) {
  std::vector<hw::DataFormat> formats(maxIndex(program), hw::DataFormat::Float32);
  for (const CppBuffer &buffer : program.buffers)
    formats[static_cast<size_t>(buffer.index)] = buffer.format;
  std::string text;
  for (hw::DataFormat format : formats)
    text += fmt::format("DataFormat::{},", formatName(format));
  return text;
}

// Returns the file that an #include in the line names in quotes or angles; empty: no #include.
static llvm::StringRef includedFile(llvm::StringRef line) {
  line = line.trim();
  if (!line.consume_front("#"))
    return {};
  line = line.ltrim();
  if (!line.consume_front("include"))
    return {};
  line = line.ltrim();
  bool isQuoted = line.starts_with("\"");
  if (!isQuoted && !line.starts_with("<"))
    return {};
  return line.drop_front().take_until([&](char c) { return c == (isQuoted ? '"' : '>'); });
}

// Returns whether the kernel includes a file of the host: by its full path (as --emit writes for
// C++ functions of the user), next to the kernel, or in one of its include folders.
static bool readsFiles(const CppKernel &kernel) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(kernel.text).split(lines, '\n');
  auto isThere = [&](llvm::StringRef name) {
    auto isIn = [&](const std::string &folder) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, name);
      return llvm::sys::fs::exists(path);
    };
    return name.starts_with("/") || llvm::any_of(kernel.includePaths, isIn);
  };
  return llvm::any_of(lines, [&](llvm::StringRef line) {
    llvm::StringRef name = includedFile(line);
    return !name.empty() && isThere(name);
  });
}

// A preprocessor's #if cannot call functions. A kernel whose #if uses a compile-time argument gets
// the macros of the older generations, whose index is a number.
static void addArgumentMacros(const CppKernel &kernel, jit::CppSource &source) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(kernel.text).split(lines, '\n');
  bool asks = llvm::any_of(lines, [](llvm::StringRef line) {
    line = line.ltrim();
    return (line.starts_with("#if") || line.starts_with("#elif")) &&
           line.contains("get_compile_time_arg_val");
  });
  if (!asks)
    return;
  source.defines.push_back("TTJIT_ARGUMENTS_ARE_MACROS=1");
  for (auto [i, value] : llvm::enumerate(kernel.compileTimeArgs))
    source.defines.push_back(fmt::format("KERNEL_COMPILE_TIME_ARG_{}={}u", i, value));
}

// Kernels of one processor share a thread's common arguments. This one's begin at `first`.
static jit::CppSource sourceOf(const CppKernel &kernel, const CppProgram &program, size_t number,
                               size_t first, const hw::ArchDesc &arch) {
  jit::CppSource source{fmt::format("kernel{}", number),
                        llvm::StringRef(kernel.file).ltrim('/').str(), kernel.text, kernel.defines};
  static constexpr const char *macros[] = {"NCRISC", "BRISC", "TRISC"}; // by hw::Processor
  source.defines.push_back(
      fmt::format("COMPILE_FOR_{}=1", macros[static_cast<size_t>(kernel.processor)]));
  source.readsFiles = readsFiles(kernel);
  source.includePaths = kernel.includePaths;
  addArgumentMacros(kernel, source);
  std::string args, pages;
  for (uint32_t value : kernel.compileTimeArgs)
    args += fmt::format("{}u,", value);
  for (uint32_t value : tensorPageBytes(program))
    pages += fmt::format("{},", value);
  if (kernel.processor != hw::Processor::Compute) // tt-metal's build includes these, too
    source.headers = {"api/dataflow/dataflow_api.h", "api/tensor/tensor_accessor.h"};
  bool isWriter = kernel.processor == hw::Processor::RISCV_0;
  source.defines.push_back(arch.name.starts_with("blackhole") ? "ARCH_BLACKHOLE=1"
                                                              : "ARCH_WORMHOLE=1");
  source.defines.push_back("TTJIT_COMPILE_TIME_ARGS=" + args);
  source.defines.push_back("TTJIT_TENSOR_PAGE_BYTES=" + pages);
  source.defines.push_back("TTJIT_FORMATS=" + formats(program));
  source.defines.push_back(fmt::format("TTJIT_NOC_INDEX={}", isWriter ? 1 : 0));
  source.defines.push_back(fmt::format("TTJIT_FIRST_COMMON_ARG={}", first));
  if (program.numDevices > 1) {
    source.defines.push_back("TTJIT_DEVICES=1");
    source.defines.push_back(fmt::format("TTJIT_FABRIC_PACKET={}", program.packetBytes));
  }
  return source;
}

static std::vector<jit::CppSource> sourcesOf(const CppProgram &program, const hw::ArchDesc &arch) {
  std::vector<jit::CppSource> sources;
  std::map<hw::Processor, size_t> numArgs;
  for (auto [number, kernel] : llvm::enumerate(program.kernels)) {
    size_t &first = numArgs[kernel.processor];
    sources.push_back(sourceOf(kernel, program, number, first, arch));
    first += kernel.commonArgs.size();
  }
  return sources;
}

static std::string keyOf(llvm::ArrayRef<jit::CppSource> sources) {
  std::string key;
  for (const jit::CppSource &source : sources)
    key += fmt::format("{}\n{} {}\n{}\n", source.file, source.text.size(), source.text,
                       fmt::join(source.defines, "\n"));
  return key;
}

namespace {
// Numbers the lines of the kernels.
class Lines {
public:
  Lines(const CppProgram &program, std::vector<hw::SourceLocation> &locations)
      : locations(locations) {
    locations.resize(1);
    for (const CppKernel &kernel : program.kernels)
      files[llvm::StringRef(kernel.file).ltrim('/')] = kernel.file;
  }

  uint32_t operator()(llvm::StringRef file, unsigned line) {
    auto found = files.find(file.ltrim('/'));
    if (found == files.end())
      return 0;
    auto [it, isNew] = numbers.try_emplace({found->second, line}, locations.size());
    if (isNew)
      locations.push_back({found->second, static_cast<int>(line), 1, static_cast<int>(line), 1});
    return it->second;
  }

private:
  llvm::StringMap<std::string> files; // from the compiler's name of a file to that in messages
  std::map<std::pair<std::string, unsigned>, uint32_t> numbers;
  std::vector<hw::SourceLocation> &locations;
};
} // namespace

llvm::Expected<CppCompiler::Code> CppCompiler::compile(const CppProgram &program,
                                                       const hw::ArchDesc &arch) {
  std::vector<jit::CppSource> sources = sourcesOf(program, arch);
  std::string key = keyOf(sources);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  if (!engine) {
    auto created = jit::ThreadCompiler::create(options);
    if (!created)
      return created.takeError();
    engine = std::move(*created);
  }
  Code code;
  auto lines = std::make_shared<Lines>(program, code.locations);
  auto entries = engine->compileCpp(
      sources, [lines](llvm::StringRef file, unsigned line) { return (*lines)(file, line); });
  if (!entries)
    return entries.takeError();
  code.entries = std::move(*entries);
  if (llvm::any_of(sources, [](auto &source) { return source.readsFiles; }))
    return code;                    // do not keep it: files may change
  constexpr size_t kMostKnown = 64; // the object cache has the others
  if (known.size() == kMostKnown)
    known.clear();
  known.emplace(std::move(key), code);
  return code;
}

//===--------------------------------------------------------------------------===//
// Errors
//===--------------------------------------------------------------------------===//

// Returns the position and the message of a line "file:line:column: error: message".
static std::optional<CompileDiagnostic> readError(llvm::StringRef line, const CppProgram &program) {
  auto [place, message] = line.split(": error: ");
  if (message.empty())
    std::tie(place, message) = line.split(": fatal error: ");
  auto [rest, column] = place.rsplit(':');
  auto [file, row] = rest.rsplit(':');
  hw::SourceLocation location;
  if (message.empty() || row.getAsInteger(10, location.line) ||
      column.getAsInteger(10, location.column))
    return std::nullopt;
  location.file = file.str();
  for (const CppKernel &kernel : program.kernels)
    if (file.ltrim('/') == llvm::StringRef(kernel.file).ltrim('/'))
      location.file = kernel.file;
  location.endLine = location.line;
  location.endColumn = location.column + 1;
  return makeDiagnostic(CompileDiagnostic::Severity::Error, message.str(), location);
}

// Returns the first error of Clang, with the others as notes.
static CompileDiagnostic toDiagnostic(llvm::Error error, const CppProgram &program) {
  std::string text = llvm::toString(std::move(error));
  std::optional<CompileDiagnostic> first;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (std::optional<CompileDiagnostic> found = readError(line, program)) {
      if (first)
        first->notes.push_back({found->message, found->location});
      else
        first = std::move(found);
    }
  if (first)
    return *first;
  return makeDiagnostic(CompileDiagnostic::Severity::Error, text,
                        {program.kernels.front().file, 1, 1, 1, 1});
}

//===--------------------------------------------------------------------------===//
// The program
//===--------------------------------------------------------------------------===//

static void growGrid(llvm::ArrayRef<hw::NodeCoord> cores, hw::Program &out) {
  for (hw::NodeCoord core : cores) {
    out.gridX = std::max(out.gridX, core.x + 1);
    out.gridY = std::max(out.gridY, core.y + 1);
  }
  out.numNodes = out.gridX * out.gridY;
}

// Gives the buffers addresses; buffers that share a memory get the same address.
static void addBuffers(const CppProgram &program, const hw::ArchDesc &arch, hw::Program &out) {
  uint64_t next = arch.l1UnreservedBase;
  std::map<int, uint64_t> memories;
  std::map<int, int> users; // number of buffers of each memory
  for (const CppBuffer &buffer : program.buffers)
    ++users[buffer.memory];
  for (const CppBuffer &buffer : program.buffers) {
    auto [memory, isNew] = memories.try_emplace(buffer.memory, next);
    if (isNew && buffer.backing.tensor.empty())
      next = llvm::alignTo(next + buffer.totalBytes, arch.dramAlignment);
    hw::BufferConfig &config = out.buffers.emplace_back();
    config.name = fmt::format("cb {}", buffer.index);
    config.index = buffer.index;
    config.address = static_cast<uint32_t>(memory->second);
    config.pageBytes = buffer.pageBytes;
    config.numPages = buffer.totalBytes / buffer.pageBytes;
    config.format = buffer.format;
    config.isAliased = users[buffer.memory] > 1;
    config.tiled = buffer.pageBytes % hw::tileBytes(buffer.format) == 0;
    if (!config.tiled)
      config.blockShape = {1, static_cast<int64_t>(buffer.pageBytes)};
    if (!buffer.backing.tensor.empty()) {
      config.backing = buffer.backing;
      config.address = buffer.backing.base + buffer.backing.offset;
    }
    config.onNode.resize(static_cast<size_t>(out.numNodes));
    for (hw::NodeCoord core : buffer.cores)
      config.onNode[numberOf(core, out)] = true;
  }
}

namespace {
// The kernel that a node runs on one processor.
struct NodeKernel {
  hw::ThreadEntry entry;
  const hw::TileKernels *tiles = nullptr; // null: those of the program
  uint32_t dstCapacity = 0;
  uint8_t numSections = 0;
};
} // namespace

// Returns an entry that runs each node's kernel with that kernel's arithmetic. A thread whose table
// is not the program's keeps its table: the explanation of errors runs launches with other tables.
static hw::ThreadEntry dispatch(std::vector<NodeKernel> ofNode, int gridX,
                                const hw::TileKernels &ofProgram) {
  return [ofNode = std::move(ofNode), gridX, &ofProgram](hw::KernelThread &thread) {
    int node = ttl_hw_my_logical_y(&thread) * gridX + ttl_hw_my_logical_x(&thread);
    const NodeKernel &kernel = ofNode[static_cast<size_t>(node)];
    if (kernel.tiles) {
      thread.tiles = thread.tiles == &ofProgram ? kernel.tiles : thread.tiles;
      thread.dstCapacity = kernel.dstCapacity;
      thread.numSections = kernel.numSections;
    }
    return kernel.entry ? kernel.entry(thread) : hw::Status::Ok;
  };
}

static bool areEqual(const hw::ComputeConfig &a, const hw::ComputeConfig &b) {
  return a.fp32DestAccEn == b.fp32DestAccEn && a.dstFullSyncEn == b.dstFullSyncEn &&
         a.mathFidelity == b.mathFidelity && a.mathApproxMode == b.mathApproxMode &&
         a.bfp8PackPrecise == b.bfp8PackPrecise;
}

// Returns the configurations of the compute kernels, each once.
static std::vector<hw::ComputeConfig> configsOf(const CppProgram &program) {
  std::vector<hw::ComputeConfig> configs;
  for (const CppKernel &kernel : program.kernels) {
    auto isKnown = [&](const hw::ComputeConfig &known) { return areEqual(known, kernel.compute); };
    if (kernel.processor == hw::Processor::Compute && llvm::none_of(configs, isKnown))
      configs.push_back(kernel.compute);
  }
  return configs;
}

// Returns the configuration of a program: that of its compute kernels. If they have several, each
// kernel sets its own, and the program has room for the registers of all.
static hw::ComputeConfig programConfig(llvm::ArrayRef<hw::ComputeConfig> configs) {
  if (configs.empty())
    return {};
  hw::ComputeConfig config = configs.front();
  for (const hw::ComputeConfig &other : configs)
    config.fp32DestAccEn &= other.fp32DestAccEn; // with 16 bits, DST has twice as many registers
  return config;
}

// Returns the configuration of each node, if kernels have several.
static std::vector<hw::ComputeConfig> nodeConfigsOf(const CppProgram &program,
                                                    const hw::Program &out) {
  if (configsOf(program).size() < 2)
    return {};
  std::vector<hw::ComputeConfig> configs(static_cast<size_t>(out.numNodes), out.compute);
  for (const CppKernel &kernel : program.kernels)
    if (kernel.processor == hw::Processor::Compute)
      for (hw::NodeCoord core : kernel.cores)
        configs[numberOf(core, out)] = kernel.compute;
  return configs;
}

static void setArguments(const CppKernel &kernel, const hw::Program &program,
                         hw::ThreadConfig &thread) {
  llvm::append_range(thread.commonArgs, kernel.commonArgs);
  for (const auto &[core, values] : kernel.args)
    llvm::copy(values, thread.nodeArgs.begin() +
                           static_cast<ptrdiff_t>(numberOf(core, program) * thread.argsPerNode));
}

// Returns the name of the kernel's file, or the role of a kernel without a file.
static std::string nameOf(const CppKernel &kernel) {
  static constexpr const char *roles[] = {"reader", "writer", "compute"}; // by hw::Processor
  if (llvm::StringRef(kernel.file).starts_with("<"))
    return roles[static_cast<size_t>(kernel.processor)];
  return llvm::sys::path::stem(kernel.file).str();
}

static NodeKernel onNode(const CppKernel &kernel, hw::ThreadEntry entry, const hw::ArchDesc &arch,
                         const CppProgram &program) {
  NodeKernel found{std::move(entry)};
  if (kernel.processor != hw::Processor::Compute || configsOf(program).size() == 1)
    return found;
  const hw::ComputeConfig &config = kernel.compute;
  found.tiles = &hw::tileKernels(config.numericsOn(arch));
  found.dstCapacity =
      static_cast<uint32_t>(arch.dstCapacity(config.fp32DestAccEn, config.dstFullSyncEn));
  found.numSections = config.dstFullSyncEn ? 1 : 2;
  return found;
}

static void addThread(hw::Processor processor, const CppProgram &program,
                      llvm::ArrayRef<hw::ThreadEntry> entries, const hw::ArchDesc &arch,
                      hw::Program &out) {
  hw::ThreadConfig thread;
  thread.processor = processor;
  std::vector<NodeKernel> ofNode(static_cast<size_t>(out.numNodes));
  for (const CppKernel &kernel : program.kernels)
    for (const auto &[core, values] : kernel.args)
      if (kernel.processor == processor)
        thread.argsPerNode = std::max(thread.argsPerNode, static_cast<uint32_t>(values.size()));
  thread.nodeArgs.resize(ofNode.size() * thread.argsPerNode);
  for (auto [kernel, entry] : llvm::zip(program.kernels, entries)) {
    if (kernel.processor != processor)
      continue;
    if (thread.name.empty()) {
      thread.name = nameOf(kernel);
      thread.location = {kernel.file, 1, 1, 1, 1};
    }
    for (hw::NodeCoord core : kernel.cores)
      ofNode[numberOf(core, out)] = onNode(kernel, entry, arch, program);
    setArguments(kernel, out, thread);
  }
  if (thread.name.empty())
    return;
  thread.endLocation = thread.location;
  thread.entry =
      dispatch(std::move(ofNode), out.gridX, hw::tileKernels(out.compute.numericsOn(arch)));
  out.threads.push_back(std::move(thread));
}

std::variant<LaunchPlan, CompileDiagnostic> CppCompiler::build(const CppProgram &program,
                                                               const hw::ArchDesc &arch) {
  llvm::Expected<Code> code = compile(program, arch);
  if (!code)
    return toDiagnostic(code.takeError(), program);
  LaunchPlan plan;
  hw::Program &out = plan.program;
  out.name = program.name;
  out.language = hw::KernelLanguage::Metalium;
  out.compute = programConfig(configsOf(program));
  out.locations = code->locations;
  plan.numTensors = program.numTensors;
  for (const CppKernel &kernel : program.kernels)
    growGrid(kernel.cores, out);
  for (const CppBuffer &buffer : program.buffers)
    growGrid(buffer.cores, out);
  for (const CppSemaphore &semaphore : program.semaphores)
    growGrid(semaphore.cores, out);
  if (program.numDevices > 1) {
    out.numDevices = program.numDevices;
    out.gridX = program.numDevices * program.columnsOfDevice;
    out.numNodes = out.gridX * out.gridY;
  }
  plan.nodeConfigs = nodeConfigsOf(program, out);
  addBuffers(program, arch, out);
  addSemaphores(program.semaphores, out);
  for (hw::Processor processor :
       {hw::Processor::RISCV_1, hw::Processor::Compute, hw::Processor::RISCV_0})
    addThread(processor, program, code->entries, arch, out);
  return plan;
}
