//===- TTLFields.h - text of an op as names and values --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLFIELDS_H
#define TTJIT_IR_TTL_TTLFIELDS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tt::ttl {

/// Returns the number of an integer attribute of any width; nothing for another attribute, or if 64
/// bits do not hold it.
inline std::optional<int64_t> numberOf(Attribute attribute) {
  auto integer = llvm::dyn_cast_or_null<IntegerAttr>(attribute);
  return integer ? integer.getValue().trySExtValue() : std::nullopt;
}

/// The fields that an op may have in its text.
struct Fields {
  llvm::StringRef op; ///< for messages: "a pipe"
  llvm::ArrayRef<llvm::StringRef> names;
  llvm::StringRef advice; ///< for messages: "expected src or dst"
};

/// Parses `name = value, name = value`, where a comma may be left out. `parseValue` parses the
/// value of a field. A word that names no field and has no comma before it is the next op's name.
inline ParseResult parseFields(OpAsmParser &parser, const Fields &fields,
                               llvm::function_ref<ParseResult(llvm::StringRef)> parseValue) {
  for (bool comma = false;; comma = succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    llvm::StringRef name;
    ParseResult found = comma ? parser.parseOptionalKeyword(&name)
                              : parser.parseOptionalKeyword(&name, fields.names);
    if (failed(found))
      return comma ? parser.emitError(loc) << fields.advice << " after ','"
                   : ParseResult(success());
    if (!llvm::is_contained(fields.names, name))
      return parser.emitError(loc) << fields.op << " has no '" << name << "': " << fields.advice;
    if (parser.parseEqual() || parseValue(name))
      return failure();
  }
}

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLFIELDS_H
