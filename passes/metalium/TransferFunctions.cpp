//===- TransferFunctions.cpp - transfers for emitted files --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kTransferFunctions[] = {
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
    {"ttl_row_addr",
     "// Byte `offset` of a row that is one page.\n"
     "template <typename Accessor>\n"
     "inline uint64_t ttl_row_addr(const Accessor &accessor, int32_t row, int32_t offset) {\n"
     "  return accessor.get_noc_addr(row, offset);\n"
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
};

llvm::ArrayRef<EmittedFunction> tometalium::transferFunctions() { return kTransferFunctions; }
