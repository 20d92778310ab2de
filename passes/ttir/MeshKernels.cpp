//===- MeshKernels.cpp - kernels that run on all chips of a mesh --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel is made for one chip. The grid of a kernel for several chips has their grids side by
// side (ir/Nodes/GridLayout.h), and its nodes ask for their place on their chip.
//
// ttl-lower-redistribute has made the function, unless a program has written it so.
//===--------------------------------------------------------------------------===//

#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "ir/TTL/TTLDist.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

// Checks the whole tensor of an argument or result, of which each chip has a part of this type.
static LogicalResult checkWhole(func::FuncOp function, Attribute whole, Type part,
                                DenseI64ArrayAttr mesh) {
  auto attribute = dyn_cast<TypeAttr>(whole);
  auto type =
      attribute ? dyn_cast<ttl::DistTensorType>(attribute.getValue()) : ttl::DistTensorType();
  if (type && type.getLocalType() == part && type.getPlacement().getMesh() == mesh.asArrayRef())
    return success();
  return function.emitError() << "ttl.dist must be the type of a tensor on the mesh ["
                              << mesh.asArrayRef() << "] whose parts are " << part << ", found "
                              << whole;
}

static LogicalResult checkWholes(func::FuncOp function, DenseI64ArrayAttr mesh) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (Attribute whole = function.getArgAttr(i, ttl::kDistAttr))
      if (failed(checkWhole(function, whole, type, mesh)))
        return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    Attribute whole = function.getResultAttr(i, ttl::kDistAttr);
    if (!whole)
      return function.emitError() << "result " << i
                                  << " of a function on a mesh needs ttl.dist, the type of the "
                                     "whole tensor: return a !ttl.dist_tensor";
    if (failed(checkWhole(function, whole, type, mesh)))
      return failure();
  }
  return success();
}

LogicalResult ttjit::checkMesh(func::FuncOp function) {
  auto mesh = function->getAttrOfType<DenseI64ArrayAttr>(kMeshAttr);
  for (auto op : function.getOps<ttl::CollectiveOp>())
    if (!mesh || op.getMesh() != mesh.asArrayRef())
      return op.emitOpError("needs a function on its mesh, such as ttl-lower-redistribute makes of "
                            "one with a !ttl.dist_tensor");
  return mesh ? checkWholes(function, mesh) : success();
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

// Replaces the column of the node in the whole grid by that on its chip.
static void useColumnOfChip(ttl::CoreOp core, int64_t columns) {
  OpBuilder builder(core->getContext());
  builder.setInsertionPointAfter(core);
  Value extent = arith::ConstantIndexOp::create(builder, core.getLoc(), columns);
  Value column = core->getResult(0);
  auto local = arith::RemUIOp::create(builder, core.getLoc(), column, extent);
  column.replaceAllUsesExcept(local, local);
}

static void spread(ttl::KernelOp kernel, DenseI64ArrayAttr mesh, int64_t chips) {
  if (kernel->hasAttr(kDevicesAttr))
    return;
  SmallVector<int64_t> grid(kernel.getGrid().getShape());
  kernel.walk([&](ttl::CoreOp core) { useColumnOfChip(core, grid[0]); });
  grid[0] *= chips;
  Builder builder(kernel.getContext());
  kernel.setGridAttr(ttcore::GridAttr::get(kernel.getContext(), grid));
  kernel->setAttr(kDevicesAttr, builder.getI64IntegerAttr(chips));
  kernel->setAttr(kMeshAttr, mesh);
}

void ttjit::runOnMesh(func::FuncOp function, ModuleOp module) {
  auto mesh = function->getAttrOfType<DenseI64ArrayAttr>(kMeshAttr);
  int64_t chips = mesh ? layouts::volumeOf(mesh.asArrayRef()).value_or(1) : 1;
  if (chips == 1)
    return;
  for (auto launch : function.getOps<ttl::LaunchOp>())
    spread(module.lookupSymbol<ttl::KernelOp>(launch.getKernel()), mesh, chips);
}
