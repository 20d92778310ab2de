//===- TTLDist.h - tensors that are distributed over a mesh ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLDIST_H
#define TTJIT_IR_TTL_TTLDIST_H

#include "ir/Layouts/Placements.h"
#include "ir/TTL/TTL.h"

// The dialect registers what they store, so that the classes are in a header.
namespace mlir::tt::ttl::detail {

struct PlacementAttrStorage : AttributeStorage {
  using KeyTy = std::pair<ArrayRef<int64_t>, ArrayRef<int64_t>>;

  explicit PlacementAttrStorage(const KeyTy &key) : mesh(key.first), dims(key.second) {}
  KeyTy getAsKey() const { return {mesh, dims}; }
  bool operator==(const KeyTy &key) const { return key == getAsKey(); }
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_combine(key.first, key.second);
  }
  static PlacementAttrStorage *construct(AttributeStorageAllocator &allocator, const KeyTy &key) {
    KeyTy kept(allocator.copyInto(key.first), allocator.copyInto(key.second));
    return new (allocator.allocate<PlacementAttrStorage>()) PlacementAttrStorage(kept);
  }

  ArrayRef<int64_t> mesh, dims;
};

} // namespace mlir::tt::ttl::detail

#define GET_ATTRDEF_CLASSES
#include "ir/TTL/TTLDistAttrs.h.inc"

namespace mlir::tt::ttl::detail {

struct DistTensorTypeStorage : TypeStorage {
  using KeyTy = std::tuple<ArrayRef<int64_t>, Type, PlacementAttr>;

  explicit DistTensorTypeStorage(const KeyTy &key)
      : shape(std::get<0>(key)), elementType(std::get<1>(key)), placement(std::get<2>(key)) {}
  KeyTy getAsKey() const { return {shape, elementType, placement}; }
  bool operator==(const KeyTy &key) const { return key == getAsKey(); }
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_combine(std::get<0>(key), std::get<1>(key), std::get<2>(key));
  }
  static DistTensorTypeStorage *construct(TypeStorageAllocator &allocator, const KeyTy &key) {
    KeyTy kept(allocator.copyInto(std::get<0>(key)), std::get<1>(key), std::get<2>(key));
    return new (allocator.allocate<DistTensorTypeStorage>()) DistTensorTypeStorage(kept);
  }

  ArrayRef<int64_t> shape;
  Type elementType;
  PlacementAttr placement;
};

} // namespace mlir::tt::ttl::detail

#define GET_TYPEDEF_CLASSES
#include "ir/TTL/TTLDistTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/TTL/TTLDistOps.h.inc"

namespace mlir::tt::ttl {

/// On an argument or result of a function that ttl-lower-redistribute has lowered: the type of the
/// whole tensor, of which the argument is a part.
inline constexpr StringLiteral kDistAttr = "ttl.dist";

void registerDistOps(TTLDialect *dialect);

/// Parses an attribute or type of TTLDistTypes.td; nothing if the name is not of one.
OptionalParseResult parseDistAttribute(AsmParser &parser, StringRef name, Attribute &attribute);
OptionalParseResult parseDistType(AsmParser &parser, StringRef name, Type &type);
/// Prints one; false if it is another one.
bool printDistAttribute(Attribute attribute, AsmPrinter &printer);
bool printDistType(Type type, AsmPrinter &printer);

/// Parses the text of the design documents after `<grid = [` or `<[`: `4, 2], shard = [16, 8], f32,
/// sharded, dram>`.
Type parseDistTensorOfDesign(AsmParser &parser, SMLoc loc);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLDIST_H
