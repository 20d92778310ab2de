//===- ElementLowering.cpp - elements of blocks as L1 addresses ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A page of a block of tiles has one tile, as four faces; a page of a row-major block has one row.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/HostLowering.h"

#include "ir/TTL/BufferPages.h"
#include "ir/TTL/IndexUnits.h"
#include "passes/ttkernel/BlockAddress.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Reports mistakes that are certain here; inserts checks that find others when the kernel runs.
LogicalResult ElementLowering::check(OpBuilder &builder, Operation *op, Value block,
                                     ValueRange coords) {
  std::string name = arguments.thread().bufferOfBlock(block).getName().str();
  SmallVector<int64_t> extents = ttl::getElementExtents(cast<ttl::BlockType>(block.getType()));
  for (auto [dim, coord, extent] : llvm::enumerate(coords, extents)) {
    IndexRange range = ranges.of(coord);
    if (range.min >= 0 && range.max < extent)
      continue;
    if (range.max < 0 || range.min >= extent)
      return op->emitError() << "element " << range.min << " in dimension " << dim
                             << " is outside a block of '" << name << "', which has " << extent
                             << " elements there";
    ttl::setIndexUnit(ttl::CheckIndexOp::create(builder, op->getLoc(), coord, /*size=*/1, extent,
                                                dim, builder.getStringAttr(name),
                                                /*of_block=*/true),
                      ttl::indexUnit(dim, extents.size(), /*isTiled=*/false));
  }
  return success();
}

// Returns the offset in a buffer of scalars, where a row is a page.
Value ElementLowering::offsetInRows(OpBuilder &builder, Location loc, ttl::CreateCBOp buffer,
                                    ValueRange coords, ArrayRef<int64_t> extents) {
  int64_t bytes = ttjit::hw::datumBits(buffer.getType().getFormat()) / 8;
  if (!ttl::hasPadding(buffer))
    return arithmetic.mul(builder, loc, arithmetic.linearise(builder, loc, coords, extents), bytes);
  Value row = arithmetic.linearise(builder, loc, coords.drop_back(), extents.drop_back());
  Value start = arithmetic.mul(builder, loc, row, ttl::pageSizeOf(buffer));
  return arithmetic.add(builder, loc, start, arithmetic.mul(builder, loc, coords.back(), bytes));
}

// Returns the offset in bytes, from the row-major numbers of the page and of the element in it.
Value ElementLowering::byteOffset(OpBuilder &builder, Location loc, Value block,
                                  ValueRange coords) {
  ttl::CreateCBOp buffer = arguments.thread().bufferOfBlock(block);
  SmallVector<int64_t> extents = ttl::getElementExtents(cast<ttl::BlockType>(block.getType()));
  if (!buffer.getType().isTiled())
    return offsetInRows(builder, loc, buffer, coords, extents);
  int64_t bytes = ttjit::hw::datumBits(buffer.getType().getFormat()) / 8;
  auto split = [&](Value value, int64_t by) {
    Value divisor = arithmetic.index(by);
    return std::pair(builder.createOrFold<arith::DivUIOp>(loc, value, divisor),
                     builder.createOrFold<arith::RemUIOp>(loc, value, divisor));
  };
  constexpr int64_t kTile = 32, kFace = 16;
  SmallVector<Value> tile(coords);
  SmallVector<int64_t> tiles(extents);
  size_t row = coords.size() - 2, column = coords.size() - 1;
  auto [tileRow, rowInTile] = split(coords[row], kTile);
  auto [tileColumn, columnInTile] = split(coords[column], kTile);
  tile[row] = tileRow;
  tile[column] = tileColumn;
  tiles[row] /= kTile;
  tiles[column] /= kTile;
  auto [faceRow, rowInFace] = split(rowInTile, kFace);
  auto [faceColumn, columnInFace] = split(columnInTile, kFace);
  Value page = arithmetic.linearise(builder, loc, tile, tiles);
  Value element = arithmetic.linearise(builder, loc, {faceRow, faceColumn, rowInFace, columnInFace},
                                       {2, 2, kFace, kFace});
  return arithmetic.add(builder, loc, arithmetic.mul(builder, loc, page, ttl::pageSizeOf(buffer)),
                        arithmetic.mul(builder, loc, element, bytes));
}

Value ElementLowering::address(OpBuilder &builder, Operation *op, Value block, ValueRange coords) {
  Location loc = op->getLoc();
  Value base = blockAddress(builder, loc, arithmetic, arguments, block);
  Value offset = byteOffset(builder, loc, block, coords);
  return arithmetic.add(builder, loc, base, arithmetic.toI32(builder, loc, offset));
}

static Type elementTypeOf(Value block) {
  Type element = cast<ttl::BlockType>(block.getType()).getCircularBuffer().getElementType();
  auto tile = dyn_cast<ttcore::TileType>(element);
  if (!tile)
    return element;
  MLIRContext *context = block.getContext();
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics semantics) -> Type {
    return IntegerType::get(context, width, semantics);
  };
  switch (tile.getDataType()) {
  case ttcore::DataType::BFloat16:
    return BFloat16Type::get(context);
  case ttcore::DataType::Int32:
    return integer(32, IntegerType::Signless);
  case ttcore::DataType::UInt32:
    return integer(32, IntegerType::Unsigned);
  case ttcore::DataType::UInt16:
    return integer(16, IntegerType::Unsigned);
  case ttcore::DataType::UInt8:
    return integer(8, IntegerType::Unsigned);
  default:
    return Float32Type::get(context);
  }
}

LogicalResult ElementLowering::lower(Operation *op, bool &lowered) {
  OpBuilder builder(op);
  if (auto read = dyn_cast<ttl::ElementReadOp>(op)) {
    lowered = true;
    if (failed(check(builder, op, read.getBlock(), read.getCoords())))
      return failure();
    Value from = address(builder, op, read.getBlock(), read.getCoords());
    read.replaceAllUsesWith(
        ttkernel::createCall<ttkernel::LoadElementOp>(builder, op->getLoc(), builder.getF32Type(),
                                                      from, elementTypeOf(read.getBlock()))
            .getResult());
  }
  if (auto write = dyn_cast<ttl::ElementWriteOp>(op)) {
    lowered = true;
    if (failed(check(builder, op, write.getBlock(), write.getCoords())))
      return failure();
    Value to = address(builder, op, write.getBlock(), write.getCoords());
    ttkernel::createCall<ttkernel::StoreElementOp>(builder, op->getLoc(), to, write.getValue(),
                                                   elementTypeOf(write.getBlock()));
  }
  return success();
}
