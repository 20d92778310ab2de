//===- TileGraph.h - tiles that a thread computes one by one --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text that works tile by tile loads tiles from blocks, computes with them and stores them into
// blocks. A tile is a node of this graph. Equal tiles are one node. When a whole block is needed,
// its tiles become one block expression.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_TILEGRAPH_H
#define TTJIT_PASSES_D2M_TILEGRAPH_H

#include "ir/modules/D2M/D2M.h"
#include "ir/modules/Linalg/Linalg.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <tuple>
#include <vector>

namespace ttjit {

/// The number of a node.
using TileNumber = int64_t;
constexpr TileNumber kNoTile = -1;    ///< nothing was written into this tile
constexpr TileNumber kNoPartial = -2; ///< an operation that accumulates starts here

/// An operation on tiles without its operands.
struct TileOperation {
  mlir::OperationName name;
  mlir::DictionaryAttr attributes;
  mlir::Type type; ///< of the result
  mlir::Location loc;

  /// The operation of an op that has one result.
  static TileOperation of(mlir::Operation *op);
};

struct TileNode {
  std::optional<TileOperation> operation; ///< of `operands`
  std::vector<TileNumber> operands;
  mlir::Value number; ///< else: a number, as a value of the kernel
  mlir::Value block;  ///< else: tile `place` of a block or block expression
  mlir::Value memref; ///< of tt-mlir, for the block's shape
  int64_t place = 0;
};

class TileGraph {
public:
  TileNumber stored(mlir::Value block, mlir::Value memref, int64_t place);
  TileNumber number(mlir::Value value);
  TileNumber apply(const TileOperation &operation, llvm::ArrayRef<TileNumber> operands);
  const TileNode &at(TileNumber tile) const { return nodes[tile]; }

  /// Returns whether the tile is computed from this block.
  bool reads(TileNumber tile, mlir::Value block) const;

  /// Returns the block expression of `memref`, whose tiles these are in row-major order. A tile
  /// into which nothing was written may get any value. Returns a null value, and in `why` the
  /// reason, if the tiles are not computed alike. Fails, with a message, if the operations are not
  /// supported.
  mlir::FailureOr<mlir::Value> asBlock(llvm::ArrayRef<TileNumber> tiles, mlir::Value memref,
                                       mlir::Location loc, mlir::OpBuilder &builder,
                                       std::string &why) const;

private:
  using Key = std::tuple<const void *, const void *, const void *, const void *, int64_t,
                         std::vector<TileNumber>>;
  TileNumber intern(const Key &key, TileNode node);

  std::vector<TileNode> nodes;
  std::map<Key, TileNumber> known;
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_TILEGRAPH_H
