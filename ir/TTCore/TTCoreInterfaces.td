//===- TTCoreInterfaces.td - interfaces shared by the dialects -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_INTERFACES_TD
#define TTJIT_IR_TTCORE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTCore_TileOpInterface : OpInterface<"TileOpInterface"> {
  let cppNamespace = "::mlir::tt::ttcore";
  let description = [{
    An op that is one row of hw/facts/TileOps.def, at whatever level: on blocks,
    on tiles or on DST registers. Passes and engines look up names and operand
    counts there instead of naming every operation.
  }];
  let methods = [InterfaceMethod<"The row.", "::ttjit::hw::TileOp", "getTileOp">];
  let verify = "return ::mlir::tt::ttcore::verifyTileOp($_op);";
}

#endif // TTJIT_IR_TTCORE_INTERFACES_TD
