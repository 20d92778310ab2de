//===- TTLComputeInterfaces.td - interfaces of tile operations -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations read their operands from DST; products, reductions,
// broadcasts and transposes read them from L1. The FromL1 interfaces mark the latter at
// block and at tile level, so that no pass lists the operations one by one. The
// DSTResult interface gives the register of a tile operation's result.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_COMPUTEINTERFACES_TD
#define TTJIT_IR_TTL_COMPUTEINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTL_BlockFromL1OpInterface : OpInterface<"BlockFromL1OpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    A block expression with operands that the hardware reads from L1. These operands
    must be in blocks when the expression is computed.
  }];
  let methods = [
    InterfaceMethod<"Whether operand number `operand` is read from L1.",
                    "bool", "isReadFromL1", (ins "unsigned":$operand)>,
    InterfaceMethod<"Number of iterators over which the op accumulates, besides those of the result.",
                    "unsigned", "getNumReductions">,
    InterfaceMethod<[{
        Map from iterators to the tile of `operand`, which must be read from L1. There
        are `numIterators` iterators: those of the result, then those of other
        expressions, and from number `firstReduction` on the op's own reductions.
      }], "::mlir::AffineMap", "getOperandMap",
      (ins "unsigned":$operand, "unsigned":$firstReduction, "unsigned":$numIterators)>,
    InterfaceMethod<"Creates the tile operation on the tiles of the operands, in order.",
                    "::mlir::Value", "createTileOp",
                    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$tiles)>,
  ];
}

def TTL_TileFromL1OpInterface : OpInterface<"TileFromL1OpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    A tile operation whose first operands are block arguments of the enclosing
    `ttl.compute`. These operands are in L1 and need no DST register. The result has a
    register of its own.
  }];
  let methods = [
    InterfaceMethod<"Number of operands in L1, which come first; the others are in DST.",
                    "unsigned", "getNumL1Operands">,
    InterfaceMethod<[{
        Whether the operation runs once per point of the reduction iterators of its
        operands and combines each result with the value in the register.
      }], "bool", "accumulates">,
    InterfaceMethod<"The accumulator operand; null if the register must not have been written in this section.",
                    "::mlir::Value", "getAccumulator">,
    InterfaceMethod<"Makes `tile` the accumulator operand.",
                    "void", "setAccumulator", (ins "::mlir::Value":$tile)>,
    InterfaceMethod<"The value that, filled into a used register, makes it equal to an unwritten one.",
                    "float", "getStart">,
    InterfaceMethod<[{
        Creates the operation in a loop nest, on tiles `indices` of `blocks`, one of each
        per operand in L1. It combines the result with register `into` and returns that;
        if the operation does not accumulate, `into` is null and it returns a new tile.
      }], "::mlir::Value", "createStep",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$blocks,
           "::mlir::ValueRange":$indices, "::mlir::Value":$into)>,
  ];
}

def TTL_DSTResultOpInterface : OpInterface<"DSTResultOpInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    An op whose only result is a tile in a DST register. `dst_idx` is the number of the
    register. ttl-assign-dst, transform.ttl.allocate_dst_registers or the user sets it.
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

// Trait of ops that combine their value with a DST register, in place, and have no result.
def TTL_UpdatesTile : NativeOpTrait<"UpdatesTile"> {
  let cppNamespace = "::mlir::tt::ttl";
}

#endif // TTJIT_IR_TTL_COMPUTEINTERFACES_TD
