//===- DeviceLibrary.cpp - the device's inline functions as bitcode -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/DeviceLibrary.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace ttjit::jit;

// jit/lib/embed.py makes these symbols from the bitcode of each level.
#define TTJIT_DEVICE_LEVEL(level)                                                                  \
  extern "C" const char ttjit_device_inlines_##level##_begin[];                                    \
  extern "C" const char ttjit_device_inlines_##level##_end[];
TTJIT_DEVICE_LEVEL(plain)
TTJIT_DEVICE_LEVEL(fma)
#undef TTJIT_DEVICE_LEVEL

static StringRef between(const char *begin, const char *end) {
  return StringRef(begin, end - begin);
}

static StringRef bitcode(DeviceLevel level) {
  switch (level) {
  case DeviceLevel::Plain:
    return between(ttjit_device_inlines_plain_begin, ttjit_device_inlines_plain_end);
  case DeviceLevel::Fma:
    return between(ttjit_device_inlines_fma_begin, ttjit_device_inlines_fma_end);
  }
  llvm_unreachable("unknown level");
}

// Erases unused declarations of device functions: only threads in `other`, a module that calls
// these functions in hw, use them.
static void eraseUnused(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        function.getName().starts_with("ttl_hw_"))
      function.eraseFromParent();
}

// Replaces calls of ttl_hw_x by calls of ttl_inline_x if the library has that
// function.
static void useInlineForms(Module &module, const Module &library) {
  for (Function &function : module) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("ttl_hw_"))
      continue;
    std::string inlined = ("ttl_inline_" + name).str();
    if (library.getFunction(inlined))
      function.setName(inlined);
  }
}

// Largest number of calls that one thread inlines. The time of code generation grows
// faster than the size of a function, and a call takes little time compared with the
// tile that it computes.
static constexpr size_t kMaxInlinedCalls = 128;

static void keepCallsOfLargeThreads(Module &module) {
  for (Function &thread : module) {
    SmallVector<CallBase *> calls;
    for (Instruction &instruction : instructions(thread)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->getName().starts_with("ttl_inline_"))
        calls.push_back(call);
    }
    if (calls.size() > kMaxInlinedCalls)
      for (CallBase *call : calls)
        call->addFnAttr(Attribute::NoInline);
  }
}

Error ttjit::jit::linkDeviceLibrary(Module &module, Module *other, DeviceLevel level) {
  MemoryBufferRef buffer(bitcode(level), "device-inlines");
  // The lazy module reads function bodies only when they are linked.
  Expected<std::unique_ptr<Module>> library = getLazyBitcodeModule(buffer, module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  eraseUnused(module);
  useInlineForms(module, **library);
  keepCallsOfLargeThreads(module);
  auto internalize = [other](Module &linked, const StringSet<> &names) {
    internalizeModule(linked, [&](const GlobalValue &value) {
      bool isNew = value.hasName() && names.contains(value.getName());
      return !isNew || (other && other->getNamedValue(value.getName()));
    });
  };
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded, internalize))
    return createStringError(
        "internal error: the compiled kernel does not link with the device's inline functions; "
        "build or install ttl-jit again");
  return Error::success();
}
