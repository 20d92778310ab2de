//===- SynchronizationFunctions.cpp - waits and resets for emitted files ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kSynchronizationFunctions[] = {
    {"ttl_reset_buffers",
     R"cpp(// The processors of a core meet: each counts its meetings in a word of its own and waits until the
// others have counted this one. `processors` has a bit for each that runs a kernel: NCRISC, BRISC,
// UNPACK, PACK.
inline void ttl_meet(volatile tt_l1_ptr uint32_t *words, uint32_t self, uint32_t processors) {
  const uint32_t meeting = words[self] + 1;
  words[self] = meeting;
  (void)words[self]; // the load waits for the store
  for (uint32_t other = 0; other < 4; ++other) {
    while (processors >> other & 1) {
      asm volatile("fence" ::: "memory"); // caches of the processors are not coherent
      if (static_cast<int32_t>(words[other] - meeting) >= 0) {
        break;
      }
    }
  }
}

// Empties the circular buffers of two masks, of ids 0 to 31 and 32 to 63, after the processors have
// finished what they do to them. Their first pages are the next ones then. The words are `offset`
// bytes from the start of circular buffer `words_cb`.
inline void ttl_reset_buffers(uint32_t words_cb, uint32_t offset, uint32_t processors,
                              uint32_t low, uint32_t high) {
#if defined(COMPILE_FOR_NCRISC)
  constexpr uint32_t self = 0;
  noc_async_full_barrier();
#elif defined(COMPILE_FOR_BRISC)
  constexpr uint32_t self = 1;
  noc_async_full_barrier();
#elif defined(UCK_CHLKC_UNPACK) || defined(TRISC_UNPACK)
  using namespace ckernel;
  constexpr uint32_t self = 2;
  TTI_STALLWAIT(p_stall::STALL_TDMA, p_stall::UNPACK);
  tensix_sync();
#elif defined(UCK_CHLKC_PACK) || defined(TRISC_PACK)
  using namespace ckernel;
  constexpr uint32_t self = 3;
  TTI_STALLWAIT(p_stall::STALL_TDMA, p_stall::PACK);
  tensix_sync();
#endif
#if !defined(UCK_CHLKC_MATH) && !defined(TRISC_MATH) // MATH has no pointers of buffers
  const auto &holder = get_local_cb_interface(words_cb);
  const uint32_t start = (holder.fifo_limit - holder.fifo_size) << cb_addr_shift;
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(start + offset);
  ttl_meet(words, self, processors);
  for (uint32_t id = 0; id < 64; ++id) {
    if (((id < 32 ? low >> id : high >> (id - 32)) & 1) == 0) {
      continue;
    }
    auto &cb = get_local_cb_interface(id);
    cb.fifo_rd_ptr = cb.fifo_wr_ptr = cb.fifo_limit - cb.fifo_size;
    cb.tiles_acked_received_init = 0;
    if (self == 3) {
      cb.fifo_wr_tile_ptr = 0;
    }
    if ((processors & ((1u << self) - 1)) == 0) { // the first processor: all share the counters
      *get_cb_tiles_received_ptr(id) = 0;
      *get_cb_tiles_acked_ptr(id) = 0;
    }
  }
  ttl_meet(words, self, processors);
#endif
}
)cpp"},
    {"ttl_wait_any",
     "// Waits until one of several words is at least its value; returns the place of the first\n"
     "// such word from `start` on. Each pair of `words` is an address and a value; a value of -1\n"
     "// means that the word is not awaited.\n"
     "template <typename... Words>\n"
     "inline int32_t ttl_wait_any(int32_t start, Words... words) {\n"
     "  constexpr int32_t count = sizeof...(words) / 2;\n"
     "  const uint32_t pairs[] = {static_cast<uint32_t>(words)...};\n"
     "  const int32_t first = (start % count + count) % count;\n"
     "  while (true) {\n"
     "    invalidate_l1_cache();\n"
     "    for (int32_t i = 0; i < count; ++i) {\n"
     "      const int32_t place = (first + i) % count;\n"
     "      const uint32_t value = pairs[2 * place + 1];\n"
     "      auto *word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(pairs[2 * place]);\n"
     "      if (value != 0xffffffff && *word >= value) {\n"
     "        return place;\n"
     "      }\n"
     "    }\n"
     "  }\n"
     "}\n"},
};

llvm::ArrayRef<EmittedFunction> tometalium::synchronizationFunctions() {
  return kSynchronizationFunctions;
}
