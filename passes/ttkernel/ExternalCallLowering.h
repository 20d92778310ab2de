//===- ExternalCallLowering.h - calls of C++ functions of the user-- *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_EXTERNALCALLLOWERING_H
#define TTJIT_PASSES_TTKERNEL_EXTERNALCALLLOWERING_H

#include "passes/common/Arithmetic.h"
#include "passes/ttkernel/KernelArguments.h"

#include "ir/TTCpp/TTCpp.h"

namespace ttjit {

/// Replaces the resources that a ttcpp.call names by those of the kernel API, for
/// ttl-lower-synchronization. The op stays.
class ExternalCallLowering {
public:
  ExternalCallLowering(Arithmetic &arithmetic, KernelArguments &arguments)
      : arithmetic(arithmetic), arguments(arguments) {}

  void lower(mlir::tt::ttcpp::CallOp op);

private:
  mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Value tensor);
  mlir::Value accessorOf(mlir::OpBuilder &builder, mlir::Value tensor);
  void lowerArguments(mlir::tt::ttcpp::CallOp op);
  void lowerTemplateArguments(mlir::tt::ttcpp::CallOp op);

  Arithmetic &arithmetic;
  KernelArguments &arguments;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_EXTERNALCALLLOWERING_H
