//===- HostCalls.cpp - prints, checks, signposts, functions of the host -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints become DPRINT lines. DPRINT's own formatting applies: width, precision and base of
// a field are kept, everything else is the card's. In a compute thread one of the three
// processors prints.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ThreadConverter.h"

#include "hw/facts/FormatText.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// DPRINT
//===--------------------------------------------------------------------------===//

// Returns a C++ string literal. Braces are octal escapes: in the text of emitc.verbatim they would
// be places of operands.
static std::string stringLiteral(StringRef text) {
  std::string result = "\"";
  llvm::raw_string_ostream stream(result);
  for (unsigned char c : text) {
    if (c == '\n')
      stream << "\\n";
    else if (c == '"' || c == '\\')
      stream << '\\' << c;
    else if (c < 32 || c == 127 || c == '{' || c == '}')
      stream << llvm::format("\\%03o", c);
    else
      stream << c;
  }
  return result + "\"";
}

static bool isCompute(Operation *op) {
  auto kind = op->getParentOfType<func::FuncOp>()->getAttrOfType<ttkernel::ThreadTypeAttr>(
      ttkernel::kThreadAttrName);
  return kind && kind.getValue() == ttkernel::ThreadType::Compute;
}

// Emits one statement. In a compute thread, only the processor `thread` runs it.
static void emitStatement(Operation *op, ThreadConverter &converter, StringRef statement,
                          ValueRange operands, StringRef thread) {
  std::string text = statement.str() + ";";
  if (isCompute(op))
    text = "DPRINT_" + thread.upper() + "(" + statement.str() + ");";
  emitc::VerbatimOp::create(converter.builder, positionOf(op->getLoc()), text, operands);
}

static StringRef threadOr(std::optional<StringRef> thread, StringRef otherwise) {
  bool isKnown = thread && llvm::is_contained({"unpack", "math", "pack"}, *thread);
  return isKnown ? *thread : otherwise;
}

// Returns the code that writes a number's field: the output's format before and after the number.
static std::string fieldText(const hw::FormatPiece &field, Type type) {
  const hw::FormatSpec &spec = field.spec;
  std::string before, after;
  if (spec.width > 0)
    before += "SETW(" + std::to_string(spec.width) + ") << ";
  if (type.isF32() && spec.precision >= 0)
    before += "SETPRECISION(" + std::to_string(spec.precision) + ") << ";
  if (type.isF32() && (spec.type == 'f' || spec.type == 'F')) {
    before += "FIXED() << ";
    after = " << DEFAULTFLOAT()";
  }
  if (type.isInteger(32) && (spec.type == 'x' || spec.type == 'X' || spec.type == 'o')) {
    before += spec.type == 'o' ? "OCT() << " : "HEX() << ";
    after = " << DEC()";
  }
  // In parentheses: the number may be an expression that binds less than <<.
  return before + (type.isInteger(1) ? "(({}) ? \"True\" : \"False\")" : "({})") + after;
}

static LogicalResult print(ttkernel::CallOf<ttkernel::DPrintOp> op, ThreadConverter &converter) {
  std::string mistake;
  auto pieces = hw::parseFormatText(op.getFormat(), mistake);
  if (!pieces)
    return op.emitOpError() << mistake;
  bool endsLine = !pieces->empty() && StringRef(pieces->back().literal).ends_with("\n");
  if (endsLine)
    pieces->back().literal.pop_back();
  std::string stream = "DPRINT";
  auto argument = op.getArguments().begin();
  for (const hw::FormatPiece &piece : *pieces) {
    if (piece.isField && argument != op.getArguments().end())
      stream += " << " + fieldText(piece, (*argument++).getType());
    else if (!piece.literal.empty())
      stream += " << " + stringLiteral(piece.literal);
  }
  if (endsLine)
    stream += " << ENDL()";
  emitStatement(op, converter, stream, converter.lookup(op.getArguments()),
                threadOr(op.getThread(), "math"));
  return success();
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

// Emits a call of a function of hw/metalium/include/ttjit/checks.h, which only the host has.
static void callCheck(Operation *op, ThreadConverter &converter, const Twine &call,
                      ValueRange operands) {
  emitc::VerbatimOp::create(converter.builder, positionOf(op->getLoc()),
                            ("ttjit::metalium::" + call + ";").str(), operands);
}

void tometalium::emitHostCheck(Operation *op, ThreadConverter &converter, Value condition,
                               StringRef message) {
  callCheck(op, converter, "checkAssert({}, " + stringLiteral(message) + ")", condition);
}

static LogicalResult assertion(ttl::AssertOp op, ThreadConverter &converter) {
  Value condition = converter.lookup(op.getCondition());
  if (!converter.isForHost) {
    emitc::VerbatimOp::create(converter.builder, positionOf(op.getLoc()), "ASSERT({});", condition);
    return success();
  }
  SmallVector<Value> operands = {condition};
  llvm::append_range(operands, converter.lookup(op.getArguments()));
  std::string places;
  for (size_t i = 0; i < op.getArguments().size(); ++i)
    places += ", {}";
  StringRef check = op->hasAttr(ttl::kProtocolAttr)     ? "checkProtocol({}, "
                    : op->hasAttr(ttl::kMeshAccessAttr) ? "checkMeshAccess({}, "
                                                        : "checkAssert({}, ";
  callCheck(op, converter, check.str() + stringLiteral(op.getMessage()) + places + ")", operands);
  return success();
}

static LogicalResult checkIndex(ttl::CheckIndexOp op, ThreadConverter &converter) {
  if (!converter.isForHost)
    return success();
  callCheck(op, converter,
            "checkIndex({}, " + Twine(op.getSize()) + ", " + Twine(op.getBound()) + ", " +
                Twine(op.getDim()) + ", " + stringLiteral(ttl::describeIndexed(op)) + ")",
            converter.lookup(op.getIndex()));
  return success();
}

//===--------------------------------------------------------------------------===//
// Contents of blocks
//===--------------------------------------------------------------------------===//

// Prints every eighth element of each tile: DPRINT has room for so many.
static LogicalResult printBlock(ttkernel::CallOf<ttkernel::DPrintBlockOp> op,
                                ThreadConverter &converter) {
  Value buffer = converter.lookup(op.getCb()), page = converter.lookup(op.getPage());
  bool isTiled =
      isa<ttcore::TileType>(cast<ttkernel::CBType>(ttkernel::typeOf(op.getCb())).getElementType());
  StringRef thread = threadOr(op.getThread(), op.getReserved() ? "pack" : "unpack");
  if (!isTiled) {
    emitStatement(op, converter, "DPRINT << \"<Block of rows in buffer \" << {} << \">\" << ENDL()",
                  buffer, thread);
    return success();
  }
  std::string place = isCompute(op)      ? ""
                      : op.getReserved() ? ", TSLICE_OUTPUT_CB, TSLICE_WR_PTR"
                                         : ", TSLICE_INPUT_CB, TSLICE_RD_PTR";
  std::string loop = "for (int32_t tile = 0; tile < " + std::to_string(op.getNumPages()) +
                     "; ++tile) DPRINT << TSLICE({}, {} + tile, SliceRange::hw0_32_8()" + place +
                     ") << ENDL()";
  emitStatement(op, converter, loop, {buffer, page}, thread);
  return success();
}

static LogicalResult printBuffer(ttkernel::CallOf<ttkernel::DPrintBufferOp> op,
                                 ThreadConverter &converter) {
  std::string text = "DPRINT << \"<DataflowBuffer \" << {}";
  for (StringRef field : {"size", "page_size", "rd_ptr", "wr_ptr", "wr_tile_ptr"})
    text += " << \" " + field.str() + "=\" << get_local_cb_interface({}).fifo_" + field.str();
  SmallVector<Value> operands(6, converter.lookup(op.getCb()));
  emitStatement(op, converter, text + " << \">\" << ENDL()", operands,
                threadOr(op.getThread(), "unpack"));
  return success();
}

static LogicalResult printTensor(ttkernel::CallOf<ttkernel::DPrintTensorOp> op,
                                 ThreadConverter &converter) {
  emitc::VerbatimOp::create(converter.builder, positionOf(op.getLoc()),
                            "// Printed on the host only: pages of a tensor");
  return success();
}

//===--------------------------------------------------------------------------===//
// Signposts
//===--------------------------------------------------------------------------===//

using Signpost = ttkernel::CallOf<ttkernel::SignpostOp>;

// Returns the end of the region that `begin` begins; null if it is in another block.
static Signpost endOf(Signpost begin) {
  int depth = 0;
  for (Operation *op = begin; op; op = op->getNextNode()) {
    auto post = ttkernel::asCall<ttkernel::SignpostOp>(op);
    if (!post || post.getName() != begin.getName())
      continue;
    depth += post.getKind() == ttkernel::SignpostKind::Begin;
    depth -= post.getKind() == ttkernel::SignpostKind::End;
    if (depth == 0)
      return post;
  }
  return {};
}

// Returns whether a zone of the profiler, which ends with its C++ scope, can be the region: nothing
// may use what the scope declares after it.
static bool isScope(Signpost begin, Signpost end) {
  for (Operation *op = begin; op != end; op = op->getNextNode())
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = begin->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor || end->isBeforeInBlock(ancestor))
        return false;
    }
  return true;
}

static Signpost beginOf(Signpost end) {
  for (Operation *op = end; op; op = op->getPrevNode())
    if (auto post = ttkernel::asCall<ttkernel::SignpostOp>(op);
        post && post.getKind() == ttkernel::SignpostKind::Begin && endOf(post) == end)
      return post;
  return {};
}

static LogicalResult signpost(ttkernel::CallOf<ttkernel::SignpostOp> op,
                              ThreadConverter &converter) {
  if (op.getKind() == ttkernel::SignpostKind::Cost)
    return success();
  bool begins = op.getKind() == ttkernel::SignpostKind::Begin;
  bool ends = op.getKind() == ttkernel::SignpostKind::End;
  Signpost begin = begins ? op : ends ? beginOf(op) : Signpost();
  Signpost end = begin ? endOf(begin) : Signpost();
  bool scope = end && isScope(begin, end);
  std::string name = op.getName().str();
  if (!scope && (begins || ends))
    name += begins ? " begins" : " ends";
  std::string text = "DeviceZoneScopedN(" + stringLiteral(name) + ");";
  text = !scope ? "{ " + text + " }" : begins ? "{ " + text : "}";
  emitc::VerbatimOp::create(converter.builder, positionOf(op.getLoc()), text);
  return success();
}

//===--------------------------------------------------------------------------===//
// Elements, functions of the host
//===--------------------------------------------------------------------------===//

static StringRef loadHelper(Type format) {
  if (format.isF32())
    return "ttl_load_f32";
  if (format.isBF16())
    return "ttl_load_bf16";
  return format.isInteger(32)   ? "ttl_load_i32"
         : format.isInteger(16) ? "ttl_load_u16"
                                : "ttl_load_u8";
}

// Loads an element. Elements that are integers are loaded as integers; arith.bitcast then has
// nothing to do (Scalars.cpp).
static LogicalResult loadElement(ttkernel::CallOf<ttkernel::LoadElementOp> op,
                                 ThreadConverter &converter) {
  Type type = isa<FloatType>(op.getFormat()) ? Type(converter.builder.getF32Type())
                                             : Type(converter.builder.getI32Type());
  auto call = converter.call(op, loadHelper(op.getFormat()), converter.lookup(op.getAddress()),
                             type, "element");
  converter.map(op, call.getResult(0));
  return success();
}

// Returns the integer whose bits a value has: a loaded element, a constant, or the operand of a
// bitcast.
static Value storedInteger(Value value, ThreadConverter &converter) {
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return converter.constant(
        static_cast<int32_t>(constant.getValue().bitcastToAPInt().getZExtValue()),
        positionOf(value.getLoc()));
  auto bits = value.getDefiningOp<arith::BitcastOp>();
  return converter.lookup(bits ? bits.getIn() : value);
}

static LogicalResult storeElement(ttkernel::CallOf<ttkernel::StoreElementOp> op,
                                  ThreadConverter &converter) {
  Type format = op.getFormat();
  StringRef helper = format.isF32()    ? "ttl_store_f32"
                     : format.isBF16() ? "ttl_store_bf16"
                                       : "ttl_store_i32";
  Value value = isa<IntegerType>(format) ? storedInteger(op.getValue(), converter)
                                         : converter.lookup(op.getValue());
  converter.call(op, helper, {converter.lookup(op.getAddress()), value}, Type(), "");
  return success();
}

// Returns whether the text is a name, perhaps in namespaces. Other text would be code.
static bool isFunctionName(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, "::");
  return llvm::all_of(parts, [](StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

static LogicalResult callHost(ttkernel::CallOf<ttkernel::CallHostOp> op,
                              ThreadConverter &converter) {
  if (!op.getDeviceFunction())
    return op.emitError("the host function '")
           << op.getFunction()
           << "' cannot be called on the card: name the function that replaces it there with "
              "device_function= of ttl.host_function";
  if (!isFunctionName(*op.getDeviceFunction()))
    return op.emitError("device_function= must be the name of a C++ function, found '")
           << *op.getDeviceFunction() << "'";
  Value result = op->getNumResults() ? op.getResult() : Value();
  Type type = result ? converter.convertType(result.getType()) : Type();
  auto call = converter.call(op, *op.getDeviceFunction(), converter.lookup(op->getOperands()), type,
                             result ? "result" : "");
  call->setAttr(kUserFunctionAttr, converter.builder.getUnitAttr());
  if (result)
    converter.map(result, call.getResult(0));
  return success();
}

void tometalium::addHostCallRules(EmitRules &rules) {
  using namespace mlir::tt::ttkernel;
  rules.addCall<DPrintOp, print>();
  rules.addCall<DPrintBlockOp, printBlock>();
  rules.addCall<DPrintBufferOp, printBuffer>();
  rules.addCall<DPrintTensorOp, printTensor>();
  rules.add<ttl::AssertOp, assertion>();
  rules.add<ttl::CheckIndexOp, checkIndex>();
  rules.addCall<SignpostOp, signpost>();
  rules.addCall<LoadElementOp, loadElement>();
  rules.addCall<StoreElementOp, storeElement>();
  rules.addCall<CallHostOp, callHost>();
}
