//===- TTLComputeInterfaces.td - interfaces of tile operations -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations take their operands from DST; products, reductions,
// broadcasts and transposes take them from L1. The FromL1 interfaces say so at block
// and at tile level, so that no pass names the operations one by one. DSTResult is
// the register of a tile operation's result.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_COMPUTEINTERFACES_TD
#define TTJIT_IR_TTL_COMPUTEINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTL_BlockFromL1OpInterface : OpInterface<"BlockFromL1OpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    A block expression with operands that the hardware reads from L1: they must
    stand in a block where the expression is computed.
  }];
  let methods = [
    InterfaceMethod<"Whether operand number `operand` is read from L1.",
                    "bool", "isReadFromL1", (ins "unsigned":$operand)>,
    InterfaceMethod<"How many iterators it accumulates over, beside those of the result.",
                    "unsigned", "getNumReductions">,
    InterfaceMethod<[{
        The tile of `operand` (one that is read from L1) that belongs to a point of
        the iterators: those of the result, then other expressions', then from number
        `firstReduction` on its own reductions, `numIterators` in all.
      }], "::mlir::AffineMap", "getOperandMap",
      (ins "unsigned":$operand, "unsigned":$firstReduction, "unsigned":$numIterators)>,
    InterfaceMethod<"Makes the tile's value from the tiles of the operands, in their order.",
                    "::mlir::Value", "createTileOp",
                    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$tiles)>,
  ];
}

def TTL_TileFromL1OpInterface : OpInterface<"TileFromL1OpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    A tile operation whose first operands are block arguments of the enclosing
    `ttl.compute`: they stand in L1 and take no DST register. The result is a
    register of its own.
  }];
  let methods = [
    InterfaceMethod<"The first so many operands stand in L1; others are in DST.",
                    "unsigned", "getNumL1Operands">,
    InterfaceMethod<[{
        Whether the operation runs once per point of the reduction iterators of its
        operands and combines what it computes with what is in the register.
      }], "bool", "accumulates">,
    InterfaceMethod<"The register to continue from; null: one that nothing wrote in this section.",
                    "::mlir::Value", "getAccumulator">,
    InterfaceMethod<"Continues from `tile` instead.",
                    "void", "setAccumulator", (ins "::mlir::Value":$tile)>,
    InterfaceMethod<"What to fill a used register with, to make it as good as one nobody wrote.",
                    "float", "getStart">,
    InterfaceMethod<[{
        The operation inside loops, on tiles `indices` of `blocks`, one of each per
        operand in L1. Combines with register `into` and returns it, or, if the
        operation does not accumulate, returns a new tile (`into` is null).
      }], "::mlir::Value", "createStep",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$blocks,
           "::mlir::ValueRange":$indices, "::mlir::Value":$into)>,
  ];
}

def TTL_DSTResultOpInterface : OpInterface<"DSTResultOpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    An op whose one result is a tile in a DST register, once `dst_idx` says in which.
    ttl-assign-dst and transform.ttl.allocate_dst_registers choose it, or the user.
  }];
  let methods = [
    InterfaceMethod<"The register's number; null before registers are assigned.",
                    "::mlir::IntegerAttr", "getDstIdxAttr">,
    InterfaceMethod<"Changes the register's number.",
                    "void", "setDstIdxAttr", (ins "::mlir::IntegerAttr":$index)>,
  ];
  let extraSharedClassDeclaration = [{
    /// The register's number as a plain integer.
    std::optional<int> getRegister() {
      ::mlir::IntegerAttr index = $_op.getDstIdxAttr();
      return index ? std::optional<int>(index.getInt()) : std::nullopt;
    }
    void setRegister(int number) {
      auto type = ::mlir::IntegerType::get($_op->getContext(), 32);
      $_op.setDstIdxAttr(::mlir::IntegerAttr::get(type, number));
    }
  }];
}

def TTL_WritesRegister : NativeOpTrait<"WritesRegister"> {
  let cppNamespace = "::mlir::tt::ttl";
}

// The op reads its blocks. With `dst_idx` it writes that register.
def TTL_RegisterTraits : TraitList<[
    TTL_WritesRegister, MemoryEffectsOpInterface, TTL_DSTResultOpInterface]>;

// Combines what it computes with a DST register, in place; has no result.
def TTL_UpdatesTile : NativeOpTrait<"UpdatesTile"> {
  let cppNamespace = "::mlir::tt::ttl";
}

#endif // TTJIT_IR_TTL_COMPUTEINTERFACES_TD
