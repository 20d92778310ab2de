//===- Copies.cpp - the ends and the pages of a copy --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/Copies.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static constexpr llvm::StringLiteral kPagesTogether = "ttl.pages_together";

ttl::IndexAccessorOp ttjit::sliceOf(ttl::CopyOp copy) {
  Value slice = copy.isRead() ? copy.getSrc() : copy.getDst();
  return slice.getDefiningOp<ttl::IndexAccessorOp>();
}

ArrayRef<int64_t> ttjit::pageDims(ArrayRef<int64_t> dims, RankedTensorType tensor) {
  auto encoding = cast<ttl::TensorEncodingAttr>(tensor.getEncoding());
  return encoding.getLayout().isTiled() ? dims : dims.drop_back();
}

int64_t ttjit::pagesTogether(ttl::CopyOp copy) {
  auto pages = copy->getAttrOfType<IntegerAttr>(kPagesTogether);
  return pages ? pages.getInt() : 1;
}

void ttjit::setPagesTogether(ttl::CopyOp copy, int64_t pages) {
  copy->setAttr(kPagesTogether, OpBuilder(copy).getI32IntegerAttr(pages));
}

bool ttjit::mayBeWaitedForTwice(ttl::CopyOp copy) {
  SmallVector<Operation *> waits = llvm::filter_to_vector(
      copy.getXf().getUsers(), [](Operation *user) { return isa<ttl::WaitOp>(user); });
  for (Operation *one : waits)
    for (Operation *other : waits)
      if (one != other && !insideMutuallyExclusiveRegions(one, other))
        return true;
  return false;
}
