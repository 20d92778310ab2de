//===- TTLTest.td - inputs and checks of tests -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTLTEST_TD
#define TTJIT_IR_TTLTEST_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTLTest_Dialect : Dialect {
  let name = "ttltest";
  let cppNamespace = "::mlir::tt::ttltest";
  let summary = "Inputs and expectations for .mlir programs that check their own results";
}

class TTLTest_Op<string mnemonic, list<Trait> traits = []> : Op<TTLTest_Dialect, mnemonic, traits>;

def TTLTest_TensorType : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "ranked tensor",
    "::mlir::RankedTensorType">;

//===--------------------------------------------------------------------------===//
// Inputs, in func.func @main. The result type's encoding says in which memory the tensor is.
//===--------------------------------------------------------------------------===//

def TTLTest_FullOp : TTLTest_Op<"full"> {
  let summary = "A tensor whose elements all have one value";
  let arguments = (ins F64Attr:$value);
  let results = (outs TTLTest_TensorType:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}
def TTLTest_ConstantOp : TTLTest_Op<"constant"> {
  let summary = "A tensor of these values";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs TTLTest_TensorType:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
}
def TTLTest_IotaOp : TTLTest_Op<"iota"> {
  let summary = "A tensor whose element i, in row-major order, is start + i * step";
  let arguments = (ins DefaultValuedAttr<F64Attr, "0.0">:$start,
                       DefaultValuedAttr<F64Attr, "1.0">:$step);
  let results = (outs TTLTest_TensorType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def TTLTest_RandomOp : TTLTest_Op<"random"> {
  let summary = "A tensor of random values in [low, high), the same on every host for the same seed";
  let arguments = (ins I64Attr:$seed, DefaultValuedAttr<F64Attr, "-1.0">:$low,
                       DefaultValuedAttr<F64Attr, "1.0">:$high);
  let results = (outs TTLTest_TensorType:$result);
  let assemblyFormat = "$seed attr-dict `:` type($result)";
}

//===--------------------------------------------------------------------------===//
// Expectations
//===--------------------------------------------------------------------------===//

def TTLTest_ExpectEqOp : TTLTest_Op<"expect_eq"> {
  let summary = "Check that both tensors have the same bits";
  let arguments = (ins TTLTest_TensorType:$actual, TTLTest_TensorType:$expected);
  let assemblyFormat = "$actual `,` $expected attr-dict `:` type($actual) `,` type($expected)";
}
def TTLTest_ExpectCloseOp : TTLTest_Op<"expect_close"> {
  let summary = "Check that elements differ by at most `ulp` units in the last place";
  let arguments = (ins TTLTest_TensorType:$actual, TTLTest_TensorType:$expected, I64Attr:$ulp);
  let assemblyFormat =
      "$actual `,` $expected `ulp` $ulp attr-dict `:` type($actual) `,` type($expected)";
}
def TTLTest_ExpectHashOp : TTLTest_Op<"expect_hash"> {
  let summary = "Check the FNV-1a hash of the row-major bytes, given as 16 hex digits";
  let arguments = (ins TTLTest_TensorType:$actual, StrAttr:$hash);
  let assemblyFormat = "$actual `,` $hash attr-dict `:` type($actual)";
}
def TTLTest_PrintOp : TTLTest_Op<"print"> {
  let summary = "Print a tensor's type and values";
  let arguments = (ins TTLTest_TensorType:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

//===--------------------------------------------------------------------------===//
// Ops in threads
//===--------------------------------------------------------------------------===//

def TTLTest_InterpOnlyOp : TTLTest_Op<"interp_only", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Does nothing; only the interpreter knows it, so the JIT must fall back";
  let assemblyFormat = "attr-dict";
}
def TTLTest_FaultOp : TTLTest_Op<"fault", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Make this thread fail: \"segv\", \"fpe\" or \"stack_overflow\"";
  let arguments = (ins StrAttr:$kind);
  let assemblyFormat = "$kind attr-dict";
}

#endif // TTJIT_IR_TTLTEST_TD
