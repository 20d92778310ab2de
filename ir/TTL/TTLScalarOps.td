//===- TTLScalarOps.td - user arithmetic and checks ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers of a kernel are signed 32-bit. Overflow and division by zero are run-time faults,
// so these ops are not speculatable and have a write effect (the fault). They are folded
// only for constants whose result fits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_SCALAROPS_TD
#define TTJIT_IR_TTL_SCALAROPS_TD

include "ir/TTL/TTLTypes.td"

class TTL_IntOp<string mnemonic> : TTL_Op<mnemonic, [
    MemoryEffects<[MemWrite<TTL_FaultResource>]>]> {
  let results = (outs I32:$result);
  let hasFolder = 1;
}

class TTL_IntBinaryOp<string mnemonic, string text> : TTL_IntOp<mnemonic> {
  let summary = text;
  let arguments = (ins I32:$lhs, I32:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

class TTL_IntUnaryOp<string mnemonic, string text> : TTL_IntOp<mnemonic> {
  let summary = text;
  let arguments = (ins I32:$input);
  let assemblyFormat = "$input attr-dict";
}

def TTL_IntAddOp : TTL_IntBinaryOp<"int_add", "Python's +; an overflow is a fault">;
def TTL_IntSubOp : TTL_IntBinaryOp<"int_sub", "Python's -; an overflow is a fault">;
def TTL_IntMulOp : TTL_IntBinaryOp<"int_mul", "Python's *; an overflow is a fault">;
def TTL_IntFloorDivOp : TTL_IntBinaryOp<"int_floordiv", "Python's //, which rounds down; overflow and division by zero are faults">;
def TTL_IntModOp : TTL_IntBinaryOp<"int_mod", "Python's %, which has the sign of the divisor; division by zero is a fault">;
def TTL_IntPowOp : TTL_IntBinaryOp<"int_pow", "Python's **; an overflow and a negative exponent are faults">;
def TTL_IntNegOp : TTL_IntUnaryOp<"int_neg", "Python's unary -; an overflow is a fault">;
def TTL_IntAbsOp : TTL_IntUnaryOp<"int_abs", "Python's abs; an overflow is a fault">;

def TTL_AssertOp : TTL_Op<"assert", [MemoryEffects<[MemWrite<TTL_FaultResource>]>]> {
  let summary = "Report a fault with this message unless the condition holds";
  let description = "The message is a format string with a field for each of `arguments`: see ttl.print.";
  let arguments = (ins I1:$condition, StrAttr:$message, Variadic<TTL_PrintedNumber>:$arguments);
  let assemblyFormat =
      "$condition `,` $message (`,` $arguments^ `:` type($arguments))? attr-dict";
  let builders = [OpBuilder<(ins "::mlir::Value":$condition, "::llvm::StringRef":$message), [{
    build($_builder, $_state, condition, $_builder.getStringAttr(message), ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kind of the fault as ttl_hw_text_fault takes it before the kinds of the numbers (see
    /// hw/facts/FaultText.h); "" for a failed assert of the program.
    std::string getFaultMark();
  }];
}

#endif // TTJIT_IR_TTL_SCALAROPS_TD
