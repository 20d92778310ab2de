//===- VerifyTensorBacking.cpp - ttl-verify-tensor-backing --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the memory of a buffer may be a part of the node's shards of a tensor
// (ttl.make_tensor_backed_dfb). The shards must have these pages. A data movement thread
// publishes such a buffer if the tensor holds the input.
//
// 1. Compare the pages of each such buffer with those of the tensor's shards.
// 2. Find the thread that publishes each buffer.
// 3. Look at stores into buffers that are the same memory as an input (InPlaceStores.h).
//
// Rejects: a tensor that is not sharded in L1; pages of another size or format; an offset
// that is not at the start of a page; more pages than a shard has; publishing a buffer that
// no tensor backs, in the compute thread, or in two threads; publishing and reserving one
// buffer; stores that overwrite what they still read.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Locations/Locations.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"
#include "passes/ttl/InPlaceStores.h"
#include "passes/ttl/PartNumbers.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYTENSORBACKING
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// The memory of a buffer
//===--------------------------------------------------------------------------===//

class BackingVerifier {
public:
  BackingVerifier(ttl::CreateCBOp buffer, const hw::ArchDesc &arch)
      : buffer(buffer), arch(arch), tensor(buffer.getTensor().getType()),
        name(getSourceName(buffer.getTensor().getLoc()).value_or("tensor")) {}

  LogicalResult verify() {
    return success(succeeded(verifyPlace()) && succeeded(verifyUnits()) &&
                   succeeded(verifyPages()) && succeeded(verifyRange()));
  }

private:
  LogicalResult verifyPlace();
  LogicalResult verifyUnits();
  LogicalResult verifyPages();
  LogicalResult verifyRange();
  int64_t pagesOfShard() const;

  InFlightDiagnostic fail() {
    return buffer.emitError() << "'" << buffer.getName() << "' cannot be a part of tensor '" << name
                              << "': ";
  }
  ttl::TensorEncodingAttr encoding() const {
    return dyn_cast_or_null<ttl::TensorEncodingAttr>(tensor.getEncoding());
  }

  ttl::CreateCBOp buffer;
  const hw::ArchDesc &arch;
  RankedTensorType tensor;
  std::string name;
};

LogicalResult BackingVerifier::verifyPlace() {
  constexpr StringLiteral advice =
      "; the tensor must be sharded in L1, so that every node has a part of it: give it a memory "
      "configuration of ttnn.create_sharded_memory_config()";
  if (!encoding())
    return fail() << "the tensor is not on the device" << advice;
  bool inL1 = encoding().getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  if (encoding().getLayout().getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved)
    return fail() << "its pages are interleaved over the banks of " << (inL1 ? "L1" : "DRAM")
                  << advice;
  if (!inL1)
    return fail() << "its shards are in DRAM" << advice;
  if (encoding().getLayout().getShard().empty())
    return fail() << "its layout does not say how large a shard is: write shard = ROWSxCOLUMNS";
  return success();
}

LogicalResult BackingVerifier::verifyUnits() {
  ttl::CircularBufferType type = buffer.getType();
  ttl::LayoutAttrInterface layout = encoding().getLayout();
  if (layout.isTiled() != type.isTiled())
    return fail() << "the tensor is in " << (layout.isTiled() ? "tile" : "row-major")
                  << " layout, but the buffer holds " << (type.isTiled() ? "tiles" : "scalars");
  Type element = tensor.getElementType();
  auto tile = dyn_cast<ttcore::TileType>(element);
  std::optional<ttcore::DataType> own =
      tile ? std::optional(tile.getDataType()) : ttcore::getDataTypeOf(element);
  if (!own || ttcore::getDataFormat(*own) != type.getFormat())
    return fail() << "the buffer holds " << type.getElementType()
                  << ", but the tensor has elements "
                  << "of type " << element;
  return success();
}

LogicalResult BackingVerifier::verifyPages() {
  int64_t pageBytes = buffer.getType().getPageBytes(), own = ttl::getPageBytes(tensor);
  if (pageBytes != own && !buffer.getType().isTiled())
    return fail() << "a row of a block has " << buffer.getType().getShape().back()
                  << " elements, but a row of a shard has "
                  << encoding().getLayout().getShard().back()
                  << ": the last extent of shape= must be that number";
  if (pageBytes != own)
    return fail() << "a page of the buffer has " << pageBytes << " bytes, but a page of the tensor "
                  << "has " << own;
  if (pageBytes % arch.l1Alignment)
    return fail() << "a row of a shard has " << pageBytes << " bytes, and the next row begins at a "
                  << "multiple of " << arch.l1Alignment << " bytes, so the rows do not follow each "
                  << "other without gaps: make the rows longer";
  int64_t offset = buffer.getTensorOffset();
  if (offset % pageBytes)
    return fail() << "byte_offset = " << offset << " is not at the start of a page: it must be a "
                  << "multiple of " << pageBytes << ", the bytes of a page";
  return success();
}

int64_t BackingVerifier::pagesOfShard() const {
  ttl::LayoutAttrInterface layout = encoding().getLayout();
  ArrayRef<int64_t> shard = layout.getShard();
  if (!layout.isTiled())
    return ShapedType::getNumElements(shard.drop_back());
  return ShapedType::getNumElements(shard.drop_back(2)) *
         (shard.drop_back().back() / layout.getTile()[0]) * (shard.back() / layout.getTile()[1]);
}

LogicalResult BackingVerifier::verifyRange() {
  ttl::CircularBufferType type = buffer.getType();
  int64_t shards = isSharded(tensor) ? maxShardsPerCore(tensor) : 1, all = pagesOfShard() * shards;
  int64_t pages = type.getPagesPerBlock() * type.getBufferFactor();
  int64_t before = buffer.getTensorOffset() / type.getPageBytes();
  std::string unit = type.isTiled() ? "tiles" : "rows";
  std::string whole = shards == 1 ? "a shard has " : "all shards have ";
  if (before >= all)
    return fail() << "byte_offset = " << buffer.getTensorOffset()
                  << (shards == 1 ? " lies behind the shard, which has "
                                  : " lies behind all shards, which have ")
                  << all << " " << unit << " of " << type.getPageBytes() << " bytes";
  if (pages <= all - before)
    return success();
  InFlightDiagnostic diagnostic = fail();
  diagnostic << "it needs " << pages << " " << unit << " (" << type.getBufferFactor()
             << (type.getBufferFactor() == 1 ? " block" : " blocks") << " of "
             << type.getPagesPerBlock() << "), but " << whole << all;
  if (before)
    diagnostic << ", of which " << before << " are before byte_offset";
  return diagnostic << ": use a smaller shape or block_count, or larger shards";
}

//===--------------------------------------------------------------------------===//
// Publishing
//===--------------------------------------------------------------------------===//

// The ops of a kernel that publish one buffer, in program order.
class PublishVerifier {
public:
  PublishVerifier(ttl::CreateCBOp buffer, ArrayRef<ttl::CBPublishOp> ops)
      : buffer(buffer), ops(ops) {}

  LogicalResult verify() {
    return success(succeeded(verifyPlace()) && succeeded(verifyProducer()));
  }

private:
  LogicalResult verifyPlace();
  LogicalResult verifyProducer();

  // Returns the thread around an op; null if the op is in none.
  static Operation *threadOf(Operation *op) {
    while (op && !ttl::isThread(op))
      op = op->getParentOp();
    return op;
  }

  ttl::CreateCBOp buffer;
  ArrayRef<ttl::CBPublishOp> ops;
};

LogicalResult PublishVerifier::verifyPlace() {
  if (!buffer.isTensorBacked()) {
    InFlightDiagnostic diagnostic =
        ops[0]->emitError() << "'" << buffer.getName()
                            << "' cannot be published, because no tensor backs it: make it with "
                               "ttl.make_tensor_backed_dfb(), or reserve and push its blocks";
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is made here";
    return diagnostic;
  }
  for (ttl::CBPublishOp op : ops) {
    Operation *thread = threadOf(op);
    if (!thread || isa<ttl::ComputeThreadOp>(thread))
      return op.emitError() << "'" << buffer.getName() << "' is published "
                            << (thread ? "in the compute thread" : "outside of all threads")
                            << ": only data movement threads may do that";
  }
  return success();
}

LogicalResult PublishVerifier::verifyProducer() {
  for (Operation *user : buffer->getUsers()) {
    if (!isa<ttl::CBReserveOp>(user))
      continue;
    InFlightDiagnostic diagnostic =
        ops[0]->emitError()
        << "'" << buffer.getName()
        << "' is published, but its blocks are also reserved: publish a buffer "
           "whose tensor holds the input; reserve blocks of a second buffer for "
           "the output, which may be made from the same tensor";
    diagnostic.attachNote(user->getLoc()) << "a block is reserved here";
    return diagnostic;
  }
  for (ttl::CBPublishOp op : ops.drop_front()) {
    if (threadOf(op) == threadOf(ops[0]))
      continue;
    InFlightDiagnostic diagnostic = op.emitError() << "two threads publish '" << buffer.getName()
                                                   << "': publish it in one of them";
    diagnostic.attachNote(ops[0]->getLoc()) << "the other thread publishes it here";
    return diagnostic;
  }
  return success();
}

LogicalResult verifyPublishes(ttl::KernelOp kernel) {
  llvm::MapVector<Operation *, SmallVector<ttl::CBPublishOp>> published;
  kernel.walk([&](ttl::CBPublishOp op) { published[op.getCb().getDefiningOp()].push_back(op); });
  for (auto &[buffer, ops] : published)
    if (failed(PublishVerifier(cast<ttl::CreateCBOp>(buffer), ops).verify()))
      return failure();
  return success();
}

struct VerifyTensorBacking : ttjit::impl::TTLVerifyTensorBackingBase<VerifyTensorBacking> {
  void runOnOperation() override {
    bool ok = true;
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      hw::ArchDesc arch = archOf(kernel);
      for (auto buffer : kernel.getBody().getOps<ttl::CreateCBOp>())
        if (buffer.isTensorBacked())
          ok &= succeeded(BackingVerifier(buffer, arch).verify());
      ok = ok && succeeded(verifyPublishes(kernel)) && succeeded(verifyInPlaceStores(kernel));
    }
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
