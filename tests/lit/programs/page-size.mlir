// Pages that are larger than their tiles or rows: every engine gives the same bits at every stage. The map
// of L1 and the program for the card include the padding.
// RUN: ttl-jit run %S/../../corpus/page-size.mlir --engine=jit --dump=l1 2>&1 | FileCheck %s --check-prefix=L1
// RUN: ttl-jit run %S/../../corpus/page-size.mlir --engine=interp --schedule=random --seed=3
// RUN: ttl-jit run %S/../../corpus/page-size.mlir --engine=emitted
// RUN: ttl-jit run %S/../../corpus/page-size.mlir --stage=input --check=all 2>&1 | FileCheck %s --check-prefix=CHECK
// RUN: ttl-jit run %S/../../corpus/page-size.mlir --stage=sync
// RUN: rm -rf %t.dir && ttl-jit run %S/../../corpus/page-size.mlir --emit=%t.dir
// RUN: FileCheck %s --check-prefix=TILES --input-file=%t.dir/tiles_sender.cpp
// RUN: FileCheck %s --check-prefix=RECEIVE --input-file=%t.dir/tiles_writer.cpp
// RUN: FileCheck %s --check-prefix=ROWS --input-file=%t.dir/rows_reader.cpp
// RUN: FileCheck %s --check-prefix=PROGRAM --input-file=%t.dir/program.json
// RUN: not ttl-jit run %S/../../corpus/page-size.mlir --max-l1=131000 --strict 2>&1 | FileCheck %s --check-prefix=LIMIT

// L1: 65536 B   0 own_cb {{.*}} 2 blocks of 4 pages of 8192 B Float32
// L1: 192 B   0 rows_cb {{.*}} 2 blocks of 3 pages of 32 B Float32

// CHECK: checks: no findings

// TILES: noc_async_read_page({{.*}}, own_cb_ptr + {{.*}} * 8192)
// TILES: noc_async_write_multicast_loopback_src({{.*}} * 8192, {{.*}} * 4096), transfer_bytes, 2)
// RECEIVE: noc_async_read(from, in_cb_ptr + {{.*}} * 4160, transfer_bytes)

// ROWS: noc_async_read(row_addr, rows_cb_ptr + {{.*}} * 32, transfer_bytes)
// ROWS: ttl_load_f32({{.*}} + 44)

// PROGRAM: "page_size": 4160

// LIMIT: error: circular buffers of 'tiles' take {{.*}} bytes of L1 on each core, but --max-l1 allows only 131000
// LIMIT: note: 'own_cb' takes 65536 bytes (2x2 tiles of Float32, 2 blocks, page_size 8192)
