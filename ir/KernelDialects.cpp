//===- KernelDialects.cpp - the dialects of kernels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/KernelDialects.h"

#include "ir/TTCore/TTCore.h"
#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"
#include "ir/TTLTest/TTLTest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

mlir::DialectRegistry ttjit::kernelDialects() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::emitc::EmitCDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect,
                  mlir::tt::ttcore::TTCoreDialect, mlir::tt::ttcpp::TTCppDialect,
                  mlir::tt::ttkernel::TTKernelDialect, mlir::tt::ttl::TTLDialect,
                  mlir::tt::ttltest::TTLTestDialect, mlir::memref::MemRefDialect,
                  mlir::tensor::TensorDialect>();
  return registry;
}

std::vector<std::string> ttjit::kernelOpNames(mlir::MLIRContext &context) {
  static constexpr llvm::StringLiteral dialects[] = {"affine", "arith",    "func",
                                                     "scf",    "ttkernel", "ttl"};
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (llvm::is_contained(dialects, name.getDialectNamespace()))
      names.push_back(name.getStringRef().str());
  return names;
}
