//===- SavedKernel.cpp - the IR of a kernel that a file holds -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/SavedKernel.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/functions/PythonFunction.h"

#include "diagnostics/Diagnostics.h"
#include "diagnostics/TextGuard.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/Parser/Parser.h"

#include "llvm/ADT/TypeSwitch.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

[[noreturn]] static void refuseText(const std::string &message, int line, int column) {
  throw py::value_error(line > 0 ? fmt::format("line {}, column {}: {}", line, column, message)
                                 : message);
}

mlir::OwningOpRef<mlir::ModuleOp> parseKernel(mlir::MLIRContext &context, const std::string &ir) {
  if (std::optional<diagnostics::TextProblem> problem = diagnostics::findTextProblem(ir))
    refuseText(problem->message, problem->line, problem->column);
  std::vector<diagnostics::CompileDiagnostic> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    diagnostics::DiagnosticCollector collector(&context, diagnostics);
    module = mlir::parseSourceString<mlir::ModuleOp>(ir, mlir::ParserConfig(&context));
  }
  if (module)
    return module;
  if (diagnostics.empty())
    refuseText("it is not the IR of a kernel", 0, 0);
  const diagnostics::CompileDiagnostic &first = diagnostics.front();
  refuseText(first.message, first.location.line, first.location.column);
}

// Returns whether a buffer that is a part of a tensor may write to it.
static bool writes(ttl::CreateCBOp buffer) {
  return llvm::any_of(buffer->getUsers(), [](mlir::Operation *user) {
    return !llvm::isa<ttl::CBWaitOp, ttl::CBPopOp, ttl::PrintBufferOp>(user);
  });
}

// Returns whether the kernel may write to a tensor. An op that is not known here may.
static bool mayWrite(mlir::Value tensor) {
  llvm::SmallVector<mlir::Value> values = {tensor};
  while (!values.empty())
    for (mlir::OpOperand &use : values.pop_back_val().getUses()) {
      mlir::Operation *user = use.getOwner();
      if (auto copy = llvm::dyn_cast<ttl::CopyOp>(user)) {
        if (copy.getDst() == use.get())
          return true;
      } else if (llvm::isa<ttl::TensorAccessorOp, ttl::IndexAccessorOp>(user)) {
        values.push_back(user->getResult(0));
      } else if (auto buffer = llvm::dyn_cast<ttl::CreateCBOp>(user)) {
        if (writes(buffer))
          return true;
      } else if (!llvm::isa<ttl::PrintTensorOp>(user)) {
        return true;
      }
    }
  return false;
}

SavedKernel::SavedKernel(mlir::OwningOpRef<mlir::ModuleOp> parsed, const std::vector<bool> &given,
                         bool isSaved)
    : module(std::move(parsed)), written(given) {
  if (isSaved)
    check();
}

void SavedKernel::check() {
  auto kernels = module->getOps<ttl::KernelOp>();
  if (!llvm::hasSingleElement(kernels) ||
      !llvm::hasSingleElement(module->getBody()->getOperations()))
    throw py::value_error("it must hold one ttl.kernel and nothing else");
  ttl::KernelOp kernel = *kernels.begin();
  name = kernel.getSymName().str();
  llvm::append_range(grid, kernel.getGrid().getShape());
  llvm::append_range(tensorTypes, kernel.getArgumentTypes());
  if (written.size() != tensorTypes.size())
    throw py::value_error(fmt::format("its kernel has {} tensors, but the field 'written' has {}",
                                      tensorTypes.size(), written.size()));
  for (auto [i, argument] : llvm::enumerate(kernel.getBody().getArguments()))
    written[i] = written[i] || mayWrite(argument);
}

//===--------------------------------------------------------------------------===//
// Host functions
//===--------------------------------------------------------------------------===//

static std::shared_ptr<hw::HostFunction> functionOf(Launcher &launcher, py::handle object) {
  py::object library = object.attr("library");
  if (library.is_none())
    return std::make_shared<PythonFunction>(py::reinterpret_borrow<py::object>(object));
  std::string mistake, symbol = object.attr("name").cast<std::string>();
  auto function = launcher.openFunction(library.cast<std::string>(), symbol, mistake);
  if (!function)
    throw py::value_error(fmt::format("host_functions: cannot call '{}': {}", symbol, mistake));
  return function;
}

void SavedKernel::addFunctions(Launcher &launcher, const py::dict &given) {
  std::map<std::string, std::string> called; // full names, and the names of the functions alone
  auto note = [&](auto op) {
    called[ttkernel::getHostName(op.getFunction(), op.getLibrary())] = op.getFunction().str();
  };
  module->walk([&](mlir::Operation *op) {
    llvm::TypeSwitch<mlir::Operation *>(op).Case<ttl::CallHostOp, ttkernel::CallHostOp>(note);
  });
  for (auto [key, object] : given) {
    auto wanted = key.cast<std::string>();
    bool isCalled = false;
    for (auto &[full, function] : called)
      if (wanted == full || wanted == function) {
        functions[full] = functionOf(launcher, object);
        isCalled = true;
      }
    if (!isCalled)
      throw py::key_error(wanted);
  }
}

std::vector<diagnostics::CompileDiagnostic> SavedKernel::restrict(Launcher &launcher) {
  return launcher.restrictForeign(*module, "give it with host_functions={name: function}",
                                  functions);
}

//===--------------------------------------------------------------------------===//
// Launches
//===--------------------------------------------------------------------------===//

void checkTensorTypes(const std::vector<mlir::Type> &types,
                      const std::vector<std::shared_ptr<Tensor>> &tensors,
                      const std::vector<std::string> &names) {
  for (size_t i = 0; i < std::min(types.size(), tensors.size()); ++i)
    if (tensorType(types[i].getContext(), tensors[i]->spec()) != types[i])
      throw py::type_error(fmt::format("the code of this kernel is for another type of tensor than "
                                       "its parameter {}: the file is damaged",
                                       i < names.size() ? names[i] : std::to_string(i)));
}

} // namespace ttjit::frontend
