//===- MeshKernels.cpp - kernels that run on all chips of a mesh --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel is made for one chip. The grid of a kernel for several chips has their grids side by
// side (ir/Nodes/GridLayout.h), and its nodes ask for their place on their chip.
//===--------------------------------------------------------------------------===//

#include "ir/Layouts/Layout.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

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
