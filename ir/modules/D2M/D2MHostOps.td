//===- D2MHostOps.td - storage, layouts, views, programs -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_D2M_HOSTOPS_TD
#define TTJIT_IR_MODULES_D2M_HOSTOPS_TD

include "ir/modules/D2M/D2MBase.td"
include "ir/TTCore/TTCore.td"
include "ir/TTCore/TTCoreLayouts.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===--------------------------------------------------------------------------===//
// Storage, layouts, views
//===--------------------------------------------------------------------------===//

def D2M_EmptyOp : D2M_Op<"empty", [MemoryEffects<[MemAlloc]>]> {
  let summary = "New storage without values";
  let arguments = (ins OptionalAttr<AffineMapAttr>:$virtualGridInverseMapping,
                       OptionalAttr<AffineMapAttr>:$virtualGridForwardMapping);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
}

class D2M_CopyingOp<string mnemonic, list<Trait> traits = []> : D2M_Op<mnemonic, traits> {
  let arguments = (ins Arg<D2M_Shaped, "", [MemRead]>:$input,
                       Arg<D2M_Shaped, "", [MemWrite]>:$output);
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

def D2M_ToLayoutOp : D2M_CopyingOp<"to_layout"> {
  let summary = "Copy the logical elements into another memory, format, grid or padding";
  let assemblyFormat = [{
    $input `,` $output `:` type($input) `into` type($output) attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

class D2M_TransferOp<string mnemonic, string what> : D2M_Op<mnemonic> {
  let summary = what;
  let arguments = (ins Arg<D2M_Shaped, "", [MemRead]>:$input,
                       Arg<D2M_Shaped, "", [MemWrite]>:$output,
                       TTCore_MetalLayoutAttr:$layout);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $input `,` $output `layout` `=` $layout attr-dict `:`
    type($input) `into` type($output) (`->` type($results)^)?
  }];
}
def D2M_ToDeviceOp : D2M_TransferOp<"to_device", "Copy a tensor of the host to the device">;
def D2M_ToHostOp : D2M_TransferOp<"to_host", "Copy a tensor of the device to the host">;

def D2M_ViewLayoutOp : D2M_Op<"view_layout", [Pure]> {
  let summary = "Other indices for the same data";
  let description = [{
    Element i of the result is element `remapping`(i) of the input, in device indices: those of
    the grid, then those of the shard.
  }];
  let arguments = (ins D2M_Shaped:$input, AffineMapAttr:$remapping,
                       DefaultValuedAttr<BoolAttr, "false">:$reinterpretLayout);
  let results = (outs D2M_Shaped:$result);
  let assemblyFormat =
      "$input `remapping` `=` $remapping attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def D2M_CompositeViewOp : D2M_Op<"composite_view", [Pure]> {
  let summary = "Several tensors behind each other along a dimension, without a copy";
  let arguments = (ins Variadic<D2M_Shaped>:$inputs, SI32Attr:$dim,
                       OptionalAttr<DenseI64ArrayAttr>:$logicalSizes);
  let results = (outs D2M_Shaped:$result);
}

def D2M_StreamLayoutOp : D2M_Op<"stream_layout"> {
  let summary = "In older text: a view of the input whose queue uses the storage";
  let arguments = (ins D2M_Shaped:$input, D2M_Shaped:$storage);
  let results = (outs D2M_Shaped:$result);
  let assemblyFormat = [{
    $input `,` $storage attr-dict `:` `(` type($input) `,` type($storage) `)` `->` type($result)
  }];
}

def D2M_TTNNMetalLayoutCastOp : D2M_Op<"ttnn_metal_layout_cast", [Pure]> {
  let summary = "A tensor of ttnn as one with a metal_layout, or the reverse; no data moves";
  let description = "tt-mlir writes `ttir.ttnn_metal_layout_cast`, which is read as this op.";
  let arguments = (ins D2M_Shaped:$input);
  let results = (outs D2M_Shaped:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def D2M_MaskOp : D2M_Op<"mask"> {
  let summary = "Copy a tensor and give its padding one value";
  let description = [{
    Elements at or above `logical_shape` in one of the last two dimensions become `fill_value`.
  }];
  let arguments = (ins Arg<D2M_Shaped, "", [MemRead]>:$input,
                       Arg<D2M_Shaped, "", [MemWrite]>:$output,
                       DenseI64ArrayAttr:$logicalShape, TTCore_OOBValAttr:$fill_value);
  let results = (outs Optional<D2M_Shaped>:$result);
  let assemblyFormat = [{
    $input `,` $output `logical_shape` `=` $logicalShape `fill_value` `=` $fill_value attr-dict
    `:` type($input) `into` type($output) (`->` type($result)^)?
  }];
}

def D2M_MeshShardOp : D2M_Op<"mesh_shard", [Pure]> {
  let summary = "Divide a tensor over the chips of a mesh, or put it together";
  let arguments = (ins D2M_Shaped:$input, TTCore_MeshShardTypeAttr:$shard_type,
                       TTCore_MeshShardDirectionAttr:$shard_direction,
                       DenseI64ArrayAttr:$shard_shape, DenseI64ArrayAttr:$shard_dims);
  let results = (outs D2M_Shaped:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

def D2M_CreateGlobalSemaphoreOp
    : D2M_Op<"create_global_semaphore", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A counter in a buffer on every core of the device";
  let arguments = (ins D2M_Shaped:$input, OptionalAttr<UI32Attr>:$value);
  let results = (outs D2M_GlobalSemaphore:$result);
  let assemblyFormat = "`(` $input `)` attr-dict `:` type($input) `->` qualified(type($result))";
}

def D2M_ResetGlobalSemaphoreOp : D2M_Op<"reset_global_semaphore"> {
  let summary = "Set a semaphore on all cores";
  let arguments = (ins D2M_GlobalSemaphore:$semaphore, UI32Attr:$value);
  let assemblyFormat = "`(` $semaphore `)` attr-dict `:` qualified(type($semaphore))";
}

def D2M_CreateLocalSemaphoreOp : D2M_Op<"create_local_semaphore", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A counter on each core of the d2m.generic that uses it";
  let arguments = (ins UI32Attr:$initialValue);
  let results = (outs D2M_LocalSemaphore:$result);
  let assemblyFormat = "prop-dict attr-dict `->` qualified(type($result))";
}

//===--------------------------------------------------------------------------===//
// Programs
//===--------------------------------------------------------------------------===//

def D2M_GenericOp : D2M_Op<"generic", [AttrSizedOperandSegments, NoTerminator]> {
  let summary = "One program on a grid of cores";
  let description = [{
    ```mlir
    %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#m, #m],
                      iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
        ins(%a : tensor<..>) outs(%o : tensor<..>) { .. } : tensor<..>
    ```
    A grid is (rows, columns). Each region is a thread. With `block_factors`, the body is one step
    of a loop nest, unless it has loops with `d2m.blocking_loop`; without, it runs once on each
    core. docs/d2m.md has the meaning of the forms.
  }];
  let arguments = (ins Arg<Variadic<D2M_Shaped>, "", [MemRead]>:$inputs,
                       Arg<Variadic<D2M_Shaped>, "", [MemRead, MemWrite]>:$outputs,
                       Variadic<AnyType>:$additionalArgs,
                       AnyAttr:$grid, I64ArrayAttr:$block_factors,
                       AffineMapArrayAttr:$indexing_maps,
                       TypedArrayAttrBase<TTCore_IteratorTypeAttr, "iterator kinds">:$iterator_types,
                       TypedArrayAttrBase<D2M_ThreadAttr, "threads">:$threads,
                       OptionalAttr<AnyAttr>:$fabricConnectionConfig);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the extents of the grid: rows, columns.
    ::llvm::ArrayRef<int64_t> getGridShape();
    /// Returns the map of operand `i`, inputs first.
    ::mlir::AffineMap getIndexingMap(unsigned i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[i]).getValue();
    }
    ThreadAttr getThread(unsigned i) { return ::llvm::cast<ThreadAttr>(getThreads()[i]); }
    bool isReduction(unsigned dim);
    ::llvm::SmallVector<int64_t> getBlockFactorValues();
  }];
}

def D2M_SpatialOp : D2M_Op<"spatial", [AttrSizedOperandSegments, NoTerminator]> {
  let summary = "Programs side by side, each on a range of cores";
  let arguments = (ins Arg<Variadic<D2M_Shaped>, "", [MemRead]>:$inputs,
                       Arg<Variadic<D2M_Shaped>, "", [MemRead, MemWrite]>:$outputs,
                       TypedArrayAttrBase<TTCore_CoreRangeAttr, "ranges of cores">:$grid_ranges);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let assemblyFormat = [{
    attr-dict `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $outputs `:` type($outputs) `)`
    $regions (`:` type($results)^)?
  }];
  let hasVerifier = 1;
}

class D2M_YieldingOp<string mnemonic, string parent>
    : D2M_Op<mnemonic, [Pure, Terminator, ReturnLike, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` `(` type($values)^ `)`)?";
}
def D2M_YieldOp : D2M_YieldingOp<"yield", "GenericOp"> {
  let summary = "The outputs of a d2m.generic after its program";
}
def D2M_SpatialYieldOp : D2M_YieldingOp<"spatial_yield", "SpatialOp"> {
  let summary = "The results of one region of d2m.spatial";
}

#endif // TTJIT_IR_MODULES_D2M_HOSTOPS_TD
