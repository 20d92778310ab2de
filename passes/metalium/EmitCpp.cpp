//===- EmitCpp.cpp - emits kernels as Metalium C++ ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitCpp.h"

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/CppPrinter.h"
#include "passes/metalium/EmittedFunctions.h"
#include "passes/metalium/ExternalCalls.h"
#include "passes/metalium/ProgramText.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "passes/metalium/TTLToEmitC.h"
#include "passes/metalium/UnpackModes.h"

#include "ir/Locations/Locations.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// One file per thread
//===--------------------------------------------------------------------------===//

namespace {
struct ThreadFile {
  std::string kernel, thread;
  // File name of the thread; other characters than letters, digits and '_' are
  // replaced.
  std::string name() const {
    std::string text = kernel + "_" + thread;
    for (char &c : text)
      if (!llvm::isAlnum(c) && c != '_' && c != '-' && c != '.')
        c = '_';
    return text + ".cpp";
  }
};
} // namespace

// Returns the kernel and the thread of a function, which is called <kernel>__<thread>.
static ThreadFile describe(emitc::FuncOp function) {
  StringRef name = function.getName();
  size_t at = name.rfind("__");
  if (at == StringRef::npos)
    return {name.str(), "thread"};
  return {name.take_front(at).str(), name.drop_front(at + 2).str()};
}

//===--------------------------------------------------------------------------===//
// Requirements on the host
//===--------------------------------------------------------------------------===//

static std::string span(int64_t first, int64_t count) {
  std::string text = std::to_string(first);
  return count == 1 ? text : text + " to " + std::to_string(first + count - 1);
}

static std::string duty(const DeviceBuffer &buffer) {
  return llvm::formatv("circular buffer {0} ('{1}'), {2} bytes", buffer.id, buffer.name,
                       buffer.totalBytes);
}

static std::string dutyOfPipeMemory(uint64_t address, const DeviceProgram &program) {
  for (const DeviceBuffer &buffer : program.buffers)
    if (buffer.isPipeMemory && buffer.address <= address &&
        address < buffer.address + buffer.totalBytes)
      return duty(buffer);
  return {};
}

static std::string duty(ttl::CreateSemaphoreOp op, const DeviceProgram &program) {
  if (std::optional<uint32_t> id = op.getSemaphoreId())
    return llvm::formatv("{3}semaphore {0}, {2} at the start: '{1}'", *id, op.getName(),
                         op.getInitialValue(),
                         program.semaphores.empty() ? "in buffer 'semaphores', " : "");
  return llvm::formatv("{0}: has the word of '{1}'",
                       dutyOfPipeMemory(op.getAddress().value_or(0), program), op.getName());
}

static std::string duty(ttl::CreateCountersOp op, const DeviceProgram &program) {
  int64_t count = op.getResult().getType().getCount();
  if (std::optional<uint32_t> id = op.getSemaphoreId())
    return llvm::formatv("{4}{0} {1}, zero at the start: {2} of '{3}'",
                         count == 1 ? "semaphore" : "semaphores", span(*id, count),
                         count == 1 ? "word" : "words", op.getName(),
                         program.semaphores.empty() ? "in buffer 'semaphores', " : "");
  return llvm::formatv("{0}: has {1} words of '{2}'",
                       dutyOfPipeMemory(op.getAddress().value_or(0), program), count, op.getName());
}

// Says from which buffer and address_offset the host makes the CBDescriptor.
static std::string duty(ttl::CreateCBOp op) {
  std::string tensor = getSourceName(op.getTensor().getLoc()).value_or("tensor");
  return llvm::formatv("circular buffer {0} ('{1}') at the globally allocated address of tensor "
                       "'{2}', address_offset {3}, total_size {4}",
                       op.getBufferIndex().value_or(0), op.getName(), tensor, op.getTensorOffset(),
                       op.getType().getTotalBytes());
}

static std::string duty(ttl::CreateLandingOp op, const DeviceProgram &program) {
  return dutyOfPipeMemory(op.getAddress().value_or(0), program) + ": where data of '" +
         op.getName().str() + "' land";
}

static void addDutyOfMesh(StringRef function, int64_t argument, const DeviceProgram &program,
                          std::vector<std::string> &duties) {
  if (program.devices == 1)
    return;
  for (const DeviceKernel &kernel : program.kernels)
    if (kernel.function == function)
      duties.push_back(
          llvm::formatv("run-time argument{0} from {1} on: the number of the device{2}",
                        kernel.reached.empty() ? "" : "s", argument,
                        kernel.reached.empty() ? "" : ", routes, connections"));
}

// Lists what the host must provide for each core, besides tensors and buffers with memory of their
// own. program.json says the same.
static std::vector<std::string> hostDuties(ttl::ThreadOp thread, const DeviceProgram &program) {
  std::vector<std::string> duties;
  if (thread.getProcessor() == ttl::Processor::Compute)
    if (std::string config = describeConfig(program); !config.empty())
      duties.push_back("compute config: " + config);
  int64_t argument = 0, common = 0;
  int64_t numTensors = llvm::count_if(thread.getResources(), [](Value resource) {
    return isa<RankedTensorType>(resource.getType());
  });
  auto add = [&](auto op) { duties.push_back(duty(op, program)); };
  for (Value resource : thread.getResources()) {
    Operation *op = resource.getDefiningOp(); // null if it is a tensor
    auto table = dyn_cast_if_present<ttl::CreateNodeTableOp>(op);
    if (table && table->hasAttr(ttl::kCommonNumberAttr)) {
      duties.push_back(llvm::formatv("common run-time argument {0}: the number '{1}'",
                                     numTensors + common++, table.getName()));
    } else if (table) {
      int64_t length = table.getRowLength();
      duties.push_back(llvm::formatv("{2} {0}: its row of '{1}'", span(argument, length),
                                     table.getName(),
                                     length == 1 ? "run-time argument" : "run-time arguments"));
      argument += length;
    } else if (auto buffer = dyn_cast_if_present<ttl::CreateCBOp>(op)) {
      if (buffer.isTensorBacked())
        duties.push_back(duty(buffer));
    } else if (op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<ttl::CreateSemaphoreOp, ttl::CreateCountersOp, ttl::CreateLandingOp>(add);
    }
  }
  addDutyOfMesh(thread.getCallee(), argument, program, duties);
  return duties;
}

static std::vector<std::string> hostDuties(ModuleOp module, StringRef function,
                                           const std::vector<DeviceProgram> &programs) {
  std::vector<std::string> duties;
  module.walk([&](ttl::ThreadOp thread) {
    StringRef name = thread->getParentOfType<ttl::ProgramOp>().getSymName();
    for (const DeviceProgram &program : programs)
      if (thread.getCallee() == function && name == program.name)
        duties = hostDuties(thread, program);
  });
  return duties;
}

static void printOpening(llvm::raw_ostream &stream, emitc::FuncOp function,
                         const std::set<std::string> &callees, bool isCompute,
                         const hw::MetaliumVersion &version,
                         const std::vector<DeviceProgram> &programs) {
  ThreadFile file = describe(function);
  stream << "// Thread '" << toComment(file.thread) << "' of kernel '" << toComment(file.kernel)
         << "'";
  if (SourceRange range = getSourceRange(function.getLoc()); range.line != 0)
    stream << ", " << toComment(llvm::sys::path::filename(range.file)) << ":" << range.line;
  stream << ".\n// Made by ttl-jit.\n";
  std::vector<std::string> duties =
      hostDuties(function->getParentOfType<ModuleOp>(), function.getName(), programs);
  if (!duties.empty())
    stream << "// The host provides for each core:\n";
  for (const std::string &duty : duties)
    stream << "//   " << toComment(duty) << "\n";
  stream << "\n";
  printUserDefines(stream, function);
  stream << "#include <cstdint>\n\n";
  std::set<std::string> headers = headersFor(callees, isCompute, version);
  function.walk([&](emitc::VerbatimOp line) {
    if (line.getValue().contains("DPRINT"))
      headers.insert(version.printHeader());
    if (line.getValue().starts_with("ASSERT("))
      headers.insert(version.assertHeader());
    if (line.getValue().starts_with("ttjit::metalium::"))
      headers.insert("ttjit/checks.h");
    if (line.getValue().starts_with("ttjit::metalium::ExternalCall"))
      headers.insert("ttjit/external.h");
    if (line.getValue().contains("DeviceZoneScopedN("))
      headers.insert(version.profilerHeader());
  });
  for (const std::string &header : headers)
    stream << "#include \"" << header << "\"\n";
  stream << "\n";
  printUserHeaders(stream, function);
  for (const std::string &callee : callees)
    if (std::string helper = emittedFunction(callee, version); !helper.empty())
      stream << helper << "\n";
}

static LogicalResult printFile(llvm::raw_ostream &stream, emitc::FuncOp function,
                               const EmitOptions &options,
                               const std::vector<DeviceProgram> &programs) {
  auto kind = function->getAttrOfType<ttkernel::ThreadTypeAttr>(ttkernel::kThreadAttrName);
  bool isCompute = kind && kind.getValue() == ttkernel::ThreadType::Compute;
  std::set<std::string> callees;
  function.walk([&](emitc::CallOpaqueOp call) { callees.insert(call.getCallee().str()); });
  addNeededFunctions(callees);
  printOpening(stream, function, callees, isCompute, options.version, programs);
  bool hasMain = isCompute && options.version.isOld();
  stream << (hasMain ? "namespace NAMESPACE {\n\nvoid MAIN {\n" : "void kernel_main() {\n");
  CppPrinter printer(stream, options.sourceLine, /*indentation=*/1, options.isForHost);
  if (failed(printer.printBody(function)))
    return failure();
  stream << (hasMain ? "}\n\n} // namespace NAMESPACE\n" : "}\n");
  return success();
}

// Rejects nets that receive into slices of a tensor: a card would write into the slice itself, but
// its sender does not know the address, which the receiver computes.
static LogicalResult checkDevices(ttl::ProgramOp op, const DeviceProgram &program,
                                  const hw::MetaliumVersion &version) {
  if (!program.usesFabric())
    return success();
  if (version.isOld())
    return op.emitError("kernels that send between devices have no C++ of generation 'old': use "
                        "--metalium=mid or --metalium=new");
  for (auto landing : op.getBody().getOps<ttl::CreateLandingOp>())
    if (landing->hasAttr(kQueuedAttr))
      return landing.emitError("net '")
             << landing.getName()
             << "' receives into slices of a tensor, which has no C++ yet: receive into a block "
                "and copy that to the tensor, or run without --emit and --engine=emitted";
  return success();
}

static FailureOr<std::vector<DeviceProgram>> readPrograms(ModuleOp module,
                                                          const hw::MetaliumVersion &version) {
  std::vector<DeviceProgram> programs;
  for (auto op : module.getOps<ttl::ProgramOp>()) {
    FailureOr<DeviceProgram> program = planDeviceProgram(op);
    if (failed(program) || failed(checkDevices(op, *program, version)))
      return failure();
    programs.push_back(std::move(*program));
  }
  return programs;
}

// Writes the name and the counts of a thread's file into its kernel.
static void noteFile(std::vector<DeviceProgram> &programs, emitc::FuncOp function,
                     const EmittedFile &file) {
  KernelCounts counts = countCalls(function);
  counts.lines = countCodeLines(file.text);
  for (DeviceProgram &program : programs)
    for (DeviceKernel &kernel : program.kernels)
      if (kernel.function == function.getName()) {
        kernel.file = file.name;
        kernel.counts = counts;
      }
}

// Lowers a module of stage `loops` to calls of EmitC. One of stage `ttkernel` keeps its ops.
static LogicalResult lowerDirectly(ModuleOp module, bool hasWarned) {
  if (!isBeforeTTKernel(module))
    return ttkernel::verifyCalls(module);
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    return success(hasWarned && diagnostic.getSeverity() == DiagnosticSeverity::Warning);
  });
  PassManager passes(module.getContext());
  addDirectLowering(passes);
  return passes.run(module);
}

FailureOr<EmittedCode> ttjit::emitMetaliumCpp(ModuleOp lowered, const EmitOptions &options) {
  OwningOpRef<ModuleOp> module = lowered.clone();
  if (failed(lowerDirectly(*module, options.hasWarned)))
    return failure();
  FailureOr<std::vector<DeviceProgram>> programs = readPrograms(*module, options.version);
  if (failed(programs))
    return failure();
  for (auto function : module->getOps<func::FuncOp>())
    if (!options.threads.empty() && !options.threads.count(function.getName().str()))
      function->setAttr(kNotEmittedAttr, UnitAttr::get(module->getContext()));
  PassManager passes(module->getContext());
  passes.addPass(createTTKernelToEmitCPass(options.version, options.isForHost));
  if (failed(passes.run(*module)))
    return failure();
  EmittedCode code{{}, std::move(*programs)};
  for (auto function : module->getOps<emitc::FuncOp>()) {
    EmittedFile file{describe(function).name(), {}};
    llvm::raw_string_ostream stream(file.text);
    if (failed(printFile(stream, function, options, code.programs)))
      return failure();
    noteFile(code.programs, function, file);
    code.files.push_back(std::move(file));
  }
  return code;
}
