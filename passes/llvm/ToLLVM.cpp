//===- ToLLVM.cpp - thread functions to the LLVM dialect ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Five steps: (1) add thread arguments and loop steps, (2) move blocks of pages with one call
// (BlockTransfers.cpp), (3) compute DST sections with fewer calls (FuseProducts.cpp,
// FuseSections.cpp), (4) turn structured control flow into branches, (5) convert all ops to the
// LLVM dialect at once. An op can be lowered if step (4) or (5) has a pattern for it;
// whyNotToLLVM asks the same lists of patterns.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/ToLLVM.h"

#include "ir/TTKernel/TTKernel.h"
#include "passes/llvm/CallBuilder.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

//===--------------------------------------------------------------------------===//
// Types and patterns
//===--------------------------------------------------------------------------===//

// Adds conversions of types: buffers become their index, addresses become device addresses, an
// accessor becomes a pointer to the device's object.
static void addTypes(LLVMTypeConverter &types) {
  types.addConversion([](Type type) -> std::optional<Type> {
    MLIRContext *context = type.getContext();
    if (isa<ttkernel::CBType, ttkernel::SemaphoreType, ttkernel::L1AddrType,
            ttkernel::L1AddrPtrType, ttkernel::TensorAccessorArgsType>(type))
      return IntegerType::get(context, 32);
    if (isa<ttkernel::NocAddrType>(type))
      return IntegerType::get(context, 64);
    if (isa<ttkernel::TensorAccessorType>(type))
      return LLVM::LLVMPointerType::get(context);
    return std::nullopt;
  });
}

static void populateLowering(const LLVMTypeConverter &types, RewritePatternSet &patterns,
                             CallBuilder &calls) {
  populateDeviceCalls(types, patterns, calls);
  populateScalarCalls(types, patterns, calls);
  populateHostCalls(types, patterns, calls);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns);
}

//===--------------------------------------------------------------------------===//
// Steps
//===--------------------------------------------------------------------------===//

// Collects the ops of structured control flow, each before those in it, and of a block the last
// one first.
static void collectStructured(Region &region, SmallVectorImpl<Operation *> &ops) {
  for (Block &block : llvm::reverse(region))
    for (Operation &op : llvm::reverse(block)) {
      if (isa_and_nonnull<scf::SCFDialect>(op.getDialect()) && op.getNumRegions())
        ops.push_back(&op);
      for (Region &inner : op.getRegions())
        collectStructured(inner, ops);
    }
}

// Turns structured control flow into branches. An op splits its block and moves all ops behind it,
// so that another order would take quadratic time in a long block.
static LogicalResult lowerLoops(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  SmallVector<Operation *> structured;
  collectStructured(module.getBodyRegion(), structured);
  PatternRewriter rewriter(module.getContext());
  for (Operation *op : structured) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return op->emitOpError("has no lowering to branches");
  }
  return success();
}

namespace {

// A call of step (2) takes the pointer that an accessor becomes.
struct AccessorPointer : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getInputs().getTypes() != op.getResultTypes())
      return failure();
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

} // namespace

static LogicalResult lowerToLLVM(ModuleOp module, CallBuilder &calls) {
  MLIRContext *context = module.getContext();
  LLVMTypeConverter types(context);
  addTypes(types);
  RewritePatternSet patterns(context);
  populateLowering(types, patterns, calls);
  patterns.add<AccessorPointer>(types, context);
  ConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  target.addLegalDialect<LLVM::LLVMDialect>();
  return applyFullConversion(module, target, std::move(patterns));
}

static LogicalResult fuse(ModuleOp module, CallBuilder &calls) {
  return success(succeeded(fuseProducts(module, calls)) &&
                 succeeded(fuseReductions(module, calls)) &&
                 succeeded(fuseSections(module, calls)));
}

LogicalResult ttjit::convertToLLVM(ModuleOp module, LocationTable &locations,
                                   LoweringOptions options) {
  module.getContext()->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect, scf::SCFDialect>();
  CallBuilder calls(module, locations);
  if (failed(prepareThreads(module, calls)) ||
      (options.blockTransfers && failed(moveBlocks(module, calls))) ||
      (options.tileLoops && failed(fuse(module, calls))) || failed(lowerLoops(module)) ||
      failed(lowerToLLVM(module, calls)))
    return failure();
  removeRepeatedPositions(module);
  return success();
}

//===--------------------------------------------------------------------------===//
// Checks before lowering
//===--------------------------------------------------------------------------===//

// Returns the names of the root ops of the patterns of steps (4) and (5).
static llvm::StringSet<> knownOps(MLIRContext *context) {
  context->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  LocationTable locations;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  CallBuilder calls(*module, locations);
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  populateLowering(types, patterns, calls);
  llvm::StringSet<> names;
  for (const std::unique_ptr<RewritePattern> &pattern : patterns.getNativePatterns())
    if (std::optional<OperationName> root = pattern->getRootKind())
      names.insert(root->getStringRef());
  // The patterns lower calls too, but a thread function calls no function of the module: the
  // callee would get no thread argument.
  for (StringRef call : {func::CallOp::getOperationName(), func::CallIndirectOp::getOperationName(),
                         func::ConstantOp::getOperationName()})
    names.erase(call);
  // Terminators have no pattern: the pattern of the op around them lowers them.
  names.insert(scf::YieldOp::getOperationName());
  names.insert(scf::ConditionOp::getOperationName());
  return names;
}

static std::string describe(Operation *op) {
  std::string text =
      "the LLVM conversion does not know '" + op->getName().getStringRef().str() + "'";
  SourceRange range = getSourceRange(op->getLoc());
  if (range.line != 0)
    text += " (" + range.file + ":" + std::to_string(range.line) + ":" +
            std::to_string(range.column) + ")";
  return text;
}

// Returns whether compiled code calls a symbol of this name: a thread function of that name would
// be called instead.
static bool isReservedName(StringRef name) {
  return name.starts_with(kReservedPrefix) ||
         llvm::is_contained({"memcpy", "memmove", "memset"}, name);
}

// Returns why the function cannot be lowered, apart from its ops; nothing if it can.
static std::optional<std::string> whyNotAThread(func::FuncOp thread) {
  if (thread.isDeclaration() || thread.getNumArguments() != 0 || thread.getNumResults() != 0)
    return "'" + thread.getName().str() +
           "' is not a thread function of stage ttkernel: it has arguments, results or no body";
  if (isReservedName(thread.getName()))
    return "the name '" + thread.getName().str() + "' is taken by a function of the device";
  return std::nullopt;
}

std::optional<std::string> ttjit::whyNotToLLVM(func::FuncOp thread) {
  if (std::optional<std::string> reason = whyNotAThread(thread))
    return reason;
  // The names are those of the code: they are the same for every context.
  static const llvm::StringSet<> known = knownOps(thread.getContext());
  std::optional<std::string> reason;
  thread.getBody().walk([&](Operation *op) {
    if (known.contains(op->getName().getStringRef()))
      return WalkResult::advance();
    reason = describe(op);
    return WalkResult::interrupt();
  });
  return reason;
}

//===--------------------------------------------------------------------------===//
// ttl-opt
//===--------------------------------------------------------------------------===//

namespace {

struct ToLLVMPass : PassWrapper<ToLLVMPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToLLVMPass)

  ToLLVMPass() = default;
  ToLLVMPass(const ToLLVMPass &other) : PassWrapper(other) {}

  Option<bool> tileLoops{*this, "tile-loops", llvm::cl::init(true),
                         llvm::cl::desc("Compute DST sections with fewer calls")};
  Option<bool> blockTransfers{*this, "block-transfers", llvm::cl::init(true),
                              llvm::cl::desc("Move the pages of a block with one call")};

  StringRef getArgument() const override { return "ttkernel-to-llvm"; }
  StringRef getDescription() const override {
    return "Lower thread functions of stage ttkernel to the LLVM dialect, as the JIT does";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<LLVM::LLVMDialect, cf::ControlFlowDialect, scf::SCFDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    LocationTable locations;
    OwningOpRef<ModuleOp> threads = ModuleOp::create(getOperation().getLoc());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!function->hasAttr(ttkernel::kThreadAttrName))
        continue;
      if (std::optional<std::string> reason = whyNotAThread(function)) {
        function.emitError(*reason);
        return signalPassFailure();
      }
      function->moveBefore(threads->getBody(), threads->getBody()->end());
    }
    if (failed(convertToLLVM(*threads, locations, {tileLoops, blockTransfers})))
      return signalPassFailure();
    Block *body = getOperation().getBody();
    body->getOperations().splice(body->end(), threads->getBody()->getOperations());
  }
};

} // namespace

void ttjit::registerToLLVMPass() { PassRegistration<ToLLVMPass>(); }
