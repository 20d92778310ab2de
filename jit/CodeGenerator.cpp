//===- CodeGenerator.cpp - compiles LLVM IR to an object ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/CodeGenerator.h"

#include "hw/device/Fiber.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

using orc::JITTargetMachineBuilder;

std::string jit::textOf(const Module &module) {
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

// Returns whether LLVM knows the CPU. Check this first: creating a target machine for an unknown
// CPU prints a message.
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
  // The linker makes stubs for calls of functions that are far away. With the large model, which is
  // the default of a JIT, unoptimised code for calls takes twice the time to generate.
  builder->setCodeModel(CodeModel::Small);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  JITTargetMachineBuilder quick = *builder;
  auto quickMachine = quick.setCodeGenOptLevel(CodeGenOptLevel::None).createTargetMachine();
  if (!quickMachine)
    return quickMachine.takeError();
  return CodeGenerator(std::move(*builder), std::move(*machine), std::move(*quickMachine),
                       optLevel);
}

CodeGenerator::CodeGenerator(JITTargetMachineBuilder builder,
                             std::unique_ptr<TargetMachine> machine,
                             std::unique_ptr<TargetMachine> quickMachine, int optLevel)
    : builder(std::move(builder)), machine(std::move(machine)),
      quickMachine(std::move(quickMachine)), optLevel(optLevel) {}

DeviceLevel CodeGenerator::deviceLevel() const {
  const Triple &triple = machine->getTargetTriple();
  const MCSubtargetInfo &features = *machine->getMCSubtargetInfo();
  if (triple.isAArch64())
    return DeviceLevel::Fma;
  return triple.isX86() && features.checkFeatures("+fma") ? DeviceLevel::Fma : DeviceLevel::Plain;
}

void CodeGenerator::setTarget(Module &module) const {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
}

// Code touches a larger frame in steps of this size, so that no frame reaches past the guard of
// a kernel thread's stack: the begin of a frame is at most one step below a touched page.
static constexpr size_t kStackProbeBytes = ttjit::hw::kStackGuardBytes / 2;

// Sets the target's features on the library's functions, which were compiled for the
// baseline.
static void setFeatures(Module &module, const TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.removeFnAttr("tune-cpu");
    function.addFnAttr(Attribute::NoUnwind);
    function.addFnAttr("probe-stack", "inline-asm");
    function.addFnAttr("stack-probe-size", std::to_string(kStackProbeBytes));
  }
}

// Pipeline of level 1. The device's library is already optimised except for vectors, so this
// pipeline inlines it, simplifies the result and vectorises. It takes a third of the time of
// level 2 and gives the same loops.
static constexpr const char kShortPipeline[] =
    "always-inline,ipsccp,globaldce,"
    "cgscc(inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>)),globaldce,"
    "function(loop-mssa(licm),"
    "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>,"
    "slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-unroll<O2;no-partial;no-runtime>,sroa<modify-cfg>,early-cse,simplifycfg)";

static ModulePassManager makePipeline(PassBuilder &passes, int level) {
  if (level <= 0)
    return passes.buildO0DefaultPipeline(OptimizationLevel::O0);
  if (level >= 2)
    return passes.buildPerModuleDefaultPipeline(level == 2 ? OptimizationLevel::O2
                                                           : OptimizationLevel::O3);
  ModulePassManager pipeline;
  cantFail(passes.parsePassPipeline(pipeline, kShortPipeline));
  return pipeline;
}

void CodeGenerator::optimize(Module &module, const std::atomic<bool> *isGivenUp) const {
  setFeatures(module, *machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false; // loops are unrolled only if their metadata asks for it
  PassInstrumentationCallbacks callbacks;
  if (isGivenUp)
    callbacks.registerShouldRunOptionalPassCallback([=](StringRef, Any) { return !*isGivenUp; });
  PassBuilder passes(machine.get(), tuning, std::nullopt, &callbacks);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  makePipeline(passes, optLevel).run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>> CodeGenerator::compile(Module &module) const {
  return orc::SimpleCompiler(*machine)(module);
}

Expected<std::unique_ptr<MemoryBuffer>> CodeGenerator::compileQuickly(Module &module) const {
  setFeatures(module, *quickMachine);
  return orc::SimpleCompiler(*quickMachine)(module);
}

static std::string assemblyOf(const Module &module, TargetMachine &machine) {
  // Code generation changes the module, so it gets a copy.
  std::unique_ptr<Module> copy = CloneModule(module);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return "this target has no assembly printer";
  passes.run(*copy);
  return text.str().str();
}

std::string CodeGenerator::assembly(const Module &module) const {
  return assemblyOf(module, *machine);
}

std::string CodeGenerator::quickAssembly(const Module &module) const {
  return assemblyOf(module, *quickMachine);
}
