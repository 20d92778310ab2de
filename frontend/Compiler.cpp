//===- Compiler.cpp - converts an operation call to ttl IR --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Compiler.h"

#include "frontend/PythonState.h"
#include "frontend/RunTimeNumbers.h"
#include "frontend/walk/Cleanup.h"
#include "frontend/walk/Thread.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/NodeTables.h"
#include "frontend/walk/functions/BufferResets.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/WalkedStatement.h"
#include "frontend/walk/transfers/ReusedSlices.h"
#include "ir/TTL/TTLResetOps.h"

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/DiscardableAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Builds the op of a thread with an empty body.
template <typename OpT>
static mlir::Block *createThread(Kernel &kernel, const std::string &name, Location loc) {
  kernel.builder.setInsertionPointToEnd(&kernel.op.getBody().front());
  OperationState state(loc, OpT::getOperationName());
  state.getOrAddProperties<typename OpT::Properties>().name = kernel.builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
  return &kernel.builder.create(state)->getRegion(0).front();
}

static mlir::Block *createThread(Kernel &kernel, ThreadKind kind, const std::string &name,
                                 Location loc) {
  switch (kind) {
  case ThreadKind::Compute:
    return createThread<ttl::ComputeThreadOp>(kernel, name, loc);
  case ThreadKind::DataMovement:
    return createThread<ttl::DataMovementThreadOp>(kernel, name, loc);
  case ThreadKind::Unified:
    return createThread<ttl::UnifiedThreadOp>(kernel, name, loc);
  }
  llvm_unreachable("all kinds are above");
}

static ThreadKind kindOfThread(py::handle thread) {
  std::string kind = text(thread.attr("kind"));
  if (kind == "compute")
    return ThreadKind::Compute;
  return kind == "unified" ? ThreadKind::Unified : ThreadKind::DataMovement;
}

static void walkThread(Kernel &kernel, py::handle thread, ThreadKind kind, mlir::Block *body,
                       std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  walkThread(kernel, kind, thread.attr("name").cast<std::string>(), body, thread.attr("function"),
             diagnostics);
}

// Returns a block in the body of a thread whose code only the nodes of some devices run: those of
// mesh_program_placements. `placed` has 1 for each of these devices, 0 for the others.
static mlir::Block *branchOfPlaced(Kernel &kernel, mlir::Block *body, py::handle placed) {
  std::vector<int32_t> numbers;
  for (py::handle each : placed)
    numbers.insert(numbers.end(), kernel.nodesOfDevice(), each.cast<int32_t>());
  OpBuilder &builder = kernel.builder;
  builder.setInsertionPointToEnd(body);
  Location loc = body->getParentOp()->getLoc();
  mlir::Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  mlir::Value own = ttl::NodeValueOp::create(builder, loc, builder.getIndexType(),
                                             nodeTable(kernel, "placed", numbers), zero);
  mlir::Value isPlaced = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, own, zero);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), isPlaced, /*withElseRegion=*/false);
  branch->setAttr(ttl::kPlacedAttr, builder.getUnitAttr());
  return branch.thenBlock();
}

static mlir::Block *addThread(Kernel &kernel, py::handle thread) {
  Location loc = locationOf(kernel.builder.getContext(), thread.attr("location"));
  ThreadKind kind = kindOfThread(thread);
  mlir::Block *body = createThread(kernel, kind, thread.attr("name").cast<std::string>(), loc);
  StringRef name = ttl::kMicrocoreHintAttr;
  if (kind == ThreadKind::Unified)
    name = ttl::kReaderHintAttr;
  if (py::object hint = thread.attr("hint"); !hint.is_none())
    body->getParentOp()->setAttr(name, kernel.builder.getStringAttr(text(hint)));
  py::object placed = kernel.call.attr("placed");
  return placed.is_none() ? body : branchOfPlaced(kernel, body, placed);
}

// Returns the processor of each data movement thread. `threads` has all threads of one node.
static SmallVector<ttl::Processor> processorsOf(py::handle threads) {
  SmallVector<std::optional<ttl::Processor>> bound;
  for (py::handle thread : threads)
    if (kindOfThread(thread) == ThreadKind::DataMovement) {
      py::object hint = thread.attr("hint");
      bound.push_back(hint.is_none() ? std::nullopt : ttl::processorOfHint(text(hint)));
    }
  SmallVector<ttl::Processor> movers = ttl::placeMovers(bound), processors;
  auto mover = movers.begin();
  for (py::handle thread : threads)
    processors.push_back(
        kindOfThread(thread) == ThreadKind::DataMovement ? *mover++ : ttl::Processor::Compute);
  return processors;
}

// Compiles groups of nodes that run different code: each thread gets a chain of branches, one for
// each group.
class GroupedThreads {
public:
  GroupedThreads(Kernel &kernel, py::list groups,
                 std::vector<diagnostics::CompileDiagnostic> &diagnostics)
      : kernel(kernel), groups(std::move(groups)), diagnostics(diagnostics) {}

  void compile() {
    for (auto [number, group] : llvm::enumerate(groups)) {
      kernel.group = py::reinterpret_borrow<py::object>(group);
      py::list threads = group.attr("threads");
      for (auto [thread, processor] : llvm::zip(threads, processorsOf(threads)))
        walkThread(kernel, thread, kindOfThread(thread), branchFor(thread, processor, number),
                   diagnostics);
    }
    kernel.group = py::none();
  }

private:
  // Returns the IR block for the code of a group of nodes. The groups form a chain of scf.if: the
  // scf.if of a group is in the else region of the scf.if of the group before it.
  mlir::Block *branchFor(py::handle thread, ttl::Processor processor, size_t group) {
    mlir::Block *&rest = bodies[processor];
    if (!rest)
      rest = addThread(kernel, thread);
    if (groups.size() == 1)
      return rest;
    OpBuilder &builder = kernel.builder;
    rest->empty() ? builder.setInsertionPointToEnd(rest)
                  : builder.setInsertionPoint(rest->getTerminator());
    Location loc = rest->getParentOp()->getLoc();
    mlir::Value own = numberOfGroup(loc);
    mlir::Value wanted = arith::ConstantIndexOp::create(builder, loc, group);
    mlir::Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, own, wanted);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(), isOwn, /*withElseRegion=*/true);
    rest = branch.elseBlock();
    return branch.thenBlock();
  }

  mlir::Value numberOfGroup(Location loc) {
    std::vector<int32_t> numbers(kernel.nodesOfDevice());
    for (auto [number, group] : llvm::enumerate(groups))
      for (py::handle node : group.attr("nodes"))
        numbers[node.cast<int64_t>()] = number;
    mlir::Value zero = arith::ConstantIndexOp::create(kernel.builder, loc, 0);
    return ttl::NodeValueOp::create(kernel.builder, loc, kernel.builder.getIndexType(),
                                    nodeTable(kernel, "group", numbers), zero);
  }

  Kernel &kernel;
  py::list groups;
  std::vector<diagnostics::CompileDiagnostic> &diagnostics;
  std::map<ttl::Processor, mlir::Block *> bodies;
};

static void compileThreads(Kernel &kernel,
                           std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  py::object groups = kernel.call.attr("groups");
  if (!groups.is_none())
    return GroupedThreads(kernel, groups, diagnostics).compile();
  for (py::handle thread : kernel.call.attr("threads"))
    walkThread(kernel, thread, kindOfThread(thread), addThread(kernel, thread), diagnostics);
}

static bool isError(const diagnostics::CompileDiagnostic &diagnostic) {
  return diagnostic.severity == diagnostics::CompileDiagnostic::Severity::Error;
}

// Sorts the errors by their position in a file, and the files in the order of their first error.
static void sortErrors(std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  llvm::StringMap<size_t> files;
  for (const diagnostics::CompileDiagnostic &diagnostic : diagnostics)
    files.try_emplace(diagnostic.location.file, files.size());
  auto key = [&](const diagnostics::CompileDiagnostic &diagnostic) {
    const hw::SourceLocation &place = diagnostic.location;
    return std::tuple(isError(diagnostic), files.lookup(place.file), place.line, place.column);
  };
  llvm::stable_sort(diagnostics, [&](const diagnostics::CompileDiagnostic &a,
                                     const diagnostics::CompileDiagnostic &b) {
    return isError(a) && isError(b) ? key(a) < key(b) : !isError(a) && isError(b);
  });
}

// Returns whether the compute thread acquires the block, or calls the C++ function. In a unified
// thread, these are the blocks that block arithmetic reads or writes.
static bool isOfCompute(Operation *acquire) {
  if (auto selector = acquire->getAttrOfType<StringAttr>(ttl::kSelectorAttr);
      selector && isa<ttcpp::CallOp>(acquire))
    return selector.getValue() == "compute";
  if (!acquire->getParentOfType<ttl::UnifiedThreadOp>())
    return acquire->getParentOfType<ttl::ComputeThreadOp>() != nullptr;
  return llvm::any_of(acquire->getUsers(), ttl::isBlockArithmetic);
}

// Returns the numbers of the buffers whose blocks the compute thread acquires.
static std::vector<unsigned> buffersOfCompute(Kernel &kernel) {
  std::vector<unsigned> used;
  for (auto [index, buffer] : llvm::enumerate(kernel.buffers))
    for (Operation *user : buffer.value().getUsers())
      if (!isa<ttl::PrintBufferOp, ttl::CBResetOp>(user) && isOfCompute(user)) {
        used.push_back(index);
        break;
      }
  return used;
}

// Verifies the module. The walk should have found every error; those that the verifier finds are
// reported at the op's position.
static void verifyKernel(KernelModule &result) {
  diagnostics::DiagnosticCollector collector(result.module->getContext(), result.diagnostics);
  if (failed(verify(*result.module)))
    result.module = {};
}

// Tells ttl._scalars.Scalars which run-time numbers must be constants. Returns whether there are
// none.
static bool acceptNumbers(Kernel &kernel) {
  py::object scalars = kernel.call.attr("scalars");
  if (scalars.is_none())
    return true;
  py::list refused;
  for (auto [number, table] : kernel.launchTables) {
    auto [low, high] = scalars.attr("range_of")(number).cast<std::pair<int64_t, int64_t>>();
    if (!computesAsConstant(table, {low, high}))
      refused.append(number);
  }
  return !scalars.attr("refuse")(refused).cast<bool>();
}

static KernelModule build(MLIRContext &context, py::handle call, const std::string &arch) {
  KernelModule result;
  Kernel kernel(context, call, arch);
  compileThreads(kernel, result.diagnostics);
  if (llvm::any_of(result.diagnostics, isError)) {
    sortErrors(result.diagnostics);
    return result;
  }
  limitReusedSlices(kernel);
  eraseUnused(kernel.op);
  if (!acceptNumbers(kernel))
    return result;
  completeResets(kernel);
  kernel.finish(buffersOfCompute(kernel));
  for (const KernelTensor &tensor : kernel.tensors)
    result.written.push_back(tensor.written);
  result.hostFunctions = std::move(kernel.hostFunctions);
  result.module = std::move(kernel.module);
  verifyKernel(result);
  return result;
}

// Reports a crash of the walk at the statement that it had reached, or else at the operation.
static KernelModule afterCrash(const diagnostics::Crash &crash, py::handle call) {
  WalkedStatement walked = std::exchange(walkedStatement(), {});
  bool isInStatement = walked.file != nullptr;
  hw::SourceLocation place =
      isInStatement ? rangeOf(*walked.file, walked.node) : sourceLocation(call.attr("location"));
  KernelModule result;
  result.crashed = true;
  result.diagnostics.push_back(diagnostics::makeDiagnostic(
      diagnostics::CompileDiagnostic::Severity::Error,
      diagnostics::crashMessage(crash, isInStatement ? "at this statement" : "on this operation"),
      place));
  return result;
}

KernelModule buildKernel(MLIRContext &context, py::handle call, const std::string &arch) {
  PythonState python;
  auto result = std::make_unique<KernelModule>();
  std::optional<diagnostics::Crash> crash =
      diagnostics::runGuarded([&] { *result = build(context, call, arch); });
  if (!crash)
    return std::move(*result);
  python.restore();
  (void)result.release(); // may be half written
  return afterCrash(*crash, call);
}

} // namespace ttjit::frontend
