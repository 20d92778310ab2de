//===- DtypeNames.h - TT-Lang's names of element types --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DTYPENAMES_H
#define TTJIT_IR_TTL_DTYPENAMES_H

#include "hw/facts/DataFormat.h"

#include "llvm/ADT/StringRef.h"

namespace mlir::tt::ttl {

/// Returns TT-Lang's name of a storage format, such as "bfloat16".
llvm::StringRef getDtypeName(ttjit::hw::DataFormat format);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_DTYPENAMES_H
