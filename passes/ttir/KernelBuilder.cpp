//===- KernelBuilder.cpp - makes the ttl.kernel of some ops of ttir -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/KernelBuilder.h"

#include "ir/Locations/Locations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

RankedTensorType ttjit::deviceType(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  Type element = type.getElementType();
  if (element.isInteger(1))
    element = BFloat16Type::get(context);
  else if (element.isInteger(32) && !element.isUnsignedInteger())
    element = IntegerType::get(context, 32, IntegerType::Signed);
  std::optional<ttcore::DataType> stored = ttcore::getDataTypeOf(element);
  bool isEmpty = type.getNumElements() == 0;
  if (isEmpty || !stored || element.isUnsignedInteger(8) || element.isUnsignedInteger(16))
    return {};
  auto layout = ttl::LayoutAttr::get(context, ttcore::TensorMemoryLayout::Interleaved, {32, 32},
                                     /*grid=*/{}, /*shard=*/{});
  auto encoding = ttl::TensorEncodingAttr::get(context, ttcore::MemorySpace::DeviceDRAM, layout);
  return RankedTensorType::get(type.getShape(), element, encoding);
}

Shape ttjit::tilesOf(RankedTensorType type) { return ttl::getStoredShape(deviceType(type)); }

int64_t ttjit::divisorUpTo(int64_t extent, int64_t most) {
  int64_t result = std::min(extent, most);
  while (extent % result)
    --result;
  return result;
}

//===--------------------------------------------------------------------------===//
// The kernel
//===--------------------------------------------------------------------------===//

// Returns the columns and rows of cores for that much work.
static Shape gridFor(int64_t work, const CoreGrid &most) {
  int64_t columns = std::min(work, most.columns);
  return {columns, std::min<int64_t>(llvm::divideCeil(work, columns), most.rows)};
}

KernelBuilder::KernelBuilder(ModuleOp module, Location loc, StringRef name,
                             ArrayRef<RankedTensorType> tensors, ArrayRef<int64_t> steps,
                             const CoreGrid &most)
    : builder(module.getContext()), loc(loc), steps(steps),
      grid(gridFor(llvm::product_of(steps), most)) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> types(tensors.begin(), tensors.end());
  builder.setInsertionPointToEnd(module.getBody());
  OperationState state(loc, ttl::KernelOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(name));
  state.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(types, {})));
  state.addAttribute("grid", ttcore::GridAttr::get(context, grid));
  state.addAttribute("compute_config",
                     ttcore::ComputeConfigAttr::get(context, /*fp32_dest_acc_en=*/true, false,
                                                    false, ttcore::MathFidelity::HiFi4));
  auto body = std::make_unique<Block>();
  body->addArguments(types, SmallVector<Location>(types.size(), loc));
  state.addRegion()->push_back(body.release());
  op = cast<ttl::KernelOp>(builder.create(state));
}

Value KernelBuilder::addBuffer(StringRef name, RankedTensorType tensor, BlockShape block,
                               int64_t blocks) {
  MLIRContext *context = op.getContext();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getBody().front());
  auto tile =
      ttcore::TileType::get(context, 32, 32, *ttcore::getDataTypeOf(tensor.getElementType()));
  auto type = ttl::CircularBufferType::get(context, {block.rows, block.columns}, tile,
                                           /*bufferFactor=*/blocks);
  return ttl::CreateCBOp::create(builder, loc, type, name, {}, {}, {});
}

void KernelBuilder::addThread(Operation *thread, Body body) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&thread->getRegion(0).emplaceBlock());
  Type index = builder.getIndexType();
  auto core = ttl::CoreOp::create(builder, loc, TypeRange{index, index});
  AffineExpr x = builder.getAffineDimExpr(0), y = builder.getAffineDimExpr(1);
  Value number = apply(y * grid[0] + x, core->getResults());
  auto loop = scf::ForOp::create(builder, loc, number, constant(llvm::product_of(steps)),
                                 constant(grid[0] * grid[1]));
  builder.setInsertionPointToStart(loop.getBody());
  body(split(loop.getInductionVar(), steps));
}

void KernelBuilder::addCompute(Body body) {
  builder.setInsertionPointToEnd(&op.getBody().front());
  OperationState state(loc, ttl::ComputeThreadOp::getOperationName());
  state.addAttribute("name", builder.getStringAttr("compute"));
  state.addRegion();
  addThread(builder.create(state), body);
}

void KernelBuilder::addDataMovement(StringRef name, Body body) {
  builder.setInsertionPointToEnd(&op.getBody().front());
  OperationState state(loc, ttl::DataMovementThreadOp::getOperationName());
  state.addAttribute("name", builder.getStringAttr(name));
  state.addRegion();
  addThread(builder.create(state), body);
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

Value KernelBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelBuilder::apply(AffineExpr result, ValueRange operands) {
  if (auto known = dyn_cast<AffineConstantExpr>(result))
    return constant(known.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(result))
    return operands[dim.getPosition()];
  AffineMap map = AffineMap::get(operands.size(), 0, result);
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

Value KernelBuilder::times(Value value, int64_t factor) {
  return apply(builder.getAffineDimExpr(0) * factor, value);
}

SmallVector<Value> KernelBuilder::split(Value number, ArrayRef<int64_t> extents) {
  SmallVector<Value> result;
  int64_t stride = llvm::product_of(extents);
  AffineExpr n = builder.getAffineDimExpr(0);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    stride /= extent;
    AffineExpr quotient = n.floorDiv(stride);
    if (extent == 1)
      quotient = builder.getAffineConstantExpr(0);
    else if (stride * extent < llvm::product_of(extents))
      quotient = quotient % extent;
    result.push_back(apply(quotient, number));
  }
  return result;
}

Value KernelBuilder::isLast(Value number, int64_t extent) {
  return extent == 1 ? constant(1)
                     : apply(builder.getAffineDimExpr(0).floorDiv(extent - 1), number);
}

Value KernelBuilder::isBelow(Value number, Value bound) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number, bound);
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

Value KernelBuilder::wait(Value buffer) { return ttl::CBWaitOp::create(builder, loc, buffer); }

Value KernelBuilder::reserve(Value buffer) {
  return ttl::CBReserveOp::create(builder, loc, buffer);
}

void KernelBuilder::pop(Value block) { ttl::CBPopOp::create(builder, loc, block); }

void KernelBuilder::push(Value block) { ttl::CBPushOp::create(builder, loc, block); }

static BlockShape shapeOf(Value buffer) {
  ArrayRef<int64_t> shape = cast<ttl::CircularBufferType>(buffer.getType()).getShape();
  return {shape[0], shape[1]};
}

Value KernelBuilder::slice(unsigned tensor, ValueRange tiles, BlockShape shape) {
  Value argument = op.getBody().getArgument(tensor);
  auto type = cast<RankedTensorType>(argument.getType());
  auto accessor = ttl::TensorAccessorType::get(op.getContext(), type);
  SmallVector<int64_t> sizes(tiles.size() - 2, 1);
  sizes.append({shape.rows, shape.columns});
  Value whole = ttl::TensorAccessorOp::create(builder, loc, accessor, argument);
  return ttl::IndexAccessorOp::create(
      builder, loc, ttl::TensorSliceType::get(op.getContext(), sizes, type), whole, tiles);
}

Value KernelBuilder::throughBuffer(Value expression, Type element) {
  ArrayRef<int64_t> shape = ttl::getBlockShape(expression.getType());
  auto tensor = RankedTensorType::get(shape, element);
  std::string name = "rounded" + std::to_string(numRounded++);
  Value buffer = addBuffer(name, tensor, {shape[0], shape[1]});
  Value reserved = reserve(buffer);
  ttl::BlockStoreOp::create(builder, loc, reserved, expression, Value());
  push(reserved);
  return rounded.emplace_back(wait(buffer));
}

void KernelBuilder::closeBuffers() {
  for (Value block : rounded)
    pop(block);
  rounded.clear();
}

void KernelBuilder::copyIn(unsigned tensor, ValueRange tiles, BlockShape shape, Value block,
                           Value part) {
  Value copy = ttl::CopyOp::create(builder, loc, slice(tensor, tiles, shape), block, part);
  ttl::WaitOp::create(builder, loc, copy);
}

void KernelBuilder::load(unsigned tensor, ValueRange tiles, Value buffer) {
  Value block = reserve(buffer);
  copyIn(tensor, tiles, shapeOf(buffer), block);
  push(block);
}

void KernelBuilder::store(Value buffer, unsigned tensor, ValueRange tiles) {
  Value block = wait(buffer);
  Value copy = ttl::CopyOp::create(builder, loc, block, slice(tensor, tiles, shapeOf(buffer)));
  ttl::WaitOp::create(builder, loc, copy);
  pop(block);
}

Value KernelBuilder::loop(int64_t count, Value carried,
                          llvm::function_ref<Value(Value, Value)> body) {
  if (count == 1)
    return body(constant(0), carried);
  SmallVector<Value> first;
  if (carried)
    first.push_back(carried);
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(count), constant(1), first);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), carried ? loop.getRegionIterArg(0) : Value());
  if (!carried)
    return {};
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

KernelBuilder::Values
KernelBuilder::loopWithValues(Value count, ValueRange carried,
                              llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, constant(0), count, constant(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults());
}

void KernelBuilder::branch(Value condition, llvm::function_ref<void()> then,
                           llvm::function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

KernelBuilder::Values KernelBuilder::branchWithValues(Value condition, TypeRange types,
                                                      llvm::function_ref<Values()> then,
                                                      llvm::function_ref<Values()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, body] :
       {std::pair(branch.thenBlock(), then), std::pair(branch.elseBlock(), otherwise)}) {
    builder.setInsertionPointToStart(block);
    scf::YieldOp::create(builder, loc, body());
  }
  return Values(branch.getResults());
}
