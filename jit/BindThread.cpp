//===- BindThread.cpp - C++ of a kernel to a function of a thread -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/BindThread.h"

#include "jit/DeviceAccesses.h"
#include "jit/StackVariables.h"

#include "hw/abi/KernelApi.h"
#include "hw/abi/KernelThread.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

// The mangled names of the entry: kernel_main(), or ttjit_kernel::kernel_main() of ttjit/device.h.
static constexpr StringLiteral kEntries[] = {"_Z11kernel_mainv",
                                             "_ZN12ttjit_kernel11kernel_mainEv"};

// Prefix of the functions that Clang's sanitizer calls.
static constexpr StringLiteral kSanitizer = "__ubsan_handle_";

//===--------------------------------------------------------------------------===//
// One function
//===--------------------------------------------------------------------------===//

static Function *findEntry(Module &module) {
  for (StringRef name : kEntries)
    if (Function *entry = module.getFunction(name);
        entry && !entry->isDeclaration() && entry->getReturnType()->isVoidTy())
      return entry;
  return nullptr;
}

// Makes everything but the entry internal, so that modules of several kernels link.
static void hideAllBut(Module &module, Function &entry) {
  for (GlobalObject &object : module.global_objects())
    if (!object.isDeclaration() && &object != &entry) {
      object.setComdat(nullptr);
      object.setLinkage(GlobalValue::InternalLinkage);
    }
  for (const char *list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = module.getGlobalVariable(list))
      used->eraseFromParent();
}

static void runPipeline(Module &module, StringRef text) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder passes;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  ModulePassManager pipeline;
  cantFail(passes.parsePassPipeline(pipeline, text));
  pipeline.run(module, modules);
}

static Error inlineAll(Module &module, Function &entry) {
  for (Function &function : module) {
    if (function.isDeclaration() || &function == &entry)
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  runPipeline(module, "always-inline,globaldce,function(sroa<modify-cfg>,early-cse)");
  for (Function &function : module) {
    StringRef name = function.getName();
    if (function.use_empty() || function.isIntrinsic() || name.starts_with("ttl_") ||
        name.starts_with(kSanitizer))
      continue;
    return createStringError(function.isDeclaration()
                                 ? "the kernel calls '" + demangle(name) +
                                       "', which has no definition"
                                 : "the kernel calls '" + demangle(name) +
                                       "' recursively or through a pointer; on the host, all "
                                       "functions must be inlined");
  }
  return Error::success();
}

static bool isOnlyRead(const Value &pointer) {
  return all_of(pointer.users(), [&](const User *user) {
    if (isa<LoadInst>(user))
      return true;
    bool isAddress = isa<GEPOperator>(user) || isa<BitCastOperator>(user);
    return isAddress && isOnlyRead(*user);
  });
}

// Refuses variables that change. On the card each core has its own; on the host all threads of a
// kernel would share them. Variables without a name are Clang's own.
static Error refuseVariables(const Module &module) {
  for (const GlobalVariable &variable : module.globals())
    if (!variable.isConstant() && variable.hasName() && !isOnlyRead(variable))
      return createStringError("the kernel changes the variable '" + demangle(variable.getName()) +
                               "', which all cores would share on the host: keep the value in a "
                               "local variable or in L1");
  return Error::success();
}

//===--------------------------------------------------------------------------===//
// The thread
//===--------------------------------------------------------------------------===//

static Function *addThreadArgument(Function &entry, StringRef name) {
  Module &module = *entry.getParent();
  LLVMContext &context = module.getContext();
  auto *type =
      FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
  Function *bound = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  bound->splice(bound->begin(), &entry);
  bound->setSubprogram(entry.getSubprogram());
  entry.setSubprogram(nullptr);
  if (Function *current = module.getFunction("ttl_current_thread"))
    for (User *user : make_early_inc_range(current->users()))
      if (auto *call = dyn_cast<CallInst>(user); call && call->getFunction() == bound) {
        call->replaceAllUsesWith(bound->getArg(0));
        call->eraseFromParent();
      }
  entry.eraseFromParent();
  return bound;
}

// Inserts a call of `name` with the thread as its argument before `place`. If the call does not
// return Ok, the thread is left through ttl_hw_abandon.
static void addCheckedCall(Function &function, StringRef name, Instruction *place) {
  Module &module = *function.getParent();
  IRBuilder<> builder(place);
  Type *pointer = builder.getPtrTy();
  FunctionCallee callee = module.getOrInsertFunction(name, builder.getInt32Ty(), pointer);
  FunctionCallee abandon =
      module.getOrInsertFunction("ttl_hw_abandon", builder.getVoidTy(), pointer);
  Value *status = builder.CreateCall(callee, {function.getArg(0)});
  Instruction *leave = SplitBlockAndInsertIfThen(builder.CreateICmpNE(status, builder.getInt32(0)),
                                                 place, /*Unreachable=*/true);
  builder.SetInsertPoint(leave);
  builder.CreateCall(abandon, {function.getArg(0)})->setDebugLoc(place->getDebugLoc());
}

// Replaces calls of ttl_init_x, declared only (ttjit/tile_ops.h), by ttl_hw_sfpu_init(thread, "x").
static void nameInits(Function &function) {
  constexpr StringLiteral kPrefix = "ttl_init_";
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *init = call ? call->getCalledFunction() : nullptr;
    if (!init || !init->getName().starts_with(kPrefix))
      continue;
    IRBuilder<> builder(call);
    FunctionCallee callee = function.getParent()->getOrInsertFunction(
        "ttl_hw_sfpu_init", builder.getVoidTy(), builder.getPtrTy(), builder.getPtrTy());
    Value *name = builder.CreateGlobalString(init->getName().drop_front(kPrefix.size()));
    builder.CreateCall(callee, {function.getArg(0), name});
    call->eraseFromParent();
  }
}

// Returns the ProgramFault, an i32, for a call of Clang's sanitizer; null for other calls.
static Value *sanitizerFault(const CallInst &call, IRBuilder<> &builder) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front(kSanitizer))
    return nullptr;
  auto number = [&](hw::ProgramFault fault) {
    return builder.getInt32(static_cast<uint32_t>(fault));
  };
  if (name.starts_with("shift"))
    return number(hw::ProgramFault::ShiftCount);
  if (!name.starts_with("divrem"))
    return number(hw::ProgramFault::IntOverflow);
  Value *divisor = call.getArgOperand(2);
  Value *isZero = builder.CreateICmpEQ(divisor, ConstantInt::get(divisor->getType(), 0));
  return builder.CreateSelect(isZero, number(hw::ProgramFault::DivisionByZero),
                              number(hw::ProgramFault::IntOverflow));
}

// Replaces the sanitizer's calls, which Clang emits for operations without a result, by faults.
static void faultWithoutResult(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    IRBuilder<> builder(call);
    Value *fault = sanitizerFault(*call, builder);
    if (!fault)
      continue;
    Module &module = *function.getParent();
    Type *pointer = builder.getPtrTy();
    Value *thread = function.getArg(0);
    builder.CreateCall(module.getOrInsertFunction("ttl_hw_program_fault", builder.getInt32Ty(),
                                                  pointer, builder.getInt32Ty(), pointer),
                       {thread, fault, Constant::getNullValue(pointer)});
    builder.CreateCall(module.getOrInsertFunction("ttl_hw_abandon", builder.getVoidTy(), pointer),
                       {thread});
    call->eraseFromParent();
  }
}

static void countSteps(Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  for (auto [from, to] : edges) {
    auto *latch = const_cast<BasicBlock *>(from);
    BasicBlock *edge = SplitEdge(latch, const_cast<BasicBlock *>(to));
    edge->getTerminator()->setDebugLoc(latch->getTerminator()->getDebugLoc());
    addCheckedCall(function, "ttl_hw_step", edge->getTerminator());
  }
}

//===--------------------------------------------------------------------------===//
// Positions
//===--------------------------------------------------------------------------===//

// Returns the position in the kernel itself, not in a function that was inlined.
static const DILocation *placeInKernel(const Instruction &instruction) {
  const DILocation *place = instruction.getDebugLoc();
  while (place && place->getInlinedAt())
    place = place->getInlinedAt();
  return place;
}

static void storePositions(Function &function, const LineNumbers &lines) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    const DILocation *place = placeInKernel(instruction);
    if (!callee || !callee->getName().starts_with("ttl_hw_") || !place)
      continue;
    IRBuilder<> builder(call);
    Value *field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0),
                                                      offsetof(hw::KernelThread, loc));
    builder.CreateStore(builder.getInt32(lines(place->getFilename(), place->getLine())), field);
  }
}

//===--------------------------------------------------------------------------===//
// All steps
//===--------------------------------------------------------------------------===//

Error ttjit::jit::bindThread(Module &module, StringRef name, const LineNumbers &lines,
                             bool forDebugger) {
  Function *entry = findEntry(module);
  if (!entry)
    return createStringError("the kernel has no function 'void kernel_main()'");
  hideAllBut(module, *entry);
  if (Error error = inlineAll(module, *entry))
    return error;
  if (Error error = refuseVariables(module))
    return error;
  Function *bound = addThreadArgument(*entry, name);
  nameInits(*bound);
  useL1ForIntegers(*bound);
  faultWithoutResult(*bound);
  countSteps(*bound);
  storePositions(*bound, lines);
  if (forDebugger)
    keepOnStack(*bound);
  return Error::success();
}
