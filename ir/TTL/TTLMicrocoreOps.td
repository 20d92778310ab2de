//===- TTLMicrocoreOps.td - threads with roles -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The threads of a kernel in another spelling: each names the small processors of a node that it
// runs on. ttl-microcores-to-threads replaces these ops by compute and data movement threads.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_MICROCOREOPS_TD
#define TTJIT_IR_TTL_MICROCOREOPS_TD

include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLTypes.td"

def TTL_MicrocoreConfigAttr : TTL_Attr<"MicrocoreConfig", "microcore_config"> {
  let summary = "Processors of a node that threads may name";
  let description = [{
    `#ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement, @unpack : compute,
    @math : compute, @pack : compute]>` lists all processors of a node: hw/facts/Microcores.h. The
    parser also accepts the name of a chip, as in `#ttl.microcore_config<wormhole_b0>`, for all
    processors of that chip. The three processors of the compute engine run one thread, so a list
    has all three or none of them.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::FlatSymbolRefAttr">:$names,
    ArrayRefParameter<"::mlir::tt::ttl::MicrocoreKind">:$kinds);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the list of all processors.
    static MicrocoreConfigAttr getAll(::mlir::MLIRContext *context);
    bool declares(::llvm::StringRef name) const;
  }];
}

def TTL_TileProcOp : TTL_Op<"tile_proc", [
    HasParent<"KernelOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "The threads of a node, which name the processors that they run on";
  let description = [{
    ```mlir
    ttl.kernel @add(%a: tensor<...>, %y: tensor<...>) attributes {grid = #ttcore.grid<8x8>} {
      %cb = ttl.create_cb "a_dfb" : !ttl.cb<...>
      ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
        ttl.microcore_thread @noc0 "reader" { ... }
        ttl.microcore_thread [@unpack, @math, @pack] "compute" { ... }
      }
    }
    ```
    It contains all threads of its kernel.
  }];
  let arguments = (ins TTL_MicrocoreConfigAttr:$microcores);
  let regions = (region SizedRegion<1>:$threads);
  let assemblyFormat =
      "`microcores` `=` qualified($microcores) attr-dict-with-keyword $threads";
  let hasRegionVerifier = 1;
}

def TTL_MicrocoreThreadOp : TTL_Op<"microcore_thread", [
    HasParent<"TileProcOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "A thread that names the processors that it runs on";
  let description = [{
    `@noc0` or `@noc1` for a data movement thread, `[@unpack, @math, @pack]` for the compute thread,
    of which `@math` is an abbreviation. The parser accepts `ttl.thread` as the name of this op.
    `microcore_hint` is the hint of the compute or data movement thread that became this op. It
    names the processor of the role, so it changes nothing.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$microcore_role, StrAttr:$name,
                       OptionalAttr<StrAttr>:$microcore_hint);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the processor of the thread: that of its first role.
    ::mlir::tt::ttl::Processor getProcessor();
  }];
}

#endif // TTJIT_IR_TTL_MICROCOREOPS_TD
