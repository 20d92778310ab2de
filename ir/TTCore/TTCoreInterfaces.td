//===- TTCoreInterfaces.td - interfaces shared by the dialects -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_INTERFACES_TD
#define TTJIT_IR_TTCORE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTCore_TileOpInterface : OpInterface<"TileOpInterface"> {
  let cppNamespace = "::mlir::tt::ttcore";
  let description = [{
    An op of one row of hw/facts/TileOps.def: on blocks, on tiles or on DST registers. Passes
    and engines look up names and operand counts in that table instead of listing every
    operation.
  }];
  let methods = [InterfaceMethod<"The row of the table.", "::ttjit::hw::TileOp", "getTileOp">];
  let verify = "return ::mlir::tt::ttcore::verifyTileOp($_op);";
}

#endif // TTJIT_IR_TTCORE_INTERFACES_TD
