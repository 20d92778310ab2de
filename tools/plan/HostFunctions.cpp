//===- HostFunctions.cpp - functions of the host that a kernel calls ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// C functions are called through libffi, because their signatures are known only at run time.
// Integers and bools are int32_t, floats are float, an array is three arguments: `float *data,
// int32_t rank, const int32_t *extents`.
//===--------------------------------------------------------------------------===//

#include "tools/plan/HostFunctions.h"

#include "hw/device/FloatEnvironment.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include <deque>

#include <dlfcn.h>
#include <ffi.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::plan;

namespace {

// The arguments of one call in libffi's form.
class ForeignArguments {
public:
  explicit ForeignArguments(std::span<hw::HostArgument> arguments) {
    for (hw::HostArgument &argument : arguments) {
      if (!argument.isArray()) {
        add(argument.kind == 'f' ? &ffi_type_float : &ffi_type_sint32, &argument.bits);
        continue;
      }
      add(&ffi_type_pointer, &pointers.emplace_back(argument.elements.data()));
      add(&ffi_type_sint32, &ranks.emplace_back(static_cast<int32_t>(argument.extents.size())));
      add(&ffi_type_pointer, &pointers.emplace_back(argument.extents.data()));
    }
  }

  std::vector<ffi_type *> types;
  std::vector<void *> values;

private:
  void add(ffi_type &type, void *value) {
    types.push_back(&type);
    values.push_back(value);
  }
  void add(ffi_type *type, void *value) { add(*type, value); }

  std::deque<void *> pointers; // a deque does not move its elements
  std::deque<int32_t> ranks;
};

class CFunction : public hw::HostFunction {
public:
  explicit CFunction(void *address) : address(address) {}

  std::string call(std::span<hw::HostArgument> arguments, char resultKind,
                   uint32_t &result) override {
    ForeignArguments foreign(arguments);
    ffi_type *type = resultKind == 'f' ? &ffi_type_float
                     : resultKind      ? &ffi_type_sint32
                                       : &ffi_type_void;
    ffi_cif interface;
    auto count = static_cast<unsigned>(foreign.types.size());
    if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, count, type, foreign.types.data()) != FFI_OK)
      return "libffi cannot call a function with these arguments";
    // libffi stores a small integer result in a whole register.
    union {
      ffi_arg integer;
      float number;
    } returned{};
    hw::CallersFloatEnvironment environment;
    ffi_call(&interface, reinterpret_cast<void (*)()>(address), &returned, foreign.values.data());
    result = resultKind == 'f' ? llvm::bit_cast<uint32_t>(returned.number)
                               : static_cast<uint32_t>(returned.integer);
    return {};
  }

private:
  void *address; // stays valid: libraries are never closed
};

} // namespace

std::shared_ptr<hw::HostFunction>
plan::openFunction(const std::string &library, const std::string &symbol, std::string &mistake) {
  void *handle = dlopen(library.empty() ? nullptr : library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *address = handle ? dlsym(handle, symbol.c_str()) : nullptr;
  if (address)
    return std::make_shared<CFunction>(address);
  const char *why = dlerror();
  mistake = why ? why : "the symbol's address is null";
  return nullptr;
}

template <typename OpT>
static LogicalResult add(OpT op, const hw::HostFunctions &known, hw::HostFunctions &found) {
  std::string name = ttkernel::getHostName(op.getFunction(), op.getLibrary());
  if (found.contains(name))
    return success();
  if (auto it = known.find(name); it != known.end()) {
    found.insert(*it);
    return success();
  }
  if (!op.getLibrary())
    return op.emitOpError("calls the host function '")
           << op.getFunction() << "', which the launcher does not have: name its library with 'in'";
  std::string mistake;
  auto function = openFunction(op.getLibrary()->str(), op.getFunction().str(), mistake);
  if (!function)
    return op.emitError("cannot call '")
           << op.getFunction() << "' of library '" << *op.getLibrary() << "': " << mistake;
  found[name] = std::move(function);
  return success();
}

FailureOr<hw::HostFunctions> plan::findHostFunctions(ModuleOp module,
                                                     const hw::HostFunctions &known) {
  hw::HostFunctions found;
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto call = dyn_cast<ttl::CallHostOp>(op))
      return add(call, known, found);
    if (auto call = dyn_cast<ttkernel::CallHostOp>(op))
      return add(call, known, found);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return found;
}
