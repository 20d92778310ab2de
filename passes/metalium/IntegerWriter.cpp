//===- IntegerWriter.cpp - calls that compute on integers ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/IntegerWriter.h"

#include "ir/TTKernel/DeviceCalls.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

std::optional<ttcore::DataType> tometalium::integerTypeOf(Value buffer) {
  auto type = dyn_cast<ttkernel::CBType>(ttkernel::typeOf(buffer));
  auto tile = type ? dyn_cast<ttcore::TileType>(type.getElementType()) : ttcore::TileType();
  if (!tile || hw::isFloatFormat(ttcore::getDataFormat(tile.getDataType())))
    return std::nullopt;
  return tile.getDataType();
}

bool tometalium::isIntegerReduction(Operation *op) {
  return ttkernel::isCall<ttkernel::ReduceTileOp>(op) && integerTypeOf(op->getOperand(0));
}

bool tometalium::isIntegerProduct(Operation *op) {
  return ttkernel::isCall<ttkernel::MatmulTilesOp>(op) && integerTypeOf(op->getOperand(0));
}

Operation *tometalium::sectionOfCall(emitc::CallOpaqueOp call) {
  for (Operation *at = call; !isa<emitc::FuncOp>(at); at = at->getParentOp())
    for (Operation *before = at->getPrevNode(); before; before = before->getPrevNode())
      if (auto other = dyn_cast<emitc::CallOpaqueOp>(before);
          other && other.getCallee() == "tile_regs_acquire")
        return before;
  return nullptr;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

void IntegerWriter::call(StringRef callee, ValueRange operands, ArrayRef<Attribute> arguments) {
  emitc::CallOpaqueOp::create(builder, loc, TypeRange(), callee, operands, ArrayAttr(),
                              arguments.empty() ? ArrayAttr() : builder.getArrayAttr(arguments));
}

void IntegerWriter::call(StringRef callee, ValueRange operands, StringRef format) {
  format.empty() ? call(callee, operands, ArrayRef<Attribute>())
                 : call(callee, operands, opaque("DataFormat::" + format));
}

void IntegerWriter::initAndCall(StringRef callee, ValueRange operands, StringRef format,
                                StringRef initFormat) {
  call((callee + "_init").str(), {}, initFormat);
  call(callee, operands, format);
}

void IntegerWriter::typecast(Value reg, StringRef from, StringRef to) {
  SmallVector<Attribute> formats;
  for (StringRef format : {from, to})
    formats.push_back(opaque("static_cast<uint32_t>(DataFormat::" + format + ")"));
  call("typecast_tile_init", {}, formats);
  call("typecast_tile", reg, formats);
}

void IntegerWriter::unpack(StringRef callee, Value buffer, Value tile, Value reg,
                           ttcore::DataType type) {
  call(callee, {buffer, tile, reg});
  if (type == ttcore::DataType::UInt16)
    typecast(reg, "UInt16", "UInt32");
}

// Fills the mask: cumsum_tile of ones gives each row its number.
void IntegerWriter::fillMask(Value reg, Value rowBits) {
  initAndCall("fill_tile", {reg, real(1.0f)});
  initAndCall("cumsum_tile", reg);
  initAndCall("unary_eq_tile", {reg, rowBits});
}

void IntegerWriter::multiply(Value a, Value b, Value to) {
  initAndCall("mul_int_tile", {a, b, to}, "Int32", "Int32");
}

//===--------------------------------------------------------------------------===//
// Operands
//===--------------------------------------------------------------------------===//

Attribute IntegerWriter::opaque(const Twine &text) {
  return emitc::OpaqueAttr::get(builder.getContext(), text.str());
}
Value IntegerWriter::number(int64_t value) {
  return emitc::ConstantOp::create(builder, loc, builder.getI32Type(),
                                   builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}
Value IntegerWriter::word(uint32_t bits) {
  return emitc::LiteralOp::create(builder, loc, builder.getIntegerType(32, /*isSigned=*/false),
                                  "0x" + llvm::utohexstr(bits, /*LowerCase=*/true) + "u");
}
Value IntegerWriter::real(float value) {
  return emitc::ConstantOp::create(builder, loc, builder.getF32Type(),
                                   builder.getF32FloatAttr(value));
}
