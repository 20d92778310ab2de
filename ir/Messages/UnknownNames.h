//===- UnknownNames.h - names that a dialect does not have ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text for errors about attributes, types and values of enums that a dialect does not have.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MESSAGES_UNKNOWNNAMES_H
#define TTJIT_IR_MESSAGES_UNKNOWNNAMES_H

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace ttjit {

/// Returns the names that the text of these attributes or types begins with.
template <typename... Kinds> llvm::SmallVector<llvm::StringRef> mnemonicsOf() {
  return {Kinds::getMnemonic()...};
}

/// Returns the names of the values of an enum, the largest of which is `last`.
template <typename Enum>
llvm::SmallVector<llvm::StringRef> namesOf(unsigned last, llvm::StringRef (*nameOf)(Enum)) {
  llvm::SmallVector<llvm::StringRef> names;
  for (unsigned value = 0; value <= last; ++value)
    names.push_back(nameOf(Enum(value)));
  return names;
}

/// Returns "unknown type of ttl: 'tesnor_slice'; did you mean tensor_slice?", or the list of all
/// names if none is similar or the list is short. `what` is what the name should be, such as "type
/// of ttl".
std::string describeUnknown(llvm::StringRef what, llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> names);

/// Parses an attribute or type with `parse`, which calls the parser that ODS generates. Reports
/// `advise(name)` if the dialect has none of that name.
template <typename Result>
Result parseKnown(mlir::DialectAsmParser &parser,
                  llvm::function_ref<mlir::OptionalParseResult(llvm::StringRef *, Result &)> parse,
                  llvm::function_ref<std::string(llvm::StringRef)> advise) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef name;
  Result result;
  mlir::OptionalParseResult parsed = parse(&name, result);
  if (parsed.has_value())
    return succeeded(*parsed) ? result : Result();
  parser.emitError(loc) << advise(name);
  return {};
}

} // namespace ttjit

#endif // TTJIT_IR_MESSAGES_UNKNOWNNAMES_H
