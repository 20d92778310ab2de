//===- Compiler.cpp - from a run of an operation's body to ttl IR --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Compiler.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Cleanup.h"
#include "frontend/walk/Walker.h"

#include "tools/diagnostics/Diagnostics.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// The op of a thread with an empty body.
template <typename OpT>
static mlir::Block *createThread(Kernel &kernel, const std::string &name, Location loc) {
  kernel.builder.setInsertionPointToEnd(&kernel.op.getBody().front());
  OperationState state(loc, OpT::getOperationName());
  state.getOrAddProperties<typename OpT::Properties>().name = kernel.builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
  return &kernel.builder.create(state)->getRegion(0).front();
}

static void compileThread(Kernel &kernel, py::handle thread,
                          std::vector<CompileDiagnostic> &diagnostics) {
  auto name = thread.attr("name").cast<std::string>();
  Location loc = locationOf(kernel.builder.getContext(), thread.attr("location"));
  bool isCompute = text(thread.attr("kind")) == "compute";
  mlir::Block *body = isCompute ? createThread<ttl::ComputeThreadOp>(kernel, name, loc)
                                : createThread<ttl::DataMovementThreadOp>(kernel, name, loc);
  Walker walker(kernel, isCompute ? ThreadKind::Compute : ThreadKind::DataMovement, name, body,
                diagnostics);
  try {
    walker.run(thread.attr("function"));
  } catch (const CompileFailure &failure) {
    walker.diagnostics.report(failure);
  } catch (const StepLimitExceeded &limit) {
    walker.diagnostics.report(limit.failure);
  }
}

static bool isError(const CompileDiagnostic &diagnostic) {
  return diagnostic.severity == CompileDiagnostic::Severity::Error;
}

// Errors in the order of the source; files in the order of their first error.
static void sortErrors(std::vector<CompileDiagnostic> &diagnostics) {
  llvm::StringMap<size_t> files;
  for (const CompileDiagnostic &diagnostic : diagnostics)
    files.try_emplace(diagnostic.location.file, files.size());
  auto key = [&](const CompileDiagnostic &diagnostic) {
    const hw::SourceLocation &place = diagnostic.location;
    return std::tuple(isError(diagnostic), files.lookup(place.file), place.line, place.column);
  };
  llvm::stable_sort(diagnostics, [&](const CompileDiagnostic &a, const CompileDiagnostic &b) {
    return isError(a) && isError(b) ? key(a) < key(b) : !isError(a) && isError(b);
  });
}

// Buffers that the compute thread acquires.
static std::vector<unsigned> buffersOfCompute(Kernel &kernel) {
  std::vector<unsigned> used;
  for (auto [index, buffer] : llvm::enumerate(kernel.buffers))
    for (Operation *user : buffer.value().getUsers())
      if (user->getParentOfType<ttl::ComputeThreadOp>() && !isa<ttl::PrintBufferOp>(user)) {
        used.push_back(index);
        break;
      }
  return used;
}

// Errors of the verifier, which the walk should have found, keep their position.
static void verifyKernel(KernelModule &result) {
  session::DiagnosticCollector collector(result.module->getContext(), result.diagnostics);
  if (failed(verify(*result.module)))
    result.module = {};
}

KernelModule buildKernel(MLIRContext &context, py::handle call, const std::string &arch) {
  KernelModule result;
  Kernel kernel(context, call, arch);
  for (py::handle thread : call.attr("threads"))
    compileThread(kernel, thread, result.diagnostics);
  if (llvm::any_of(result.diagnostics, isError)) {
    sortErrors(result.diagnostics);
    return result;
  }
  eraseUnused(kernel.op);
  kernel.finish(buffersOfCompute(kernel));
  for (const KernelTensor &tensor : kernel.tensors)
    result.written.push_back(tensor.written);
  result.hostFunctions = std::move(kernel.hostFunctions);
  result.module = std::move(kernel.module);
  verifyKernel(result);
  return result;
}

} // namespace ttjit::frontend
