//===- TTLKernelText.cpp - text of kernels and their threads ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a kernel may be written as lists, strings and dictionaries, as the design
// documents do. A thread may have no name.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLFields.h"

#include "ir/Messages/UnknownNames.h"
#include "ir/TTL/ComputeConfigAttrs.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

namespace {

// Replaces other spellings of attributes in the dictionary of a kernel.
class KernelAttributes {
public:
  KernelAttributes(OpAsmParser &parser, NamedAttrList &attributes, SMLoc loc)
      : parser(parser), attributes(attributes), loc(loc) {}

  ParseResult normalize() {
    return failure(normalizeGrid() || normalizeMemorySpace() || normalizeConfig());
  }

private:
  ParseResult normalizeGrid();
  ParseResult normalizeMemorySpace();
  ParseResult normalizeConfig();
  ParseResult readSetting(NamedAttribute setting);
  ParseResult readFlag(NamedAttribute setting, bool &flag);
  ParseResult readFidelity(Attribute value);

  OpAsmParser &parser;
  NamedAttrList &attributes;
  SMLoc loc;
  bool fp32 = false, fullSync = false, approximate = false;
  ttcore::MathFidelity fidelity = ttcore::MathFidelity::HiFi4;
};

} // namespace

// Replaces a grid such as [2, 2] by its #ttcore.grid.
ParseResult KernelAttributes::normalizeGrid() {
  auto list = dyn_cast_or_null<ArrayAttr>(attributes.get("grid"));
  if (!list)
    return success();
  SmallVector<int64_t> shape;
  for (Attribute extent : list) {
    std::optional<int64_t> number = numberOf(extent);
    if (!number)
      return parser.emitError(loc) << "expected numbers as grid, such as [8, 8], found " << list;
    shape.push_back(*number);
  }
  auto grid = ttcore::GridAttr::getChecked([&] { return parser.emitError(loc); },
                                           parser.getContext(), ArrayRef<int64_t>(shape));
  if (!grid)
    return failure();
  attributes.set("grid", grid);
  return success();
}

// Replaces a memory_space such as "DRAM" by its #ttcore.memory_space.
ParseResult KernelAttributes::normalizeMemorySpace() {
  auto name = dyn_cast_or_null<StringAttr>(attributes.get("memory_space"));
  if (!name)
    return success();
  std::optional<ttcore::MemorySpace> space = lookUpMemorySpace(name.getValue());
  if (!space)
    return parser.emitError(loc) << "unknown memory space '" << name.getValue()
                                 << "': expected dram, l1, system or mmio";
  attributes.set("memory_space", ttcore::MemorySpaceAttr::get(parser.getContext(), *space));
  return success();
}

ParseResult KernelAttributes::readFlag(NamedAttribute setting, bool &flag) {
  if (auto value = dyn_cast<BoolAttr>(setting.getValue())) {
    flag = value.getValue();
    return success();
  }
  flag = isa<UnitAttr>(setting.getValue());
  if (flag)
    return success();
  return parser.emitError(loc) << setting.getName().getValue()
                               << " of compute_config must be true or false, found "
                               << setting.getValue();
}

ParseResult KernelAttributes::readFidelity(Attribute value) {
  if (auto attribute = dyn_cast<ttcore::MathFidelityAttr>(value)) {
    fidelity = attribute.getValue();
    return success();
  }
  if (auto name = dyn_cast<StringAttr>(value))
    if (auto known = ttcore::symbolizeMathFidelity(name.getValue().lower())) {
      fidelity = *known;
      return success();
    }
  return parser.emitError(loc)
         << "math_fidelity of compute_config must be \"LoFi\", \"HiFi2\", \"HiFi3\" or \"HiFi4\", "
            "found "
         << value;
}

ParseResult KernelAttributes::readSetting(NamedAttribute setting) {
  StringRef name = setting.getName().getValue();
  if (name == "math_fidelity")
    return readFidelity(setting.getValue());
  if (name == "fp32_dest_acc_en")
    return readFlag(setting, fp32);
  if (name == "dst_full_sync_en")
    return readFlag(setting, fullSync);
  if (name == "math_approx_mode")
    return readFlag(setting, approximate);
  return parser.emitError(loc) << "compute_config has no '" << name
                               << "': it may have math_fidelity, fp32_dest_acc_en, "
                                  "dst_full_sync_en and math_approx_mode";
}

// Replaces settings such as {math_fidelity = "HiFi4", fp32_dest_acc_en = true} by the attribute.
ParseResult KernelAttributes::normalizeConfig() {
  auto settings = dyn_cast_or_null<DictionaryAttr>(attributes.get("compute_config"));
  if (!settings)
    return success();
  for (NamedAttribute setting : settings)
    if (readSetting(setting))
      return failure();
  attributes.set("compute_config", ttcore::ComputeConfigAttr::get(parser.getContext(), fp32,
                                                                  fullSync, approximate, fidelity));
  if (!settings.contains("fp32_dest_acc_en"))
    attributes.set(kOpenDSTWidthAttr, parser.getBuilder().getUnitAttr());
  return success();
}

//===--------------------------------------------------------------------------===//
// Threads without names
//===--------------------------------------------------------------------------===//

ParseResult ttl::parseThreadName(OpAsmParser &parser, StringAttr &name) {
  std::string text;
  (void)parser.parseOptionalString(&text);
  name = parser.getBuilder().getStringAttr(text);
  return success();
}

void ttl::printThreadName(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer.printAttributeWithoutType(name);
}

static StringRef kindOfThread(Operation *thread) {
  if (auto placed = dyn_cast<MicrocoreThreadOp>(thread)) {
    auto role = thread->getAttrOfType<ArrayAttr>(placed.getMicrocoreRoleAttrName());
    auto first = role && role.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(role[0]) : nullptr;
    return first ? first.getValue() : "compute";
  }
  return isa<ComputeThreadOp>(thread)        ? "compute"
         : isa<DataMovementThreadOp>(thread) ? "datamovement"
                                             : "unified";
}

// Names threads by their kind, and by their number where a name is taken: two functions of a
// program must not have one name. The verifier, which comes later, rejects a thread in the generic
// form that has no attribute for its name.
static void nameThreads(Region &kernel) {
  SmallVector<Operation *> threads;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isNamed = isThread(op) || isa<MicrocoreThreadOp>(op);
    if (isNamed && op->getAttrOfType<StringAttr>("name"))
      threads.push_back(op);
    return isa<TileProcOp>(op) ? WalkResult::advance() : WalkResult::skip();
  });
  llvm::StringSet taken;
  for (Operation *thread : threads)
    taken.insert(thread->getAttrOfType<StringAttr>("name").getValue());
  for (Operation *thread : threads) {
    if (!thread->getAttrOfType<StringAttr>("name").empty())
      continue;
    std::string kind = kindOfThread(thread).str(), name = kind;
    for (int number = 1; !taken.insert(name).second; ++number)
      name = kind + "_" + std::to_string(number);
    thread->setAttr("name", StringAttr::get(thread->getContext(), name));
  }
}

//===--------------------------------------------------------------------------===//
// ttl.kernel, ttl.program
//===--------------------------------------------------------------------------===//

// Reports a kernel without a name, such as `ttl.kernel {` or `ttl.kernel grid=[8, 8] {`.
static ParseResult requireName(OpAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLBrace()) && failed(parser.parseOptionalKeyword("grid")))
    return success();
  return parser.emitError(loc) << "a kernel needs a name, and its tensors are its arguments: "
                                  "@name(%a : tensor<...>) attributes {grid = #ttcore.grid<8x8>}";
}

template <typename OpT>
static ParseResult parseFunctionLike(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getNameLoc();
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  if (requireName(parser) ||
      function_interface_impl::parseFunctionOp(
          parser, result, /*allowVariadic=*/false, OpT::getFunctionTypeAttrName(result.name),
          buildType, OpT::getArgAttrsAttrName(result.name), OpT::getResAttrsAttrName(result.name)))
    return failure();
  if (KernelAttributes(parser, result.attributes, loc).normalize())
    return failure();
  nameThreads(*result.regions.front());
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
  });
}

template <typename OpT> static void printFunctionLike(OpT op, OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, op, /*isVariadic=*/false,
                                           op.getFunctionTypeAttrName(), op.getArgAttrsAttrName(),
                                           op.getResAttrsAttrName());
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike<KernelOp>(parser, result);
}
void KernelOp::print(OpAsmPrinter &printer) { printFunctionLike(*this, printer); }

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike<ProgramOp>(parser, result);
}
void ProgramOp::print(OpAsmPrinter &printer) { printFunctionLike(*this, printer); }

//===--------------------------------------------------------------------------===//
// ttl.thread
//===--------------------------------------------------------------------------===//

static ParseResult parseProcessor(OpAsmParser &parser, OperationState &result) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Processor> processor = symbolizeProcessor(name);
  if (!processor)
    return parser.emitError(loc) << ttjit::describeUnknown(
               "processor", name,
               ttjit::namesOf<Processor>(getMaxEnumValForProcessor(), stringifyProcessor));
  result.addAttribute("processor", ProcessorAttr::get(parser.getContext(), *processor));
  return success();
}

static ParseResult parseProgramThread(OpAsmParser &parser, StringAttr callee,
                                      OperationState &result) {
  result.addAttribute("callee", FlatSymbolRefAttr::get(callee));
  SmallVector<OpAsmParser::UnresolvedOperand> resources;
  SmallVector<Type> types;
  SMLoc loc;
  if (parseProcessor(parser, result) || parser.getCurrentLocation(&loc) ||
      parser.parseOperandList(resources, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseOptionalColonTypeList(types))
    return failure();
  return parser.resolveOperands(resources, types, loc, result.operands);
}

// `@callee on` begins a thread of a program. Without `on` the symbol is a processor, and the text
// that of a thread in a ttl.tile_proc.
ParseResult ThreadOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr symbol;
  SmallVector<Attribute> role;
  if (failed(parser.parseOptionalSymbolName(symbol)))
    return failure(parseRole(parser, role) || parseMicrocoreThread(parser, role, result));
  if (succeeded(parser.parseOptionalKeyword("on")))
    return parseProgramThread(parser, symbol, result);
  if (succeeded(parser.parseOptionalLParen()))
    return parser.emitError(parser.getNameLoc())
           << "expected 'on' and a processor after the function: @" << symbol.getValue()
           << " on riscv_1 (...)";
  role.push_back(FlatSymbolRefAttr::get(symbol));
  return parseMicrocoreThread(parser, role, result);
}

void ThreadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCalleeAttr() << " on " << stringifyProcessor(getProcessor()) << " ("
          << getResources() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"callee", "processor"});
  if (!getResources().empty())
    printer << " : " << getResources().getTypes();
}
