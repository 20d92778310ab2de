//===- TTIR.cpp - tt-mlir's tensor operations ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTIR/TTIR.h"

#include "ir/TTCore/RowModel.h"
#include "ir/TTCore/TTCore.h"
#include "ir/modules/D2M/D2M.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::tt::ttir::TTIRDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::tt::ttir::TTIROp)

using Model = ttcore::RowModel<TTIROp, const OpFacts *>;

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

ArrayRef<OpFacts> ttir::allOps() {
  static const std::vector<OpFacts> rows = {
#define TTIR_OP(name, kind, types, formula, ...)                                                   \
  {name, OpKind::kind, TypeRule::types, formula, {__VA_ARGS__}},
#include "ir/modules/TTIR/TTIROps.def"
  };
  return rows;
}

ArrayRef<StringRef> ttir::opNames() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(allOps(), [](const OpFacts &row) { return row.name; });
  return names;
}

const OpFacts &TTIROp::facts() const { return *Model::rowOf((*this)->getName()); }

TTIRDialect::TTIRDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<TTIRDialect>()) {
  context->loadDialect<ttcore::TTCoreDialect>();
  for (const OpFacts &row : allOps())
    Model::insert(*this, row.name, &row);
}

TTIROp TTIROp::create(OpBuilder &builder, Location loc, StringRef name, TypeRange results,
                      ValueRange operands, ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, ("ttir." + name).str(), operands, results);
  state.getOrAddProperties<Properties>().attributes = builder.getDictionaryAttr(attributes);
  return cast<TTIROp>(builder.create(state));
}

//===--------------------------------------------------------------------------===//
// Operands and attributes
//===--------------------------------------------------------------------------===//

// Returns the least number of operands; the verifier counts those of a concat.
static unsigned minOperands(const OpFacts &row) {
  switch (row.kind) {
  case OpKind::Arange:
  case OpKind::Constant:
  case OpKind::Empty:
  case OpKind::Full:
    return 0;
  case OpKind::Binary:
  case OpKind::DotGeneral:
  case OpKind::Linear:
  case OpKind::Matmul:
  case OpKind::Convolution:
  case OpKind::TransposedConvolution:
  case OpKind::Embedding:
  case OpKind::Gather:
  case OpKind::ToLayout:
    return 2;
  case OpKind::Scatter:
  case OpKind::Ternary:
    return 3;
  default:
    return 1;
  }
}

bool TTIROp::hasDestination() {
  Operation *op = getOperation();
  if (op->getNumResults() != 1 || op->getNumOperands() <= minOperands(facts()))
    return false;
  Value last = op->getOperands().back();
  auto source = last.getDefiningOp<TTIROp>();
  return source && source.facts().kind == OpKind::Empty &&
         last.getType() == op->getResult(0).getType();
}

OperandRange TTIROp::inputs() {
  OperandRange all = (*this)->getOperands();
  return hasDestination() ? all.drop_back() : all;
}

RankedTensorType TTIROp::inputType(unsigned index) {
  return cast<RankedTensorType>((*this)->getOperand(index).getType());
}

RankedTensorType TTIROp::resultType(unsigned index) {
  return cast<RankedTensorType>((*this)->getResult(index).getType());
}

std::optional<int64_t> ttir::integerOf(Attribute attribute) {
  auto integer = dyn_cast_if_present<IntegerAttr>(attribute);
  if (!integer || integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  bool isUnsigned = integer.getType().isUnsignedInteger();
  return isUnsigned ? static_cast<int64_t>(integer.getValue().getZExtValue())
                    : integer.getValue().getSExtValue();
}

std::optional<SmallVector<int64_t>> ttir::integersOf(Attribute attribute) {
  SmallVector<int64_t> result;
  if (auto array = dyn_cast_if_present<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto array = dyn_cast_if_present<DenseI32ArrayAttr>(attribute))
    return SmallVector<int64_t>(array.asArrayRef());
  auto array = dyn_cast_if_present<ArrayAttr>(attribute);
  if (!array)
    return std::nullopt;
  for (Attribute each : array) {
    std::optional<int64_t> integer = integerOf(each);
    if (!integer)
      return std::nullopt;
    result.push_back(*integer);
  }
  return result;
}

std::optional<double> ttir::numberOf(Attribute attribute) {
  if (auto number = dyn_cast_if_present<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (std::optional<int64_t> integer = integerOf(attribute))
    return static_cast<double>(*integer);
  return std::nullopt;
}

DenseElementsAttr ttir::elementsOf(Attribute attribute) {
  auto resource = dyn_cast_if_present<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return dyn_cast_if_present<DenseElementsAttr>(attribute);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  ShapedType type = resource.getType();
  if (!blob || !type.getElementType().isIntOrFloat())
    return {};
  bool isSplat = false;
  ArrayRef<char> bytes = blob->getData();
  if (!DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
    return {};
  // isValidRawBuffer() also accepts the bytes of one element, which a resource must not have.
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  if (8 * static_cast<int64_t>(bytes.size()) < bits)
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

std::optional<StringRef> ttir::reductionOf(Attribute attribute) {
  auto text = dyn_cast_if_present<OpaqueAttr>(attribute);
  StringRef name = text ? text.getAttrData() : StringRef();
  if (!name.consume_front("reduce_type<") || !name.consume_back(">"))
    return std::nullopt;
  name = name.trim();
  if (name == "invalid")
    return StringRef();
  return llvm::is_contained({"sum", "prod", "min", "max"}, name) ? std::optional(name)
                                                                 : std::nullopt;
}

StringRef ttir::scatterRule(TTIROp op) {
  return reductionOf(op.attribute("scatter_reduce_type")).value_or("");
}

Attribute TTIROp::attribute(StringRef name) {
  DictionaryAttr attributes = getProperties().attributes;
  return attributes ? attributes.get(name) : Attribute();
}

bool TTIROp::getBool(StringRef name, bool otherwise) {
  auto value = dyn_cast_if_present<BoolAttr>(attribute(name));
  return value ? value.getValue() : otherwise;
}

int64_t TTIROp::getInteger(StringRef name, int64_t otherwise) {
  return integerOf(attribute(name)).value_or(otherwise);
}

SmallVector<int64_t> TTIROp::getIntegers(StringRef name) {
  return integersOf(attribute(name)).value_or(SmallVector<int64_t>());
}

double TTIROp::getNumber(StringRef name, double otherwise) {
  return numberOf(attribute(name)).value_or(otherwise);
}

SmallVector<int64_t> TTIROp::getReducedDims() {
  int64_t rank = inputType(0).getRank();
  SmallVector<int64_t> dims = getIntegers("dim_arg");
  if (!attribute("dim_arg"))
    dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t &dim : dims)
    dim += dim < 0 ? rank : 0;
  llvm::sort(dims);
  return dims;
}

//===--------------------------------------------------------------------------===//
// Properties
//===--------------------------------------------------------------------------===//

LogicalResult TTIROp::setPropertiesFromAttr(Properties &properties, Attribute attr,
                                            function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast_if_present<DictionaryAttr>(attr);
  if (!dictionary)
    return emitError() << "expected attributes in braces, such as <{dim = 1 : si32}>";
  properties.attributes = dictionary;
  return success();
}

Attribute TTIROp::getPropertiesAsAttr(MLIRContext *, const Properties &properties) {
  DictionaryAttr attributes = properties.attributes;
  return attributes && !attributes.empty() ? attributes : Attribute();
}

llvm::hash_code TTIROp::computePropertiesHash(const Properties &properties) {
  return hash_value(properties.attributes);
}

std::optional<Attribute> TTIROp::getInherentAttr(MLIRContext *, const Properties &properties,
                                                 StringRef name) {
  if (name.contains('.'))
    return std::nullopt;
  return properties.attributes ? properties.attributes.get(name) : Attribute();
}

void TTIROp::setInherentAttr(Properties &properties, StringRef name, Attribute value) {
  NamedAttrList attributes(properties.attributes);
  if (value)
    attributes.set(name, value);
  else
    attributes.erase(name);
  MLIRContext *context = value ? value.getContext() : properties.attributes.getContext();
  properties.attributes = attributes.getDictionary(context);
}

void TTIROp::populateInherentAttrs(MLIRContext *, const Properties &properties,
                                   NamedAttrList &attributes) {
  if (properties.attributes)
    attributes.append(properties.attributes.getValue());
}

//===--------------------------------------------------------------------------===//
// Text: most ops have MLIR's generic form
//===--------------------------------------------------------------------------===//

// Parses `ttir.empty() : tensor<64x64xf32>`.
static ParseResult parseEmpty(OpAsmParser &parser, OperationState &result) {
  Type type;
  if (parser.parseLParen() || parser.parseRParen() ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return success();
}

// Parses `ttir.to_layout %a, %b : tensor<..> into tensor<..> -> tensor<..>`.
static ParseResult parseToLayout(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand input, output;
  Type from, into, type;
  if (parser.parseOperand(input) || parser.parseComma() || parser.parseOperand(output))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("hostInfo"))) {
    Attribute info;
    if (parser.parseEqual() || parser.parseAttribute(info))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(from) ||
      parser.parseKeyword("into") || parser.parseType(into) || parser.parseArrow() ||
      parser.parseType(type) || parser.resolveOperand(input, from, result.operands) ||
      parser.resolveOperand(output, into, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

// Parses an op of tt-mlir's ttir that belongs to programs of d2m: it becomes an op of d2m.
static ParseResult parseLayoutCast(OpAsmParser &parser, OperationState &result) {
  using d2m::TTNNMetalLayoutCastOp;
  parser.getContext()->getOrLoadDialect<d2m::D2MDialect>();
  result.name = OperationName(TTNNMetalLayoutCastOp::getOperationName(), parser.getContext());
  return TTNNMetalLayoutCastOp::parse(parser, result);
}

std::optional<Dialect::ParseOpHook> TTIRDialect::getParseOperationHook(StringRef opName) const {
  if (opName == "ttir.ttnn_metal_layout_cast")
    return ParseOpHook(parseLayoutCast);
  if (opName == "ttir.empty")
    return ParseOpHook(parseEmpty);
  if (opName == "ttir.to_layout")
    return ParseOpHook(parseToLayout);
  return std::nullopt;
}

Attribute TTIRDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    parser.emitError(loc, "attributes of ttir are not supported, and this one has no name");
  if (name.empty())
    return {};
  auto error = parser.emitError(loc) << "#ttir." << name << " is not supported";
  if (name == "flattened_compat")
    error << ": an image must have the dimensions batch, height, width and channels; take the "
             "module from before the pass that flattens images";
  return {};
}

static void printEmpty(Operation *op, OpAsmPrinter &printer) {
  printer << "()";
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getResult(0).getType();
}

static void printToLayout(Operation *op, OpAsmPrinter &printer) {
  printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getOperand(0).getType() << " into " << op->getOperand(1).getType()
          << " -> " << op->getResult(0).getType();
}

llvm::unique_function<void(Operation *, OpAsmPrinter &)>
TTIRDialect::getOperationPrinter(Operation *op) const {
  switch (cast<TTIROp>(op).facts().kind) {
  case OpKind::Empty:
    return printEmpty;
  case OpKind::ToLayout:
    return printToLayout;
  default:
    return {};
  }
}
