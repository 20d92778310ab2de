//===- TTLDistOps.td - ops on distributed tensors --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ttl-lower-redistribute replaces them by ttl.collective. They are generated apart from those of
// TTLOps.td: include ir/TTL/TTLDist.h to name them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DISTOPS_TD
#define TTJIT_IR_TTL_DISTOPS_TD

include "ir/TTL/TTLDistTypes.td"
include "ir/TTL/TTLTypes.td"

def TTL_ExtractShardOp : TTL_Op<"extract_shard", [Pure]> {
  let summary = "The part of a distributed tensor that this chip has";
  let description = [{
    `%s = ttl.extract_shard %t : !ttl.dist_tensor<...> -> tensor<2048x784xbf16>`. The types may be
    left out. Ops on `%s` compute on each chip with its own part.
  }];
  let arguments = (ins TTL_DistTensor:$tensor);
  let results = (outs TTL_Tensor:$shard);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTL_FromShardsOp : TTL_Op<"from_shards", [Pure]> {
  let summary = "The distributed tensor whose parts the chips have";
  let description = "`%t = ttl.from_shards %s : tensor<2048x784xbf16> -> !ttl.dist_tensor<...>`";
  let arguments = (ins TTL_Tensor:$shard);
  let results = (outs TTL_DistTensor:$tensor);
  let assemblyFormat = "$shard attr-dict `:` type($shard) `->` qualified(type($tensor))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTL_RedistributeOp : TTL_Op<"redistribute", [Pure]> {
  let summary = "The same elements with another placement";
  let description = [{
    `%u = ttl.redistribute %t : !ttl.dist_tensor<...> -> !ttl.dist_tensor<...>`: both types have one
    shape, element and mesh. The parser also reads `ttl.redistribute %t strategy = replicated`, and
    `sharded`, which cuts dimension i along axis i.
  }];
  let arguments = (ins TTL_DistTensor:$tensor);
  let results = (outs TTL_DistTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TTL_CollectiveOp : TTL_Op<"collective", [Pure]> {
  let summary = "Chips along an axis of the mesh exchange their tensors";
  let description = [{
    `%1 = ttl.collective "all_to_all" %0 axis 1 of [2, 4] dims 0 to 1 sends 192 : tensor<8x8xf32> ->
    tensor<32x2xf32>` calls a function of `ttl.ccl` on the tensors of all chips. The dimensions are
    what the axis cuts before and then: -1 is nothing, and -2 are sums, which have no dimension. The
    last number is the bytes that each chip sends in a ring.
  }];
  let arguments = (ins StrAttr:$function, AnyRankedTensor:$operand, I64Attr:$axis,
                       DenseI64ArrayAttr:$mesh, I64Attr:$before, I64Attr:$after, I64Attr:$bytes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $function $operand `axis` $axis `of` $mesh `dims` $before `to` $after `sends` $bytes attr-dict
    `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_DISTOPS_TD
