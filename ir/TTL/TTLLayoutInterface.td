//===- TTLLayoutInterface.td - interface of tensor layouts -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_LAYOUTINTERFACE_TD
#define TTJIT_IR_TTL_LAYOUTINTERFACE_TD

include "mlir/IR/OpBase.td"

def TTL_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = [{
    Describes how a tensor's elements form pages and how the pages are distributed over
    banks. Any attribute with this interface can be the layout of a
    `#ttl.tensor_encoding`; passes and engines use only the interface.
  }];
  let methods = [
    InterfaceMethod<"How pages are distributed over banks or cores.",
                    "::mlir::tt::ttcore::TensorMemoryLayout", "getMemoryLayout">,
    InterfaceMethod<"Rows and columns of a tile if each page holds one; empty if each page holds a row.",
                    "::llvm::ArrayRef<int64_t>", "getTile">,
    InterfaceMethod<"Rows and columns of elements of a shard; empty: there are no shards. All "
                    "dimensions but the last count rows.",
                    "::llvm::ArrayRef<int64_t>", "getShard">,
  ];
  let extraSharedClassDeclaration = [{
    bool isTiled() const { return !$_attr.getTile().empty(); }
  }];
}

#endif // TTJIT_IR_TTL_LAYOUTINTERFACE_TD
