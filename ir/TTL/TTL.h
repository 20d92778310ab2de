//===- TTL.h - the ttl dialect --------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// TT-Lang kernels at block and tile level: what the frontend makes and the
// passes lower to ttkernel.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTL_H
#define TTJIT_IR_TTL_TTL_H

#include "ir/TTCore/TTCore.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::tt::ttl {

/// Marks ops that only other writers' text has: ttl-canonicalize replaces them.
template <typename ConcreteType>
class IsAlias : public OpTrait::TraitBase<ConcreteType, IsAlias> {};

/// True for `tensor<MxNx!ttcore.tile<..>>`: the type of a block expression.
bool isBlockTensor(Type type);

/// Marks ops that compute a block expression.
template <typename ConcreteType>
class IsBlockExpression : public OpTrait::TraitBase<ConcreteType, IsBlockExpression> {};

/// On an expression that was in a ttl.compute_region with `keep_in_dst`: ttl-form-compute
/// does not store its value only because several other expressions need it.
inline constexpr StringLiteral kKeepInDSTAttr = "ttl.keep_in_dst";

inline bool isBlockExpression(Operation *op) { return op->hasTrait<IsBlockExpression>(); }

/// Marks ops that combine what they compute with a DST register, in place.
template <typename ConcreteType>
class UpdatesTile : public OpTrait::TraitBase<ConcreteType, UpdatesTile> {};

//===--------------------------------------------------------------------------===//
// Resources of memory effects: state that ops change and that is no value.
//===--------------------------------------------------------------------------===//

/// Pointers and counts of circular buffers.
struct BufferResource : SideEffects::Resource::Base<BufferResource> {
  StringRef getName() final { return "ttl.buffers"; }
};
/// Semaphores, local and remote.
struct SemaphoreResource : SideEffects::Resource::Base<SemaphoreResource> {
  StringRef getName() final { return "ttl.semaphores"; }
};
/// Transfers in flight and what they read and write.
struct TransferResource : SideEffects::Resource::Base<TransferResource> {
  StringRef getName() final { return "ttl.transfers"; }
};
/// DST registers.
struct DSTResource : SideEffects::Resource::Base<DSTResource> {
  StringRef getName() final { return "ttl.dst"; }
};
/// The thread goes on or faults: written by every check.
struct FaultResource : SideEffects::Resource::Base<FaultResource> {
  StringRef getName() final { return "ttl.fault"; }
};

/// Adds the effects of a tile operation: it reads its blocks, and writes its DST register if
/// `dst_idx` says which one.
void addTileEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// A later ttl.dst_tile may read the register that a tile operation writes. So MLIR must not
/// erase the operation where nothing uses its result.
template <typename ConcreteType>
class WritesRegister : public OpTrait::TraitBase<ConcreteType, WritesRegister> {
public:
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    addTileEffects(this->getOperation(), effects);
  }
};

} // namespace mlir::tt::ttl

#include "ir/TTL/TTLEnums.h.inc"

#include "ir/TTL/TTLInterfaces.h.inc"

#include "ir/TTL/TTLDialect.h.inc"

#include "ir/TTL/TTLComputeInterfaces.h.inc"

#include "ir/TTL/TTLLayoutInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTL/TTLAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTL/TTLTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/TTL/TTLOps.h.inc"

namespace mlir::tt::ttl {
// The ops of TTLElementwiseOps.h.
void registerElementwiseBlockOps(TTLDialect *dialect);
void registerElementwiseTileOps(TTLDialect *dialect);
} // namespace mlir::tt::ttl

namespace mlir::tt::ttl {

/// Shape of a block or block expression, in tiles.
ArrayRef<int64_t> getBlockShape(Type type);

/// Type of a block expression of this shape: Float32 tiles.
RankedTensorType getBlockTensorType(MLIRContext *context, ArrayRef<int64_t> shape);

/// Coordinates of a node (or extents of a grid) given in the grid's own rank,
/// as `ttl.core` with `dims` returns them: too few dimensions flatten the
/// highest ones row-major, too many pad with `pad`.
SmallVector<int64_t> flattenGridDims(ArrayRef<int64_t> shape, int64_t dims, int64_t pad);

/// `(2, 1)`: a shape as the user writes it.
std::string shapeText(ArrayRef<int64_t> shape);

/// The grid of the kernel or program around `op`; null inside a thread function,
/// whose program is elsewhere.
ttcore::GridAttr getGridAround(Operation *op);

/// Node number, row-major with the first dimension slowest, of a coordinate of
/// the grid's rank or of rank 1.
int64_t linearizeNode(ttcore::GridAttr grid, ArrayRef<int64_t> coords);

/// Node numbers of a range: one slice per dimension of the grid, or one slice of
/// node numbers. In the order of the slices, the first slowest.
SmallVector<int64_t> nodesOfRange(ttcore::GridAttr grid, ArrayRef<SliceAttr> range);

/// Extents of a tensor in the units its layout counts in: tiles for the two
/// innermost dimensions of a tiled tensor (rounded up), elements otherwise. A
/// tiled tensor of rank 1 or 0 has rank 2 here, as it is stored.
SmallVector<int64_t> getStoredShape(RankedTensorType type);

/// The DST register in which a tile stands; none before registers are assigned, and
/// for a block argument.
std::optional<int> getRegister(Value tile);

/// Bytes of one page of a tensor with a ttl.tensor_encoding: a tile, or a row.
int64_t getPageBytes(RankedTensorType type);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTL_H
