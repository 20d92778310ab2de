//===- TTCpp.cpp - the ttcpp dialect ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCpp/TTCpp.h"

#include "ir/Messages/UnknownNames.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttcpp;

#include "ir/TTCpp/TTCppDialect.cpp.inc"
#include "ir/TTCpp/TTCppEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTCpp/TTCppAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ir/TTCpp/TTCppOps.cpp.inc"

void TTCppDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTCpp/TTCppAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/TTCpp/TTCppOps.cpp.inc"
      >();
}

static std::string adviceOnAttribute(StringRef name) {
  return ttjit::describeUnknown("attribute of ttcpp", name,
                                ttjit::mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "ir/TTCpp/TTCppAttrs.cpp.inc"
                                    >());
}

Attribute TTCppDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return ttjit::parseKnown<Attribute>(
      parser,
      [&](StringRef *name, Attribute &attribute) {
        return generatedAttributeParser(parser, name, type, attribute);
      },
      adviceOnAttribute);
}

void TTCppDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

//===--------------------------------------------------------------------------===//
// Queries
//===--------------------------------------------------------------------------===//

SmallVector<EffectAttr> CallOp::getEffectList() {
  SmallVector<EffectAttr> list;
  if (ArrayAttr stated = getEffectsAttr())
    for (Attribute effect : stated)
      list.push_back(cast<EffectAttr>(effect));
  return list;
}

bool CallOp::isInspected(int64_t dependency) {
  std::optional<ArrayRef<int64_t>> stated = getInspected();
  return stated && llvm::is_contained(*stated, dependency);
}

bool CallOp::isOpaque(int64_t dependency) {
  return !isInspected(dependency) && llvm::none_of(getEffectList(), [&](EffectAttr effect) {
    return effect.getDependency() == dependency;
  });
}

bool CallOp::isRawAddress(int64_t argument) {
  std::optional<ArrayRef<int64_t>> stated = getRawAddresses();
  return stated && llvm::is_contained(*stated, argument);
}

//===--------------------------------------------------------------------------===//
// Verification
//===--------------------------------------------------------------------------===//

static bool isBuffer(Type type) { return isa<ttl::CircularBufferType, ttkernel::CBType>(type); }

// Returns whether the text is a name, perhaps in namespaces. Other text would be code.
static bool isFunctionName(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, "::");
  return llvm::all_of(parts, [](StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

static LogicalResult verifyNames(CallOp op) {
  if (!isFunctionName(op.getCallee()))
    return op.emitOpError("expects the name of a C++ function, found '") << op.getCallee() << "'";
  if (op.getHeader().empty() || op.getHeader().find_first_of("\"\n\\") != StringRef::npos)
    return op.emitOpError("must name a header without quotes, backslashes and line breaks, found '")
           << op.getHeader() << "'";
  return success();
}

static LogicalResult verifyPosition(CallOp op, int64_t position, size_t count, StringRef list) {
  if (position >= 0 && position < static_cast<int64_t>(count))
    return success();
  return op.emitOpError("names number ") << position << " of its " << count << " " << list;
}

static LogicalResult verifyTemplateArgument(CallOp op, Attribute argument) {
  size_t count = op.getDependencies().size();
  if (auto descriptor = dyn_cast<DescriptorAttr>(argument))
    return verifyPosition(op, descriptor.getDependency(), count, "dependencies");
  if (auto id = dyn_cast<BufferIdAttr>(argument))
    return verifyPosition(op, id.getDependency(), count, "dependencies");
  if (isa<BufferFactsAttr>(argument))
    return success();
  auto number = dyn_cast<IntegerAttr>(argument);
  if (number && (number.getType().isInteger(1) || number.getType().isSignedInteger(32) ||
                 number.getType().isUnsignedInteger(32)))
    return success();
  return op.emitOpError(
             "takes only template arguments of i1, si32 and ui32, descriptors and ids of "
             "buffers, found ")
         << argument;
}

static LogicalResult verifyOperands(CallOp op) {
  for (auto [number, argument] : llvm::enumerate(op.getArguments())) {
    Type type = ttkernel::typeOf(argument);
    bool isNumber = type.isInteger(1) || type.isInteger(32) || type.isF32();
    bool isTensor = isa<RankedTensorType, ttkernel::TensorAccessorType>(type);
    if (!isNumber && !isBuffer(type) && !isTensor)
      return op.emitOpError("can pass only numbers, buffers and tensors, found ") << type;
    if (isBuffer(type) && !llvm::is_contained(op.getDependencies(), argument))
      return op.emitOpError("passes a buffer that is not among its dependencies: argument ")
             << number;
  }
  for (Value dependency : op.getDependencies())
    if (!isBuffer(ttkernel::typeOf(dependency)))
      return op.emitOpError("can depend only on buffers, found ") << dependency.getType();
  for (int64_t address : op.getRawAddresses().value_or(ArrayRef<int64_t>()))
    if (failed(verifyPosition(op, address, op.getArguments().size(), "arguments")))
      return failure();
  return success();
}

static LogicalResult verifyContract(CallOp op) {
  size_t count = op.getDependencies().size();
  if (ArrayAttr stated = op.getEffectsAttr())
    for (Attribute each : stated) {
      auto effect = dyn_cast<EffectAttr>(each);
      if (!effect)
        return op.emitOpError("must have a list of #ttcpp.effect, found ") << each;
      if (failed(verifyPosition(op, effect.getDependency(), count, "dependencies")))
        return failure();
      if (effect.getPages() < 1)
        return op.emitOpError("must have effects of at least one page, found ")
               << effect.getPages();
      if (op.isInspected(effect.getDependency()))
        return op.emitOpError("lists dependency ")
               << effect.getDependency()
               << " in effects and in inspected: a buffer can be in one of them only";
    }
  for (int64_t inspected : op.getInspected().value_or(ArrayRef<int64_t>()))
    if (failed(verifyPosition(op, inspected, count, "dependencies")))
      return failure();
  if (op.getCondition() && (count || op.getUnknownAccess() || !op.getResult()))
    return op.emitOpError(
        "with a condition must have a result, and neither dependencies nor unknown_access");
  return success();
}

LogicalResult CallOp::verify() {
  if (failed(verifyNames(*this)) || failed(verifyOperands(*this)) || failed(verifyContract(*this)))
    return failure();
  if (ArrayAttr defines = getDefinesAttr())
    for (auto macro : defines.getAsRange<StringAttr>())
      if (macro.getValue().contains('\n'))
        return emitOpError("must have macros of one line each, found '") << macro.getValue() << "'";
  if (ArrayAttr arguments = getTemplateArgsAttr())
    for (Attribute argument : arguments)
      if (failed(verifyTemplateArgument(*this, argument)))
        return failure();
  return success();
}

LogicalResult ResultsOp::verify() {
  auto isCall = [](Value value) { return value.getDefiningOp<CallOp>() != nullptr; };
  if (getCalls().empty() || !llvm::all_of(getCalls(), isCall))
    return emitOpError("expected the results of ttcpp.call ops, one of each thread");
  if (!(*this)->getParentOfType<ttl::UnifiedThreadOp>())
    return emitOpError("expected to be in a ttl.unified_thread: elsewhere, use the result of the "
                       "thread's own call");
  return success();
}
