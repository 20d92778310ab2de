//===- WaitAny.cpp - waiting for one of several receives ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/WaitAny.h"

#include "passes/common/Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

void ttjit::expandWaitAny(ttl::WaitAnyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type word = ttl::SemaphoreType::get(builder.getContext(), /*isRemote=*/false);
  SmallVector<Value> words, values;
  for (Value handle : op.getXfs()) {
    auto cast = UnrealizedConversionCastOp::create(builder, loc,
                                                   TypeRange{word, builder.getI32Type()}, handle);
    words.push_back(cast.getResult(0));
    values.push_back(cast.getResult(1));
  }
  Value place = ttl::SemaphoreWaitAnyOp::create(builder, loc, builder.getIndexType(), words, values,
                                                op.getStart());
  for (auto [i, handle] : llvm::enumerate(op.getXfs())) {
    Value number = arith::ConstantIndexOp::create(builder, loc, i);
    Value chosen = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, place, number);
    auto branch = scf::IfOp::create(builder, loc, chosen, /*withElseRegion=*/false);
    OpBuilder inner = branch.getThenBodyBuilder();
    ttl::WaitOp::create(inner, loc, handle);
  }
  op.replaceAllUsesWith(place);
  op.erase();
}

bool ttjit::mayFindComplete(ttl::CopyOp copy) {
  return mayBeWaitedForTwice(copy) ||
         llvm::any_of(copy.getXf().getUsers(), llvm::IsaPred<UnrealizedConversionCastOp>);
}
