//===- Compiler.cpp - from a run of an operation's body to ttl IR --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Compiler.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Cleanup.h"
#include "frontend/walk/Walker.h"

#include "tools/diagnostics/Diagnostics.h"

#include "mlir/IR/Verifier.h"

#include <fmt/format.h>

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
  walker.run(thread.attr("function"));
}

// Buffers that the compute thread acquires.
static std::vector<unsigned> buffersOfCompute(Kernel &kernel) {
  std::vector<unsigned> used;
  for (auto [index, buffer] : llvm::enumerate(kernel.buffers))
    for (Operation *user : buffer.value().getUsers())
      if (user->getParentOfType<ttl::ComputeThreadOp>()) {
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
  try {
    for (py::handle thread : call.attr("threads"))
      compileThread(kernel, thread, result.diagnostics);
  } catch (const CompileFailure &failure) {
    result.diagnostics.push_back(failure.diagnostic);
    return result;
  }
  eraseUnused(kernel.op);
  kernel.finish(buffersOfCompute(kernel));
  for (const KernelTensor &tensor : kernel.tensors)
    result.written.push_back(tensor.written);
  result.module = std::move(kernel.module);
  verifyKernel(result);
  return result;
}

} // namespace ttjit::frontend
