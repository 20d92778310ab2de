//===- Linalg.cpp - the part of linalg that d2m modules have ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/Linalg/Linalg.h"

#include "ir/Messages/UnknownNames.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::linalg;

#include "ir/modules/Linalg/LinalgDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/modules/Linalg/LinalgOps.cpp.inc"

void LinalgDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/modules/Linalg/LinalgOps.cpp.inc"
      >();
}

static ParseResult refuseLinalg(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc())
         << "is not supported: of linalg, linalg.generic is read in a d2m.generic; in a ttl.kernel "
            "write ttl.compute, which has indexing_maps and iterator_types too and takes blocks";
}

std::optional<Dialect::ParseOpHook> LinalgDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(refuseLinalg);
}

Attribute LinalgDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef mnemonic, kind;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic != "iterator_type") {
    parser.emitError(loc) << ttjit::describeUnknown("attribute of linalg", mnemonic,
                                                    {"iterator_type"});
    return {};
  }
  if (parser.parseLess() || parser.parseKeyword(&kind) || parser.parseGreater())
    return {};
  return parser.getBuilder().getStringAttr(kind);
}

//===--------------------------------------------------------------------------===//
// linalg.yield
//===--------------------------------------------------------------------------===//

// Outside of linalg.generic the op is a ttl.yield from the start, so that nothing that the parser
// notes about it, such as a language server's index, becomes stale.
ParseResult YieldOp::parse(OpAsmParser &parser, OperationState &result) {
  if (!parser.getContext()->getLoadedDialect<LinalgDialect>()->openBodies) {
    result.name = OperationName(ttl::YieldOp::getOperationName(), parser.getContext());
    return ttl::YieldOp::parse(parser, result);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> values;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  return failure(parser.parseOperandList(values) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 parser.parseOptionalColonTypeList(types) ||
                 parser.resolveOperands(values, types, loc, result.operands));
}

void YieldOp::print(OpAsmPrinter &printer) {
  if (!getValues().empty())
    printer << " " << getValues();
  printer.printOptionalAttrDict((*this)->getAttrs());
  if (!getValues().empty())
    printer << " : " << getValues().getTypes();
}

//===--------------------------------------------------------------------------===//
// linalg.generic
//===--------------------------------------------------------------------------===//

// Parses `keyword (%a, %b : A, B)`, or nothing.
static ParseResult parseOperands(OpAsmParser &parser, StringRef keyword, OperationState &result,
                                 int32_t &count) {
  count = 0;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(operands) ||
      parser.parseOptionalColonTypeList(types) || parser.parseRParen())
    return failure();
  count = operands.size();
  return parser.resolveOperands(operands, types, loc, result.operands);
}

static ParseResult parseBody(OpAsmParser &parser, OperationState &result) {
  auto *dialect = parser.getContext()->getLoadedDialect<LinalgDialect>();
  ++dialect->openBodies;
  ParseResult parsed = parser.parseRegion(*result.addRegion());
  --dialect->openBodies;
  return parsed;
}

ParseResult GenericOp::parse(OpAsmParser &parser, OperationState &result) {
  int32_t sizes[2];
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parseOperands(parser, "ins", result, sizes[0]) ||
      parseOperands(parser, "outs", result, sizes[1]))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("attrs")) &&
      (parser.parseEqual() || parser.parseOptionalAttrDict(result.attributes)))
    return failure();
  result.addAttribute(getOperandSegmentSizeAttr(), parser.getBuilder().getDenseI32ArrayAttr(sizes));
  return failure(parseBody(parser, result) || parser.parseOptionalArrowTypeList(result.types));
}

static void printOperands(OpAsmPrinter &printer, StringRef keyword, OperandRange operands) {
  if (!operands.empty())
    printer << " " << keyword << "(" << operands << " : " << operands.getTypes() << ")";
}

void GenericOp::print(OpAsmPrinter &printer) {
  StringRef inherent[] = {getIndexingMapsAttrName(), getIteratorTypesAttrName()};
  printer << " {indexing_maps = " << getIndexingMaps()
          << ", iterator_types = " << getIteratorTypes() << "}";
  printOperands(printer, "ins", getInputs());
  printOperands(printer, "outs", getOutputs());
  SmallVector<NamedAttribute> others;
  for (NamedAttribute attr : (*this)->getAttrs())
    if (!llvm::is_contained(inherent, attr.getName()) &&
        attr.getName() != getOperandSegmentSizeAttr())
      others.push_back(attr);
  if (!others.empty()) {
    printer << " attrs =";
    printer.printOptionalAttrDict(others);
  }
  printer << " ";
  printer.printRegion(getRegion());
  if (getNumResults())
    printer << " -> " << getResultTypes();
}

static LogicalResult verifyElements(GenericOp op) {
  Block &body = op.getRegion().front();
  if (body.getNumArguments() != op->getNumOperands())
    return op.emitOpError("must have a body with one argument for each of its ")
           << op->getNumOperands() << " operands, found " << body.getNumArguments();
  for (auto [argument, operand] : llvm::zip(body.getArguments(), op->getOperands())) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (argument.getType() != element)
      return op.emitOpError(
                 "must have a body whose arguments are the operands' elements: expected ")
             << element << ", found " << argument.getType();
  }
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getValues().size() != op.getOutputs().size())
    return op.emitOpError("must end with a linalg.yield of one value for each of its ")
           << op.getOutputs().size() << " outputs";
  return success();
}

LogicalResult GenericOp::verify() {
  if (getIndexingMaps().size() != getNumOperands())
    return emitOpError("must have one indexing map for each of its ")
           << getNumOperands() << " operands, found " << getIndexingMaps().size();
  for (Attribute type : getIteratorTypes())
    if (auto text = dyn_cast<StringAttr>(type);
        !text || (text != "parallel" && text != "reduction"))
      return emitOpError("must have the iterator types \"parallel\" and \"reduction\", found ")
             << type;
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    AffineMap map = getIndexingMap(i);
    auto shaped = dyn_cast<ShapedType>(getOperand(i).getType());
    unsigned rank = shaped ? shaped.getRank() : 0;
    if (map.getNumDims() != getIteratorTypes().size() || map.getNumResults() != rank)
      return emitOpError("must have indexing maps of its ")
             << getIteratorTypes().size() << " iterators to the " << rank
             << " dimensions of operand " << i << ", found " << AffineMapAttr::get(map);
  }
  return verifyElements(*this);
}
