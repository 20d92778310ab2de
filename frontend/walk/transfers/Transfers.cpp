//===- Transfers.cpp - slices of tensors and copies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/Transfers.h"

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/values/Advice.h"
#include "frontend/walk/values/EqualValues.h"
#include "frontend/walk/values/Polynomial.h"
#include "hw/facts/Words.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Extents of slices
//===--------------------------------------------------------------------------===//

static std::string extentText(int64_t bound, const char *unit, const std::string &tensor,
                              unsigned dimension) {
  return fmt::format("dimension {} of tensor '{}' has {}", dimension, tensor,
                     hw::plural(bound, unit));
}

// Says what to do about an index or a slice that is out of range. Authors who count elements write
// multiples of a tile's edge.
static std::string adviceOnRange(std::string_view unit, int64_t start, int64_t stop, int64_t bound,
                                 bool isIndex) {
  constexpr int64_t kExtent = 32;
  bool isMultiple = start % kExtent == 0 && (isIndex || stop % kExtent == 0);
  bool countsElements = unit == "tile" && start >= 0 && stop <= bound * kExtent && isMultiple;
  if (countsElements && isIndex)
    return fmt::format("; indices count tiles, not elements: write {}", start / kExtent);
  if (countsElements)
    return fmt::format("; slices count tiles, not elements: write {}:{}", start / kExtent,
                       stop / kExtent);
  if (isIndex)
    return fmt::format("; write a number from 0 to {}", bound - 1);
  return fmt::format("; a slice of it ends at {} at most", bound);
}

Transfers::Extent Transfers::staticExtent(const Dimension &d, int64_t start, int64_t stop,
                                          bool isIndex) {
  int64_t first = start < 0 ? start + d.bound : start;
  int64_t last = isIndex ? first + 1 : stop < 0 ? stop + d.bound : stop;
  std::string written =
      isIndex ? fmt::format("index {}", start) : fmt::format("slice {}:{}", start, stop);
  if (first < 0 || last > d.bound)
    walker.diagnostics.fail(d.node,
                            fmt::format("{} is out of range: {}{}", written,
                                        extentText(d.bound, d.unit, d.tensor.name, d.number),
                                        adviceOnRange(d.unit, start, stop, d.bound, isIndex)));
  if (last <= first)
    walker.diagnostics.fail(
        d.node, fmt::format("{} of dimension {} of tensor '{}' is empty: the second bound must be "
                            "larger, because it is the first index after the slice",
                            written, d.number, d.tensor.name));
  return {walker.indexConstant(d.node, first), last - first, Static{py::int_(first)}};
}

Transfers::Extent Transfers::dynamicExtent(const Dimension &d, const Value &start, int64_t size) {
  if (size < 1 || size > d.bound)
    walker.diagnostics.fail(
        d.node, fmt::format("a slice of {} is out of range: {}", hw::plural(size, d.unit),
                            extentText(d.bound, d.unit, d.tensor.name, d.number)));
  mlir::Value index = walker.scalars.asIndex(d.node, start);
  ttl::setIndexUnit(ttl::CheckIndexOp::create(walker.builder, walker.location(d.node), index, size,
                                              d.bound, d.number, d.tensor.name),
                    d.indexed);
  return {index, size, start};
}

static Polynomial polynomialOf(const Value &value, EqualValues &equal) {
  if (std::optional<int64_t> number = Scalars::staticInt(value))
    return Polynomial::of(*number);
  return Polynomial::of(value.getIf<Scalar>()->value, equal);
}

Transfers::Extent Transfers::sliceExtent(const Dimension &d, llvm::ArrayRef<Value> bounds) {
  if (!isNone(bounds[2]) && Scalars::staticInt(bounds[2]) != 1)
    walker.diagnostics.fail(d.node, "a slice of a tensor must have step 1: copy the parts "
                                    "one by one, in a loop");
  Value start = isNone(bounds[0]) ? Value(Static{py::int_(0)}) : bounds[0];
  Value stop = isNone(bounds[1]) ? Value(Static{py::int_(d.bound)}) : bounds[1];
  std::optional<int64_t> first = Scalars::staticInt(start), last = Scalars::staticInt(stop);
  if (first && last)
    return staticExtent(d, *first, *last, /*isIndex=*/false);
  walker.scalars.asI32(d.node, start);
  walker.scalars.asI32(d.node, stop);
  EqualValues equal;
  std::optional<int64_t> size = polynomialOf(stop, equal).minus(polynomialOf(start, equal));
  if (!size)
    walker.diagnostics.failNeedsStatic(
        d.node,
        fmt::format(
            "the extent of this slice of tensor '{}' must be known at compile time: write both "
            "bounds from the same start, for example t[r * 2:(r + 1) * 2] or t[r:r + 2]",
            d.tensor.name));
  return dynamicExtent(d, start, *size);
}

Transfers::Extent Transfers::extent(const Dimension &d, const Value &index) {
  if (std::optional<int64_t> number = Scalars::staticInt(index))
    return staticExtent(d, *number, *number + 1, /*isIndex=*/true);
  if (const SliceObject *slice = index.getIf<SliceObject>())
    return sliceExtent(d, *slice->bounds);
  const Static *object = index.getIf<Static>();
  if (object && PySlice_Check(object->object.ptr())) {
    auto bound = [&](const char *name) { return Value(Static{object->object.attr(name)}); };
    return sliceExtent(d, {bound("start"), bound("stop"), bound("step")});
  }
  const Scalar *scalar = index.getIf<Scalar>();
  if (!scalar || scalar->value.getType().isF32())
    walker.diagnostics.fail(d.node, "the indices of a tensor must be integers or slices, found " +
                                        describeNoInteger(index));
  return dynamicExtent(d, index, 1);
}

//===--------------------------------------------------------------------------===//
// Slices
//===--------------------------------------------------------------------------===//

void Transfers::createAccessors() {
  for (const KernelTensor &tensor : walker.kernel.tensors) {
    auto type = ttl::TensorAccessorType::get(walker.builder.getContext(), tensor.type());
    auto accessor =
        ttl::TensorAccessorOp::create(walker.builder, tensor.value.getLoc(), type, tensor.value);
    SmallVector<Attribute> shards;
    for (const std::vector<int64_t> &cut : tensor.meshShards)
      shards.push_back(walker.builder.getDenseI64ArrayAttr(cut));
    if (!shards.empty())
      accessor->setAttr(ttl::kMeshShardsAttr, walker.builder.getArrayAttr(shards));
    accessors.push_back(accessor);
  }
}

static bool isRange(const Value &index) {
  const Static *object = index.getIf<Static>();
  return index.is<SliceObject>() || (object && PySlice_Check(object->object.ptr()));
}

// Builds a slice of a tensor from its first indices: `starts` in the IR, `firsts` as values.
TensorSlice Transfers::makePart(py::handle node, unsigned tensor, ArrayRef<mlir::Value> starts,
                                std::vector<Value> firsts, std::vector<int64_t> sizes,
                                std::vector<bool> ranges) {
  auto type = ttl::TensorSliceType::get(walker.builder.getContext(), sizes,
                                        walker.kernel.tensors[tensor].type());
  mlir::Value slice = ttl::IndexAccessorOp::create(walker.builder, walker.location(node), type,
                                                   accessors[tensor], starts);
  return {slice, tensor, std::move(firsts), std::move(sizes), std::move(ranges)};
}

// Returns the part with its slice, which is built here if a loop or branch has passed on the
// indices.
TensorSlice Transfers::withSlice(py::handle node, const TensorSlice &part) {
  if (part.slice)
    return part;
  SmallVector<mlir::Value> starts;
  for (const Value &first : part.starts)
    starts.push_back(walker.scalars.asIndex(node, first));
  return makePart(node, part.tensor, starts, part.starts, part.sizes, part.ranges);
}

TensorSlice Transfers::build(py::handle node, unsigned tensor, llvm::ArrayRef<Value> indices,
                             llvm::ArrayRef<py::handle> nodes) {
  const KernelTensor &source = walker.kernel.tensors[tensor];
  SmallVector<int64_t> stored = ttl::getStoredShape(source.type());
  size_t rank = stored.size();
  if (indices.size() > rank)
    walker.diagnostics.fail(
        node, fmt::format("found {} indices for tensor '{}', which has only {}: leave {} out",
                          indices.size(), source.name, hw::plural(rank, "dimension"),
                          indices.size() - rank));
  // A tiled tensor of rank 1 or 0 is stored in two dimensions. The program may index the dimensions
  // that the tensor has.
  size_t own = source.spec.shape.size();
  size_t skipped = rank > own && indices.size() <= own ? rank - own : 0;
  SmallVector<mlir::Value> starts;
  std::vector<Value> firsts;
  std::vector<int64_t> sizes;
  std::vector<bool> ranges;
  for (size_t i = 0; i < rank; ++i) {
    bool tiles = source.spec.layout == TensorLayout::Tile && i + 2 >= rank;
    bool given = i >= skipped && i - skipped < indices.size();
    bool isTiled = source.spec.layout == TensorLayout::Tile;
    Dimension d{source,
                static_cast<unsigned>(i),
                stored[i],
                tiles ? "tile" : "element",
                ttl::indexUnit(i, rank, isTiled),
                given ? nodes[i - skipped] : node};
    Extent part = given ? extent(d, indices[i - skipped]) : staticExtent(d, 0, stored[i], false);
    starts.push_back(part.start);
    firsts.push_back(part.first);
    sizes.push_back(part.size);
    ranges.push_back(given && isRange(indices[i - skipped]));
  }
  return makePart(node, tensor, starts, std::move(firsts), std::move(sizes), std::move(ranges));
}

// Returns the place of a shard in the grid of shards.
static SmallVector<int64_t> placeOfShard(int64_t number, ArrayRef<int64_t> grid) {
  SmallVector<int64_t> place(grid.size());
  for (size_t i = grid.size(); i-- > 0; number /= grid[i])
    place[i] = number % grid[i];
  return place;
}

// Fails if the tensor ends inside of a shard.
void Transfers::checkWholeShard(const KernelTensor &tensor, int64_t number,
                                py::handle indexNode) const {
  std::vector<int64_t> units = tensor.spec.shardUnits(), grid = tensor.spec.shardGrid();
  SmallVector<int64_t> place = placeOfShard(number, grid);
  SmallVector<int64_t> stored = ttl::getStoredShape(
      ttl::TensorSliceType::get(walker.builder.getContext(), units, tensor.type()));
  for (size_t i = 0; i < grid.size(); ++i)
    if ((place[i] + 1) * units[i] > stored[i])
      walker.diagnostics.fail(
          indexNode, fmt::format("shard {} of tensor '{}' cannot be used because the tensor "
                                 "ends inside of it: take a slice of the tensor instead",
                                 number, tensor.name));
}

// Returns the number of a shard as an index. A number known only at run time is checked when the
// kernel runs.
mlir::Value Transfers::shardIndex(const KernelTensor &tensor, const Value &index,
                                  py::handle indexNode) {
  int64_t count = 1;
  for (int64_t extent : tensor.spec.shardGrid())
    count *= extent;
  std::optional<int64_t> known = Scalars::staticInt(index);
  if (!known) {
    mlir::Value value = walker.scalars.asIndex(indexNode, index);
    ttl::setIndexUnit(ttl::CheckIndexOp::create(walker.builder, walker.location(indexNode), value,
                                                1, count, 0, tensor.name),
                      "shards");
    return value;
  }
  int64_t number = *known < 0 ? *known + count : *known;
  if (number < 0 || number >= count)
    walker.diagnostics.fail(indexNode,
                            fmt::format("shard {} is out of range: tensor '{}' has {}", *known,
                                        tensor.name, hw::plural(count, "shard")));
  checkWholeShard(tensor, number, indexNode);
  return walker.indexConstant(indexNode, number);
}

// Returns where a shard starts.
SmallVector<mlir::Value> Transfers::startOfShard(py::handle node, mlir::Value number,
                                                 const TensorSpec &spec) {
  Location loc = walker.location(node);
  OpBuilder &builder = walker.builder;
  std::vector<int64_t> units = spec.shardUnits(), grid = spec.shardGrid();
  // The number is less than the product of the grid, so the outermost dimension that is divided
  // needs no remainder.
  size_t outermost = llvm::find_if(grid, [](int64_t n) { return n > 1; }) - grid.begin();
  SmallVector<mlir::Value> starts(grid.size());
  for (size_t i = grid.size(); i-- > 0;) {
    mlir::Value place = grid[i] == 1 ? walker.indexConstant(node, 0) : number;
    if (grid[i] > 1 && i != outermost) {
      mlir::Value extent = walker.indexConstant(node, grid[i]);
      place = arith::RemUIOp::create(builder, loc, number, extent);
      number = arith::DivUIOp::create(builder, loc, number, extent);
    }
    starts[i] = arith::MulIOp::create(builder, loc, place, walker.indexConstant(node, units[i]));
  }
  return starts;
}

// Returns the part of the tensor that one shard holds. Shards are numbered row-major. If they have
// fewer dimensions than the tensor, their first one counts all others.
TensorSlice Transfers::shard(py::handle node, unsigned tensor, const Value &index,
                             py::handle indexNode) {
  const KernelTensor &source = walker.kernel.tensors[tensor];
  std::vector<int64_t> units = source.spec.shardUnits(), grid = source.spec.shardGrid();
  mlir::Value number = shardIndex(source, index, indexNode);
  SmallVector<mlir::Value> starts = startOfShard(node, number, source.spec);
  std::vector<Value> firsts;
  if (std::optional<int64_t> known = getConstantIntValue(number))
    for (auto [place, extent] : llvm::zip_equal(placeOfShard(*known, grid), units))
      firsts.push_back(Static{py::int_(place * extent)});
  else
    for (mlir::Value start : starts)
      firsts.push_back(walker.scalars.fromIndex(node, start));
  std::vector<bool> ranges(units.size(), false);
  return makePart(node, tensor, starts, std::move(firsts), std::move(units), std::move(ranges));
}

// Returns whether the index is a tuple: in `a[i, j]`, or in `a[place]` if `place` is one. A list or
// array is none: it selects several elements in Python, which no copy does.
static bool isTuple(const Value &index) {
  if (const Tuple *tuple = index.getIf<Tuple>())
    return !tuple->isList;
  const Static *object = index.getIf<Static>();
  return object && PyTuple_Check(object->object.ptr());
}

TensorSlice Transfers::part(py::handle node, unsigned tensor, const Value &index,
                            py::handle indexNode) {
  // The compute thread needs no slice op: only ttl.copy() uses one, and ttl.copy() is an error in
  // that thread.
  if (walker.kind == ThreadKind::Compute)
    return {{}, tensor};
  std::vector<Value> indices{index};
  if (isTuple(index))
    indices = *index->items(walker);
  const Scalar *scalar = indices.size() == 1 ? indices[0].getIf<Scalar>() : nullptr;
  bool isNumber = indices.size() == 1 && (scalar ? !scalar->value.getType().isF32()
                                                 : Scalars::staticInt(indices[0]).has_value());
  if (walker.kernel.tensors[tensor].spec.memory.shards && isNumber)
    return shard(node, tensor, indices[0], indexNode);
  SmallVector<py::handle> nodes(indices.size(), indexNode);
  if (isKind(indexNode, "Tuple")) {
    py::list parts = listOf(indexNode, "elts"_py);
    // An element that '*' spreads gives several indices; their errors are reported at the tuple.
    for (size_t i = 0; parts.size() == indices.size() && i < indices.size(); ++i)
      nodes[i] = PyList_GetItem(parts.ptr(), i);
  }
  return build(node, tensor, indices, nodes);
}

TensorSlice Transfers::whole(py::handle node, unsigned tensor) {
  return build(node, tensor, {}, {});
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

// Returns the block that is the source or destination of a copy, whole or in part; null for
// another one.
static const Block *blockOf(const Value &end) {
  const BlockPart *part = end.getIf<BlockPart>();
  return part ? &part->block : end.getIf<Block>();
}

// Returns the IR value of the source or destination of a copy that is not a pipe.
static mlir::Value irValue(const Value &end) {
  const TensorSlice *part = end.getIf<TensorSlice>();
  return part ? part->slice : blockOf(end)->info->block;
}

static ArrayRef<int64_t> extentsOf(const Value &end) {
  if (const BlockPart *part = end.getIf<BlockPart>())
    return part->sizes;
  if (auto slice = dyn_cast<ttl::TensorSliceType>(irValue(end).getType()))
    return slice.getSizes();
  return ttl::getBlockShape(irValue(end).getType());
}

// Returns the element type of the source or destination of a copy, and its name in messages.
static std::pair<DType, std::string_view> elementOf(const Kernel &kernel, const Value &end) {
  if (const TensorSlice *part = end.getIf<TensorSlice>())
    return {kernel.tensors[part->tensor].spec.dtype, "slice"};
  const KernelBuffer &buffer = kernel.buffers[blockOf(end)->info->buffer];
  return {buffer.object.attr("dtype"_py).cast<DType>(), "block"};
}

// Returns the first dimension of the slice that the block does not have, and that the program chose
// with a range; nothing if there is none.
static std::optional<int64_t> droppedRange(const Value &source, const Value &destination) {
  const TensorSlice *part = source.getIf<TensorSlice>();
  ArrayRef<int64_t> block = extentsOf(part ? destination : source);
  if (!part)
    part = destination.getIf<TensorSlice>();
  for (size_t i = 0; i + block.size() < part->ranges.size(); ++i)
    if (part->ranges[i])
      return i;
  return std::nullopt;
}

// Says what to do if the shapes of a block and of a slice differ. Authors who count elements give
// blocks extents that are multiples of a tile's edge.
static std::string adviceOnShapes(const Kernel &kernel, const Value &source,
                                  const Value &destination) {
  bool reads = source.is<TensorSlice>();
  if (reads == destination.is<TensorSlice>())
    return "";
  const Value &block = reads ? destination : source, &slice = reads ? source : destination;
  const KernelBuffer &buffer = kernel.buffers[blockOf(block)->info->buffer];
  bool isTiled = buffer.object.attr("tiled"_py).cast<bool>();
  const KernelTensor &tensor = kernel.tensors[slice.getIf<TensorSlice>()->tensor];
  if (isTiled != (tensor.spec.layout == TensorLayout::Tile))
    return fmt::format(": tensor '{}' consists of {} and the block of {}: make buffer '{}' like a "
                       "tensor of the same layout",
                       tensor.name, isTiled ? "elements" : "tiles", isTiled ? "tiles" : "elements",
                       buffer.name);
  if (!isTiled)
    return ": the slice and the block must have equal shapes";
  auto countsElements = [](int64_t extent) { return extent % 32 == 0; };
  ArrayRef<int64_t> shape = extentsOf(block);
  bool isInElements = llvm::any_of(shape.take_back(2), countsElements) &&
                      llvm::none_of(extentsOf(slice).take_back(2), countsElements);
  if (droppedRange(source, destination) && !isInElements)
    return fmt::format(": the block has {} dimensions: write scalar indices, not ranges, for the "
                       "leading dimensions of the slice, or make buffer '{}' with shape={}",
                       shape.size(), buffer.name, shapeText(extentsOf(slice)));
  return fmt::format(": {} make buffer '{}' with shape={}{}",
                     isInElements ? "the shape of a block counts tiles, not elements:"
                                  : "copy a slice of the block's shape, or",
                     buffer.name, shapeText(extentsOf(slice)),
                     isInElements ? "" : "; shapes and indices count tiles");
}

void Transfers::checkCopy(py::handle node, const Value &source, const Value &destination) const {
  auto significant = [](ArrayRef<int64_t> shape) {
    return shape.drop_while([](int64_t extent) { return extent == 1; });
  };
  ArrayRef<int64_t> from = extentsOf(source), to = extentsOf(destination);
  if (significant(from) != significant(to))
    walker.diagnostics.fail(
        node,
        fmt::format(
            "shapes differ: the source of ttl.copy() has shape {}, its destination has shape {}{}",
            shapeText(from), shapeText(to), adviceOnShapes(walker.kernel, source, destination)));
  auto [fromType, fromEnd] = elementOf(walker.kernel, source);
  auto [toType, toEnd] = elementOf(walker.kernel, destination);
  if (fromType != toType)
    walker.diagnostics.fail(
        node, fmt::format("element types differ: ttl.copy() does not convert a {} of {} to a {} of "
                          "{}: make the buffer from a tensor of the same type, and convert the "
                          "elements when the compute thread stores them",
                          fromEnd, nameOf(fromType), toEnd, nameOf(toType)));
}

// Says what to do about a value that cannot be copied.
static const char *adviceOnEnd(const Value &value) {
  if (value.is<BlockExpr>())
    return ": store the expression into a block of a buffer, and copy the block that wait() "
           "returns";
  const Static *object = value.getIf<Static>();
  if (!object || object->resultOf)
    return "";
  std::string type = py::str(py::type::of(object->object).attr("__name__"_py)).cast<std::string>();
  if (type == "Tensor" || type == "ndarray")
    return " that is no argument of the operation: pass it as one";
  return " (call reserve() or wait() on a buffer to get a block)";
}

std::optional<TensorSlice> Transfers::sliceOf(py::handle node, const Value &value) {
  if (const Static *object = value.getIf<Static>())
    if (const KernelTensor *tensor = walker.kernel.findTensor(object->object))
      return whole(node, tensor - walker.kernel.tensors.data());
  const TensorSlice *part = value.getIf<TensorSlice>();
  return part ? std::optional(withSlice(node, *part)) : std::nullopt;
}

// Returns `value` if it is a slice or a block; converts a tensor to a slice of the whole tensor.
// Fails for other values.
Value Transfers::endOf(py::handle node, const Value &value, unsigned &tensor) {
  if (const Static *object = value.getIf<Static>())
    if (const KernelTensor *whole = walker.kernel.findTensor(object->object))
      return endOf(node, this->whole(node, whole - walker.kernel.tensors.data()), tensor);
  if (const TensorSlice *part = value.getIf<TensorSlice>()) {
    tensor = part->tensor;
    return withSlice(node, *part);
  }
  if (blockOf(value))
    return value;
  walker.diagnostics.fail(
      node,
      fmt::format("ttl.copy() can only copy between a slice of a tensor and a block, found {}{}",
                  describe(value), adviceOnEnd(value)));
}

// Builds a send or receive over a pipe.
TransferHandle Transfers::copyOverPipe(py::handle node, const Value &source,
                                       const Value &destination) {
  const PipeEnd *from = source.getIf<PipeEnd>(), *to = destination.getIf<PipeEnd>();
  const Value &other = from ? destination : source;
  if (!other.is<Block>())
    walker.diagnostics.fail(
        node, fmt::format("ttl.copy() over a pipe must send or receive a block, found {}",
                          describe(other)));
  return {ttl::CopyOp::create(walker.builder, walker.location(node),
                              from ? from->value : blockOperand(source),
                              to ? to->value : blockOperand(destination))};
}

// Returns the oldest block of a buffer: the one waited for, or the one reserved if `reserved`.
// Older programs pass the buffer to ttl.copy() instead of a block. Other values are returned as
// they are.
Value Transfers::oldestBlock(py::handle node, const Value &end, bool reserved) const {
  const Static *object = end.getIf<Static>();
  std::optional<unsigned> buffer = object ? walker.kernel.findBuffer(object->object) : std::nullopt;
  if (buffer && walker.counted.contains({*buffer, reserved}))
    return walker.counted.oldest(node, {*buffer, reserved});
  const Block *block = buffer ? walker.state.oldest(*buffer, reserved) : nullptr;
  if (buffer && !block)
    walker.held.requireOldest({*buffer, reserved});
  return block ? Value(*block) : end;
}

TransferHandle Transfers::copy(py::handle node, const Value &from, const Value &to) {
  requireDataMovement(walker, node, "ttl.copy()");
  return copyEnds(node, oldestBlock(node, from, /*reserved=*/false),
                  oldestBlock(node, to, /*reserved=*/true));
}

TransferHandle Transfers::copyEnds(py::handle node, const Value &source, const Value &destination) {
  if (source.is<PipeEnd>() || destination.is<PipeEnd>())
    return copyOverPipe(node, source, destination);
  if (source.is<Block>())
    if (std::optional<PipeEnd> end = walker.pipes.endOutside(node, destination))
      return copyOverPipe(node, source, *end);
  if (destination.is<Block>())
    if (std::optional<PipeEnd> end = walker.pipes.endOutside(node, source))
      return copyOverPipe(node, *end, destination);
  for (const Value *end : {&source, &destination})
    if (const Static *object = end->getIf<Static>();
        object && walker.pipes.isPipeObject(object->object))
      walker.diagnostics.fail(
          node,
          "ttl.copy() can only copy a block into a ttl.Pipe, or from a ttl.Pipe into a block; "
          "net.if_src(fn) calls fn(pipe) on the node that sends, and net.if_dst(fn) on the "
          "nodes that receive");
  unsigned tensor = 0;
  Value from = endOf(node, source, tensor), to = endOf(node, destination, tensor);
  if (from.is<TensorSlice>() == to.is<TensorSlice>())
    walker.diagnostics.fail(
        node,
        fmt::format(
            "ttl.copy() can only copy between a slice of a tensor and a block, found {} and {}{}",
            describe(from), describe(to), adviceOnEnds(from, to)));
  checkCopy(node, from, to);
  if (to.is<TensorSlice>())
    walker.kernel.tensors[tensor].written = true;
  const BlockPart *part = (to.is<TensorSlice>() ? from : to).getIf<BlockPart>();
  auto copy = ttl::CopyOp::create(walker.builder, walker.location(node), irValue(from), irValue(to),
                                  part ? part->first : mlir::Value());
  if (std::optional<int64_t> dimension = droppedRange(from, to))
    copy->setAttr(ttl::kDroppedRangeAttr, walker.builder.getI64IntegerAttr(*dimension));
  return {copy};
}

void Transfers::wait(py::handle node, const TransferHandle &transfer) {
  ttl::WaitOp::create(walker.builder, walker.location(node), transfer.handle);
}

} // namespace ttjit::frontend
