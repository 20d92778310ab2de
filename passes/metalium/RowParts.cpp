//===- RowParts.cpp - copies of parts of rows on a card -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy that is aligned is one transfer. Others call a helper that goes through a buffer of the
// thread. The emulated device moves any bytes, so the host needs neither.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/RowParts.h"

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// A longer part goes through the buffer in several steps.
static constexpr int64_t kMaxRowBufferBytes = 4096;

template <typename OpTy>
static constexpr bool kReads = std::is_same_v<OpTy, ttkernel::NocAsyncReadRowOp>;

//===--------------------------------------------------------------------------===//
// The buffer
//===--------------------------------------------------------------------------===//

static int64_t largestAlignment(const hw::ArchDesc &arch) {
  return std::max<int64_t>(arch.dramAlignment, arch.l1Alignment);
}

int64_t ttjit::bytesOfRowBuffer(func::FuncOp thread, const hw::ArchDesc &arch) {
  int64_t alignment = largestAlignment(arch), size = 0;
  auto add = [&](auto row) {
    APInt bytes;
    if (row.getAligned())
      return;
    bool isKnown = matchPattern(row.getBytes(), m_ConstantInt(&bytes));
    int64_t needed = isKnown ? bytes.getSExtValue() + alignment : kMaxRowBufferBytes;
    size = std::max(size, std::min<int64_t>(llvm::alignTo(needed, alignment), kMaxRowBufferBytes));
  };
  thread.walk([&](Operation *op) {
    if (auto read = ttkernel::asCall<ttkernel::NocAsyncReadRowOp>(op))
      add(read);
    else if (auto write = ttkernel::asCall<ttkernel::NocAsyncWriteRowOp>(op))
      add(write);
  });
  return size;
}

// Emits the buffer's address. It stays, because no consumer pops pages and none are pushed.
void tometalium::emitRowBuffer(func::FuncOp source, ThreadConverter &converter) {
  const std::optional<RowBuffer> &buffer = converter.names.rowBuffer;
  if (!buffer || converter.isForHost)
    return;
  Location position = positionOf(source.getLoc());
  Value id =
      converter
          .call(source, "get_compile_time_arg_val", converter.constant(buffer->id, position),
                emitc::OpaqueType::get(source.getContext(), "constexpr uint32_t"), "row_buffer")
          .getResult(0);
  converter.rowBuffer =
      converter
          .call(source, "get_write_ptr", id,
                converter.builder.getIntegerType(32, /*isSigned=*/false), "row_buffer_ptr")
          .getResult(0);
}

//===--------------------------------------------------------------------------===//
// The copies
//===--------------------------------------------------------------------------===//

static void emitTransfer(Operation *op, bool reads, ArrayRef<Value> place, Value l1, Value bytes,
                         ThreadConverter &converter) {
  auto address = converter.call(op, "ttl_row_addr", place,
                                emitc::OpaqueType::get(op->getContext(), "uint64_t"), "row_addr");
  SmallVector<Value> operands{address.getResult(0), l1, bytes};
  if (!reads)
    std::swap(operands[0], operands[1]);
  converter.call(op, reads ? "noc_async_read" : "noc_async_write", operands, Type(), "");
}

// Returns the template arguments of the helper: the type of an element, pages per row, bytes of a
// page, the alignment, bytes of the buffer.
static SmallVector<Attribute> helperArguments(RankedTensorType tensor, int64_t pageBytes,
                                              bool reads, ThreadConverter &converter) {
  const hw::ArchDesc &arch = *converter.names.arch;
  auto encoding = cast<ttl::TensorEncodingAttr>(tensor.getEncoding());
  bool readsDram = reads && encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  int64_t element = ttl::getElementBytes(tensor);
  int64_t rowBytes = ttl::getStoredShape(tensor).back() * element;
  SmallVector<Attribute> arguments{opaque(converter, "uint" + Twine(element * 8) + "_t")};
  for (int64_t number : {static_cast<int64_t>(llvm::divideCeil(rowBytes, pageBytes)), pageBytes,
                         static_cast<int64_t>(readsDram ? arch.dramAlignment : arch.l1Alignment),
                         converter.names.rowBuffer->bytes})
    arguments.push_back(converter.builder.getI32IntegerAttr(static_cast<int32_t>(number)));
  return arguments;
}

template <typename OpTy>
static LogicalResult emitOnCard(ttkernel::CallOf<OpTy> op, SmallVector<Value> operands,
                                ThreadConverter &converter) {
  auto made = ttkernel::definingCall<ttkernel::TensorAccessorOp>(op.getAccessor());
  RankedTensorType tensor = tensorOf(op.getAccessor());
  APInt pageBytes;
  if (!tensor || !converter.rowBuffer || !converter.names.arch ||
      !matchPattern(made.getPageSize(), m_ConstantInt(&pageBytes)))
    return op.emitError(
        "unaligned parts of rows go through a buffer of the program: no ttl.program "
        "has this thread");
  operands.push_back(converter.rowBuffer);
  converter.call(op, kReads<OpTy> ? "ttl_read_row_part" : "ttl_write_row_part", operands, Type(),
                 "", helperArguments(tensor, pageBytes.getSExtValue(), kReads<OpTy>, converter));
  return success();
}

template <typename OpTy>
static LogicalResult partOfRow(ttkernel::CallOf<OpTy> op, ThreadConverter &converter) {
  Value accessor = converter.lookup(op.getAccessor()), row = converter.lookup(op.getRow()),
        offset = converter.lookup(op.getOffset()), l1 = converter.lookup(op.getL1Address()),
        bytes = converter.lookup(op.getBytes());
  if (op.getAligned()) { // a row is one page here
    emitTransfer(op, kReads<OpTy>, {accessor, row, offset}, l1, bytes, converter);
    return success();
  }
  SmallVector<Value> operands{accessor, row, offset, l1, bytes};
  if (!converter.isForHost)
    return emitOnCard(op, operands, converter);
  auto call =
      converter.call(op, kReads<OpTy> ? "ttjit::metalium::readRow" : "ttjit::metalium::writeRow",
                     operands, Type(), "");
  call->setAttr(kUserFunctionAttr, converter.builder.getUnitAttr());
  return success();
}

void tometalium::addRowPartRules(EmitRules &rules) {
  rules.addCall<ttkernel::NocAsyncReadRowOp, partOfRow<ttkernel::NocAsyncReadRowOp>>();
  rules.addCall<ttkernel::NocAsyncWriteRowOp, partOfRow<ttkernel::NocAsyncWriteRowOp>>();
}
