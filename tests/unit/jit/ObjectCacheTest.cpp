//===- ObjectCacheTest.cpp - compiled code on disk ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "jit/CachedProgram.h"
#include "jit/ObjectCache.h"
#include "jit/PrivateFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace ttjit;
using namespace ttjit::test;
namespace fs = std::filesystem;

namespace {

// An empty folder, which is deleted with the test.
class ObjectCacheTest : public testing::Test {
protected:
  ObjectCacheTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~ObjectCacheTest() override { fs::remove_all(folder); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      if (entry.path().extension() != ".timestamp" && entry.path().filename() != "key")
        found.push_back(entry.path());
    return found;
  }
  fs::path onlyFile() const {
    EXPECT_EQ(files().size(), 1u);
    return files().at(0);
  }

  std::string folder = testing::TempDir() + "ttjit-object-cache";
};

std::string read(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Returns `size` pseudo-random bytes. zstd hardly compresses them.
std::string noise(size_t size) {
  std::string bytes;
  uint32_t state = 1;
  while (bytes.size() < size)
    bytes += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

} // namespace

TEST_F(ObjectCacheTest, FindsWhatWasStored) {
  jit::ObjectCache cache(folder + "/made/when/needed");
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_FALSE(fs::exists(folder + "/made"));
  cache.store("a", "one");
  cache.store("b", "");
  cache.store("a", "two");
  EXPECT_EQ(cache.find("a"), "two");
  EXPECT_EQ(cache.find("b"), "");
  fs::remove_all(folder + "/made");
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(ObjectCacheTest, DamagedFilesAreNoEntriesAndAreDeleted) {
  jit::ObjectCache cache(folder);
  cache.store("a", noise(300));
  fs::path file = onlyFile();
  std::string whole = read(file);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 0x10;
    write(file, damaged);
    std::optional<std::string> found = cache.find("a");
    EXPECT_FALSE(found) << at;
    EXPECT_FALSE(fs::exists(file)) << at;
    write(file, whole.substr(0, at));
    EXPECT_EQ(cache.find("a"), std::nullopt) << at;
    EXPECT_FALSE(fs::exists(file)) << at;
  }
}

//===--------------------------------------------------------------------------===//
// Other users
//===--------------------------------------------------------------------------===//

TEST_F(ObjectCacheTest, EntriesDoNotTakeTheNamesOfOthers) {
  jit::ObjectCache cache(folder);
  cache.store("a", "code of a");
  cache.store("b", "code of b");
  fs::copy_file(folder + "/llvmcache-a", folder + "/llvmcache-b",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(cache.find("b"), std::nullopt);
  EXPECT_EQ(cache.find("a"), "code of a");
}

TEST_F(ObjectCacheTest, EntriesOfAnotherFolderAreNone) {
  jit::ObjectCache own(folder + "/own"), other(folder + "/other");
  own.store("a", "own code");
  other.store("a", "other code");
  fs::copy_file(folder + "/other/llvmcache-a", folder + "/own/llvmcache-a",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(own.find("a"), std::nullopt);
}

TEST_F(ObjectCacheTest, AFolderThatOthersWriteToIsNotUsed) {
  jit::ObjectCache cache(folder);
  cache.store("a", "one");
  EXPECT_EQ(jit::whyNotPrivate(folder), "");
  for (fs::perms writable : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder, writable, fs::perm_options::add);
    EXPECT_EQ(cache.find("a"), std::nullopt);
    cache.store("b", "two");
    EXPECT_FALSE(fs::exists(folder + "/llvmcache-b"));
    EXPECT_NE(jit::whyNotPrivate(folder).find("other users may write to it; run chmod go-w"),
              std::string::npos);
    fs::permissions(folder, writable, fs::perm_options::remove);
  }
  EXPECT_EQ(cache.find("a"), "one");
}

TEST_F(ObjectCacheTest, AFolderOfAnotherUserIsNotUsed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  jit::ObjectCache cache(folder);
  cache.store("a", "one");
  ASSERT_EQ(chown(folder.c_str(), 1234, 1234), 0);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  cache.store("b", "two");
  EXPECT_FALSE(fs::exists(folder + "/llvmcache-b"));
  EXPECT_EQ(jit::whyNotPrivate(folder), "it belongs to another user (number 1234)");
  ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
  EXPECT_EQ(cache.find("a"), "one");
}

TEST_F(ObjectCacheTest, FilesThatAreNotOfTheUserAreNoEntries) {
  jit::ObjectCache cache(folder);
  std::string entry = folder + "/llvmcache-a", elsewhere = folder + "/elsewhere";
  auto isRefused = [&](const char *what) {
    EXPECT_EQ(cache.find("a"), std::nullopt) << what;
    cache.store("a", "one");
    EXPECT_EQ(cache.find("a"), "one") << what;
  };
  cache.store("a", "one");
  fs::permissions(entry, fs::perms::others_write, fs::perm_options::add);
  isRefused("others may write to it");
  fs::rename(entry, elsewhere);
  fs::create_symlink(elsewhere, entry);
  isRefused("a link to an entry");
  fs::remove(entry);
  ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
  isRefused("a pipe");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(entry.c_str(), 1234, 1234), 0);
    isRefused("a file of another user");
  }
}

TEST_F(ObjectCacheTest, TheKeyIsSecretAndMadeAnew) {
  jit::ObjectCache cache(folder);
  std::string key = folder + "/key";
  cache.store("a", "one");
  EXPECT_EQ(fs::status(key).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  std::string first = read(key);
  EXPECT_EQ(first.size(), 32u);
  auto isReplaced = [&](const char *what) {
    cache.store("a", "one");
    EXPECT_NE(read(key), first) << what;
    EXPECT_EQ(cache.find("a"), "one") << what;
    first = read(key);
  };
  fs::permissions(key, fs::perms::others_read, fs::perm_options::add);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  isReplaced("others may have read it");
  write(key, "short");
  isReplaced("damaged");
  fs::rename(key, folder + "/moved");
  fs::create_symlink(folder + "/moved", key);
  isReplaced("a link");
  fs::remove(key);
  isReplaced("deleted");
}

TEST_F(ObjectCacheTest, ProcessesThatStartTogetherAgreeOnTheKey) {
  for (int round = 0; round < 20; ++round) {
    std::string own = folder + "/" + std::to_string(round);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] { jit::ObjectCache(own).store(std::to_string(i), "code"); });
    for (std::thread &thread : threads)
      thread.join();
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(jit::ObjectCache(own).find(std::to_string(i)), "code");
  }
}

TEST_F(ObjectCacheTest, TheLeastRecentlyUsedEntriesGo) {
  jit::ObjectCacheLimits limits;
  limits.maxBytes = 25000;
  limits.scanInterval = std::chrono::seconds(0);
  jit::ObjectCache cache(folder, limits);
  auto isOld = [&](const char *key) {
    fs::path path = folder + "/llvmcache-" + key;
    fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
  };
  for (const char *key : {"a", "b"}) {
    cache.store(key, noise(10000));
    // The access time counts. On some systems, a read changes it only once a day.
    std::string command = "touch -a -d '1 hour ago' " + folder + "/llvmcache-" + key;
    ASSERT_EQ(std::system(command.c_str()), 0);
    isOld(key);
  }
  EXPECT_TRUE(cache.find("a"));
  cache.store("c", noise(10000));
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
}

TEST_F(ObjectCacheTest, AFolderThatCannotBeWrittenKeepsNothing) {
  write(folder + "/file", "");
  jit::ObjectCache cache(folder + "/file/folder");
  cache.store("a", "one");
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(ObjectCacheTest, ThreadsShareAFolder) {
  auto work = [&] {
    jit::ObjectCache cache(folder);
    for (int i = 0; i < 100; ++i) {
      std::string key = std::to_string(i % 7), bytes = noise(1000) + key;
      cache.store(key, bytes);
      std::optional<std::string> found = cache.find(key);
      EXPECT_TRUE(!found || *found == bytes);
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(files().size(), 7u); // no temporary file is left
}

TEST_F(ObjectCacheTest, ThePlaceFollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/there", 1);
  EXPECT_EQ(jit::defaultCacheFolder(), "/there/ttl-jit");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/me", 1);
  EXPECT_EQ(jit::defaultCacheFolder(), "/me/.cache/ttl-jit");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(jit::defaultCacheFolder(), "");
}

TEST(CachedProgram, BytesKeepEverything) {
  jit::Objects objects;
  objects.push_back(llvm::MemoryBuffer::getMemBuffer("object"));
  objects.push_back(llvm::MemoryBuffer::getMemBuffer("other"));
  std::string bytes = jit::toBytes({"k", "l"}, SourceRange{"user.py", 1, 2, 3, 4}, objects);
  std::optional<jit::CachedProgram> program = jit::fromBytes(bytes);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->names, (std::vector<std::string>{"k", "l"}));
  ASSERT_EQ(program->locations.size(), 1u);
  EXPECT_EQ(program->locations[0].file, "user.py");
  EXPECT_EQ(program->locations[0].endColumn, 4);
  ASSERT_EQ(program->objects.size(), 2u);
  EXPECT_EQ(program->objects[0]->getBuffer(), "object");
  EXPECT_EQ(program->objects[1]->getBuffer(), "other");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(jit::fromBytes(bytes.substr(0, size))) << size;
}

//===--------------------------------------------------------------------------===//
// The engine's use of the cache
//===--------------------------------------------------------------------------===//

namespace {

constexpr char kFaults[] = R"(
  %big = arith.constant 2147483647 : i32
  %x = ttkernel.get_common_arg_val(%i0) : (i32) -> i32 loc("user.py":6:1)
  %sum = ttl.int_add %big, %big loc("y"("user.py":7:3 to :9))
)";

// What a run shows, as if it were in a process of its own.
struct Outcome {
  std::vector<std::string> steps;
  std::string message, position;
  std::vector<SourceRange> locations;
};

Outcome runFaults(jit::ThreadCompilerOptions options, const std::string &body = kFaults) {
  JitHarness harness(options);
  harness.addTensor(hw::DataFormat::Float32, 1);
  auto threads = harness.parse(threadText("k", "compute", body));
  jit::CompileArtifacts artifacts;
  auto entries = harness.engine().compile(threads, harness.locations(), &artifacts);
  EXPECT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
  Outcome outcome;
  for (const jit::CompileArtifacts::Step &step : artifacts.steps)
    outcome.steps.push_back(step.name);
  outcome.locations = harness.locations().ranges();
  return outcome;
}

using Steps = std::vector<std::string>;
const Steps kCompiled{"cache", "translate", "link", "optimise", "generate", "store", "load"};
const Steps kCached{"cache", "load"};

} // namespace

TEST_F(ObjectCacheTest, TheEngineFindsItsProgramsAndTheirPositions) {
  jit::ThreadCompilerOptions options;
  options.cacheFolder = folder;
  Outcome compiled = runFaults(options), cached = runFaults(options);
  EXPECT_EQ(compiled.steps, kCompiled);
  EXPECT_EQ(cached.steps, kCached);
  ASSERT_EQ(cached.locations.size(), compiled.locations.size());
  ASSERT_EQ(cached.locations.size(), 3u);
  EXPECT_EQ(cached.locations[2].line, 7);
  EXPECT_EQ(cached.locations[2].endColumn, 9);
}

TEST_F(ObjectCacheTest, TheKeyHasIRPositionsTargetAndOptions) {
  jit::ThreadCompilerOptions options;
  options.cacheFolder = folder;
  runFaults(options);
  std::string body = kFaults;
  EXPECT_EQ(runFaults(options, body + "%s = ttl.int_add %i1, %i2").steps, kCompiled);
  size_t line = body.find(":7:3");
  EXPECT_EQ(runFaults(options, body.replace(line, 4, ":8:3")).steps, kCompiled);
  jit::ThreadCompilerOptions other = options;
  other.optLevel = 0;
  EXPECT_EQ(runFaults(other).steps, kCompiled);
  other = options;
  other.debugInfo = false;
  EXPECT_EQ(runFaults(other).steps, kCompiled);
#ifdef __x86_64__
  other = options;
  other.cpu = "x86-64-v2";
  EXPECT_EQ(runFaults(other).steps, kCompiled);
#endif
  EXPECT_EQ(runFaults(options).steps, kCached);
}

TEST_F(ObjectCacheTest, ADamagedEntryIsCompiledAgainAndRepaired) {
  jit::ThreadCompilerOptions options;
  options.cacheFolder = folder;
  runFaults(options);
  // An entry that is intact for the cache but no program, and a program whose object is none.
  jit::ObjectCache cache(folder);
  std::string key = onlyFile().filename().string().substr(strlen("llvmcache-"));
  jit::Objects objects;
  objects.push_back(llvm::MemoryBuffer::getMemBuffer("no object file"));
  for (const std::string &bytes : {std::string("no program"), jit::toBytes({"k"}, {}, objects)}) {
    cache.store(key, bytes);
    Outcome outcome = runFaults(options);
    EXPECT_EQ(outcome.steps, kCompiled);
    EXPECT_EQ(outcome.locations.size(), 3u);
    EXPECT_EQ(runFaults(options).steps, kCached);
  }
}

TEST_F(ObjectCacheTest, TextsAreAlwaysMadeAfresh) {
  jit::ThreadCompilerOptions options;
  options.cacheFolder = folder;
  runFaults(options);
  JitHarness harness(options);
  auto threads = harness.parse(threadText("k", "compute", kFaults));
  jit::CompileArtifacts artifacts;
  artifacts.wantText = true;
  ASSERT_TRUE(bool(harness.engine().compile(threads, harness.locations(), &artifacts)));
  EXPECT_NE(artifacts.assembly, "");
}
