//===- TTLBlockOps.td - block expressions ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Values of block expressions are tensors of Float32 tiles, whatever the formats of the
// blocks are. A value is rounded when it is stored.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_BLOCKOPS_TD
#define TTJIT_IR_TTL_BLOCKOPS_TD

include "ir/TTL/TTLOpClasses.td"

def TTL_BlockMatmulOp : TTL_BlockComputeOp<"block_matmul", [
    DeclareOpInterfaceMethods<TTL_BlockFromL1OpInterface>]> {
  let summary = "Matrix product of blocks: [M, K] x [K, N] -> [M, N] in tiles";
  let description = [{
    The leading dimensions of the operands are equal, or one side has 1 or lacks them: then the
    matrix of that side is a factor of every product.

    Each element starts at +0 and chains fma over k ascending through the whole
    K of the block. With an accumulator, the chain continues from its elements
    (`y += a @ b`).
  }];
  let arguments = (ins TTL_BlockOperand:$lhs, TTL_BlockOperand:$rhs,
                       Optional<TTL_BlockTensor>:$acc);
  let assemblyFormat = [{
    $lhs `,` $rhs (`acc` $acc^)? attr-dict
    custom<MatmulTypes>(ref($lhs), ref($rhs), ref($acc), type($lhs), type($rhs), type($acc),
                        type($result))
  }];
  let hasVerifier = 1;
}

def TTL_BlockFillOp : TTL_Op<"block_fill", [Pure, TTL_BlockExpressionTrait]> {
  let summary = "A block expression whose elements all have one value";
  let arguments = (ins F32:$value);
  let results = (outs TTL_BlockTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def TTL_BlockStoreOp : TTL_Op<"block_store"> {
  let summary = "Store the value of a block expression in a block";
  let description = [{
    `ttl.block_store %dst, %src` rounds the value to the block's format. With
    `accumulate %flag` and a non-zero flag, it stores round(float(old content) + src);
    with 0 it is a plain store. The frontend passes 0 for the first accumulating store
    after the block was reserved.
  }];
  let arguments = (ins Arg<TTL_Block, "", [MemWrite]>:$dst,
                       Arg<TTL_BlockOperand, "", [MemRead]>:$src,
                       Optional<I32>:$accumulate);
  let assemblyFormat = [{
    $dst `,` $src (`accumulate` $accumulate^)? attr-dict
    custom<StoreTypes>(ref($dst), ref($src), type($dst), type($src))
  }];
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_BLOCKOPS_TD
