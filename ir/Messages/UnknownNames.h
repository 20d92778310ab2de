//===- UnknownNames.h - names that a dialect does not have ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text for errors about attributes, types and values of enums that a dialect does not have.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MESSAGES_UNKNOWNNAMES_H
#define TTJIT_IR_MESSAGES_UNKNOWNNAMES_H

#include "mlir/Support/LLVM.h"

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

} // namespace ttjit

#endif // TTJIT_IR_MESSAGES_UNKNOWNNAMES_H
