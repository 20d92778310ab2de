//===- ForeignModule.cpp - modules from files that are not trusted ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel can reach the host in two ways. A call of a host function may name any library of this
// host. Ops of LLVM's dialect and of EmitC become machine code without the checks of the device: a
// store through a pointer, inline assembly, a line of C++. The ops of all other dialects that a
// module may contain go through the device, which checks each access.
//===--------------------------------------------------------------------------===//

#include "tools/plan/ForeignModule.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::plan;

static constexpr llvm::StringLiteral kDialects[] = {
    "affine", "arith", "builtin", "func", "scf", "ttcore", "ttkernel", "ttl", "ttltest", "ttnn"};

namespace {
// Replaces a host function that a file names and the program did not register: a call is a fault.
class RefusedFunction : public hw::HostFunction {
public:
  explicit RefusedFunction(std::string message) : message(std::move(message)) {}

  std::string call(std::span<hw::HostArgument>, char, uint32_t &) override { return message; }

private:
  std::string message;
};
} // namespace

// Returns whether values of this type may be addresses in host memory.
static bool isOfHost(Type type) {
  return isa<BaseMemRefType>(type) ||
         !llvm::is_contained(kDialects, type.getDialect().getNamespace());
}

// How the user can allow a file to call any function.
static constexpr const char *kTrust =
    "ttl.load(path, trust=True), or the option --trust of ttl-jit";

static LogicalResult checkOp(Operation *op) {
  if (auto call = dyn_cast<ttcpp::CallOp>(op))
    return call.emitError("the file calls the C++ function '")
           << call.getCallee() << "' of '" << call.getHeader()
           << "', which is compiled and runs on this host: if you trust the file, that needs "
           << kTrust;
  // A call of an external function could be one of any symbol that compiled code may use.
  if (auto function = dyn_cast<func::FuncOp>(op); function && function.isExternal())
    return op->emitError("the function '")
           << function.getSymName() << "' has no body: it needs " << kTrust;
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained(kDialects, dialect) || isa<UnrealizedConversionCastOp>(op))
    return op->emitError("the file may not contain '")
           << op->getName() << "': only ops of the device run without " << kTrust;
  bool ofHost = llvm::any_of(op->getResultTypes(), isOfHost);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      ofHost |= llvm::any_of(block.getArgumentTypes(), isOfHost);
  if (ofHost)
    return op->emitError("'") << op->getName()
                              << "' has a value that could be an address of the host: such values "
                                 "need "
                              << kTrust;
  return success();
}

template <typename OpT>
static void refuse(OpT op, const std::string &advice, hw::HostFunctions &functions) {
  std::string name = ttkernel::getHostName(op.getFunction(), op.getLibrary());
  std::string where =
      op.getLibrary() ? fmt::format(" of library '{}'", op.getLibrary()->str()) : "";
  functions.try_emplace(
      name, std::make_shared<RefusedFunction>(
                fmt::format("the file calls the host function '{}'{}, which this program did not "
                            "give to it: {}",
                            op.getFunction().str(), where, advice)));
}

LogicalResult plan::restrictForeignModule(ModuleOp module, const std::string &advice,
                                          hw::HostFunctions &functions) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto call = dyn_cast<ttl::CallHostOp>(op))
      refuse(call, advice, functions);
    else if (auto call = dyn_cast<ttkernel::CallHostOp>(op))
      refuse(call, advice, functions);
    return checkOp(op);
  });
  return failure(result.wasInterrupted());
}
