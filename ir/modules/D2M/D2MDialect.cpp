//===- D2MDialect.cpp - the dialect d2m, its types and attributes -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/D2M/D2M.h"

#include "ir/Messages/UnknownNames.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::d2m;

#include "ir/modules/D2M/D2MDialect.cpp.inc"
#include "ir/modules/D2M/D2MEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/modules/D2M/D2MAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/modules/D2M/D2MTypes.cpp.inc"

void D2MDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/modules/D2M/D2MAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/modules/D2M/D2MTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/modules/D2M/D2MOps.cpp.inc"
      >();
  registerTileOps();
}

//===--------------------------------------------------------------------------===//
// Text of attributes, types and unknown ops
//===--------------------------------------------------------------------------===//

static std::string adviceOnAttribute(StringRef name) {
  return ttjit::describeUnknown("attribute of d2m", name,
                                ttjit::mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "ir/modules/D2M/D2MAttrs.cpp.inc"
                                    >());
}

Attribute D2MDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return ttjit::parseKnown<Attribute>(
      parser,
      [&](StringRef *name, Attribute &attribute) {
        return generatedAttributeParser(parser, name, type, attribute);
      },
      adviceOnAttribute);
}

void D2MDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

static std::string adviceOnType(StringRef name) {
  return ttjit::describeUnknown("type of d2m", name,
                                ttjit::mnemonicsOf<
#define GET_TYPEDEF_LIST
#include "ir/modules/D2M/D2MTypes.cpp.inc"
                                    >());
}

Type D2MDialect::parseType(DialectAsmParser &parser) const {
  return ttjit::parseKnown<Type>(
      parser,
      [&](StringRef *name, Type &type) -> OptionalParseResult {
        OptionalParseResult parsed = generatedTypeParser(parser, name, type);
        if (parsed.has_value() || *name != "semaphore")
          return parsed;
        type = LocalSemaphoreType::get(getContext());
        return success();
      },
      adviceOnType);
}

void D2MDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

std::optional<Dialect::ParseOpHook> D2MDialect::getParseOperationHook(StringRef opName) const {
  return [](OpAsmParser &parser, OperationState &result) -> ParseResult {
    SmallVector<StringRef> names;
    for (RegisteredOperationName op : parser.getContext()->getRegisteredOperationsByDialect("d2m"))
      names.push_back(op.stripDialect());
    return parser.emitError(parser.getNameLoc())
           << "is not supported: "
           << ttjit::describeUnknown("op of d2m", result.name.stripDialect(), names);
  };
}

//===--------------------------------------------------------------------------===//
// #d2m.thread
//===--------------------------------------------------------------------------===//

Attribute ThreadAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SymbolRefAttr symbol;
  int32_t core = -1;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<ThreadType> type = symbolizeThreadType(keyword);
  if (!type) {
    parser.emitError(loc) << ttjit::describeUnknown("kind of thread", keyword,
                                                    {"compute", "datamovement", "unified"});
    return {};
  }
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("dm_core"))) {
      if (parser.parseEqual() || parser.parseInteger(core))
        return {};
    } else if (parser.parseAttribute(symbol)) {
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *type, symbol, core);
}

void ThreadAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyThreadType(getThreadType());
  if (getKernelSymbol())
    printer << ", " << getKernelSymbol();
  if (getDmCoreIndex() != -1)
    printer << ", dm_core = " << getDmCoreIndex();
  printer << ">";
}

//===--------------------------------------------------------------------------===//
// #d2m.topk_plan: kept as text
//===--------------------------------------------------------------------------===//

Attribute TopKPlanAttr::parse(AsmParser &parser, Type) {
  StringRef text = static_cast<DialectAsmParser &>(parser).getFullSymbolSpec();
  return get(parser.getContext(), text.drop_front(getMnemonic().size()));
}

void TopKPlanAttr::print(AsmPrinter &printer) const { printer << getText(); }

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

Type CBType::parse(AsmParser &parser) {
  Type underlying;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(underlying) || parser.parseGreater())
    return {};
  if (auto shaped = dyn_cast<ShapedType>(underlying))
    return parser.getChecked<CBType>(loc, parser.getContext(), shaped);
  parser.emitError(loc) << "the blocks of a queue must be tensors or memrefs, found " << underlying;
  return {};
}

void CBType::print(AsmPrinter &printer) const { printer << "<" << getUnderlying() << ">"; }

LogicalResult CBType::verify(function_ref<InFlightDiagnostic()> emitError, ShapedType type) {
  if (isa<RankedTensorType, MemRefType>(type))
    return success();
  return emitError() << "the blocks of a queue must be tensors or memrefs with a rank, found "
                     << type;
}

Type MemTxType::parse(AsmParser &parser) {
  if (failed(parser.parseOptionalLess()))
    return get(parser.getContext(), DMAType::Read); // older text has no direction
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  if (std::optional<DMAType> type = symbolizeDMAType(keyword))
    return get(parser.getContext(), *type);
  parser.emitError(loc) << ttjit::describeUnknown("direction of a transfer", keyword,
                                                  {"read", "write", "mcast_write"});
  return {};
}

void MemTxType::print(AsmPrinter &printer) const {
  printer << "<" << stringifyDMAType(getDmaType()) << ">";
}
