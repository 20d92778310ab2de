//===- TTKernelToEmitC.cpp - thread functions to EmitC ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: EmitC is the last IR before C++ text. Every func.func with ttl.kernel_thread
// becomes an emitc.func of the same name.
// 1. Read the names of buffers and tensors from the program that binds them (DeviceProgram).
// 2. Replace addresses of L1 by offsets from circular buffers (L1Addresses).
//    Leave out what a reader would not write (Simplify), and insert barriers where too many
//    transfers would be outstanding (TransferLimit).
// 3. Rebuild the function op by op (ThreadConverter).
// 4. Write the functions that reduce and multiply tiles of integers (IntegerReductions,
//    IntegerProducts).
//    Copy float32 tiles from ids that are unpacked to DST (UnpackModes).
// 5. Spell the calls as the generation of the API does (Spelling), and check each against the
//    table of the API (ApiTable).
// 6. Erase unused expressions. Checks of indices exist only on the host: operands of a check may
//    have no other use.
// The calls of the device API may be ops of ttkernel, or those that ttl-to-emitc makes.
// The pass rejects ops without a counterpart in C++, functions with arguments or several
// blocks, and constants that do not fit in int32_t.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/TTKernelToEmitC.h"

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ExternalCalls.h"
#include "passes/metalium/Fabric.h"
#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/IntegerProducts.h"
#include "passes/metalium/IntegerReductions.h"
#include "passes/metalium/L1Addresses.h"
#include "passes/metalium/MatmulBlocks.h"
#include "passes/metalium/NameConstants.h"
#include "passes/metalium/RollLoops.h"
#include "passes/metalium/Simplify.h"
#include "passes/metalium/Spelling.h"
#include "passes/metalium/ThreadConverter.h"
#include "passes/metalium/TransferLimit.h"
#include "passes/metalium/UnpackModes.h"

#include "ir/Locations/Locations.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"

#include "mlir/Pass/PassRegistry.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Returns bits of the processors that use circular buffers: of a compute kernel, UNPACK and PACK.
static uint32_t bitsOf(ttl::Processor processor) {
  switch (processor) {
  case ttl::Processor::RISCV_1:
    return 1;
  case ttl::Processor::RISCV_0:
    return 2;
  case ttl::Processor::Compute:
    return 4 + 8;
  }
  llvm_unreachable("all processors are above");
}

// Returns what the emitter must know of a kernel's devices; nothing if the program has one.
static std::optional<MeshFacts> meshFactsOf(const DeviceProgram &program,
                                            const DeviceKernel &kernel) {
  if (program.devices == 1)
    return std::nullopt;
  return MeshFacts{program.columns, static_cast<int>(kernel.argumentNames.size()),
                   !kernel.reached.empty()};
}

static void readNames(ttl::ThreadOp thread, const DeviceProgram &program, ThreadNames &names) {
  names.fp32Dest = program.fp32Dest();
  names.fullSync = program.fullSyncEnabled();
  names.dramBanks = program.arch.dramBanks;
  names.l1Banks = program.arch.gridX * program.arch.gridY;
  names.areTensorsKnown = true;
  names.extraIds = program.numIds - program.numOwnIds;
  for (const DeviceBuffer &buffer : program.buffers) {
    for (int second : buffer.aliases)
      names.secondIds.emplace_back(buffer.id, second);
    if (!buffer.words.empty() && !buffer.hasSemaphores)
      names.words = {buffer.id, buffer.address};
  }
  names.arch = program.arch;
  for (const DeviceKernel &kernel : program.kernels) {
    names.processors |= bitsOf(kernel.processor);
    if (kernel.function == thread.getCallee() && kernel.rowBuffer)
      names.rowBuffer = {*kernel.rowBuffer, program.findBuffer(*kernel.rowBuffer)->totalBytes};
    if (kernel.function == thread.getCallee())
      names.mesh = meshFactsOf(program, kernel);
  }
  for (Value resource : thread.getResources()) {
    if (auto buffer = resource.getDefiningOp<ttl::CreateCBOp>())
      if (std::optional<uint32_t> index = buffer.getBufferIndex())
        names.buffers[*index] = buffer.getName().str();
    if (isa<RankedTensorType>(resource.getType()))
      names.tensors.push_back(getSourceName(resource.getLoc())
                                  .value_or("tensor" + std::to_string(names.tensors.size())));
  }
}

// Returns whether the op is the id of a buffer. Resets leave ids unused: their calls take masks.
static bool isBufferId(Operation *op) {
  auto call = dyn_cast<emitc::CallOpaqueOp>(op);
  return call && call.getCallee() == "get_compile_time_arg_val";
}

static void eraseUnused(emitc::FuncOp function) {
  SmallVector<Operation *> order;
  function.walk([&](Operation *op) { order.push_back(op); });
  for (Operation *op : llvm::reverse(order))
    if (op->use_empty() && !op->hasAttr(kMayFaultAttr) && (isCppExpression(op) || isBufferId(op)))
      op->erase();
}

static bool isComputeThread(func::FuncOp function) {
  auto kind = function->getAttrOfType<ttkernel::ThreadTypeAttr>(ttkernel::kThreadAttrName);
  return kind && kind.getValue() == ttkernel::ThreadType::Compute;
}

static EmitRules makeRules() {
  EmitRules rules;
  addScalarRules(rules);
  addControlFlowRules(rules);
  addKernelApiRules(rules);
  addIntegerCallRules(rules);
  addProductRules(rules);
  addPipeCallRules(rules);
  addRowPartRules(rules);
  addPagesTogetherRules(rules);
  addHostCallRules(rules);
  addResetRules(rules);
  addExternalCallRules(rules);
  return rules;
}

// Converts one thread. `program` is null for a function that no program has as a thread.
static LogicalResult convertThread(func::FuncOp function, const ThreadNames &names,
                                   const DeviceProgram *program, const hw::MetaliumVersion &version,
                                   bool isForHost) {
  static const EmitRules rules = makeRules();
  if (program && !isForHost && failed(checkBufferIds(function, *program)))
    return failure();
  if ((program && failed(useBufferAddresses(function, *program))) || failed(simplify(function)))
    return failure();
  pairWithCounts(function);
  limitTransfers(function,
                 program ? program->arch.nocMaxBurstBytes : hw::defaultArch().nocMaxBurstBytes);
  FailureOr<emitc::FuncOp> converted =
      ThreadConverter(function, rules, names, version, isForHost).convert();
  if (failed(converted))
    return failure();
  expandIntegerReductions(*converted);
  expandIntegerProducts(*converted);
  if (program)
    useUnpackModes(*converted, *program);
  nameSizes(*converted);
  rollLoops(*converted);
  eraseUnused(*converted);
  useMatmulBlocks(*converted);
  spellCalls(*converted, version, names.fp32Dest);
  eraseUnused(*converted);
  if (failed(checkCalls(*converted, isComputeThread(function), version)))
    return failure();
  function.erase();
  return success();
}

LogicalResult tometalium::convertThreads(ModuleOp module, const hw::MetaliumVersion &version,
                                         bool isForHost) {
  if (failed(ttkernel::verifyCalls(module)))
    return failure();
  std::map<std::string, DeviceProgram> programs; // by thread function
  llvm::StringMap<ThreadNames> names;
  for (auto program : module.getOps<ttl::ProgramOp>()) {
    FailureOr<DeviceProgram> read = planDeviceProgram(program);
    if (failed(read))
      return failure();
    for (auto thread : program.getBody().getOps<ttl::ThreadOp>()) {
      readNames(thread, *read, names[thread.getCallee()]);
      programs.emplace(thread.getCallee().str(), *read);
    }
  }
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (!function->hasAttr(ttkernel::kThreadAttrName) || function->hasAttr(kNotEmittedAttr))
      continue;
    auto program = programs.find(function.getName().str());
    if (failed(convertThread(function, names[function.getName()],
                             program == programs.end() ? nullptr : &program->second, version,
                             isForHost)))
      return failure();
  }
  return success();
}

namespace {
struct TTKernelToEmitC : PassWrapper<TTKernelToEmitC, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TTKernelToEmitC)

  TTKernelToEmitC(const hw::MetaliumVersion &version, bool isForHost)
      : version(version), isForHost(isForHost) {}
  TTKernelToEmitC(const TTKernelToEmitC &other)
      : PassWrapper(other), version(other.version), isForHost(other.isForHost) {}

  StringRef getArgument() const override { return "ttkernel-to-emitc"; }
  StringRef getDescription() const override {
    return "Convert thread functions of stage ttkernel to EmitC";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect>();
  }

  void runOnOperation() override {
    if (!generation.empty())
      version.generation = *hw::parseMetaliumGeneration(generation.getValue());
    if (failed(convertThreads(getOperation(), version, isForHost)))
      signalPassFailure();
  }

  hw::MetaliumVersion version;
  bool isForHost;
  Option<std::string> generation{
      *this, "metalium", llvm::cl::desc("The generation of tt-metal's API: old, mid or new")};
};
} // namespace

std::unique_ptr<Pass> ttjit::createTTKernelToEmitCPass(const hw::MetaliumVersion &version,
                                                       bool isForHost) {
  return std::make_unique<TTKernelToEmitC>(version, isForHost);
}

void ttjit::registerTTKernelToEmitCPass() {
  PassRegistration<TTKernelToEmitC>(
      [] { return std::make_unique<TTKernelToEmitC>(hw::MetaliumVersion(), false); });
}
