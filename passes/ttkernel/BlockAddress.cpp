//===- BlockAddress.cpp - address of a block in L1 ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/BlockAddress.h"

#include "ir/Locations/Locations.h"
#include "ir/TTL/BufferPages.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

Value ttjit::blockAddress(OpBuilder &builder, Location use, Arithmetic &arithmetic,
                          KernelArguments &arguments, Value block) {
  std::optional<std::string> name = getSourceName(block.getLoc());
  Location loc = name ? named(*name, use) : use;
  Value buffer = arguments.bufferOfBlock(block), address;
  if (isReserved(acquireOf(block)))
    address =
        ttkernel::createCall<ttkernel::GetWritePtrOp>(builder, loc, builder.getI32Type(), buffer);
  else
    address =
        ttkernel::createCall<ttkernel::GetReadPtrOp>(builder, loc, builder.getI32Type(), buffer);
  auto at = block.getDefiningOp<ttl::BlockAtOp>();
  if (!at)
    return address;
  int64_t size = ttl::pageSizeOf(arguments.thread().bufferOfBlock(block));
  Value pages = arithmetic.toI32(builder, loc, at.getPages());
  return arithmetic.add(builder, loc, address, arithmetic.mul(builder, loc, pages, size));
}
