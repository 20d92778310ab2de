// Mistakes that the interpreter meets in IR that no pass has verified end with a message.
// RUN: split-file %s %t
// RUN: not ttl-jit run %t/remote.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=REMOTE
// REMOTE: error: {{.*}}remote.mlir:19:5: other nodes' semaphores cannot be passed through loops or branches
// RUN: not ttl-jit run %t/outside.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: reads a tile that lies outside of its block
// RUN: not ttl-jit run %t/outside2.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=OUTSIDE2
// OUTSIDE2: error: reads a tile that lies outside of its block
// RUN: not ttl-jit run %t/packblock.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=PACKBLOCK
// PACKBLOCK: error: {{.*}}packblock.mlir:13:5: ttl.pack_tile_block packs DST registers, but its first tile has none
// RUN: not ttl-jit run %t/pipeout.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=PIPEOUT
// PIPEOUT: error: this node runs a copy that sends over a pipe of 'n', which begins at node (0, 0): copy only there, for example in a callback of n.if_src()
// PIPEOUT-NEXT: at {{.*}}pipeout.mlir:17:10
// RUN: not ttl-jit run %t/chosen.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: error: {{.*}}chosen.mlir:13:10: cannot run over an unknown net: nets cannot be passed through loops or branches
// RUN: not ttl-jit run %t/net.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=NET
// NET: error: {{.*}}net.mlir:14:5: cannot run over an unknown net: nets cannot be passed through loops or branches
// RUN: not ttl-jit run %t/size.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: receives a block of another size than the one that was sent
// RUN: not ttl-jit run %t/unwritten.mlir --stage=input 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: error: ttl.copy: copies from a block of 'c' that nobody wrote

//--- remote.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "t" {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1 : i32
    %t = arith.constant true
    %r = scf.if %t -> (!ttl.semaphore<true>) {
      %x = ttl.get_remote_semaphore %s[%c0] : !ttl.semaphore -> !ttl.semaphore<true>
      scf.yield %x : !ttl.semaphore<true>
    } else {
      %x = ttl.get_remote_semaphore %s[%c0] : !ttl.semaphore -> !ttl.semaphore<true>
      scf.yield %x : !ttl.semaphore<true>
    }
    ttl.semaphore_set %r, %v : !ttl.semaphore<true>
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- outside.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  ttl.compute_thread "t" {
    %big = arith.constant 100000 : index
    %b = ttl.cb_reserve %c : !block
    %x = ttl.get_tile %b[%big] : !block -> !tile
    %c0 = arith.constant 0 : index
    ttl.pack_tile %x, %b[%c0] : !tile, !block
    ttl.cb_push %b : !block
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- outside2.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  ttl.compute_thread "t" {
    %big = arith.constant -3 : index
    %b = ttl.cb_reserve %c : !block
    %x = ttl.get_tile %b[%big] : !block -> !tile
    ttl.pack_tile %x, %b[%big] : !tile, !block
    ttl.cb_push %b : !block
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- packblock.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  ttl.compute_thread "t" {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %b = ttl.cb_reserve %c : !block
    %x = ttl.tile_fill %one : !tile
    ttl.pack_tile_block (%x), %b[%c0] : (!tile), !block
    ttl.cb_push %b : !block
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- pipeout.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "t" {
    %b = ttl.cb_reserve %c : !block
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %in = ttl.copy %s, %b : !part, !block
    ttl.wait %in
    %x = ttl.copy %b, %p : !block, !ttl.pipe
    ttl.wait %x
    ttl.cb_push %b : !block
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- chosen.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %q = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  ttl.datamovement_thread "t" {
    %t = arith.constant true
    %r = arith.select %t, %p, %q : !ttl.pipe
    %s = ttl.is_pipe_src %r : !ttl.pipe
    %e = ttl.pipe_source %r : !ttl.pipe -> index
    scf.if %s {
      %b = ttl.cb_reserve %c : !block
      ttl.cb_push %b : !block
    }
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- net.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  %n2 = ttl.create_pipenet "m" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "t" {
    %t = arith.constant true
    %r = arith.select %t, %n, %n2 : !ttl.pipenet
    ttl.if_pipe_src %r {
    ^bb0(%to: !ttl.pipe):
    }
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- size.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  %d = ttl.create_cb "d" : !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "t" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    ttl.if_pipe_src %n {
    ^bb0(%to: !ttl.pipe):
      %b = ttl.cb_reserve %c : !block
      %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
      %y = ttl.copy %part, %b : !part, !block
      ttl.wait %y
      %x = ttl.copy %b, %to : !block, !ttl.pipe
      ttl.wait %x
      ttl.cb_push %b : !block
    }
    ttl.if_pipe_dst %n {
    ^bb0(%to: !ttl.pipe):
      %b = ttl.cb_reserve %d : !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>>
      %x = ttl.copy %to, %b : !ttl.pipe, !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>>
      ttl.wait %x
      ttl.cb_push %b : !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>>
    }
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
//--- unwritten.mlir
!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttcore.tile<32x32, f32>
!part = !ttl.tensor_slice<[1, 1], !a>
ttl.kernel @odd(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %c = ttl.create_cb "c" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "t" {
    %b = ttl.cb_reserve %c : !block
    ttl.if_pipe_src %n {
    ^bb0(%to: !ttl.pipe):
      %x = ttl.copy %b, %to : !block, !ttl.pipe
      ttl.wait %x
    }
    ttl.if_pipe_dst %n {
    ^bb0(%to: !ttl.pipe):
      %x = ttl.copy %to, %b : !ttl.pipe, !block
      ttl.wait %x
    }
    ttl.cb_push %b : !block
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @odd(%a) : !a
  return
}
