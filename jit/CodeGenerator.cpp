//===- CodeGenerator.cpp - from LLVM IR to an object ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/CodeGenerator.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace ttjit::jit;

using orc::JITTargetMachineBuilder;

/// Asked before a machine is made for it, which would print a complaint.
static bool knowsCpu(const Triple &triple, StringRef cpu) {
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return false;
  std::unique_ptr<MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  return info && info->isCPUStringValid(cpu);
}

static Expected<JITTargetMachineBuilder> describeTarget(StringRef cpu) {
  if (InitializeNativeTarget() || InitializeNativeTargetAsmPrinter())
    return createStringError("LLVM has no code generator for this host");
  if (cpu.empty())
    return JITTargetMachineBuilder::detectHost();
  Triple triple(sys::getProcessTriple());
  if (!knowsCpu(triple, cpu))
    return createStringError("LLVM knows no CPU '" + cpu + "' for this host");
  JITTargetMachineBuilder builder(triple);
  builder.setCPU(cpu.str());
  return builder;
}

static void setArithmetic(TargetOptions &options) {
  options.AllowFPOpFusion = FPOpFusion::Strict;
  options.NoTrappingFPMath = true;
}

static CodeGenOptLevel codeGenLevel(int level) {
  return level == 0 ? CodeGenOptLevel::None : CodeGenOptLevel::Default;
}

Expected<CodeGenerator> CodeGenerator::create(StringRef cpu, int optLevel) {
  Expected<JITTargetMachineBuilder> builder = describeTarget(cpu);
  if (!builder)
    return builder.takeError();
  setArithmetic(builder->getOptions());
  builder->setCodeGenOptLevel(codeGenLevel(optLevel));
  builder->setRelocationModel(Reloc::PIC_);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  return CodeGenerator(std::move(*builder), std::move(*machine), optLevel);
}

CodeGenerator::CodeGenerator(JITTargetMachineBuilder builder,
                             std::unique_ptr<TargetMachine> machine, int optLevel)
    : builder(std::move(builder)), machine(std::move(machine)), optLevel(optLevel) {}

DeviceLevel CodeGenerator::deviceLevel() const {
  const Triple &triple = machine->getTargetTriple();
  const MCSubtargetInfo &features = *machine->getMCSubtargetInfo();
  if (triple.isAArch64())
    return DeviceLevel::Fma;
  if (!triple.isX86() || !features.checkFeatures("+fma"))
    return DeviceLevel::Plain;
  return features.checkFeatures("+avx512f") ? DeviceLevel::Wide : DeviceLevel::Fma;
}

void CodeGenerator::setTarget(Module &module) const {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
}

/// The library's functions were compiled for the baseline.
static void setFeatures(Module &module, const TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.removeFnAttr("tune-cpu");
    function.addFnAttr(Attribute::NoUnwind);
  }
}

static OptimizationLevel pipelineLevel(int level) {
  constexpr const OptimizationLevel *kLevels[] = {&OptimizationLevel::O0, &OptimizationLevel::O1,
                                                  &OptimizationLevel::O2, &OptimizationLevel::O3};
  return *kLevels[std::clamp(level, 0, 3)];
}

void CodeGenerator::optimize(Module &module) const {
  setFeatures(module, *machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopUnrolling = false;
  PassBuilder passes(machine.get(), tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  OptimizationLevel level = pipelineLevel(optLevel);
  ModulePassManager pipeline = level == OptimizationLevel::O0
                                   ? passes.buildO0DefaultPipeline(level)
                                   : passes.buildPerModuleDefaultPipeline(level);
  pipeline.run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>> CodeGenerator::compile(Module &module) const {
  return orc::SimpleCompiler(*machine)(module);
}

std::string CodeGenerator::assembly(const Module &module) const {
  // Code generation changes the module.
  std::unique_ptr<Module> copy = CloneModule(module);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return "this target has no assembly printer";
  passes.run(*copy);
  return text.str().str();
}
