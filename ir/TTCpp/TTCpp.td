//===- TTCpp.td - calls of C++ functions of the user -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCPP_TTCPP_TD
#define TTJIT_IR_TTCPP_TTCPP_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTCpp_Dialect : Dialect {
  let name = "ttcpp";
  let cppNamespace = "::mlir::tt::ttcpp";
  let summary = "Calls of C++ functions of the user, with what the user states about them";
  let extraClassDeclaration = [{
  /// Parse an attribute registered to this dialect.
  ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                   ::mlir::Type type) const override;

  /// Print an attribute registered to this dialect.
  void printAttribute(::mlir::Attribute attr,
                      ::mlir::DialectAsmPrinter &os) const override;
}];
}

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

def TTCpp_EffectKind : I32Enum<"EffectKind", "what a function does with pages of a buffer", [
  I32EnumCase<"Reserve", 0, "reserve">,
  I32EnumCase<"Push", 1, "push">,
  I32EnumCase<"Wait", 2, "wait">,
  I32EnumCase<"Pop", 3, "pop">
]> {
  let cppNamespace = "::mlir::tt::ttcpp";
}

class TTCpp_Attr<string name, string mnemonic_> : AttrDef<TTCpp_Dialect, name> {
  let mnemonic = mnemonic_;
}

def TTCpp_EffectAttr : TTCpp_Attr<"Effect", "effect"> {
  let summary = "One reserve, push, wait or pop: `#ttcpp.effect<pop, 0, 2>`";
  let description = "`dependency` is a position in the call's list; `pages` is the number of pages.";
  let parameters = (ins EnumParameter<TTCpp_EffectKind>:$kind, "int64_t":$dependency,
                        "int64_t":$pages);
  let assemblyFormat = "`<` $kind `,` $dependency `,` $pages `>`";
}

class TTCpp_BufferAttr<string name, string mnemonic> : TTCpp_Attr<name, mnemonic> {
  let parameters = (ins "int64_t":$dependency);
  let assemblyFormat = "`<` $dependency `>`";
}
def TTCpp_DescriptorAttr : TTCpp_BufferAttr<"Descriptor", "descriptor"> {
  let summary = "Template argument ttlang::DFBDescriptor of a dependency";
}
def TTCpp_BufferIdAttr : TTCpp_BufferAttr<"BufferId", "buffer_id"> {
  let summary = "Template argument that is the index of a dependency";
}

def TTCpp_BufferFactsAttr : TTCpp_Attr<"BufferFacts", "buffer_facts"> {
  let summary = "Template argument ttlang::DFBDescriptor of a buffer that has its index";
  let parameters = (ins "int64_t":$index, "int64_t":$pages_per_block, "int64_t":$block_count,
                        "int64_t":$page_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===--------------------------------------------------------------------------===//
// The call
//===--------------------------------------------------------------------------===//

def TTCpp_CallOp : Op<TTCpp_Dialect, "call", [MemoryEffects<[MemRead, MemWrite]>,
                                              AttrSizedOperandSegments]> {
  let summary = "Call a C++ function of a header of the user";
  let description = [{
    `%r = ttcpp.call "take" in "f.hpp" template [4 : i32] (%n, %d) uses (%d : !ttl.cb<...>)
    effects [#ttcpp.effect<wait, 0, 1>, #ttcpp.effect<pop, 0, 1>] : (i32, !ttl.cb<...>) -> i32`

    The arguments are numbers, buffers (their indices) and tensors (their accessors). In
    `raw_addresses` are the positions of the tensors whose address is passed instead. Template
    arguments are i1, si32 and ui32 numbers, `#ttcpp.descriptor` and `#ttcpp.buffer_id`.

    `dependencies` are all buffers that the function may use. `effects` is what the function does,
    in this order, with some of them. It does not change the buffers in `inspected`. It may use the
    other dependencies in any way, and with `unknown_access` all buffers of the program. Engines on
    the host check this while the function runs. If several calls have one `condition`, all of them
    that a node runs return the same truth value.

    The op exists from stage `ttl` to the end: lowering replaces its operands, and the template
    arguments that are buffers by numbers and `#ttcpp.buffer_facts`. A compute thread gets the
    address of a whole tensor; `local_tensors` has the positions of these. A result with `wide` is
    int64_t in C++. `defines` are macros for the file of the thread, as "NAME VALUE".
  }];
  let arguments = (ins StrAttr:$callee, StrAttr:$header, OptionalAttr<ArrayAttr>:$template_args,
                       Variadic<AnyType>:$arguments, Variadic<AnyType>:$dependencies,
                       OptionalAttr<ArrayAttr>:$effects,
                       OptionalAttr<DenseI64ArrayAttr>:$inspected,
                       OptionalAttr<DenseI64ArrayAttr>:$raw_addresses,
                       OptionalAttr<DenseI64ArrayAttr>:$local_tensors,
                       OptionalAttr<StrArrayAttr>:$include_paths,
                       OptionalAttr<StrArrayAttr>:$defines, UnitAttr:$wide,
                       UnitAttr:$unknown_access,
                       OptionalAttr<I64Attr>:$condition);
  let results = (outs Optional<I32>:$result);
  let assemblyFormat = [{
    $callee `in` $header (`template` $template_args^)? `(` $arguments `)`
    (`uses` `(` $dependencies^ `:` type($dependencies) `)`)? (`effects` $effects^)?
    (`inspects` $inspected^)? attr-dict `:` functional-type($arguments, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the effects, in order.
    ::llvm::SmallVector<EffectAttr> getEffectList();
    /// Returns whether nothing is stated about the dependency with this number, so that the
    /// function may use it in any way.
    bool isOpaque(int64_t dependency);
    bool isInspected(int64_t dependency);
    /// Returns whether the address of the tensor with this number is passed.
    bool isRawAddress(int64_t argument);
  }];
}

def TTCpp_ResultsOp : Op<TTCpp_Dialect, "results", [Pure]> {
  let summary = "The result of a call that several threads make, each for itself";
  let description = [{
    `%r = ttcpp.results %a, %b` in a unified thread: each thread that uses `%r` gets the result of
    its own call. ttl-split-unified-threads replaces the op.
  }];
  let arguments = (ins Variadic<I32>:$calls);
  let results = (outs I32:$result);
  let assemblyFormat = "$calls attr-dict";
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTCPP_TTCPP_TD
