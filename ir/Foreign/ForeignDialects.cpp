//===- ForeignDialects.cpp - what to write instead of linalg and d2m ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Foreign/ForeignDialects.h"

#include "ir/TTL/TTL.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

MLIR_DEFINE_EXPLICIT_TYPE_ID(ttjit::LinalgTextDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ttjit::D2MTextDialect)

//===--------------------------------------------------------------------------===//
// linalg
//===--------------------------------------------------------------------------===//

LinalgTextDialect::LinalgTextDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<LinalgTextDialect>()) {
  context->loadDialect<ttl::TTLDialect>();
}

// The op is a ttl.yield from the start, so that nothing that the parser notes about it, such as a
// language server's index, becomes stale.
static ParseResult parseLinalgYield(OpAsmParser &parser, OperationState &result) {
  result.name = OperationName(ttl::YieldOp::getOperationName(), parser.getContext());
  return ttl::YieldOp::parse(parser, result);
}

static ParseResult refuseLinalg(OpAsmParser &parser, OperationState &result) {
  return parser.emitError(parser.getNameLoc())
         << "is not supported: write ttl.compute, which has indexing_maps and iterator_types too "
            "and takes blocks; of linalg, only linalg.yield is read";
}

std::optional<Dialect::ParseOpHook>
LinalgTextDialect::getParseOperationHook(StringRef opName) const {
  return ParseOpHook(opName == "linalg.yield" ? parseLinalgYield : refuseLinalg);
}

//===--------------------------------------------------------------------------===//
// d2m
//===--------------------------------------------------------------------------===//

D2MTextDialect::D2MTextDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<D2MTextDialect>()) {}

static ParseResult refuseD2M(OpAsmParser &parser, OperationState &result) {
  StringRef name = result.name.getStringRef();
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc());
  error << "is of tt-mlir's d2m dialect, which is not supported";
  if (name.consume_front("d2m.tile_"))
    error << ": write ttl.tile_" << name << " in the body of a ttl.compute";
  else
    error << ": write the kernel in ttl (ttl.create_cb, ttl.copy, ttl.compute)";
  return error;
}

std::optional<Dialect::ParseOpHook> D2MTextDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(refuseD2M);
}

static StringRef typeInsteadOf(StringRef mnemonic) {
  if (mnemonic == "cb")
    return "!ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>";
  if (mnemonic == "mem_tx")
    return "!ttl.xf";
  return mnemonic == "semaphore" ? "!ttl.semaphore" : "";
}

Type D2MTextDialect::parseType(DialectAsmParser &parser) const {
  StringRef mnemonic;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  StringRef instead = typeInsteadOf(mnemonic);
  InFlightDiagnostic error = parser.emitError(loc);
  error << "types of tt-mlir's d2m dialect are not supported";
  if (!instead.empty())
    error << ": write " << instead;
  return {};
}
