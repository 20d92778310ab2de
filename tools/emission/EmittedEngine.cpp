//===- EmittedEngine.cpp - the emitted C++ as an engine -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Emits the program as Metalium C++ and compiles this for the host, with the headers of
// hw/metalium. Some circular buffers exist only on the card: hw/metalium/include/ttjit/device.h
// explains how their compile-time arguments are encoded.
//===--------------------------------------------------------------------------===//

#include "tools/emission/EmittedEngine.h"

#include "ir/TTCpp/TTCpp.h"
#include "passes/metalium/EmitCpp.h"
#include "tools/session/ClangErrors.h"
#include "tools/session/Emission.h"
#include "tools/session/ThreadCompilerOptions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

namespace {
class EmittedEngine : public Engine {
public:
  EmittedEngine(JitOptions jitOptions, bool onlyExternal)
      : jitOptions(std::move(jitOptions)), onlyExternal(onlyExternal) {}

  std::string name() const override { return "emitted"; }
  bool isFinal() const override { return true; }
  bool runs(Lowering lowering) const override { return lowering != Lowering::Partial; }
  std::vector<Refusal> compile(LaunchPlan &plan, LocationTable &locations,
                               EngineOutput &output) override;

private:
  llvm::Error create();
  bool runs(Operation *thread) const;
  llvm::Error compile(LaunchPlan &plan, ArrayRef<size_t> chosen, LocationTable &locations,
                      jit::CompileArtifacts &artifacts, std::string &emitted);

  JitOptions jitOptions;
  bool onlyExternal; // whether it compiles only the threads that call C++ functions of the user
  std::unique_ptr<jit::ThreadCompiler> jit; // created for the first kernel
};
} // namespace

llvm::Error EmittedEngine::create() {
  if (jit)
    return llvm::Error::success();
  llvm::Expected<std::unique_ptr<jit::ThreadCompiler>> created =
      jit::ThreadCompiler::create(threadCompilerOptions(jitOptions));
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Sources
//===--------------------------------------------------------------------------===//

// The same values as in hw/metalium/include/ttjit/device.h.
static constexpr uint32_t kSecondId = 0x1000, kFixedAddress = 0x80000000;

// Returns the compile-time arguments that are ids of circular buffers.
static std::vector<uint32_t> bufferArguments(const DeviceProgram &program) {
  std::vector<uint32_t> arguments;
  for (int id = 0; id < program.numIds; ++id)
    arguments.push_back(id);
  for (const DeviceBuffer &buffer : program.buffers) {
    if (buffer.isPipeMemory)
      arguments[buffer.id] = kFixedAddress + buffer.address;
    for (int alias : buffer.aliases)
      arguments[alias] = kSecondId + buffer.id;
  }
  return arguments;
}

// Returns, for each id, the bytes of a page if a tensor is the buffer's memory, else 0.
static std::vector<uint32_t> tensorPageBytes(const DeviceProgram &program) {
  std::vector<uint32_t> bytes(program.numIds);
  for (const DeviceBuffer &buffer : program.buffers)
    if (buffer.tensor)
      bytes[buffer.id] = buffer.pageBytes;
  return bytes;
}

static std::vector<hw::DataFormat> formatsOf(const DeviceProgram &program) {
  std::vector<hw::DataFormat> formats(program.numIds, hw::DataFormat::Float32);
  for (const DeviceBuffer &buffer : program.buffers)
    formats[buffer.id] = buffer.format;
  return formats;
}

static std::string list(ArrayRef<uint32_t> numbers) {
  std::string text;
  for (uint32_t number : numbers)
    text += std::to_string(number) + ",";
  return text;
}

// Returns the words of a tensor's layout, which tensor_accessor.h explains (hw/metalium).
static std::array<uint32_t, 2> layoutArguments(const DeviceTensor &tensor) {
  auto encoding = cast<ttl::TensorEncodingAttr>(tensor.type.getEncoding());
  bool isDram = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  return {isDram ? 2u : 0u, 0};
}

static jit::CppSource sourceOf(const DeviceKernel &kernel, const DeviceProgram &program,
                               const EmittedCode &code, const hw::ThreadConfig &thread) {
  jit::CppSource source{kernel.function, kernel.file, "", {}};
  for (const EmittedFile &file : code.files)
    if (file.name == kernel.file)
      source.text = file.text;
  std::vector<uint32_t> arguments = bufferArguments(program);
  for (unsigned tensor : kernel.accessors)
    llvm::append_range(arguments, layoutArguments(program.tensors[tensor]));
  source.defines.push_back("TTJIT_COMPILE_TIME_ARGS=" + list(arguments));
  source.defines.push_back("TTJIT_TENSOR_PAGE_BYTES=" + list(tensorPageBytes(program)));
  std::vector<uint32_t> unpackToDest(program.unpackToDest.begin(), program.unpackToDest.end());
  source.defines.push_back("TTJIT_UNPACK_TO_DEST=" + list(unpackToDest));
  std::string formats;
  for (hw::DataFormat format : formatsOf(program))
    formats += "DataFormat::" + std::string(hw::formatName(format)) + ",";
  source.defines.push_back("TTJIT_FORMATS=" + formats);
  source.defines.push_back("TTJIT_OWN_ARGS=" + std::to_string(thread.argsPerNode));
  if (program.devices > 1)
    llvm::append_range(source.defines,
                       std::initializer_list<const char *>{"TTJIT_DEVICES=1", "FABRIC_2D=1"});
  bool isWriter = kernel.processor == ttl::Processor::RISCV_0;
  source.defines.push_back(std::string("TTJIT_NOC_INDEX=") + (isWriter ? "1" : "0"));
  return source;
}

//===--------------------------------------------------------------------------===//
// Several devices
//===--------------------------------------------------------------------------===//

// Returns what ttl_fabric_open() reads (passes/metalium/FabricFunctions.cpp), for a core that
// reaches these devices. The emulated fabric has one connection to all of them, which is that of
// FABRIC_2D.
static std::vector<uint32_t> fabricArguments(uint32_t device, const std::set<int32_t> &reached) {
  auto count = static_cast<uint32_t>(reached.size());
  std::vector<uint32_t> words{device, count, count > 0 ? 1u : 0u};
  for (int32_t other : reached)
    llvm::append_range(words,
                       std::initializer_list<uint32_t>{uint32_t(other), 0, 1, uint32_t(other), 0});
  if (count > 0) {
    words.insert(words.end(), {0, count});
    words.insert(words.end(), reached.begin(), reached.end());
  }
  words.insert(words.end(), {0, device, 0});
  if (count > 0)
    words.insert(words.end(), {0, 0, 0, 0});
  return words;
}

// Adds the arguments of a kernel for several devices to those of its tables.
static void addDevices(const DeviceKernel &kernel, const DeviceProgram &program,
                       hw::ThreadConfig &thread) {
  if (program.devices == 1)
    return;
  auto numNodes = static_cast<size_t>(program.devices * program.columns * program.rows);
  std::vector<std::vector<uint32_t>> added(numNodes);
  size_t longest = 0;
  for (size_t node = 0; node < numNodes; ++node) {
    auto [row, column] =
        std::lldiv(static_cast<long long>(node), program.devices * program.columns);
    auto device = static_cast<uint32_t>(column / program.columns);
    if (kernel.reached.empty())
      added[node] = {device};
    else
      added[node] = fabricArguments(device, kernel.reached[placeOfCore(program, column, row)]);
    longest = std::max(longest, added[node].size());
  }
  std::vector<uint32_t> all;
  for (size_t node = 0; node < numNodes; ++node) {
    auto first = thread.nodeArgs.begin() + static_cast<ptrdiff_t>(node * thread.argsPerNode);
    all.insert(all.end(), first, first + thread.argsPerNode);
    added[node].resize(longest);
    llvm::append_range(all, added[node]);
  }
  thread.nodeArgs = std::move(all);
  thread.argsPerNode += static_cast<uint32_t>(longest);
}

// Returns the macro by which headers learn the processor for which the card's build compiles them.
static std::string processorMacro(ttl::Processor processor) {
  switch (processor) {
  case ttl::Processor::RISCV_1:
    return "COMPILE_FOR_NCRISC=1";
  case ttl::Processor::RISCV_0:
    return "COMPILE_FOR_BRISC=1";
  default:
    return "COMPILE_FOR_TRISC=1";
  }
}

// Lets the source of a thread include the headers of the C++ functions that the thread calls.
static void addUserHeaders(func::FuncOp thread, ttl::Processor processor, jit::CppSource &source) {
  if (!callsExternal(thread))
    return;
  source.readsFiles = true;
  source.defines.push_back("TTJIT_EXTERNAL_CALLS=1");
  source.defines.push_back(processorMacro(processor));
  thread.walk([&](ttcpp::CallOp call) {
    if (ArrayAttr folders = call.getIncludePathsAttr())
      for (auto folder : folders.getAsRange<StringAttr>())
        if (!llvm::is_contained(source.includePaths, folder.getValue()))
          source.includePaths.push_back(folder.str());
  });
}

// Emits the program of the threads. Gives the warnings of stage ttkernel about what is slow on a
// card.
static FailureOr<EmittedCode> emit(ModuleOp module, ArrayRef<func::FuncOp> threads) {
  EmitOptions options;
  options.isForHost = true;
  for (func::FuncOp thread : threads)
    options.threads.insert(thread.getName().str());
  return emitMetaliumCpp(module, options);
}

//===--------------------------------------------------------------------------===//
// Positions
//===--------------------------------------------------------------------------===//

namespace {
// Finds, for each line, the first op that may fault, or the first op. C++ only has lines: the
// position of that op gives a fault its columns.
class LinePositions {
public:
  LinePositions(ArrayRef<func::FuncOp> threads, LocationTable &table) : table(table) {
    for (func::FuncOp thread : threads)
      thread.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isMemoryEffectFree(op))
          add(op->getLoc());
      });
    for (func::FuncOp thread : threads)
      thread.walk<WalkOrder::PreOrder>([&](Operation *op) { add(op->getLoc()); });
  }

  uint32_t operator()(StringRef file, unsigned line) const {
    auto found = known.find({file.str(), static_cast<int>(line)});
    return found == known.end() ? 0 : table.intern(found->second);
  }

private:
  void add(Location position) {
    SourceRange range = getSourceRange(position);
    known.try_emplace({range.file, range.line}, position);
  }

  LocationTable &table;
  std::map<std::pair<std::string, int>, Location> known;
};
} // namespace

//===--------------------------------------------------------------------------===//
// The engine
//===--------------------------------------------------------------------------===//

bool EmittedEngine::runs(Operation *thread) const { return !onlyExternal || callsExternal(thread); }

llvm::Error EmittedEngine::compile(LaunchPlan &plan, ArrayRef<size_t> chosen,
                                   LocationTable &locations, jit::CompileArtifacts &artifacts,
                                   std::string &emitted) {
  if (llvm::Error error = create())
    return error;
  std::vector<func::FuncOp> threads;
  for (size_t thread : chosen)
    threads.push_back(cast<func::FuncOp>(plan.sources[thread].op));
  Stopwatch watch;
  FailureOr<EmittedCode> code = emit(threads.front()->getParentOfType<ModuleOp>(), threads);
  if (failed(code))
    return llvm::createStringError(""); // the diagnostics have the reason
  artifacts.steps.push_back({"text", watch.lap() / 1e3});
  std::vector<jit::CppSource> sources;
  for (const DeviceProgram &program : code->programs)
    if (program.name == plan.program.name)
      plan.program.compute.dstFullSyncEn |= program.fullSyncEnabled();
  for (func::FuncOp thread : threads)
    for (const DeviceProgram &program : code->programs)
      for (const DeviceKernel &kernel : program.kernels)
        if (kernel.function == thread.getName() && program.name == plan.program.name) {
          hw::ThreadConfig &config = plan.program.threads[chosen[sources.size()]];
          addDevices(kernel, program, config);
          sources.push_back(sourceOf(kernel, program, *code, config));
          addUserHeaders(thread, kernel.processor, sources.back());
        }
  if (sources.size() != threads.size())
    return llvm::createStringError("internal error: not every thread was emitted");
  for (const jit::CppSource &source : sources)
    emitted += "//--- " + source.file + "\n" + source.text;
  LinePositions lines(threads, locations);
  auto entries = jit->compileCpp(sources, lines, &artifacts);
  if (!entries)
    return entries.takeError();
  for (auto [thread, entry] : llvm::zip(chosen, *entries))
    plan.program.threads[thread].entry = std::move(entry);
  return llvm::Error::success();
}

std::vector<Refusal> EmittedEngine::compile(LaunchPlan &plan, LocationTable &locations,
                                            EngineOutput &output) {
  std::vector<size_t> chosen;
  for (auto [i, source] : llvm::enumerate(plan.sources))
    if (runs(source.op))
      chosen.push_back(i);
  if (chosen.empty())
    return {};
  jit::CompileArtifacts artifacts;
  artifacts.wantText = output.wantsTexts;
  std::string emitted;
  if (llvm::Error error = compile(plan, chosen, locations, artifacts, emitted))
    return {explainClangErrors(plan, chosen, llvm::toString(std::move(error)))};
  for (const jit::CompileArtifacts::Step &step : artifacts.steps)
    output.times.push_back({"emitted-" + step.name, step.seconds * 1e3});
  output.texts.emplace_back("cpp", std::move(emitted));
  output.texts.emplace_back("llvm", std::move(artifacts.llvmIR));
  output.texts.emplace_back("asm", std::move(artifacts.assembly));
  return {};
}

std::unique_ptr<Engine> emission::createEmittedEngine(JitOptions options, bool onlyExternal) {
  return std::make_unique<EmittedEngine>(std::move(options), onlyExternal);
}
