//===- CachedProgram.cpp - a compiled program as bytes ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/CachedProgram.h"

#include "jit/BuildIds.h"
#include "jit/ClangLibrary.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

//===--------------------------------------------------------------------------===//
// Bytes
//===--------------------------------------------------------------------------===//

namespace {

class Writer {
public:
  explicit Writer(std::string &bytes) : stream(bytes), endian(stream, endianness::little) {}
  void number(uint64_t value) { endian.write(value); }
  void text(StringRef value) {
    number(value.size());
    stream << value;
  }

private:
  raw_string_ostream stream;
  support::endian::Writer endian;
};

// Reads what a Writer wrote. After the first error in the bytes, all values are empty.
class Reader {
public:
  explicit Reader(StringRef bytes)
      : data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8), cursor(0) {}
  ~Reader() { consumeError(cursor.takeError()); }
  uint64_t number() { return data.getU64(cursor); }
  StringRef text() { return data.getBytes(cursor, number()); }
  bool isValid() { return bool(cursor); }

private:
  DataExtractor data;
  DataExtractor::Cursor cursor;
};

} // namespace

static void write(Writer &writer, const SourceRange &range) {
  writer.text(range.file);
  for (int value : {range.line, range.column, range.endLine, range.endColumn})
    writer.number(static_cast<uint64_t>(value));
}

static SourceRange readRange(Reader &reader) {
  SourceRange range;
  range.file = reader.text().str();
  for (int *value : {&range.line, &range.column, &range.endLine, &range.endColumn})
    *value = static_cast<int>(reader.number());
  return range;
}

std::string ttjit::jit::toBytes(ArrayRef<std::string> names, ArrayRef<SourceRange> locations,
                                const Objects &objects) {
  std::string bytes;
  Writer writer(bytes);
  writer.number(names.size());
  for (const std::string &name : names)
    writer.text(name);
  writer.number(locations.size());
  for (const SourceRange &range : locations)
    write(writer, range);
  writer.number(objects.size());
  for (const std::unique_ptr<MemoryBuffer> &object : objects)
    writer.text(object->getBuffer());
  return bytes;
}

std::optional<CachedProgram> ttjit::jit::fromBytes(StringRef bytes) {
  Reader reader(bytes);
  CachedProgram program;
  for (uint64_t left = reader.number(); left && reader.isValid(); --left)
    program.names.push_back(reader.text().str());
  for (uint64_t left = reader.number(); left && reader.isValid(); --left)
    program.locations.push_back(readRange(reader));
  for (uint64_t left = reader.number(); left && reader.isValid(); --left)
    program.objects.push_back(MemoryBuffer::getMemBufferCopy(reader.text(), "cached object"));
  return reader.isValid() ? std::optional(std::move(program)) : std::nullopt;
}

//===--------------------------------------------------------------------------===//
// The key
//===--------------------------------------------------------------------------===//

static bool addThread(Writer &writer, mlir::func::FuncOp thread) {
  std::string bytecode;
  raw_string_ostream stream(bytecode);
  if (failed(mlir::writeBytecodeToFile(thread, stream)))
    return false;
  writer.text(bytecode);
  return true;
}

// Adds what the key of every program contains: build ids, the target and the options.
static void addTarget(Writer &writer, const TargetMachine &target, StringRef options) {
  for (StringRef part : {StringRef(buildIds()), StringRef(target.getTargetTriple().str()),
                         target.getTargetCPU(), target.getTargetFeatureString(), options})
    writer.text(part);
}

static std::string digest(StringRef parts) {
  return toHex(BLAKE3::hash(arrayRefFromStringRef(parts)), /*LowerCase=*/true);
}

std::string ttjit::jit::cacheKey(ArrayRef<mlir::func::FuncOp> threads, const TargetMachine &target,
                                 StringRef options) {
  std::string parts;
  Writer writer(parts);
  addTarget(writer, target, options);
  for (mlir::func::FuncOp thread : threads)
    if (!addThread(writer, thread))
      return "";
  return buildIds().empty() ? "" : digest(parts);
}

std::string ttjit::jit::cacheKey(ArrayRef<CppSource> sources, const TargetMachine &target,
                                 StringRef options) {
  std::string parts, library = clangLibraryId();
  Writer writer(parts);
  addTarget(writer, target, options);
  writer.text(library);
  for (const CppSource &source : sources) {
    for (StringRef part : {source.name, source.file, source.text})
      writer.text(part);
    for (StringRef header : source.headers)
      writer.text(header);
    for (StringRef define : source.defines)
      writer.text(define);
  }
  return buildIds().empty() || library.empty() ? "" : digest(parts);
}
