//===- TTKernelDialect.cpp - the ttkernel dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Messages/UnknownNames.h"
#include "ir/TTKernel/TTKernelResetOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

#include "ir/TTKernel/TTKernelDialect.cpp.inc"
#include "ir/TTKernel/TTKernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTKernel/TTKernelTypes.cpp.inc"

template <typename OpT> static LogicalResult verifyTransactionId(OpT op) {
  APInt id;
  if (matchPattern(op.getTrid(), m_ConstantInt(&id)) && id.ugt(15))
    return op.emitOpError("the transaction id must be 0 to 15, found ") << id.getSExtValue();
  return success();
}
LogicalResult NocAsyncReadSetTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncWriteSetTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncReadBarrierWithTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncWriteBarrierWithTridOp::verify() { return verifyTransactionId(*this); }

void TTKernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TTKernel/TTKernelTypes.cpp.inc"
      >();
  registerTTKernelDialectOperations(this);
  registerTileRows(this);
  registerResetOps(this);
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

// Says what to write instead of an attribute that this dialect does not have.
static std::string adviceOnAttribute(StringRef name) {
  if (name == "tensor_accessor_args" || name == "layout")
    return ("#ttkernel." + name +
            " is not supported: the layout of a tensor is part of its type, as in "
            "tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>")
        .str();
  return ttjit::describeUnknown("attribute of ttkernel", name,
                                ttjit::mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"
                                    >());
}

Attribute TTKernelDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return ttjit::parseKnown<Attribute>(
      parser,
      [&](StringRef *name, Attribute &attribute) -> OptionalParseResult {
        OptionalParseResult parsed = generatedAttributeParser(parser, name, type, attribute);
        if (parsed.has_value() || *name != "arg_spec")
          return parsed;
        // What tt-mlir binds the arguments of a function to: kept as text.
        attribute = StringAttr::get(getContext(), parser.getFullSymbolSpec());
        return success();
      },
      adviceOnAttribute);
}

void TTKernelDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

static std::string adviceOnType(StringRef name) {
  return ttjit::describeUnknown("type of ttkernel", name,
                                ttjit::mnemonicsOf<
#define GET_TYPEDEF_LIST
#include "ir/TTKernel/TTKernelTypes.cpp.inc"
                                    >());
}

Type TTKernelDialect::parseType(DialectAsmParser &parser) const {
  return ttjit::parseKnown<Type>(
      parser, [&](StringRef *name, Type &type) { return generatedTypeParser(parser, name, type); },
      adviceOnType);
}

void TTKernelDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}
