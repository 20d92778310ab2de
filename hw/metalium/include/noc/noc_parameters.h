// SPDX-License-Identifier: Apache-2.0
// Sizes and alignments of transfers of the chip that the kernel is compiled for.
#pragma once

#ifdef ARCH_BLACKHOLE
#define NOC_MAX_BURST_SIZE 16384
#define NOC_DRAM_READ_ALIGNMENT_BYTES 64
#define L1_ALIGNMENT 16
#define DRAM_ALIGNMENT 64
#else
#define NOC_MAX_BURST_SIZE 8192
#define NOC_DRAM_READ_ALIGNMENT_BYTES 32
#define L1_ALIGNMENT 16
#define DRAM_ALIGNMENT 32
#endif
#define NOC_L1_READ_ALIGNMENT_BYTES 16
#define NOC_L1_WRITE_ALIGNMENT_BYTES 16
#define NOC_DRAM_WRITE_ALIGNMENT_BYTES 16
#define NOC_MAX_TRANSACTION_ID 0xf
#define NOC_MAX_TRANSACTION_ID_COUNT 255
