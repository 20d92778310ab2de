//===- ExternalCalls.cpp - C++ functions of the user in emitted code ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ExternalCalls.h"

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// On a call: the header that declares the function.
static constexpr StringLiteral kHeaderAttr = "ttl.user_header";
// On a call: the macros for the headers of the thread.
static constexpr StringLiteral kDefinesAttr = "ttl.user_defines";

//===--------------------------------------------------------------------------===//
// Arguments
//===--------------------------------------------------------------------------===//

static std::string templateArgument(Attribute argument) {
  return llvm::TypeSwitch<Attribute, std::string>(argument)
      .Case([](ttcpp::BufferFactsAttr facts) {
        return ("ttlang::DFBDescriptor<" + Twine(facts.getIndex()) + ", " +
                Twine(facts.getPagesPerBlock()) + ", " + Twine(facts.getBlockCount()) + ", " +
                Twine(facts.getPageBytes()) + ">")
            .str();
      })
      .Case([](IntegerAttr number) {
        if (number.getType().isInteger(1))
          return std::string(number.getValue().isZero() ? "false" : "true");
        bool isUnsigned = number.getType().isUnsignedInteger();
        return llvm::toString(number.getValue(), 10, !isUnsigned) + (isUnsigned ? "u" : "");
      })
      .Default([](Attribute) { return std::string(); });
}

static SmallVector<Attribute> templateArguments(ttcpp::CallOp op) {
  SmallVector<Attribute> result;
  if (ArrayAttr given = op.getTemplateArgsAttr())
    for (Attribute argument : given)
      result.push_back(emitc::OpaqueAttr::get(op.getContext(), templateArgument(argument)));
  return result;
}

static emitc::CallOpaqueOp callOfUser(ttcpp::CallOp op, ThreadConverter &converter,
                                      StringRef callee, ValueRange operands, Type type,
                                      StringRef name, ArrayRef<Attribute> templateArgs = {}) {
  auto call = converter.call(op, callee, operands, type, name, templateArgs);
  call->setAttr(kUserFunctionAttr, converter.builder.getUnitAttr());
  return call;
}

static SmallVector<Value> functionArguments(ttcpp::CallOp op, ThreadConverter &converter) {
  SmallVector<Value> result = converter.lookup(op.getArguments());
  Type accessor = emitc::OpaqueType::get(op.getContext(), "const LocalTensorAccessor<uint8_t>");
  for (int64_t local : op.getLocalTensors().value_or(ArrayRef<int64_t>()))
    result[local] =
        callOfUser(op, converter, "LocalTensorAccessor<uint8_t>", result[local], accessor, "shard")
            .getResult(0);
  return result;
}

//===--------------------------------------------------------------------------===//
// The contract
//===--------------------------------------------------------------------------===//

// Returns the text that hw/abi/ExternApi.h describes.
static std::string contractText(ttcpp::CallOp op) {
  std::string text;
  for (int64_t i = 0, count = op.getDependencies().size(); i < count; ++i)
    text += op.isInspected(i) ? 'i' : op.isOpaque(i) ? 'o' : 'e';
  if (op.getUnknownAccess())
    text += '+';
  for (ttcpp::EffectAttr effect : op.getEffectList())
    text += (Twine(" ") + Twine("rpwq"[static_cast<int>(effect.getKind())]) +
             Twine(effect.getDependency()) + ":" + Twine(effect.getPages()))
                .str();
  return text;
}

static void statement(ttcpp::CallOp op, ThreadConverter &converter, const Twine &text,
                      ValueRange operands = {}) {
  emitc::VerbatimOp::create(converter.builder, positionOf(op.getLoc()), text.str(), operands);
}

// Returns the number of the call in its thread.
static unsigned numberOf(ttcpp::CallOp op) {
  unsigned number = 0;
  op->getParentOfType<func::FuncOp>().walk([&](ttcpp::CallOp other) {
    ++number;
    return other == op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return number;
}

static std::string enter(ttcpp::CallOp op, ThreadConverter &converter) {
  std::string name = "ttl_call_" + std::to_string(numberOf(op)), places;
  for (size_t i = 0; i < op.getDependencies().size(); ++i)
    places += ", {}";
  statement(op, converter,
            "ttjit::metalium::ExternalCall " + name + "(\"" + op.getCallee() + "\", \"" +
                contractText(op) + "\"" + places + ");",
            converter.lookup(op.getDependencies()));
  return name;
}

//===--------------------------------------------------------------------------===//
// Results
//===--------------------------------------------------------------------------===//

static Value literal(ttcpp::CallOp op, ThreadConverter &converter, const Twine &text) {
  return emitc::LiteralOp::create(converter.builder, positionOf(op.getLoc()),
                                  emitc::OpaqueType::get(op.getContext(), "const char *"),
                                  text.str());
}

static std::string resultName(ttcpp::CallOp op) {
  std::string name = userName(op.getLoc());
  return name.empty() ? "result" : name;
}

// Returns whether the emitted code passes the result of the C++ function to a converting function.
static bool isConverted(ttcpp::CallOp op, ThreadConverter &converter) {
  return op.getWide() || (converter.isForHost && op.getCondition());
}

// Returns the result as an integer of 32 bits.
static Value narrowed(ttcpp::CallOp op, ThreadConverter &converter, Value result) {
  Type type = converter.builder.getI32Type();
  if (converter.isForHost && op.getCondition())
    return callOfUser(op, converter, "ttjit::metalium::conditionResult",
                      {result, literal(op, converter, "\"" + op.getCallee() + "\""),
                       literal(op, converter, Twine(*op.getCondition()))},
                      type, resultName(op))
        .getResult(0);
  if (!op.getWide())
    return result;
  StringRef narrow = converter.isForHost ? "ttjit::metalium::narrowResult" : "ttl_narrow";
  return callOfUser(op, converter, narrow, result, type, resultName(op)).getResult(0);
}

static LogicalResult externalCall(ttcpp::CallOp op, ThreadConverter &converter) {
  Type type;
  if (op.getResult())
    type = op.getWide() ? Type(emitc::OpaqueType::get(op.getContext(), "int64_t"))
                        : Type(converter.builder.getI32Type());
  std::string name = resultName(op);
  SmallVector<Value> arguments = functionArguments(op, converter);
  std::string scope = converter.isForHost ? enter(op, converter) : "";
  auto call = callOfUser(op, converter, op.getCallee(), arguments, type,
                         !type                        ? ""
                         : isConverted(op, converter) ? name + "_result"
                                                      : name,
                         templateArguments(op));
  call->setAttr(kHeaderAttr, op.getHeaderAttr());
  if (ArrayAttr defines = op.getDefinesAttr())
    call->setAttr(kDefinesAttr, defines);
  if (converter.isForHost)
    statement(op, converter, scope + ".end();");
  if (type)
    converter.map(op.getResult(), narrowed(op, converter, call.getResult(0)));
  return success();
}

void tometalium::addExternalCallRules(EmitRules &rules) {
  rules.add<ttcpp::CallOp, externalCall>();
}

LogicalResult tometalium::checkBufferIds(func::FuncOp thread, const DeviceProgram &program) {
  WalkResult result = thread.walk([&](ttcpp::CallOp call) -> WalkResult {
    for (auto [number, dependency] : llvm::enumerate(call.getDependencies())) {
      auto argument = ttkernel::definingCall<ttkernel::GetCompileTimeArgValOp>(dependency);
      const DeviceBuffer *buffer =
          argument ? program.findBuffer(static_cast<int>(argument.getIndex())) : nullptr;
      if (buffer && !buffer->aliases.empty() && !call.isInspected(number))
        return call.emitError("the C++ function '")
               << call.getCallee() << "' uses '" << buffer->name
               << "', which has two ids on a card, because both copies and matrix operations read "
                  "its float32 tiles; the function would count the pages of one id: copy the "
                  "blocks into a second buffer for one of the uses";
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===--------------------------------------------------------------------------===//
// Headers
//===--------------------------------------------------------------------------===//

static constexpr StringLiteral kDescriptor =
    "#ifndef TTLANG_DFB_DESCRIPTOR\n"
    "#define TTLANG_DFB_DESCRIPTOR\n"
    "namespace ttlang {\n"
    "/// A circular buffer, for template arguments of C++ functions.\n"
    "template <uint32_t Index, uint32_t PagesPerBlock, uint32_t BlockCount, uint32_t PageSize>\n"
    "struct DFBDescriptor {\n"
    "  static constexpr uint32_t index = Index;\n"
    "  static constexpr uint32_t pages_per_block = PagesPerBlock;\n"
    "  static constexpr uint32_t block_count = BlockCount;\n"
    "  static constexpr uint32_t page_size_bytes = PageSize;\n"
    "  static constexpr uint32_t page_size = PageSize;\n"
    "  static constexpr uint32_t num_pages = PagesPerBlock * BlockCount;\n"
    "};\n"
    "} // namespace ttlang\n"
    "#endif\n\n";

void tometalium::printUserDefines(llvm::raw_ostream &stream, emitc::FuncOp function) {
  llvm::SetVector<StringRef> defines;
  function.walk([&](emitc::CallOpaqueOp call) {
    if (auto macros = call->getAttrOfType<ArrayAttr>(kDefinesAttr))
      for (StringAttr macro : macros.getAsRange<StringAttr>())
        defines.insert(macro.getValue());
  });
  for (StringRef macro : defines)
    stream << "#define " << macro << "\n";
  if (!defines.empty())
    stream << "\n";
}

void tometalium::printUserHeaders(llvm::raw_ostream &stream, emitc::FuncOp function) {
  llvm::SetVector<StringRef> headers;
  bool hasDescriptor = false, hasLocal = false;
  function.walk([&](emitc::CallOpaqueOp call) {
    hasLocal |= call.getCallee().starts_with("LocalTensorAccessor<");
    auto header = call->getAttrOfType<StringAttr>(kHeaderAttr);
    if (!header)
      return;
    headers.insert(header.getValue());
    if (ArrayAttr arguments = call.getTemplateArgsAttr())
      hasDescriptor |= llvm::any_of(arguments, [](Attribute argument) {
        auto text = dyn_cast<emitc::OpaqueAttr>(argument);
        return text && text.getValue().starts_with("ttlang::");
      });
  });
  if (hasLocal)
    stream << "#include \"api/tensor/local_tensor_accessor.h\"\n\n";
  if (hasDescriptor)
    stream << kDescriptor;
  for (StringRef header : headers)
    stream << "#include \"" << header << "\"\n";
  if (!headers.empty())
    stream << "\n";
}
