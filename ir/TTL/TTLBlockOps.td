//===- TTLBlockOps.td - block expressions --------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Values of block expressions are tensors of Float32 tiles whatever the blocks'
// own formats; rounding happens where a value is stored.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_BLOCKOPS_TD
#define TTJIT_IR_TTL_BLOCKOPS_TD

include "ir/TTL/TTLTypes.td"
include "ir/TTCore/TTCoreInterfaces.td"

// Reading a block is a read effect on it, so that such an expression is neither
// merged nor moved across a write of the block.
class TTL_BlockComputeOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let results = (outs TTL_BlockTensor:$result);
}

class TTL_BlockUnaryOp<string opName, string id>
    : TTL_BlockComputeOp<"block_" # opName, [TTCore_TileOpInterface]> {
  let summary = opName # " of each element";
  let arguments = (ins TTL_BlockOperand:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}

class TTL_BlockBinaryOp<string opName, string id>
    : TTL_BlockComputeOp<"block_" # opName, [TTCore_TileOpInterface]> {
  let summary = opName # " of two blocks, element by element";
  let arguments = (ins TTL_BlockOperand:$lhs, TTL_BlockOperand:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}

def TTL_BlockAbsOp : TTL_BlockUnaryOp<"abs", "Abs">;
def TTL_BlockExpOp : TTL_BlockUnaryOp<"exp", "Exp">;
def TTL_BlockLogOp : TTL_BlockUnaryOp<"log", "Log">;
def TTL_BlockNegOp : TTL_BlockUnaryOp<"neg", "Neg">;
def TTL_BlockRecipOp : TTL_BlockUnaryOp<"recip", "Recip">;
def TTL_BlockReluOp : TTL_BlockUnaryOp<"relu", "Relu">;
def TTL_BlockRsqrtOp : TTL_BlockUnaryOp<"rsqrt", "Rsqrt">;
def TTL_BlockSigmoidOp : TTL_BlockUnaryOp<"sigmoid", "Sigmoid">;
def TTL_BlockSqrtOp : TTL_BlockUnaryOp<"sqrt", "Sqrt">;
def TTL_BlockSquareOp : TTL_BlockUnaryOp<"square", "Square">;
def TTL_BlockTanhOp : TTL_BlockUnaryOp<"tanh", "Tanh">;

def TTL_BlockAddOp : TTL_BlockBinaryOp<"add", "Add">;
def TTL_BlockSubOp : TTL_BlockBinaryOp<"sub", "Sub">;
def TTL_BlockMulOp : TTL_BlockBinaryOp<"mul", "Mul">;
def TTL_BlockDivOp : TTL_BlockBinaryOp<"div", "Div">;
def TTL_BlockMaxOp : TTL_BlockBinaryOp<"max", "Max">;
def TTL_BlockMinOp : TTL_BlockBinaryOp<"min", "Min">;

def TTL_BlockMatmulOp : TTL_BlockComputeOp<"block_matmul"> {
  let summary = "Matrix product of blocks: [M, K] x [K, N] -> [M, N] in tiles";
  let description = [{
    Each element starts at +0 and chains fma over k ascending through the whole
    K of the block. With an accumulator, the chain continues from its elements
    (`y += a @ b`).
  }];
  let arguments = (ins TTL_BlockOperand:$lhs, TTL_BlockOperand:$rhs,
                       Optional<TTL_BlockTensor>:$acc);
  let assemblyFormat =
      "$lhs `,` $rhs (`acc` $acc^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TTL_BlockFillOp : TTL_Op<"block_fill", [Pure]> {
  let summary = "A block of one value";
  let arguments = (ins F32:$value);
  let results = (outs TTL_BlockTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def TTL_BlockStoreOp : TTL_Op<"block_store"> {
  let summary = "Materialise a block expression in a block's slot";
  let description = [{
    `ttl.block_store %dst, %src`: rounds to the block's format. With
    `accumulate %flag`, a non-zero flag makes it slot = round(float(slot) + src),
    zero a plain store: the frontend passes 0 for the first accumulating store
    after the block was reserved.
  }];
  let arguments = (ins Arg<TTL_Block, "", [MemWrite]>:$dst,
                       Arg<TTL_BlockOperand, "", [MemRead]>:$src,
                       Optional<I32>:$accumulate);
  let assemblyFormat =
      "$dst `,` $src (`accumulate` $accumulate^)? attr-dict `:` type($dst) `,` type($src)";
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_BLOCKOPS_TD
