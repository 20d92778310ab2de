//===- ScalarTypes.cpp - types of the scalars in tiles ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/ScalarTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;

Type ttcore::getScalarType(ttcore::DataType type, MLIRContext *context) {
  Builder builder(context);
  switch (type) {
  case ttcore::DataType::Float32:
    return builder.getF32Type();
  case ttcore::DataType::BFloat16:
    return builder.getBF16Type();
  case ttcore::DataType::Float16:
    return builder.getF16Type();
  case ttcore::DataType::Int32:
    return builder.getI32Type();
  case ttcore::DataType::UInt32:
    return builder.getIntegerType(32, /*isSigned=*/false);
  case ttcore::DataType::UInt16:
    return builder.getIntegerType(16, /*isSigned=*/false);
  case ttcore::DataType::UInt8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  default:
    return {};
  }
}
