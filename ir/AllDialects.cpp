//===- AllDialects.cpp - every dialect a module may use -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/AllDialects.h"

#include "ir/D2M/D2M.h"
#include "ir/Linalg/Linalg.h"
#include "ir/TTCore/TTCore.h"
#include "ir/TTCpp/TTCpp.h"
#include "ir/TTIR/TTIR.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"
#include "ir/TTLTest/TTLTest.h"
#include "ir/TTNN/TTNN.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

mlir::DialectRegistry ttjit::allDialects() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::emitc::EmitCDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect,
                  mlir::tt::ttcore::TTCoreDialect, mlir::tt::ttcpp::TTCppDialect,
                  mlir::tt::ttir::TTIRDialect, mlir::tt::ttkernel::TTKernelDialect,
                  mlir::tt::ttl::TTLDialect, mlir::tt::ttltest::TTLTestDialect,
                  mlir::tt::ttnn::TTNNDialect, mlir::tt::linalg::LinalgDialect,
                  mlir::tt::d2m::D2MDialect, mlir::memref::MemRefDialect,
                  mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  return registry;
}
