//===- MlirKernels.cpp - kernels that are written in MLIR ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/MlirKernels.h"

#include "diagnostics/Diagnostics.h"
#include "frontend/tensor/Tensor.h"
#include "frontend/walk/context/Kernel.h"
#include "ir/Locations/Locations.h"
#include "ir/TTL/KernelModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

// Returns the type of the elements on the device. A tensor of tiles and one of scalars have the
// same pages. Block floats are tiles always.
static std::optional<ttcore::DataType> dataTypeOf(RankedTensorType type) {
  if (auto tile = dyn_cast<ttcore::TileType>(type.getElementType()))
    return tile.getDataType();
  return ttcore::getDataTypeOf(type.getElementType());
}

static ttl::TensorEncodingAttr encodingOf(RankedTensorType type) {
  return dyn_cast_if_present<ttl::TensorEncodingAttr>(type.getEncoding());
}

bool MlirKernel::accepts(size_t index, const TensorSpec &spec) const {
  RankedTensorType wanted = types[index], given = tensorType(context.get(), spec);
  if (wanted.getShape() != given.getShape() || dataTypeOf(wanted) != dataTypeOf(given))
    return false;
  ttl::TensorEncodingAttr a = encodingOf(wanted), b = encodingOf(given);
  ttl::LayoutAttrInterface x = a.getLayout(), y = b.getLayout();
  return a.getMemorySpace() == b.getMemorySpace() && x.isTiled() == y.isTiled() &&
         x.getMemoryLayout() == y.getMemoryLayout() && x.getShard() == y.getShard();
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo(/*enable=*/true, /*prettyForm=*/false));
  return text;
}

// Returns whether a tensor, or a view of it, is the destination of a copy, or goes where this
// function does not follow it.
static bool mayBeWritten(mlir::Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto copy = dyn_cast<ttl::CopyOp>(user))
      return use.get() == copy.getDst();
    if (user->getNumRegions() || !user->getNumResults())
      return true;
    return llvm::any_of(user->getResults(), [](mlir::Value part) { return mayBeWritten(part); });
  });
}

static bool readArguments(mlir::Block &body, MlirKernel &kernel,
                          std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !dataTypeOf(type) || !encodingOf(type)) {
      diagnostics.push_back(diagnostics::makeDiagnostic(
          diagnostics::CompileDiagnostic::Severity::Error,
          fmt::format(
              "an argument of a kernel must be a tensor with a memory layout, as in "
              "tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = "
              "32x32>>>; argument {} is {}",
              argument.getArgNumber(), textOf(argument.getType())),
          diagnostics::toSourceLocation(argument.getLoc())));
      return false;
    }
    kernel.names.push_back(
        getSourceName(argument.getLoc()).value_or(fmt::format("arg{}", argument.getArgNumber())));
    kernel.types.push_back(type);
    kernel.written.push_back(mayBeWritten(argument));
  }
  return true;
}

std::vector<std::shared_ptr<MlirKernel>>
kernelsOf(std::shared_ptr<MLIRContext> context, ModuleOp module,
          std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  std::vector<std::shared_ptr<MlirKernel>> kernels;
  auto add = [&](auto op) {
    auto kernel = std::make_shared<MlirKernel>();
    kernel->context = context;
    kernel->name = op.getSymName().str();
    kernel->grid = op.getGrid().getShape().vec();
    if (!readArguments(op.getBody().front(), *kernel, diagnostics))
      return;
    kernel->ir = printed(*ttl::moduleOfKernel(module, op));
    kernels.push_back(std::move(kernel));
  };
  for (Operation &op : *module.getBody()) {
    if (auto kernel = dyn_cast<ttl::KernelOp>(op))
      add(kernel);
    else if (auto program = dyn_cast<ttl::ProgramOp>(op))
      add(program);
  }
  return kernels;
}

//===--------------------------------------------------------------------------===//
// Python
//===--------------------------------------------------------------------------===//

void bindMlirKernel(py::module_ &module) {
  py::class_<MlirKernel, std::shared_ptr<MlirKernel>>(module, "MlirKernel")
      .def_readonly("name", &MlirKernel::name)
      .def_readonly("grid", &MlirKernel::grid)
      .def_readonly("names", &MlirKernel::names)
      .def_readonly("written", &MlirKernel::written)
      .def_readonly("ir", &MlirKernel::ir)
      .def("type",
           [](const MlirKernel &self, size_t index) { return textOf(self.types.at(index)); })
      .def("accepts", [](const MlirKernel &self, size_t index, const Tensor &tensor) {
        return self.accepts(index, tensor.spec());
      });
}

} // namespace ttjit::frontend
