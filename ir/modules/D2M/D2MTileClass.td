//===- D2MTileClass.td - class of the rows of D2MTileOps.def ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ir/modules/D2M/D2MTileOps.cpp registers an op of this class for each row. The class has no op of its own.
//===--------------------------------------------------------------------------===//

include "ir/modules/D2M/D2MBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def D2M_TileOp : D2M_Op<"tile", [Pure]> {
  let summary = "An operation on tiles, or on the scalars of tensors that have no tiles";
  let arguments = (ins Variadic<AnyType>:$operands, OptionalAttr<D2M_ReduceDimAttr>:$reduce_dim,
                       OptionalAttr<D2M_TileBcastTypeAttr>:$bcast_type,
                       OptionalAttr<AnyAttr>:$min, OptionalAttr<AnyAttr>:$max,
                       OptionalAttr<F32Attr>:$scale, OptionalAttr<F32Attr>:$alpha);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the row of D2MTileOps.def.
    const TileOpRow &getRow();
    /// Text is MLIR's generic form, as tt-mlir writes it: refuses all other.
    static ::mlir::ParseResult parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result);
  }];
}
