//===- TTCoreLayouts.td - layouts and meshes of tt-mlir --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Attributes of modules that tt-mlir writes. Kernels have none of them: few files include
// TTCoreLayouts.h.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_LAYOUTS_TD
#define TTJIT_IR_TTCORE_LAYOUTS_TD

include "ir/TTCore/TTCoreBase.td"
include "ir/TTCore/TTCoreLayoutEnums.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def TTCore_OOBValAttr : TTCore_EnumAttr<TTCore_OOBVal, "oob_val">;
def TTCore_MeshShardDirectionAttr
    : TTCore_EnumAttr<TTCore_MeshShardDirection, "shard_direction">;
def TTCore_MeshShardTypeAttr : TTCore_EnumAttr<TTCore_MeshShardType, "shard_type">;
def TTCore_ShardStatusAttr : TTCore_EnumAttr<TTCore_ShardStatus, "shard_status">;
def TTCore_TopologyAttr : TTCore_EnumAttr<TTCore_Topology, "topology">;

//===--------------------------------------------------------------------------===//
// Tensors and grids
//===--------------------------------------------------------------------------===//

def TTCore_MetalLayoutAttr : TTCore_Attr<"MetalLayout", "metal_layout"> {
  let summary = "How a tensor's logical shape becomes a shape on the device";
  let description = [{
    ```mlir
    #ttcore.metal_layout<logical_shape = 33x128, dim_alignments = 32x32,
        collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
    ```
    Each interval of logical dimensions becomes one dimension of the device. The running
    product of its extents, from the last dimension on, is padded to the alignment of each
    dimension. Intervals are half open, negative bounds count from the end, and each dimension
    after the last interval is one of its own. The encoded tensor has the extents of a grid,
    then those of a shard. A layout without `sharded` or `interleaved` is sharded. The value of
    padding, which older text has after the intervals, is read and not kept.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$logicalShape,
                        ArrayRefParameter<"int64_t">:$dimAlignments,
                        AttrParameter<"DenseIntElementsAttr", "pairs">:$collapsedIntervals,
                        "MemorySpace":$memorySpace, "TensorMemoryLayout":$memoryLayout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::ttjit::layouts::Layout getLayout() const;
  }];
}

def TTCore_VirtualGridAttr : TTCore_Attr<"VirtualGrid", "grid"> {
  let summary = "A grid of cores with the maps between its points and the cores of the device";
  let description = [{
    `#ttcore.grid<1x12, virt_to_physical_map = (d0, d1) -> (0, d1 floordiv 4, d1 mod 4),
    physical_to_virt_map = (d0, d1) -> (0, 0, d0 * 4 + d1)>`. The first result of a map is the
    number of the chip. Text without maps is a plain grid.
  }];
  // The text of a plain grid begins in the same way: GridAttr::parse() reads both.
  let attrName = "ttcore.virtual_grid";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "AffineMap":$virtToPhysicalMap,
                        "AffineMap":$physicalToVirtMap);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the grid that lies over a rectangle of cores row by row.
    static VirtualGridAttr get(MLIRContext *context, ArrayRef<int64_t> shape,
                               ::ttjit::layouts::Rectangle rectangle);
  }];
}

//===--------------------------------------------------------------------------===//
// Buffers
//===--------------------------------------------------------------------------===//

class TTCore_BufferLayout<string name, string attrMnemonic>
    : TTCore_Attr<name, attrMnemonic, [DeclareAttrInterfaceMethods<
        MemRefLayoutAttrInterface, ["verifyLayout"]>]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTCore_ShardLayoutAttr : TTCore_BufferLayout<"ShardLayout", "shard"> {
  let summary = "A buffer that has a shard on each core of a grid";
  let description = [{
    `memref<2x4x1x2x!ttcore.tile<32x32, f32>, #ttcore.shard<8192x4096, 1>>`: the strides of a
    shard in bytes, and the number of buffers of each core. The memref has the extents of the
    grid, then those of a shard.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$stride, "int64_t":$buffers);
}

def TTCore_InterleavedLayoutAttr : TTCore_BufferLayout<"InterleavedLayout", "interleaved"> {
  let summary = "A buffer whose page i is in bank i modulo the number of banks";
  let description = "`#ttcore.interleaved<8192x4096>`: the strides of a shard in bytes.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$stride);
}

def TTCore_CBLayoutAttr : TTCore_BufferLayout<"CBLayout", "cb_layout"> {
  let summary = "The memory of a circular buffer on one core";
  let description = [{
    `memref<1x2x!ttcore.tile<32x32, f32>, #ttcore.cb_layout<8192x4096, 2>>`: the strides of a
    block in bytes, and the number of blocks. The memref has the shape of one block.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$stride, "int64_t":$buffers);
}

def TTCore_ViewLayoutAttr : TTCore_BufferLayout<"ViewLayout", "view"> {
  let summary = "Other indices for a buffer; the op that makes the view has the index map";
  let description = "`#ttcore.view<4>`: the rank. Older text is `#ttcore.view<map(4)>`.";
  let parameters = (ins "unsigned":$rank);
}

def TTCore_HostLayoutAttr : TTCore_BufferLayout<"HostLayout", "host_layout"> {
  let summary = "A buffer of the host that has the padding of a device's tensor";
  let description = [{
    `#ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192>`, in
    elements; then, if the tensor is on a mesh, its name: `, <"mesh">`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$logicalShape,
                        ArrayRefParameter<"int64_t">:$hostStrides, "int64_t":$hostVolume,
                        OptionalParameter<"::mlir::StringAttr">:$mesh);
}

//===--------------------------------------------------------------------------===//
// Meshes
//===--------------------------------------------------------------------------===//

def TTCore_MeshAttr : TTCore_Attr<"Mesh", "mesh"> {
  let summary = "A named arrangement of chips";
  let description = "`#ttcore.mesh<\"mesh\" = 1x2>`";
  let parameters = (ins "::mlir::StringAttr":$name, ArrayRefParameter<"int64_t">:$shape);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTCore_MeshesAttr : TTCore_Attr<"Meshes", "meshes"> {
  let summary = "The meshes of a module";
  let description = "`#ttcore.meshes<[<\"mesh\" = 1x2>]>`";
  let parameters = (ins ArrayRefParameter<"MeshAttr">:$meshes);
  let assemblyFormat = "`<` `[` $meshes `]` `>`";
  let genVerifyDecl = 1;
}

def TTCore_TensorMeshAttr : TTCore_Attr<"TensorMesh", "tensor_mesh"> {
  let summary = "The mesh over which a tensor is distributed";
  let description = "`tensor<64x64xf32, #ttcore.tensor_mesh<\"mesh\">>`";
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def TTCore_MeshTopologyAttr : TTCore_Attr<"MeshTopology", "mesh_topology"> {
  let summary = "How the chips of a mesh are linked along each dimension";
  let description = "`#ttcore.mesh_topology<[ring, linear]>`";
  let parameters = (ins ArrayRefParameter<"Topology">:$topologies);
  let assemblyFormat = "`<` `[` $topologies `]` `>`";
}

def TTCore_ShardGroupAttr : TTCore_Attr<"ShardGroup", "shard_group"> {
  let summary = "Which distributed tensor a tensor of a chip is from";
  let description = [{
    `#ttcore.shard_group<0, 1>`: the number of the distributed tensor in its function, and that of
    its placement, of which the first one has number 0. ttl-lower-redistribute marks collectives
    with it while it plans them.
  }];
  let parameters = (ins "int64_t":$tensorId, "int64_t":$shardIdx);
  let assemblyFormat = "`<` $tensorId `,` $shardIdx `>`";
}

//===--------------------------------------------------------------------------===//
// Devices
//===--------------------------------------------------------------------------===//

def TTCore_DeviceAttr : TTCore_Attr<"Device", "device"> {
  let summary = "The cores, memories and chips that a module is compiled for";
  let description = "Nothing here depends on it: kernels run on the chip that `--arch` names.";
  let parameters = (ins "::mlir::Attribute":$workerGrid, "::mlir::Attribute":$dramGrid,
                        "::mlir::AffineMap":$l1Map, "::mlir::AffineMap":$dramMap,
                        OptionalArrayRefParameter<"int64_t">:$meshShape,
                        OptionalArrayRefParameter<"unsigned">:$chipIds,
                        OptionalArrayRefParameter<"Topology">:$meshTopology);
  let assemblyFormat = [{
    `<` `workerGrid` `=` $workerGrid `,` `dramGrid` `=` $dramGrid `,` `l1Map` `=` $l1Map `,`
    `dramMap` `=` $dramMap `,` `meshShape` `=` custom<Extents>($meshShape) `,`
    `chipIds` `=` `[` (`]`) : ($chipIds^ `]`)? (`,` `meshTopology` `=` `[` $meshTopology^ `]`)? `>`
  }];
}

// Attributes whose text is kept and not read.
class TTCore_TextAttr<string name, string attrMnemonic, string what>
    : TTCore_Attr<name, attrMnemonic> {
  let summary = what;
  let parameters = (ins StringRefParameter<>:$text);
  let hasCustomAssemblyFormat = 1;
}
def TTCore_SystemDescAttr
    : TTCore_TextAttr<"SystemDesc", "system_desc", "The chips of a machine, as text">;
def TTCore_FabricConnectionConfigAttr
    : TTCore_TextAttr<"FabricConnectionConfig", "fabric_connection_config",
                      "How a program uses the links between chips, as text">;

#endif // TTJIT_IR_TTCORE_LAYOUTS_TD
