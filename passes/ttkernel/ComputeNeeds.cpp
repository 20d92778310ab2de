//===- ComputeNeeds.cpp - the setup that a compute call needs -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/ComputeNeeds.h"

#include "hw/facts/TileOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool Setup::operator==(const Setup &other) const {
  bool byFormat = isOf<ttkernel::CopyTileInitOp>() || isBroadcast();
  bool sameBuffer = a == other.a || (byFormat && a && other.a && formatOf(a) == formatOf(other.a));
  return sameBuffer && b == other.b && init == other.init && format == other.format &&
         attributes == other.attributes;
}

bool Setup::isElementwise() const {
  return isOf<ttkernel::AddTilesInitOp>() || isOf<ttkernel::SubTilesInitOp>() ||
         isOf<ttkernel::MulTilesInitOp>();
}

std::pair<Value, Value> Setup::sources() const {
  if (isOf<ttkernel::MMInitShortOp>())
    return {b, a};
  bool usesBoth = isBroadcast() && sourceFormat(a) != kFloat32ToDST;
  return {a, usesBoth ? a : b};
}

bool Setup::bypassesSources() const {
  return isOf<ttkernel::CopyTileInitOp>() || isOf<ttkernel::TransposeWHInitShortOp>() ||
         isBroadcast();
}

int Setup::sourceFormat(Value buffer) const {
  int format = formatOf(buffer);
  bool isFloat32 = format == static_cast<int>(ttcore::DataType::Float32);
  return isFloat32 && bypassesSources() ? kFloat32ToDST : format;
}

// Notes the formats of the source registers. unary_bcast_init configures both, but needs one.
void ComputeState::setSources(const Setup &setup) {
  auto [a, b] = setup.sources();
  srcA = setup.sourceFormat(a);
  if (setup.isBroadcast())
    srcB = srcA;
  else if (b)
    srcB = setup.sourceFormat(b);
}

int ttjit::formatOf(Value buffer) {
  Type element = cast<ttkernel::CBType>(ttkernel::typeOf(buffer)).getElementType();
  if (auto tile = dyn_cast<ttcore::TileType>(element))
    return static_cast<int>(tile.getDataType());
  return static_cast<int>(*ttcore::getDataTypeOf(element));
}

Value ttjit::packTarget(Operation *op) {
  if (auto pack = ttkernel::asCall<ttkernel::PackTileOp>(op))
    return pack.getCb();
  auto block = ttkernel::asCall<ttkernel::PackTileBlockOp>(op);
  return block ? block.getCb() : Value();
}

template <typename InitOp>
static SetupNeed unpack(Value a, Value b = {}, DictionaryAttr attributes = {}) {
  return {Unpack, {a, b, InitOp::getOperationName(), -1, attributes}};
}

static SetupNeed sfpu(StringRef init) { return {SFPU, {{}, {}, init, -1, {}}}; }

// The name of the init op outlives the op: the MLIR context keeps it.
static SetupNeed needOfRow(hw::TileOp row, MLIRContext *context) {
  return sfpu(StringAttr::get(context, Twine("ttkernel.") + hw::factsOf(row).init));
}

std::optional<SetupNeed> ttjit::setupNeedOf(Operation *op) {
  using namespace ttkernel;
  if (!isDeviceCall(op))
    return std::nullopt;
  if (std::optional<hw::TileOp> row = rowOf(op))
    return needOfRow(*row, op->getContext());
  return CallSwitch<std::optional<SetupNeed>>(op)
      .Case<CopyTileOp>([](auto copy) { return unpack<CopyTileInitOp>(copy.getCb()); })
      .Case<MatmulTilesOp>(
          [](auto product) { return unpack<MMInitShortOp>(product.getIn0(), product.getIn1()); })
      .Case<ReduceTileOp>([](auto reduce) {
        return unpack<ReduceInitOp>(reduce.getIn(), reduce.getScaling(), attributesOf(reduce));
      })
      .Case<UnaryBcastOp>([](auto bcast) {
        return unpack<UnaryBcastInitOp>(bcast.getIn(), {}, attributesOf(bcast));
      })
      .Case<TransposeWHTileOp>(
          [](auto transpose) { return unpack<TransposeWHInitShortOp>(transpose.getIn()); })
      .Case<AddTilesOp>([](auto sum) { return unpack<AddTilesInitOp>(sum.getIn0(), sum.getIn1()); })
      .Case<SubTilesOp>([](auto sum) { return unpack<SubTilesInitOp>(sum.getIn0(), sum.getIn1()); })
      .Case<MulTilesOp>(
          [](auto product) { return unpack<MulTilesInitOp>(product.getIn0(), product.getIn1()); })
      .Case<PackTileOp, PackTileBlockOp>(
          [](auto pack) { return SetupNeed{Pack, {{}, {}, "", formatOf(pack.getCb()), {}}}; })
      .Case<FillTileOp>([](auto) { return sfpu(FillTileInitOp::getOperationName()); })
      .Case<CopyDestValuesOp>([](auto) { return sfpu(CopyDestValuesInitOp::getOperationName()); })
      .Default(std::nullopt);
}
