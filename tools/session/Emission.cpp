//===- Emission.cpp - loads the library that emits C++ ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Emission.h"

#include "ir/TTCpp/TTCpp.h"
#include "jit/OnDemandLibrary.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

llvm::Expected<const Emission *> session::loadEmission() {
  llvm::Expected<void *> find = jit::loadFunction("ttjit-emission", kFindEmissionSymbol);
  if (find)
    return reinterpret_cast<FindEmission *>(*find)();
  return llvm::createStringError("cannot load libttjit-emission.so, which emits C++: " +
                                 llvm::toString(find.takeError()) + "; install ttl-jit again");
}

const Emission *session::loadEmission(ModuleOp module) {
  llvm::Expected<const Emission *> emission = loadEmission();
  if (emission)
    return *emission;
  module.emitError(llvm::toString(emission.takeError()));
  return nullptr;
}

bool session::callsExternal(Operation *thread) {
  auto isCall = [](ttcpp::CallOp) { return WalkResult::interrupt(); };
  return thread->walk(isCall).wasInterrupted();
}

namespace {
class LoadedEmitter : public Emitter {
public:
  LoadedEmitter(std::string folder, hw::MetaliumVersion version)
      : folder(std::move(folder)), version(version) {}

  LogicalResult emit(ModuleOp module, bool hasWarned, std::string &name) override {
    return loadEmission(module) ? (*load())->emit(module, hasWarned, name) : failure();
  }
  std::string report() const override { return text(&Emitter::report); }
  std::string jsonReport() const override { return text(&Emitter::jsonReport); }

private:
  llvm::Expected<Emitter *> load() const {
    if (!emitter) {
      llvm::Expected<const Emission *> emission = loadEmission();
      if (!emission)
        return emission.takeError();
      emitter = (*emission)->createEmitter(folder, version);
    }
    return emitter.get();
  }

  std::string text(std::string (Emitter::*write)() const) const {
    llvm::Expected<Emitter *> loaded = load();
    return loaded ? ((*loaded)->*write)()
                  : "emit-report: " + llvm::toString(loaded.takeError()) + "\n";
  }

  std::string folder;
  hw::MetaliumVersion version;
  mutable std::unique_ptr<Emitter> emitter; // created when it is used
};

// An engine of the library, which is loaded for the first kernel that needs it.
class EmittedEngine : public Engine {
public:
  EmittedEngine(JitOptions options, bool onlyExternal)
      : options(std::move(options)), onlyExternal(onlyExternal) {}

  std::string name() const override { return "emitted"; }
  bool isFinal() const override { return true; }
  bool runs(Lowering lowering) const override { return lowering != Lowering::Partial; }

  std::vector<Refusal> compile(LaunchPlan &plan, LocationTable &locations,
                               EngineOutput &output) override {
    if (plan.sources.empty() || (onlyExternal && llvm::none_of(plan.sources, [](auto &source) {
                                   return callsExternal(source.op);
                                 })))
      return {};
    if (!engine) {
      const Emission *emission = loadEmission(plan.sources.front().op->getParentOfType<ModuleOp>());
      if (!emission)
        return {Refusal{0, ""}}; // the diagnostic has the reason
      engine = emission->createEngine(options, onlyExternal);
    }
    return engine->compile(plan, locations, output);
  }

private:
  JitOptions options;
  bool onlyExternal;
  std::unique_ptr<Engine> engine; // created for the first kernel
};
} // namespace

std::unique_ptr<Emitter> session::createEmitter(std::string folder, hw::MetaliumVersion version) {
  return std::make_unique<LoadedEmitter>(std::move(folder), version);
}

std::unique_ptr<Engine> session::createEmittedEngine(JitOptions options) {
  return std::make_unique<EmittedEngine>(std::move(options), /*onlyExternal=*/false);
}

std::unique_ptr<Engine> session::createExternalCallEngine(JitOptions options) {
  return std::make_unique<EmittedEngine>(std::move(options), /*onlyExternal=*/true);
}
