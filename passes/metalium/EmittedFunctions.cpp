//===- EmittedFunctions.cpp - functions that emitted files define -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static const EmittedFunction *find(llvm::StringRef callee) {
  for (llvm::ArrayRef<EmittedFunction> functions :
       {arithmeticFunctions(), memoryFunctions(), transferFunctions(), synchronizationFunctions(),
        fabricFunctions()})
    for (const EmittedFunction &function : functions)
      if (callee == function.name)
        return &function;
  return nullptr;
}

llvm::StringRef tometalium::emittedFunction(llvm::StringRef callee) {
  const EmittedFunction *function = find(callee);
  return function ? llvm::StringRef(function->text) : llvm::StringRef();
}

void tometalium::addNeededFunctions(std::set<std::string> &callees) {
  for (const std::string &callee : std::set<std::string>(callees))
    if (const EmittedFunction *function = find(callee); function && !function->needs.empty())
      callees.insert(function->needs.str());
}

std::string tometalium::emittedFunction(llvm::StringRef callee,
                                        const hw::MetaliumVersion &version) {
  std::string text = emittedFunction(callee).str();
  if (!version.isOld())
    return text;
  for (llvm::StringRef direction : {"read", "write"}) {
    std::string mid = ("noc_async_" + direction + "_page").str();
    if (size_t at = text.find(mid); at != std::string::npos)
      text.replace(at, mid.size(), ("noc_async_" + direction + "_tile").str());
  }
  return text;
}
