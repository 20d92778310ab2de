//===- TTKernel.h - the ttkernel dialect ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device kernel API as ops. Engines and emitter lower these ops.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_TTKERNEL_H
#define TTJIT_IR_TTKERNEL_TTKERNEL_H

#include "ir/TTCore/TTCore.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttkernel {

/// On calls of rows that are the same for int32 and uint32: the tiles are uint32.
inline constexpr llvm::StringLiteral kUnsignedAttr = "ttkernel.unsigned";

/// Marks ops that only configure the hardware. Engines on the host skip them.
template <typename ConcreteType> class IsInit : public OpTrait::TraitBase<ConcreteType, IsInit> {};

/// Name of the attribute of thread functions; its value is a ThreadTypeAttr.
inline constexpr llvm::StringLiteral kThreadAttrName = "ttl.kernel_thread";

} // namespace mlir::tt::ttkernel

#include "ir/TTKernel/TTKernelEnums.h.inc"

#include "ir/TTKernel/TTKernelDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTKernel/TTKernelAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTKernel/TTKernelTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelOps.h.inc"

namespace mlir::tt::ttkernel {
// Registers the ops of TTKernelSFPUOps.h.
void registerTileRows(TTKernelDialect *dialect);
} // namespace mlir::tt::ttkernel

namespace mlir::tt::ttkernel {

/// The name in hw::HostFunctions: "NAME", or "LIBRARY:NAME" for a C function.
inline std::string getHostName(StringRef function, std::optional<StringRef> library) {
  return library ? (*library + ":" + function).str() : function.str();
}

/// Returns the dimensions of a tile that a broadcast fills.
inline ttjit::hw::TileDims filledDims(BcastType type) {
  return type == BcastType::Col   ? ttjit::hw::TileDims::Row
         : type == BcastType::Row ? ttjit::hw::TileDims::Col
                                  : ttjit::hw::TileDims::Scalar;
}

} // namespace mlir::tt::ttkernel

#endif // TTJIT_IR_TTKERNEL_TTKERNEL_H
