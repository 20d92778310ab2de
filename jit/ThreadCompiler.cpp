//===- ThreadCompiler.cpp - compiles kernel threads to host code --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiles in these steps: translate, link the device's inline functions, optimise,
// generate code, load. Code from the cache is only loaded. Each program has its own
// JITDylib, which sees the device's symbols but nothing else of the process. It is
// freed with the last entry of the program.
//===--------------------------------------------------------------------------===//

#include "jit/ThreadCompiler.h"

#include "jit/CachedProgram.h"
#include "jit/CodeGenerator.h"
#include "jit/CppThreads.h"
#include "jit/DebuggerRegistration.h"
#include "jit/GenerationThread.h"
#include "jit/PerfMap.h"
#include "jit/StepTimer.h"
#include "jit/Symbols.h"
#include "jit/Translate.h"
#include "passes/llvm/ToLLVM.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace llvm::orc;
using namespace ttjit;
using namespace ttjit::jit;

//===--------------------------------------------------------------------------===//
// Loaded code
//===--------------------------------------------------------------------------===//

namespace {

// The code of one program.
class LoadedCode {
public:
  LoadedCode(std::shared_ptr<LLJIT> lljit, JITDylib &library) : lljit(lljit), library(library) {}
  LoadedCode(const LoadedCode &) = delete;
  ~LoadedCode() {
    // Ignore errors: no code uses this library any more.
    consumeError(lljit->getExecutionSession().removeJITDylib(library));
  }

private:
  std::shared_ptr<LLJIT> lljit;
  JITDylib &library;
};

} // namespace

//===--------------------------------------------------------------------------===//
// ThreadCompiler
//===--------------------------------------------------------------------------===//

struct ThreadCompiler::Impl {
  ThreadCompilerOptions options;
  std::shared_ptr<const CodeGenerator> generator;
  std::optional<ObjectCache> cache;
  std::shared_ptr<LLJIT> lljit;
  JITDylib &device;
  // Messages that the session reports besides the errors that it returns.
  std::shared_ptr<std::string> reported;
  unsigned programs = 0;

  Expected<std::vector<hw::ThreadEntry>> compile(ArrayRef<mlir::func::FuncOp> threads,
                                                 LocationTable &locations,
                                                 CompileArtifacts *artifacts);
  Expected<StartedCode> start(const std::shared_ptr<Impl> &self,
                              ArrayRef<mlir::func::FuncOp> threads, LocationTable &locations,
                              CompileArtifacts &artifacts);
  std::string choices() const;
  std::string keyOf(ArrayRef<mlir::func::FuncOp> threads, const LocationTable &locations,
                    const CompileArtifacts *artifacts) const;
  Expected<std::shared_ptr<Generation>> translate(std::shared_ptr<const CodeGenerator> target,
                                                  ArrayRef<mlir::func::FuncOp> threads,
                                                  LocationTable &locations,
                                                  std::vector<std::string> &names, bool wantText);
  std::optional<std::vector<hw::ThreadEntry>> findCached(StringRef key, LocationTable &locations,
                                                         StepTimer &watch);
  Expected<Objects> build(ArrayRef<mlir::func::FuncOp> threads, LocationTable &locations,
                          std::vector<std::string> &names, CompileArtifacts *artifacts,
                          StepTimer &watch);
  Expected<Objects> finish(const std::shared_ptr<Generation> &generation,
                           CompileArtifacts *artifacts, StepTimer &watch);
  Expected<std::vector<hw::ThreadEntry>>
  compileCpp(ArrayRef<CppSource> sources, const LineNumbers &lines, CompileArtifacts *artifacts);
  std::optional<std::vector<hw::ThreadEntry>> findCachedCpp(StringRef key, const LineNumbers &lines,
                                                            StepTimer &watch);
  Expected<Objects> buildCpp(ArrayRef<CppSource> sources, const LineNumbers &lines,
                             CompileArtifacts *artifacts, StepTimer &watch);
  Error generate(const std::shared_ptr<Generation> &generation);
  Expected<std::vector<hw::ThreadEntry>> load(Objects objects, ArrayRef<std::string> names);
  Error withReports(Error error);
};

static Expected<std::shared_ptr<LLJIT>> createLLJIT(const JITTargetMachineBuilder &target) {
  auto lljit = LLJITBuilder()
                   .setJITTargetMachineBuilder(target)
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(setUpInactivePlatform)
                   .create();
  if (!lljit)
    return lljit.takeError();
  return std::shared_ptr<LLJIT>(std::move(*lljit));
}

Expected<std::unique_ptr<ThreadCompiler>> ThreadCompiler::create(ThreadCompilerOptions options) {
  if (options.debugger) {
    options.optLevel = 0;
    options.cacheFolder.clear();
  }
  Expected<CodeGenerator> generator = CodeGenerator::create(options.cpu, options.optLevel);
  if (!generator)
    return generator.takeError();
  Expected<std::shared_ptr<LLJIT>> lljit = createLLJIT(generator->target());
  if (!lljit)
    return lljit.takeError();
  if (options.perfMap)
    if (Error error = writePerfMap(**lljit))
      return error;
  if (options.debugger)
    if (Error error = registerWithDebuggers(**lljit))
      return error;
  ExecutionSession &session = (*lljit)->getExecutionSession();
  JITDylib &device = session.createBareJITDylib("device");
  MangleAndInterner mangle(session, (*lljit)->getDataLayout());
  if (Error error = device.define(absoluteSymbols(deviceSymbols(mangle))))
    return error;
  std::optional<ObjectCache> cache;
  if (!options.cacheFolder.empty())
    cache.emplace(options.cacheFolder, options.cacheLimits);
  auto reported = std::make_shared<std::string>();
  session.setErrorReporter([reported](Error error) { *reported += toString(std::move(error)); });
  return std::unique_ptr<ThreadCompiler>(new ThreadCompiler(std::shared_ptr<Impl>(
      new Impl{std::move(options), std::make_shared<CodeGenerator>(std::move(*generator)),
               std::move(cache), std::move(*lljit), device, std::move(reported)})));
}

ThreadCompiler::ThreadCompiler(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
ThreadCompiler::~ThreadCompiler() = default;

std::optional<std::string> ThreadCompiler::whyNot(mlir::func::FuncOp thread) const {
  return whyNotToLLVM(thread);
}

// Translates the threads. Returns a generation of their code that is not started yet.
Expected<std::shared_ptr<Generation>>
ThreadCompiler::Impl::translate(std::shared_ptr<const CodeGenerator> target,
                                ArrayRef<mlir::func::FuncOp> threads, LocationTable &locations,
                                std::vector<std::string> &names, bool wantText) {
  auto generation = std::make_shared<Generation>(std::move(target), options.optLevel, wantText);
  auto module = translateThreads(
      threads, locations,
      {options.debugInfo, options.tileLoops, options.blockTransfers, options.debugger},
      *generation->context, names);
  if (!module)
    return module.takeError();
  generation->module = std::move(*module);
  return generation;
}

Expected<Objects> ThreadCompiler::Impl::build(ArrayRef<mlir::func::FuncOp> threads,
                                              LocationTable &locations,
                                              std::vector<std::string> &names,
                                              CompileArtifacts *artifacts, StepTimer &watch) {
  bool wantText = artifacts && artifacts->wantText;
  auto generation = translate(generator, threads, locations, names, wantText);
  if (!generation)
    return generation.takeError();
  watch.lap("translate");
  return finish(*generation, artifacts, watch);
}

// Generates code of the generation's module.
Expected<Objects> ThreadCompiler::Impl::finish(const std::shared_ptr<Generation> &generation,
                                               CompileArtifacts *artifacts, StepTimer &watch) {
  generator->setTarget(*generation->module);
  if (artifacts && artifacts->wantText)
    artifacts->llvmIR = textOf(*generation->module);
  if (Error error = generate(generation))
    return error;
  watch.restart();
  if (artifacts)
    artifacts->add(std::move(generation->artifacts));
  return std::move(generation->objects);
}

// Returns a function that calls `lines`, and appends to `noted` each position that it is called
// with and the number that `lines` returned.
static LineNumbers noting(const LineNumbers &lines, std::vector<SourceRange> &noted) {
  return [&](StringRef file, unsigned line) {
    uint32_t number = lines(file, line);
    // Keep the number in the field of the column: positions of C++ have no column.
    noted.push_back({file.str(), static_cast<int>(line), static_cast<int>(number), 0, 0});
    return number;
  };
}

// Returns whether `lines` numbers the positions as it did when the code was compiled.
static bool haveTheirNumbers(ArrayRef<SourceRange> noted, const LineNumbers &lines) {
  return llvm::all_of(noted, [&](const SourceRange &range) {
    return lines(range.file, static_cast<unsigned>(range.line)) ==
           static_cast<uint32_t>(range.column);
  });
}

// Loads kernels from the cache; returns nothing if the cache does not have them.
std::optional<std::vector<hw::ThreadEntry>>
ThreadCompiler::Impl::findCachedCpp(StringRef key, const LineNumbers &lines, StepTimer &watch) {
  std::optional<std::string> bytes = cache->find(key);
  std::optional<CachedProgram> program = bytes ? fromBytes(*bytes) : std::nullopt;
  watch.lap("cache");
  if (!program || !haveTheirNumbers(program->locations, lines))
    return std::nullopt;
  auto entries = load(std::move(program->objects), program->names);
  watch.lap("load");
  if (entries)
    return std::move(*entries);
  consumeError(entries.takeError());
  return std::nullopt;
}

Expected<Objects> ThreadCompiler::Impl::buildCpp(ArrayRef<CppSource> sources,
                                                 const LineNumbers &lines,
                                                 CompileArtifacts *artifacts, StepTimer &watch) {
  bool wantText = artifacts && artifacts->wantText;
  auto generation = std::make_shared<Generation>(generator, options.optLevel, wantText);
  auto module = compileCppThreads(sources, lines, *generation->context, options.debugger);
  if (!module)
    return module.takeError();
  generation->module = std::move(*module);
  watch.lap("clang");
  return finish(generation, artifacts, watch);
}

Expected<std::vector<hw::ThreadEntry>>
ThreadCompiler::Impl::compileCpp(ArrayRef<CppSource> sources, const LineNumbers &lines,
                                 CompileArtifacts *artifacts) {
  StepTimer watch(artifacts);
  std::string key;
  bool readsFiles = llvm::any_of(sources, [](auto &source) { return source.readsFiles; });
  if (cache && !readsFiles && !(artifacts && artifacts->wantText))
    key = cacheKey(sources, generator->targetMachine(), choices());
  if (!key.empty())
    if (auto found = findCachedCpp(key, lines, watch))
      return std::move(*found);
  std::vector<SourceRange> noted;
  Expected<Objects> objects = buildCpp(sources, noting(lines, noted), artifacts, watch);
  if (!objects)
    return objects.takeError();
  std::vector<std::string> names;
  for (const CppSource &source : sources)
    names.push_back(source.name);
  if (!key.empty()) {
    cache->store(key, toBytes(names, noted, *objects));
    watch.lap("store");
  }
  auto entries = load(std::move(*objects), names);
  watch.lap("load");
  return entries;
}

// Runs the generation. After an interrupt it still uses its code generator: makes a new one here.
Error ThreadCompiler::Impl::generate(const std::shared_ptr<Generation> &generation) {
  Error error = run(generation, options.isInterrupted);
  if (!error || !options.isInterrupted || !options.isInterrupted())
    return error;
  Expected<CodeGenerator> created = CodeGenerator::create(options.cpu, options.optLevel);
  if (!created)
    return joinErrors(std::move(error), created.takeError());
  generator = std::make_shared<CodeGenerator>(std::move(*created));
  return error;
}

Error ThreadCompiler::Impl::withReports(Error error) {
  std::string text = toString(std::move(error));
  if (!reported->empty())
    text += ": " + std::exchange(*reported, "");
  return createStringError(text);
}

Expected<std::vector<hw::ThreadEntry>> ThreadCompiler::Impl::load(Objects objects,
                                                                  ArrayRef<std::string> names) {
  ExecutionSession &session = lljit->getExecutionSession();
  JITDylib &library =
      session.createBareJITDylib("program" + std::to_string(programs++) + "." + names.front());
  auto code = std::make_shared<LoadedCode>(lljit, library);
  library.addToLinkOrder(device);
  for (std::unique_ptr<MemoryBuffer> &object : objects)
    if (Error error = lljit->addObjectFile(library, std::move(object)))
      return error;
  std::vector<hw::ThreadEntry> entries;
  for (const std::string &name : names) {
    Expected<ExecutorAddr> address = lljit->lookup(library, name);
    if (!address)
      return withReports(address.takeError());
    auto function = address->toPtr<void (*)(hw::KernelThread *)>();
    entries.push_back([code, function](hw::KernelThread &thread) {
      function(&thread);
      return hw::Status::Ok;
    });
  }
  return entries;
}

// Returns a text of the options on which the code depends.
std::string ThreadCompiler::Impl::choices() const {
  return "level=" + std::to_string(options.optLevel) +
         " debug=" + std::to_string(int(options.debugInfo)) +
         " tile-loops=" + std::to_string(int(options.tileLoops)) +
         " block-transfers=" + std::to_string(int(options.blockTransfers));
}

// Loads a program from the cache; returns nothing if the cache does not have it.
std::optional<std::vector<hw::ThreadEntry>>
ThreadCompiler::Impl::findCached(StringRef key, LocationTable &locations, StepTimer &watch) {
  std::optional<std::string> bytes = cache->find(key);
  std::optional<CachedProgram> program = bytes ? fromBytes(*bytes) : std::nullopt;
  watch.lap("cache");
  if (!program)
    return std::nullopt;
  auto entries = load(std::move(program->objects), program->names);
  if (!entries) {
    consumeError(entries.takeError());
    return std::nullopt;
  }
  locations.append(program->locations);
  watch.lap("load");
  return std::move(*entries);
}

// Returns the key of the threads in the cache; empty if the cache shall not be used.
std::string ThreadCompiler::Impl::keyOf(ArrayRef<mlir::func::FuncOp> threads,
                                        const LocationTable &locations,
                                        const CompileArtifacts *artifacts) const {
  // Code contains numbers of the location table: in the cache they begin at 1, so the table must
  // be empty here. Cached code has no texts.
  if (!cache || locations.ranges().size() != 1 || (artifacts && artifacts->wantText))
    return {};
  return cacheKey(threads, generator->targetMachine(), choices());
}

Expected<std::vector<hw::ThreadEntry>>
ThreadCompiler::Impl::compile(ArrayRef<mlir::func::FuncOp> threads, LocationTable &locations,
                              CompileArtifacts *artifacts) {
  StepTimer watch(artifacts);
  std::string key = keyOf(threads, locations, artifacts);
  if (!key.empty()) {
    if (auto found = findCached(key, locations, watch))
      return std::move(*found);
  }
  std::vector<std::string> names;
  Expected<Objects> objects = build(threads, locations, names, artifacts, watch);
  if (!objects)
    return objects.takeError();
  if (!key.empty()) {
    ArrayRef<SourceRange> known = locations.ranges();
    cache->store(key, toBytes(names, known.drop_front(), *objects));
    watch.lap("store");
  }
  auto entries = load(std::move(*objects), names);
  watch.lap("load");
  return entries;
}

//===--------------------------------------------------------------------------===//
// Pending code
//===--------------------------------------------------------------------------===//

class ThreadCompiler::Pending : public PendingCode {
public:
  Pending(std::shared_ptr<Impl> impl, std::shared_ptr<Generation> generation,
          std::vector<std::string> names, std::function<void(const Generation &)> store)
      : impl(std::move(impl)), generation(generation), names(std::move(names)),
        thread(std::move(generation), std::move(store)) {}

  bool isReady() const override { return thread.isDone(); }

  Expected<std::vector<hw::ThreadEntry>> load(CompileArtifacts &artifacts) override {
    if (Error error = thread.wait({}))
      return error;
    artifacts.add(std::move(generation->artifacts));
    StepTimer watch(&artifacts);
    auto entries = impl->load(std::move(generation->objects), names);
    watch.lap("load");
    return entries;
  }

private:
  std::shared_ptr<Impl> impl;
  std::shared_ptr<Generation> generation;
  std::vector<std::string> names;
  GenerationThread thread;
};

Expected<StartedCode> ThreadCompiler::Impl::start(const std::shared_ptr<Impl> &self,
                                                  ArrayRef<mlir::func::FuncOp> threads,
                                                  LocationTable &locations,
                                                  CompileArtifacts &artifacts) {
  StepTimer watch(&artifacts);
  std::string key = keyOf(threads, locations, &artifacts);
  if (!key.empty())
    if (auto found = findCached(key, locations, watch))
      return StartedCode{std::move(*found), nullptr};
  // Only one host thread may use a code generator: make one for the other thread.
  Expected<CodeGenerator> target = CodeGenerator::create(options.cpu, options.optLevel);
  if (!target)
    return target.takeError();
  std::vector<std::string> names;
  auto generation = translate(std::make_shared<CodeGenerator>(std::move(*target)), threads,
                              locations, names, /*wantText=*/false);
  if (!generation)
    return generation.takeError();
  (*generation)->generator->setTarget(*(*generation)->module);
  watch.lap("translate");
  auto store = [copy = cache, key, names, known = locations.ranges()](const Generation &done) {
    if (!key.empty())
      copy->store(key, toBytes(names, ArrayRef(known).drop_front(), done.objects));
  };
  return StartedCode{{}, std::make_unique<Pending>(self, std::move(*generation), names, store)};
}

//===--------------------------------------------------------------------------===//
// Calls of the compiler
//===--------------------------------------------------------------------------===//

// Fails if one of the threads cannot be compiled.
Error ThreadCompiler::check(ArrayRef<mlir::func::FuncOp> threads) const {
  for (mlir::func::FuncOp thread : threads)
    if (std::optional<std::string> reason = whyNot(thread))
      return createStringError(thread.getName() + ": " + *reason);
  return Error::success();
}

Expected<std::vector<hw::ThreadEntry>> ThreadCompiler::compile(ArrayRef<mlir::func::FuncOp> threads,
                                                               LocationTable &locations,
                                                               CompileArtifacts *artifacts) {
  if (threads.empty())
    return std::vector<hw::ThreadEntry>();
  if (Error error = check(threads))
    return error;
  return impl->compile(threads, locations, artifacts);
}

void ThreadCompiler::close() { GenerationThread::close(); }

Expected<StartedCode> ThreadCompiler::start(ArrayRef<mlir::func::FuncOp> threads,
                                            LocationTable &locations, CompileArtifacts &artifacts) {
  if (threads.empty())
    return StartedCode();
  if (Error error = check(threads))
    return error;
  if (GenerationThread::isPossible())
    return impl->start(impl, threads, locations, artifacts);
  auto entries = impl->compile(threads, locations, &artifacts);
  if (!entries)
    return entries.takeError();
  return StartedCode{std::move(*entries), nullptr};
}

Expected<std::vector<hw::ThreadEntry>> ThreadCompiler::compileCpp(ArrayRef<CppSource> sources,
                                                                  const LineNumbers &lines,
                                                                  CompileArtifacts *artifacts) {
  if (sources.empty())
    return std::vector<hw::ThreadEntry>();
  return impl->compileCpp(sources, lines, artifacts);
}

Expected<uint64_t> ThreadCompiler::lookupDeviceSymbol(StringRef name) {
  Expected<ExecutorAddr> address = impl->lljit->lookup(impl->device, name);
  if (!address)
    return address.takeError();
  return address->getValue();
}
