//===- TTLDistTypes.td - distributed tensors -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions on whole tensors have them, kernels have not: include ir/TTL/TTLDist.h to name them.
// This file does not include TTLTypes.td, whose types and attributes are generated elsewhere.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DISTTYPES_TD
#define TTJIT_IR_TTL_DISTTYPES_TD

include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.td"
include "ir/TTL/TTLDialect.td"

def TTL_PlacementAttr : AttrDef<TTL_Dialect, "Placement"> {
  let mnemonic = "placement";
  let genStorageClass = 0;
  let summary = "Which dimension of a tensor each axis of a mesh cuts";
  let description = [{
    `#ttl.placement<mesh = [4, 2], dims = [0, -1]>` has an entry of `dims` for each axis of the mesh:
    a dimension, -1 if all chips of the axis have the same elements, or `sum` if the elements are the
    sum over the axis. If several axes cut one dimension, the first of them cuts it first.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$mesh, ArrayRefParameter<"int64_t">:$dims);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::ttjit::layouts::MeshPlacement getPlacement() const;
    /// Whether the elements of an axis are sums.
    bool isPartial() const;
  }];
}

def TTL_DistTensor : TypeDef<TTL_Dialect, "DistTensor", [
    DeclareTypeInterfaceMethods<Bufferization_TensorLikeTypeInterface>]> {
  let mnemonic = "dist_tensor";
  let genStorageClass = 0;
  let summary = "A tensor of which each chip of a mesh has a part";
  let description = [{
    `!ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>` has the shape
    of the whole tensor; each chip has 2048x784 elements. The extents count tiles if the elements
    are tiles. The parser also reads the text of the design documents, `<grid = [4, 2], shard =
    [2048, 392], bf16, sharded, dram>`, where the strategy is `sharded` or `replicated`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "PlacementAttr":$placement);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The tensor of each chip.
    ::mlir::RankedTensorType getLocalType() const;
    /// Bytes of an element, or of a tile.
    int64_t getElementBytes() const;
  }];
}

#endif // TTJIT_IR_TTL_DISTTYPES_TD
