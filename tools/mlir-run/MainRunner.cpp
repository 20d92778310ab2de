//===- MainRunner.cpp - the ops of func.func @main ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/MainRunner.h"

#include "diagnostics/Diagnostics.h"
#include "diagnostics/Render.h"
#include "ir/TTL/KernelModule.h"
#include "tools/session/InterruptGuard.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

template <typename OpT> void MainRunner::add() {
  handlers[OpT::getOperationName()] = [this](Operation *op) { return run(cast<OpT>(op)); };
}

MainRunner::MainRunner(ModuleOp module, Session &session, const TextSink &out,
                       const TextSink &messages)
    : module(module), session(session), out(out), messages(messages), notes(messages) {
  add<ttltest::FullOp>();
  add<ttltest::ConstantOp>();
  add<ttltest::IotaOp>();
  add<ttltest::RandomOp>();
  add<ttltest::ExpectEqOp>();
  add<ttltest::ExpectCloseOp>();
  add<ttltest::ExpectHashOp>();
  add<ttltest::PrintOp>();
  add<ttl::LaunchOp>();
  add<func::ReturnOp>();
  addD2M();
}

ExitStatus MainRunner::refuse(Operation *op, const std::string &message) {
  messages(renderError(message, toSourceLocation(op->getLoc())));
  return ExitStatus::CompileError;
}

ExitStatus MainRunner::run(func::FuncOp main) {
  if (main.getNumArguments() || main.getNumResults() || !llvm::hasSingleElement(main.getBody()))
    return refuse(main,
                  "expected @main without arguments and results, and with one block: a function "
                  "with arguments runs only in a module that has ops of ttir, ttnn, tosa or d2m");
  return runOps(main.getBody().front());
}

ExitStatus MainRunner::runOps(Block &block) {
  ExitStatus result = ExitStatus::Success;
  for (Operation &op : block) {
    auto handler = handlers.find(op.getName().getStringRef());
    if (handler == handlers.end())
      return refuse(&op,
                    fmt::format("a function that runs may only contain ttltest ops, ttl.launch, "
                                "calls, tensors and layouts of d2m, and return; found {}",
                                op.getName().getStringRef().str()));
    bool compiles = isa<ttl::LaunchOp, func::CallOp>(op);
    if (session.options().passes.compileOnly && !compiles)
      continue; // no kernel runs, so there are no results to make or to check
    note(&op);
    ExitStatus status = handler->second(&op);
    // A failed expectation does not end the run: later expectations are still checked.
    if (status != ExitStatus::Success && status != ExitStatus::ScriptFailed)
      return status;
    if (status != ExitStatus::Success)
      result = status;
  }
  return result;
}

void MainRunner::note(Operation *op) {
  int64_t elements = 0;
  auto count = [&](Type type) {
    if (auto shaped = hostTypeOf(type))
      elements = std::max(elements, shaped.getNumElements());
  };
  llvm::for_each(op->getOperandTypes(), count);
  llvm::for_each(op->getResultTypes(), count);
  hw::SourceLocation place = toSourceLocation(op->getLoc());
  notes.begin(fmt::format("{} at {}:{}:{} with {} elements", op->getName().getStringRef().str(),
                          place.file, place.line, place.column, elements));
}

//===--------------------------------------------------------------------------===//
// Inputs
//===--------------------------------------------------------------------------===//

ExitStatus MainRunner::fill(Operation *op, llvm::function_ref<llvm::APFloat(int64_t)> value) {
  Value result = op->getResult(0);
  ExitStatus status = create(op, result);
  if (status != ExitStatus::Success)
    return status;
  HostTensor &tensor = tensors.at(result);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, value(i));
  return ExitStatus::Success;
}

ExitStatus MainRunner::run(ttltest::FullOp op) {
  return fill(op, [&](int64_t) { return op.getValue(); });
}

ExitStatus MainRunner::run(ttltest::IotaOp op) {
  double start = op.getStart().convertToDouble(), step = op.getStep().convertToDouble();
  return fill(op, [&](int64_t i) { return llvm::APFloat(start + double(i) * step); });
}

ExitStatus MainRunner::run(ttltest::RandomOp op) {
  ExitStatus status = create(op, op.getResult());
  if (status == ExitStatus::Success)
    fillRandom(tensors.at(op.getResult()), op.getSeed(), op.getLow().convertToDouble(),
               op.getHigh().convertToDouble());
  return status;
}

void MainRunner::fillRandom(HostTensor &tensor, uint64_t state, double low, double high) {
  for (int64_t i = 0; i < tensor.size(); ++i) {
    // SplitMix64: the sequence depends only on the seed.
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    tensor.set(i, llvm::APFloat(low + (high - low) * (double(z >> 11) * 0x1p-53)));
  }
}

ExitStatus MainRunner::run(ttltest::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!elements || elements.getElementType() != type.getElementType() ||
      elements.getNumElements() != type.getNumElements())
    return refuse(
        op, "expected a dense attribute with the result's element type and number of elements");
  llvm::Expected<HostTensor> tensor = HostTensor::create(type);
  if (!tensor)
    return refuse(op, llvm::toString(tensor.takeError()));
  int64_t i = 0;
  if (isa<FloatType>(type.getElementType()))
    for (const llvm::APFloat &value : elements.getValues<llvm::APFloat>())
      tensor->setBits(i++, value.bitcastToAPInt().getZExtValue());
  else
    for (const llvm::APInt &value : elements.getValues<llvm::APInt>())
      tensor->setBits(i++, value.getZExtValue());
  tensors.insert({op.getResult(), std::move(*tensor)});
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// Expectations
//===--------------------------------------------------------------------------===//

ExitStatus MainRunner::expectationFailed(Operation *op, const std::string &message) {
  messages(renderError(message, toSourceLocation(op->getLoc())));
  return ExitStatus::ScriptFailed;
}

ExitStatus MainRunner::expectUlp(Operation *op, Value actual, Value expected, uint64_t ulp) {
  const HostTensor &a = tensors.at(ownerOf(actual)), &b = tensors.at(ownerOf(expected));
  if (a.type().getShape() != b.type().getShape() ||
      a.type().getElementType() != b.type().getElementType())
    return expectationFailed(op, "expected tensors of the same shape and element type");
  std::optional<ElementDifference> found = firstDifference(a, b, ulp);
  if (!found)
    return ExitStatus::Success;
  unsigned digits = a.elementBits() / 4;
  int64_t first = found->first;
  return expectationFailed(
      op, fmt::format("{} of {} elements differ; first at {}: found {} (0x{:0{}X}), "
                      "expected {} (0x{:0{}X})",
                      found->count, a.size(), indexText(a.type(), first), a.text(first),
                      a.getBits(first), digits, b.text(first), b.getBits(first), digits));
}

ExitStatus MainRunner::run(ttltest::ExpectEqOp op) {
  return expectUlp(op, op.getActual(), op.getExpected(), 0);
}

ExitStatus MainRunner::run(ttltest::ExpectCloseOp op) {
  return expectUlp(op, op.getActual(), op.getExpected(), op.getUlp());
}

ExitStatus MainRunner::run(ttltest::ExpectHashOp op) {
  std::string found = fmt::format("{:016x}", tensors.at(ownerOf(op.getActual())).hash());
  if (op.getHash().equals_insensitive(found))
    return ExitStatus::Success;
  return expectationFailed(op, fmt::format("hash is {}, expected {}", found, op.getHash().str()));
}

ExitStatus MainRunner::run(ttltest::PrintOp op) {
  const HostTensor &tensor = tensors.at(ownerOf(op.getTensor()));
  auto type = RankedTensorType::get(tensor.type().getShape(), tensor.type().getElementType());
  std::string text;
  llvm::raw_string_ostream(text) << type << '\n';
  int64_t columns = type.getRank() ? type.getShape().back() : 1;
  for (int64_t i = 0; i < tensor.size(); ++i)
    text += tensor.text(i) + ((i + 1) % columns ? ' ' : '\n');
  out(text);
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// ttl.launch
//===--------------------------------------------------------------------------===//

std::shared_ptr<CompiledProgram> MainRunner::compile(ttl::LaunchOp op, Operation *kernel) {
  std::shared_ptr<CompiledProgram> &program = programs[op.getKernel()];
  if (program)
    return program;
  OwningOpRef<ModuleOp> extracted = ttl::moduleOfKernel(module, kernel);
  hw::HostFunctions functions;
  CompileResult result;
  if (!session.options().trust)
    result.diagnostics = session.restrictForeign(
        *extracted, "to let it call functions of this host, run it with --trust", functions);
  if (!hasError(result.diagnostics))
    result = session.compile(std::move(extracted), nullptr, functions);
  for (const CompileDiagnostic &diagnostic : result.diagnostics)
    messages(render(diagnostic));
  crashed |= result.crashed;
  return program = std::move(result.program);
}

hw::Device &MainRunner::deviceFor(Operation *kernel) {
  auto name = kernel->getAttrOfType<StringAttr>("arch");
  std::optional<hw::ArchDesc> arch = name ? hw::lookupArch(name.str()) : session.options().arch;
  std::unique_ptr<hw::Device> &device = devices[name ? name.str() : ""];
  if (!device)
    device = std::make_unique<hw::Device>(arch.value_or(session.options().arch));
  return *device;
}

ExitStatus MainRunner::place(ttl::LaunchOp op, hw::Device &device, Placements &placed) {
  for (auto [i, operand] : llvm::enumerate(op.getTensors())) {
    Value owner = ownerOf(operand);
    if (!tensors.contains(owner))
      return refuse(op, fmt::format("argument {} is not a tensor that an earlier op has made", i));
    if (placed.contains(owner))
      continue; // the launch has another argument with this tensor, which is placed already
    std::string name = getSourceName(operand.getLoc()).value_or(fmt::format("argument {}", i));
    llvm::Expected<hw::TensorAllocation> pages = tensors.at(owner).place(device, name);
    if (!pages)
      return refuse(op, llvm::toString(pages.takeError()));
    placed.insert({owner, *pages});
  }
  return ExitStatus::Success;
}

ExitStatus MainRunner::launch(ttl::LaunchOp op, CompiledProgram &program, hw::Device &device) {
  Placements placed;
  ExitStatus status = place(op, device, placed);
  if (status == ExitStatus::Success) {
    std::vector<hw::TensorAllocation> arguments;
    for (Value operand : op.getTensors())
      arguments.push_back(placed.at(ownerOf(operand)));
    InterruptNote signal;
    hw::RunResult result = session.launch(program, device, arguments);
    for (auto &[operand, pages] : placed)
      tensors.at(operand).readBack(device, pages);
    for (const CompileDiagnostic &warning : program.takeWarnings())
      messages(render(warning));
    for (const hw::Fault &warning : result.warnings)
      messages(renderWarning(warning));
    if (result.fault) {
      messages(render(*result.fault));
      status = ExitStatus::RuntimeFault;
    }
    if (signal.interrupted())
      status = ExitStatus::Interrupted;
  }
  for (auto &[operand, pages] : placed)
    device.free(pages);
  return status;
}

ExitStatus MainRunner::run(ttl::LaunchOp op) {
  Operation *kernel = module.lookupSymbol(op.getKernel());
  std::shared_ptr<CompiledProgram> program = compile(op, kernel);
  if (!program)
    return ExitStatus::CompileError;
  if (session.options().passes.compileOnly)
    return ExitStatus::Success;
  return launch(op, *program, deviceFor(kernel));
}
