//===- D2MTileOps.cpp - tt-mlir's operations on tiles -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/D2M/D2M.h"

#include "ir/TTCore/TileRows.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::d2m;

#define GET_OP_CLASSES
#include "ir/modules/D2M/D2MTileClass.cpp.inc"

static constexpr TileOpRow kRows[] = {
#define D2M_TILE(name, operands, row) {#name, operands, TileForm::Row, ttjit::hw::TileOp::row},
#define D2M_TILE_OTHER(name, operands, form) {#name, operands, TileForm::form, std::nullopt},
#include "ir/modules/D2M/D2MTileOps.def"
};

ArrayRef<TileOpRow> d2m::tileOpRows() { return kRows; }

void D2MDialect::registerTileOps() {
  for (const TileOpRow &row : kRows)
    ttcore::TileRowModel<TileOp>::insert(*this, row.name, row.row.value_or(ttjit::hw::TileOp()));
}

const TileOpRow &TileOp::getRow() {
  static const llvm::StringMap<const TileOpRow *> rows = [] {
    llvm::StringMap<const TileOpRow *> result;
    for (const TileOpRow &row : kRows)
      result[row.name] = &row;
    return result;
  }();
  return *rows.lookup((*this)->getName().stripDialect());
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

ParseResult TileOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef name = result.name.stripDialect();
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc());
  error << "is written in quotes: \"d2m." << name << "\"(%x) : (!ttcore.tile<32x32, f32>) -> "
        << "!ttcore.tile<32x32, f32>";
  for (const TileOpRow &row : kRows)
    if (row.name == name && row.row)
      error << "; in the body of a ttl.compute write ttl.tile_"
            << ttjit::hw::factsOf(*row.row).name;
  return error;
}

//===--------------------------------------------------------------------------===//
// Verifier
//===--------------------------------------------------------------------------===//

static bool isElement(Type type) {
  return isa<ttcore::TileType, FloatType, IntegerType, IndexType>(type);
}

// Checks the attributes without which the operation has no meaning.
static LogicalResult verifyAttributes(TileOp op, StringRef name) {
  if (name.starts_with("tile_reduce") || name.starts_with("tile_sfpu_reduce"))
    if (!op.getReduceDim())
      return op.emitOpError("needs the attribute reduce_dim: #d2m<reduce_dim R>, C or RC");
  if (name == "tile_bcast" && !op.getBcastType())
    return op.emitOpError("needs the attribute bcast_type: #d2m<tile_bcast_type row>, col, scalar "
                          "or none");
  if (name == "tile_clamp_scalar" && (!op.getMin() || !op.getMax()))
    return op.emitOpError("needs the attributes min and max");
  if (name == "tile_clamp_scalar" &&
      cast<TypedAttr>(*op.getMin()).getType() != cast<TypedAttr>(*op.getMax()).getType())
    return op.emitOpError("needs min and max of one type, f32 or i32");
  if (name == "tile_selu" && (!op.getScale() || !op.getAlpha()))
    return op.emitOpError("needs the attributes scale and alpha");
  return success();
}

LogicalResult TileOp::verify() {
  const TileOpRow &row = getRow();
  if (row.operands && getNumOperands() != row.operands)
    return emitOpError("must have ")
           << row.operands << (row.operands == 1 ? " operand" : " operands") << ", found "
           << getNumOperands();
  if (row.operands && getNumResults() != 1)
    return emitOpError("must have one result, found ") << getNumResults();
  for (Type type : getOperation()->getOperandTypes())
    if (!isElement(type))
      return emitOpError("must have operands that are tiles or numbers, found ") << type;
  for (Type type : getOperation()->getResultTypes())
    if (!isElement(type))
      return emitOpError("must have results that are tiles or numbers, found ") << type;
  for (std::optional<Attribute> bound : {getMin(), getMax()})
    if (bound && !isa<FloatAttr, IntegerAttr>(*bound))
      return emitOpError("must have numbers as min and max, found ") << *bound;
  return verifyAttributes(*this, row.name);
}
