//===- TTLMicrocoreOps.cpp - the processors that run threads ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Hints on compute and data movement threads, and threads with roles.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Arch.h"
#include "hw/facts/Microcores.h"
#include "ir/Messages/UnknownNames.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;
using ttjit::hw::findMicrocore;
using ttjit::hw::kMicrocores;
using ttjit::hw::Microcore;

static MicrocoreKind kindOf(const Microcore &microcore) {
  return microcore.computes() ? MicrocoreKind::Compute : MicrocoreKind::DataMovement;
}

static Processor engineOf(const Microcore &microcore) {
  return static_cast<Processor>(microcore.processor);
}

StringRef ttl::hintOf(Processor processor) {
  return ttjit::hw::hintedMicrocore(static_cast<unsigned>(processor)).hint;
}

SmallVector<StringRef> ttl::microcoresOf(Processor processor) {
  SmallVector<StringRef> names;
  for (const Microcore &microcore : kMicrocores)
    if (engineOf(microcore) == processor)
      names.push_back(microcore.name);
  return names;
}

//===--------------------------------------------------------------------------===//
// Places of threads
//===--------------------------------------------------------------------------===//

std::optional<Processor> ttl::processorOfHint(StringRef hint) {
  for (const Microcore &microcore : kMicrocores)
    if (!microcore.hint.empty() && StringRef(microcore.hint) == hint)
      return engineOf(microcore);
  return std::nullopt;
}

static std::optional<Processor> boundProcessor(Operation *thread) {
  auto hint = thread->getAttrOfType<StringAttr>(kMicrocoreHintAttr);
  return hint ? processorOfHint(hint) : std::nullopt;
}

SmallVector<Processor> ttl::placeMovers(ArrayRef<std::optional<Processor>> bound) {
  SmallVector<Processor> free, places;
  for (Processor each : {Processor::RISCV_1, Processor::RISCV_0})
    if (!llvm::is_contained(bound, std::optional(each)))
      free.push_back(each);
  size_t next = 0;
  for (std::optional<Processor> each : bound)
    places.push_back(each ? *each : next < free.size() ? free[next++] : Processor::RISCV_0);
  return places;
}

Processor ttl::processorOf(Operation *thread) {
  if (isa<ComputeThreadOp>(thread))
    return Processor::Compute;
  SmallVector<std::optional<Processor>> bound;
  size_t number = 0;
  for (auto mover : thread->getBlock()->getOps<DataMovementThreadOp>()) {
    if (mover == thread)
      number = bound.size();
    bound.push_back(boundProcessor(mover));
  }
  return placeMovers(bound)[number];
}

//===--------------------------------------------------------------------------===//
// Hints
//===--------------------------------------------------------------------------===//

LogicalResult ttl::verifyHint(Operation *thread, MicrocoreKind kind) {
  auto hint = thread->getAttrOfType<StringAttr>(kMicrocoreHintAttr);
  std::optional<Processor> processor = hint ? processorOfHint(hint) : std::nullopt;
  bool computes = processor == Processor::Compute, mustCompute = kind == MicrocoreKind::Compute;
  if (!hint || (processor && computes == mustCompute))
    return success();
  InFlightDiagnostic error = thread->emitOpError("cannot run on '") << hint.getValue() << "'";
  if (processor)
    error << ", a processor that " << (computes ? "computes" : "moves data");
  else
    error << ", which is no processor of a node";
  return error << ": expected "
               << (mustCompute ? "\"MATH\", which names the three compute processors together"
                               : "\"NOC0\" or \"NOC1\"");
}

LogicalResult ttl::verifyPlaces(KernelOp kernel) {
  llvm::SmallDenseMap<Processor, Operation *> taken;
  for (Operation &thread : kernel.getBody().front()) {
    if (!isa<ComputeThreadOp, DataMovementThreadOp>(thread))
      continue;
    Processor processor = ttl::processorOf(&thread);
    auto [other, isFree] = taken.try_emplace(processor, &thread);
    if (!isFree) {
      InFlightDiagnostic error = thread.emitOpError("cannot run on ")
                                 << hintOf(processor) << ", which runs another thread: a processor "
                                 << "runs one thread, so bind them to NOC0 and NOC1";
      error.attachNote(other->second->getLoc()) << "the other thread";
      return error;
    }
    for (StringRef name : microcoresOf(processor))
      if (kernel.getMicrocores() && !kernel.getMicrocores()->declares(name))
        return thread.emitOpError("runs on processor '")
               << name << "', which microcores of the kernel does not declare: add '@" << name
               << "', or leave microcores out";
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// #ttl.microcore_config
//===--------------------------------------------------------------------------===//

MicrocoreConfigAttr MicrocoreConfigAttr::getAll(MLIRContext *context) {
  SmallVector<FlatSymbolRefAttr> names;
  SmallVector<MicrocoreKind> kinds;
  for (const Microcore &microcore : kMicrocores) {
    names.push_back(FlatSymbolRefAttr::get(context, microcore.name));
    kinds.push_back(kindOf(microcore));
  }
  return get(context, names, kinds);
}

bool MicrocoreConfigAttr::declares(StringRef name) const {
  return llvm::is_contained(
      llvm::map_range(getNames(), [](FlatSymbolRefAttr each) { return each.getValue(); }), name);
}

static std::string describeUnknownMicrocore(StringRef name) {
  auto names =
      llvm::map_to_vector(kMicrocores, [](const Microcore &each) { return StringRef(each.name); });
  return ttjit::describeUnknown("processor", name, names);
}

// Refuses one or two of the three compute processors: all three together run one thread.
static LogicalResult verifyEngine(function_ref<InFlightDiagnostic()> emitError, unsigned computers,
                                  unsigned all) {
  if (computers == 0 || computers == all)
    return success();
  return emitError() << "expected all or none of the processors unpack, math and pack, which run "
                        "one thread, found "
                     << computers << " of them";
}

LogicalResult MicrocoreConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<FlatSymbolRefAttr> names,
                                          ArrayRef<MicrocoreKind> kinds) {
  if (names.empty() || names.size() != kinds.size())
    return emitError() << "expected at least one processor, such as @noc0 : data_movement";
  llvm::StringSet<> seen;
  for (auto [name, kind] : llvm::zip(names, kinds)) {
    const Microcore *known = findMicrocore(name.getValue());
    if (!known)
      return emitError() << describeUnknownMicrocore(name.getValue());
    if (kindOf(*known) != kind)
      return emitError() << "processor '" << known->name << "' is of kind "
                         << stringifyMicrocoreKind(kindOf(*known)) << ", found "
                         << stringifyMicrocoreKind(kind);
    if (!seen.insert(known->name).second)
      return emitError() << "processor '" << known->name << "' is there twice";
  }
  return verifyEngine(emitError, llvm::count(kinds, MicrocoreKind::Compute),
                      microcoresOf(Processor::Compute).size());
}

// Parses the name of a chip, as in `<wormhole_b0>`.
static OptionalParseResult parseChip(AsmParser &parser, Attribute &config) {
  std::string chip;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeywordOrString(&chip)))
    return std::nullopt;
  SmallVector<StringRef> known;
  for (const ttjit::hw::ArchDesc &arch : ttjit::hw::kArchs)
    known.push_back(arch.name);
  if (!ttjit::hw::lookupArch(chip))
    return parser.emitError(loc) << ttjit::describeUnknown("chip", chip, known);
  config = MicrocoreConfigAttr::getAll(parser.getContext());
  return ParseResult(success());
}

static ParseResult parseMicrocore(AsmParser &parser, SmallVectorImpl<FlatSymbolRefAttr> &names,
                                  SmallVectorImpl<MicrocoreKind> &kinds) {
  StringAttr name;
  StringRef kind;
  if (parser.parseSymbolName(name) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind))
    return failure();
  std::optional<MicrocoreKind> known = symbolizeMicrocoreKind(kind);
  if (!known)
    return parser.emitError(loc) << ttjit::describeUnknown(
               "kind of processor", kind,
               ttjit::namesOf<MicrocoreKind>(getMaxEnumValForMicrocoreKind(),
                                             stringifyMicrocoreKind));
  names.push_back(FlatSymbolRefAttr::get(name));
  kinds.push_back(*known);
  return success();
}

Attribute MicrocoreConfigAttr::parse(AsmParser &parser, Type) {
  SmallVector<FlatSymbolRefAttr> names;
  SmallVector<MicrocoreKind> kinds;
  Attribute config;
  if (parser.parseLess())
    return {};
  if (OptionalParseResult parsed = parseChip(parser, config); parsed.has_value())
    return failed(*parsed) || parser.parseGreater() ? Attribute() : config;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseMicrocore(parser, names, kinds); }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MicrocoreConfigAttr>(
      parser.getContext(), ArrayRef<FlatSymbolRefAttr>(names), ArrayRef<MicrocoreKind>(kinds));
}

void MicrocoreConfigAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip(getNames(), getKinds()), printer, [&](auto each) {
    printer << std::get<0>(each) << " : " << stringifyMicrocoreKind(std::get<1>(each));
  });
  printer << "]>";
}

//===--------------------------------------------------------------------------===//
// ttl.microcore_thread
//===--------------------------------------------------------------------------===//

ArrayAttr ttl::getRole(MLIRContext *context, Processor processor) {
  auto symbols = llvm::map_to_vector(microcoresOf(processor), [&](StringRef name) -> Attribute {
    return FlatSymbolRefAttr::get(context, name);
  });
  return ArrayAttr::get(context, symbols);
}

Processor MicrocoreThreadOp::getProcessor() {
  auto first = cast<FlatSymbolRefAttr>(getMicrocoreRole()[0]);
  return engineOf(*findMicrocore(first.getValue()));
}

ParseResult ttl::parseMicrocoreThread(OpAsmParser &parser, ArrayRef<Attribute> roles,
                                      OperationState &result) {
  become<MicrocoreThreadOp>(parser, result);
  ArrayAttr role = parser.getBuilder().getArrayAttr(roles);
  auto isMath = [](Attribute each) { return cast<FlatSymbolRefAttr>(each).getValue() == "math"; };
  if (roles.size() == 1 && isMath(roles.front()))
    role = getRole(parser.getContext(), Processor::Compute);
  result.addAttribute("microcore_role", role);
  StringAttr name;
  if (parseThreadName(parser, name) || parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), {}))
    return failure();
  result.addAttribute("name", name);
  if (result.regions.front()->empty())
    result.regions.front()->emplaceBlock();
  return success();
}

ParseResult ttl::parseRole(OpAsmParser &parser, SmallVectorImpl<Attribute> &roles) {
  auto parseSymbol = [&]() -> ParseResult {
    StringAttr name;
    if (parser.parseSymbolName(name))
      return failure();
    roles.push_back(FlatSymbolRefAttr::get(name));
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseSymbol);
}

ParseResult MicrocoreThreadOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> roles;
  StringAttr name;
  if (succeeded(parser.parseOptionalSymbolName(name)))
    roles.push_back(FlatSymbolRefAttr::get(name));
  else if (parseRole(parser, roles))
    return failure();
  return parseMicrocoreThread(parser, roles, result);
}

void MicrocoreThreadOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getMicrocoreRole().size() == 1)
    printer << getMicrocoreRole()[0];
  else
    printer << getMicrocoreRole();
  printer << ' ';
  printThreadName(printer, *this, getNameAttr());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"microcore_role", "name"});
  printer << ' ';
  printer.printRegion(getBody());
}

// Checks that the roles are one processor that moves data, or the three that compute.
static LogicalResult verifyRole(MicrocoreThreadOp thread) {
  ArrayAttr role = thread.getMicrocoreRole();
  if (role.empty())
    return thread.emitOpError("names no processor: expected one, such as @noc0");
  for (Attribute each : role) {
    StringRef name = cast<FlatSymbolRefAttr>(each).getValue();
    if (!findMicrocore(name))
      return thread.emitOpError(describeUnknownMicrocore(name));
  }
  if (role == getRole(role.getContext(), thread.getProcessor()))
    return success();
  return thread.emitOpError("cannot run on ")
         << role
         << ": expected @noc0, @noc1, or [@unpack, @math, @pack], whose short form is @math";
}

LogicalResult MicrocoreThreadOp::verify() {
  if (failed(verifyRole(*this)))
    return failure();
  bool computes = getProcessor() == Processor::Compute;
  if (failed(verifyHint(*this, computes ? MicrocoreKind::Compute : MicrocoreKind::DataMovement)))
    return failure();
  if (getMicrocoreHint() && *getMicrocoreHint() != hintOf(getProcessor()))
    return emitOpError("has the hint \"")
           << *getMicrocoreHint() << "\", but its role is that of " << hintOf(getProcessor());
  return computes ? verifyComputeBody(*this) : verifyDataMovementBody(*this);
}

//===--------------------------------------------------------------------------===//
// ttl.tile_proc
//===--------------------------------------------------------------------------===//

LogicalResult TileProcOp::verifyRegions() {
  if (cast<KernelOp>((*this)->getParentOp()).getMicrocores())
    return emitOpError("has microcores, and so has its kernel: leave those of the kernel out");
  for (Operation &other : *(*this)->getBlock())
    if (&other != *this && (isThread(&other) || isa<TileProcOp>(other)))
      return other.emitOpError("cannot be next to a ttl.tile_proc, which contains all threads of "
                               "its kernel");
  llvm::StringMap<Operation *> taken;
  for (Operation &op : getThreads().front()) {
    auto thread = dyn_cast<MicrocoreThreadOp>(op);
    if (!thread)
      return op.emitOpError("cannot be in a ttl.tile_proc, which contains threads only: write it "
                            "before the ttl.tile_proc");
    for (Attribute each : thread.getMicrocoreRole()) {
      StringRef name = cast<FlatSymbolRefAttr>(each).getValue();
      if (!getMicrocores().declares(name))
        return thread.emitOpError("runs on processor '")
               << name << "', which microcores of the ttl.tile_proc does not declare";
      auto [other, isFree] = taken.try_emplace(name, thread);
      if (isFree)
        continue;
      InFlightDiagnostic error = thread.emitOpError("cannot run on '")
                                 << name << "', which runs another thread: a processor runs one "
                                 << "thread";
      error.attachNote(other->second->getLoc()) << "the other thread";
      return error;
    }
  }
  return success();
}
