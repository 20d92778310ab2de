//===- TTLStructureOps.td - kernels, threads, programs ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_STRUCTUREOPS_TD
#define TTJIT_IR_TTL_STRUCTUREOPS_TD

include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLMicrocoreOps.td"
include "ir/TTL/TTLTypes.td"

class TTL_FunctionLikeOp<string mnemonic, dag moreArguments = (ins)> : TTL_Op<mnemonic, [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock, NoTerminator,
    AffineScope, AutomaticAllocationScope]> {
  let arguments = !con((ins
    SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    TTCore_GridAttr:$grid, OptionalAttr<StrAttr>:$arch,
    OptionalAttr<TTCore_ComputeConfigAttr>:$compute_config,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs), moreArguments);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def TTL_KernelOp : TTL_FunctionLikeOp<"kernel", (ins
    OptionalAttr<ArrayAttr>:$block_factors, OptionalAttr<TTCore_MemorySpaceAttr>:$memory_space,
    OptionalAttr<BoolAttr>:$tiled, OptionalAttr<TTL_MicrocoreConfigAttr>:$microcores)> {
  let summary = "A TT-Lang operation, with resources and up to three threads";
  let description = [{
    ```mlir
    ttl.kernel @add(%a: tensor<...>, %y: tensor<...>) attributes {
        grid = #ttcore.grid<8x8>, arch = "wormhole_b0"} {
      %cb = ttl.create_cb "a_dfb" : !ttl.cb<...>
      ttl.datamovement_thread "reader" { ... }
      ttl.compute_thread "compute" { ... }
    }
    ```
    Arguments are the tensors, in the order of the call. Threads use the
    resources of the enclosing body. `arch` is the name of a chip in hw/facts/Arch.h; absent
    means wormhole_b0. `compute_config` has the settings of the compute engine, such as
    math fidelity.

    Three optional attributes are checked against the types of the tensors.
    `block_factors = [[2, 1], ...]` has, per tensor, the extents of one core's block in the
    units of its layout. `memory_space` is the memory that contains all tensors. `tiled` says
    whether all tensors are stored as tiles.

    `microcores` has the processors that the threads may run on; absent means all of the chip.
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TTL_ProgramOp : TTL_FunctionLikeOp<"program"> {
  let summary = "A kernel whose threads are functions";
  let description = [{
    Contains grid, chip and resources. Each `ttl.thread` names the function that one
    processor of every node runs, and binds resources to its arguments.
    ```mlir
    ttl.program @add(%a: tensor<...>, %y: tensor<...>) attributes {grid = ...} {
      %cb = ttl.create_cb "a_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64,
                                   address = 103424 : i64} : !ttl.cb<...>
      ttl.thread @add__reader on riscv_1 (%cb, %a) : !ttl.cb<...>, tensor<...>
    }
    ```
  }];
  let hasVerifier = 1;
}

// Threads have no effect interface, so that MLIR never erases one, not even an empty one.
// If the first data movement thread were erased, the second would run on its processor.
class TTL_ThreadRegionOp<string mnemonic, dag moreArguments = (ins)> : TTL_Op<mnemonic, [
    HasParent<"KernelOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let arguments = !con((ins StrAttr:$name), moreArguments);
  let regions = (region SizedRegion<1>:$body);
  // A thread without a name gets one from its kernel's parser.
  let assemblyFormat = "custom<ThreadName>($name) attr-dict-with-keyword $body";
}

// A thread that may name its processor.
class TTL_PlacedThreadOp<string mnemonic>
    : TTL_ThreadRegionOp<mnemonic, (ins OptionalAttr<StrAttr>:$microcore_hint)>;

def TTL_ComputeThreadOp : TTL_PlacedThreadOp<"compute_thread"> {
  let summary = "The thread of each node's compute processors; it must not move data";
  let description = [{
    It may have `microcore_hint = "MATH"`, which changes nothing: no other processors compute.
  }];
  let hasVerifier = 1;
}

def TTL_DataMovementThreadOp : TTL_PlacedThreadOp<"datamovement_thread"> {
  let summary = "A thread of one data movement processor of each node; it must not compute on blocks";
  let description = [{
    `microcore_hint = "NOC0"` binds a thread to RISCV_1 with NoC 0, and "NOC1" to RISCV_0 with
    NoC 1. Threads without it get the processors that are left: the first one NOC0, if that is
    free.
  }];
  let hasVerifier = 1;
}

def TTL_UnifiedThreadOp : TTL_ThreadRegionOp<"unified_thread"> {
  let summary = "Thread that does the work of all threads of a node in one body";
  let description = [{
    ```mlir
    ttl.kernel @add(%a: tensor<...>, %y: tensor<...>) attributes {grid = ...} {
      %cb = ttl.create_cb "a_dfb" : !ttl.cb<...>
      ttl.unified_thread "add" { ... }
    }
    ```
    Its body has both transfers and block arithmetic. ttl-split-unified-threads, one of the first
    passes of the pipeline, replaces the op by a compute thread and data movement threads.
    A kernel with this op must have no other thread.
  }];
}

def TTL_ProcessorAttr : EnumAttr<TTL_Dialect, TTL_Processor, "processor"> {
  let assemblyFormat = "$value";
}

def TTL_ThreadOp : TTL_Op<"thread", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A thread of a program: a function and the resources that are bound to it";
  let description = [{
    Before stage `ttkernel` the operands are the function's arguments, in order. From that
    stage on the function has no arguments: compile-time argument k is the buffer with index
    k, and common run-time argument k is the base address of the k-th *tensor* operand of
    this op.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, TTL_ProcessorAttr:$processor,
                       Variadic<AnyType>:$resources);
  // Prints `$callee on $processor ($resources) attr-dict (: type($resources))?`. In a
  // ttl.tile_proc the parser reads the text of a ttl.microcore_thread.
  let hasCustomAssemblyFormat = 1;
}

def TTL_LaunchOp : TTL_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel on its grid with these tensors, and wait until it ends";
  let description = "`ttl.launch @add(%a, %y) : tensor<...>, tensor<...>` is allowed in `func.func @main`.";
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<TTL_Tensor>:$tensors);
  let assemblyFormat = "$kernel `(` $tensors `)` attr-dict (`:` type($tensors)^)?";
}

// Like MLIR's ReturnLike, but values that are stored into blocks do not become results of
// the op around the terminator.
def TTL_YieldTraits : TraitList<[
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>, NativeOpTrait<"ReturnLike">]>;

def TTL_YieldOp : TTL_Op<"yield", [Pure, Terminator, TTL_YieldTraits,
    ParentOneOf<["ComputeOp", "ComputeRegionOp", "BlockComputeOp", "IfPipeSrcOp",
                 "IfPipeDstOp"]>]> {
  let summary = "Ends a region and returns its results";
  let arguments = (ins Variadic<AnyType>:$values);
  // Prints `attr-dict ($values : type($values))?`; the types may be left out.
  let hasCustomAssemblyFormat = 1;
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange{}); }]>];
}

#endif // TTJIT_IR_TTL_STRUCTUREOPS_TD
