//===- ScheduleFile.cpp - a kernel's schedule in the transform dialect --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule is a module with `transform.named_sequence @__transform_main`.
//===--------------------------------------------------------------------------===//

#include "passes/Pipeline.h"
#include "passes/Schedule.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ttjit;

static constexpr llvm::StringLiteral kStageAttr = "ttl.after_stage";

namespace {

class ScheduleFile : public Schedule {
public:
  LogicalResult parse(MLIRContext *context, const std::string &path, const std::string &text);

  // Attribute `ttl.after_stage` of the sequence or the module, else `compute`.
  const std::string &stage() const override { return afterStage; }
  LogicalResult apply(ModuleOp payload) override;

private:
  LogicalResult findMain();
  LogicalResult readStage();

  OwningOpRef<ModuleOp> module;
  transform::TransformOpInterface main;
  std::string afterStage = "compute";
};

} // namespace

LogicalResult ScheduleFile::parse(MLIRContext *context, const std::string &path,
                                  const std::string &text) {
  DialectRegistry registry;
  registerTransforms(registry);
  context->appendDialectRegistry(registry);
  registerNamedPasses();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  return success(module && succeeded(findMain()) && succeeded(readStage()));
}

LogicalResult ScheduleFile::findMain() {
  constexpr llvm::StringLiteral name = transform::TransformDialect::kTransformEntryPointSymbolName;
  auto sequence = module->lookupSymbol<transform::NamedSequenceOp>(name);
  if (!sequence) {
    // The design documents write the schedule as a sequence without a name.
    auto unnamed = module->getOps<transform::SequenceOp>();
    if (llvm::hasSingleElement(unnamed)) {
      main = cast<transform::TransformOpInterface>((*unnamed.begin()).getOperation());
      return success();
    }
    return module->emitError("expected a transform.named_sequence @")
           << name << ", or one transform.sequence; this file has "
           << (unnamed.empty() ? "none" : "several sequences");
  }
  if (sequence.isExternal() || sequence.getBody().getNumArguments() != 1)
    return sequence.emitError("@")
           << name << " must have a body and one argument, a handle to the module "
           << "with the kernel";
  main = cast<transform::TransformOpInterface>(sequence.getOperation());
  return success();
}

LogicalResult ScheduleFile::readStage() {
  for (Operation *op : {main.getOperation(), module->getOperation()}) {
    Attribute attribute = op->getAttr(kStageAttr);
    if (!attribute)
      continue;
    auto name = dyn_cast<StringAttr>(attribute);
    if (!name || !llvm::is_contained(pipelineStages(), name.getValue()))
      return op->emitError("'") << kStageAttr << "' must be one of "
                                << llvm::join(pipelineStages(), ", ") << "; found " << attribute;
    afterStage = name.str();
    return success();
  }
  return success();
}

// Makes arithmetic of the ops that split an index: loops that transform.loop.coalesce made have
// them, and later stages do not know them.
static LogicalResult expandSplitIndices(ModuleOp payload) {
  auto splits = [](affine::AffineDelinearizeIndexOp) { return WalkResult::interrupt(); };
  if (!payload.walk(splits).wasInterrupted())
    return success();
  RewritePatternSet patterns(payload.getContext());
  affine::populateAffineExpandIndexOpsPatterns(patterns);
  populateAffineToStdConversionPatterns(patterns);
  return applyPatternsGreedily(payload, std::move(patterns));
}

LogicalResult ScheduleFile::apply(ModuleOp payload) {
  transform::TransformOptions options;
  LogicalResult applied =
      isa<transform::NamedSequenceOp>(main)
          ? transform::applyTransformNamedSequence(payload, main, /*transformModule=*/{}, options)
          : transform::applyTransforms(payload, main, /*extraMapping=*/{}, options);
  if (failed(applied) || failed(expandSplitIndices(payload)))
    return failure();
  return verify(payload);
}

extern "C" __attribute__((visibility("default"))) Schedule *
ttjit_parse_schedule(MLIRContext *context, const std::string &path, const std::string &text) {
  auto schedule = std::make_unique<ScheduleFile>();
  return succeeded(schedule->parse(context, path, text)) ? schedule.release() : nullptr;
}
