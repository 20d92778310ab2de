//===- TransferFunctions.cpp - transfers for emitted files --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kTransferFunctions[] = {
    {"ttl_copy_elements",
     "// Copies elements within L1.\n"
     "template <typename T>\n"
     "inline void ttl_copy_elements(uint32_t from_addr, uint32_t to_addr, uint32_t bytes) {\n"
     "  auto *from = reinterpret_cast<volatile tt_l1_ptr T *>(from_addr);\n"
     "  auto *to = reinterpret_cast<volatile tt_l1_ptr T *>(to_addr);\n"
     "  for (uint32_t i = 0; i < bytes / sizeof(T); ++i) {\n"
     "    to[i] = from[i];\n"
     "  }\n"
     "}\n"},
    {"ttl_multicast_addr",
     "// NOC_1 goes the other way: its rectangles begin at the far corner.\n"
     "inline uint64_t ttl_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,\n"
     "                                   uint32_t address) {\n"
     "  return noc_index == 0 ? get_noc_multicast_addr(x0, y0, x1, y1, address)\n"
     "                        : get_noc_multicast_addr(x1, y1, x0, y0, address);\n"
     "}\n"},
    {"ttl_read_pages",
     "// Pages page, page + step, ...: at once where they follow each other in memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_read_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                           int32_t count, int32_t step, uint32_t page_size) {\n"
     "  const uint64_t first = accessor.get_noc_addr(page);\n"
     "  const uint64_t last = accessor.get_noc_addr(page + (count - 1) * step);\n"
     "  if (last == first + (count - 1) * page_size) {\n"
     "    noc_async_read(first, l1_addr, count * page_size);\n"
     "    return;\n"
     "  }\n"
     "  for (int32_t i = 0; i < count; ++i) {\n"
     "    noc_async_read_page(page + i * step, accessor, l1_addr + i * page_size);\n"
     "  }\n"
     "}\n"},
    {"ttl_read_row_part",
     "// Reads part of a row. The NoC reads between addresses that are equal modulo `alignment`:\n"
     "// other bytes are read to the buffer at `buffer_ptr` with those before them, and copied.\n"
     "template <typename T, uint32_t row_pages, uint32_t page_bytes, uint32_t alignment,\n"
     "          uint32_t buffer_bytes, typename Accessor>\n"
     "inline void ttl_read_row_part(const Accessor &accessor, uint32_t row, uint32_t offset,\n"
     "                              uint32_t l1_addr, uint32_t bytes, uint32_t buffer_ptr) {\n"
     "  while (bytes > 0) {\n"
     "    const uint32_t page = row * row_pages + offset / page_bytes, in_page = offset % "
     "page_bytes;\n"
     "    const uint32_t before = in_page % alignment;\n"
     "    const bool is_aligned = before == l1_addr % alignment;\n"
     "    uint32_t part = bytes < page_bytes - in_page ? bytes : page_bytes - in_page;\n"
     "    if (is_aligned) {\n"
     "      noc_async_read(accessor.get_noc_addr(page, in_page), l1_addr, part);\n"
     "    } else {\n"
     "      part = part < buffer_bytes - before ? part : buffer_bytes - before;\n"
     "      noc_async_read(accessor.get_noc_addr(page, in_page - before), buffer_ptr, before + "
     "part);\n"
     "      noc_async_read_barrier();\n"
     "      ttl_copy_elements<T>(buffer_ptr + before, l1_addr, part);\n"
     "    }\n"
     "    offset += part;\n"
     "    l1_addr += part;\n"
     "    bytes -= part;\n"
     "  }\n"
     "}\n",
     "ttl_copy_elements"},
    {"ttl_row_addr",
     "// Byte `offset` of a row that is one page.\n"
     "template <typename Accessor>\n"
     "inline uint64_t ttl_row_addr(const Accessor &accessor, int32_t row, int32_t offset) {\n"
     "  return accessor.get_noc_addr(row, offset);\n"
     "}\n"},
    {"ttl_read_shard_pages",
     "// Pages of a shard that follow each other in its memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_read_shard_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                                 int32_t count, uint32_t page_size) {\n"
     "  noc_async_read(accessor.get_noc_addr(page), l1_addr, count * page_size);\n"
     "}\n"},
    {"ttl_virtual_x", "// NoC coordinate of a column of the compute grid.\n"
                      "inline uint32_t ttl_virtual_x(uint32_t column) {\n"
                      "  return worker_logical_col_to_virtual_col[column];\n"
                      "}\n"},
    {"ttl_virtual_y", "// NoC coordinate of a row of the compute grid.\n"
                      "inline uint32_t ttl_virtual_y(uint32_t row) {\n"
                      "  return worker_logical_row_to_virtual_row[row];\n"
                      "}\n"},
    {"ttl_write_pages",
     "// Pages page, page + step, ...: at once where they follow each other in memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_write_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                           int32_t count, int32_t step, uint32_t page_size) {\n"
     "  const uint64_t first = accessor.get_noc_addr(page);\n"
     "  const uint64_t last = accessor.get_noc_addr(page + (count - 1) * step);\n"
     "  if (last == first + (count - 1) * page_size) {\n"
     "    noc_async_write(l1_addr, first, count * page_size);\n"
     "    return;\n"
     "  }\n"
     "  for (int32_t i = 0; i < count; ++i) {\n"
     "    noc_async_write_page(page + i * step, accessor, l1_addr + i * page_size);\n"
     "  }\n"
     "}\n"},
    {"ttl_write_row_part",
     "// Writes part of a row. The NoC writes between addresses that are equal modulo "
     "`alignment`:\n"
     "// other bytes are copied to such an address in the buffer at `buffer_ptr` before.\n"
     "template <typename T, uint32_t row_pages, uint32_t page_bytes, uint32_t alignment,\n"
     "          uint32_t buffer_bytes, typename Accessor>\n"
     "inline void ttl_write_row_part(const Accessor &accessor, uint32_t row, uint32_t offset,\n"
     "                               uint32_t l1_addr, uint32_t bytes, uint32_t buffer_ptr) {\n"
     "  while (bytes > 0) {\n"
     "    const uint32_t page = row * row_pages + offset / page_bytes, in_page = offset % "
     "page_bytes;\n"
     "    const uint32_t before = in_page % alignment;\n"
     "    const bool is_aligned = before == l1_addr % alignment;\n"
     "    uint32_t part = bytes < page_bytes - in_page ? bytes : page_bytes - in_page;\n"
     "    if (is_aligned) {\n"
     "      noc_async_write(l1_addr, accessor.get_noc_addr(page, in_page), part);\n"
     "    } else {\n"
     "      part = part < buffer_bytes - before ? part : buffer_bytes - before;\n"
     "      ttl_copy_elements<T>(l1_addr, buffer_ptr + before, part);\n"
     "      noc_async_write(buffer_ptr + before, accessor.get_noc_addr(page, in_page), part);\n"
     "      noc_async_writes_flushed();\n"
     "    }\n"
     "    offset += part;\n"
     "    l1_addr += part;\n"
     "    bytes -= part;\n"
     "  }\n"
     "}\n",
     "ttl_copy_elements"},
    {"ttl_write_shard_pages",
     "// Pages of a shard that follow each other in its memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_write_shard_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                                  int32_t count, uint32_t page_size) {\n"
     "  noc_async_write(l1_addr, accessor.get_noc_addr(page), count * page_size);\n"
     "}\n"},
};

llvm::ArrayRef<EmittedFunction> tometalium::transferFunctions() { return kTransferFunctions; }
