//===- TTCoreLayoutEnums.td - enums of layouts and meshes ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_LAYOUT_ENUMS_TD
#define TTJIT_IR_TTCORE_LAYOUT_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTCore_LayoutEnum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::tt::ttcore";
}

def TTCore_OOBVal : TTCore_LayoutEnum<"OOBVal", "value of a tensor's padding", [
    I32EnumCase<"Undef", 0, "undef">, I32EnumCase<"Zero", 1, "zero">, I32EnumCase<"One", 2, "one">,
    I32EnumCase<"Inf", 3, "inf">, I32EnumCase<"NegInf", 4, "neginf">]>;

def TTCore_MeshShardDirection : TTCore_LayoutEnum<
    "MeshShardDirection", "whether a tensor is divided over chips or put together", [
    I32EnumCase<"FullToShard", 0, "full_to_shard">,
    I32EnumCase<"ShardToFull", 1, "shard_to_full">]>;

def TTCore_MeshShardType : TTCore_LayoutEnum<
    "MeshShardType", "which part of a tensor each chip has", [
    I32EnumCase<"Identity", 0, "identity">, I32EnumCase<"Replicate", 1, "replicate">,
    I32EnumCase<"Maximal", 2, "maximal">, I32EnumCase<"Devices", 3, "devices">]>;

def TTCore_ShardStatus : TTCore_LayoutEnum<
    "ShardStatus", "whether the caller of a function divides a tensor over chips", [
    I32EnumCase<"Presharded", 0, "presharded">, I32EnumCase<"Unsharded", 1, "unsharded">]>;

def TTCore_Topology : TTCore_LayoutEnum<"Topology", "links of the chips along a mesh dimension", [
    I32EnumCase<"Ring", 0, "ring">, I32EnumCase<"Linear", 1, "linear">,
    I32EnumCase<"Mesh", 2, "mesh">, I32EnumCase<"Torus", 3, "torus">,
    I32EnumCase<"Disabled", 4, "disabled">]>;

#endif // TTJIT_IR_TTCORE_LAYOUT_ENUMS_TD
