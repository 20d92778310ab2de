// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Errors that depend on the path through loops, branches and while loops. Errors that only follow
// from them are not reported.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The error is certain in the first iteration only.
ttl.kernel @first_iteration(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{cannot copy from a block of 'dfb': nobody has written it since it was reserved, so it holds garbage; to copy the tensor to the block, write the slice first: ttl.copy(slice, block)}}
      %w = ttl.copy %a, %s : !block, !slice
      ttl.wait %w
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
    }
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The error is in the first iterations of both loops.
ttl.kernel @first_iterations(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        // expected-error @+1 {{cannot copy from a block of 'dfb': nobody has written it since it was reserved, so it holds garbage}}
        %w = ttl.copy %a, %s : !block, !slice
        ttl.wait %w
      }
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
    }
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The error is in the second iteration of the outer loop, after the inner loop.
ttl.kernel @released_in_nested_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-error @+1 {{a block of 'dfb' is acquired before the loop in line 91 and released inside it: write push() after the loop}}
    %a = ttl.cb_reserve %dfb : !block
    %x = ttl.copy %s, %a : !slice, !block
    ttl.wait %x
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        // expected-note @+1 {{the block is released here in every iteration}}
        ttl.cb_push %a : !block
      }
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// One branch of the loop's body does not release the block.
ttl.kernel @branch_in_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{a block of 'dfb' is released on some paths only: not where the condition in line 123 is true; write push() there too}}
      %a = ttl.cb_reserve %dfb : !block
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
      // expected-note @+1 {{the condition is here}}
      scf.if %cond {
      } else {
        // expected-note @+1 {{the block is released here}}
        ttl.cb_push %a : !block
      }
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The while loop's condition runs once more than its body.
ttl.kernel @released_in_while(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-error @+1 {{a block of 'dfb' is acquired before the loop in line 154 and released inside it: write push() after the loop}}
    %a = ttl.cb_reserve %dfb : !block
    %x = ttl.copy %s, %a : !slice, !block
    ttl.wait %x
    scf.while : () -> () {
      scf.condition(%cond)
    } do {
      // expected-note @+1 {{the block is released here in every iteration}}
      ttl.cb_push %a : !block
      scf.yield
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// After a while loop, the ops of its condition have been executed.
ttl.kernel @released_by_condition(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    scf.while : () -> () {
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
      %w = ttl.copy %a, %s : !block, !slice
      ttl.wait %w
      scf.condition(%cond)
    } do {
      scf.yield
    }
    %y = ttl.copy %s, %a : !slice, !block
    ttl.wait %y
    // expected-error @+1 {{cannot copy into a block of 'dfb': nobody has read its contents yet; to copy the block to the tensor, write the block first: ttl.copy(block, slice)}}
    %z = ttl.copy %s, %a : !slice, !block
    ttl.wait %z
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The scf.if has both branches exchanged.
ttl.kernel @swapped_by_branch(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %dfb : !block
    // expected-error @+1 {{the blocks held at the end of both branches must be in the order in which they were acquired, but a block of 'dfb' and a block of 'dfb' are swapped: do not exchange the variables that hold them}}
    %r:2 = scf.if %cond -> (!block, !block) {
      scf.yield %a, %b : !block, !block
    } else {
      scf.yield %b, %a : !block, !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Inside the loop, the block has the name that it had before.
ttl.kernel @old_name(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    %x = ttl.copy %s, %a : !slice, !block
    ttl.wait %x
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a) -> (!block) {
      // expected-error @+1 {{cannot copy from a block of 'dfb': it was passed into the loop in line 254; in the loop, use the loop's argument}}
      %w = ttl.copy %a, %s : !block, !slice
      ttl.wait %w
      scf.yield %c : !block
    }
    ttl.cb_push %r : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Both branches have released the block.
ttl.kernel @released_twice(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    %x = ttl.copy %s, %a : !slice, !block
    ttl.wait %x
    scf.if %cond {
      // expected-note @+1 {{the block is released here}}
      ttl.cb_push %a : !block
    } else {
      // expected-note @+1 {{the block is released here}}
      ttl.cb_push %a : !block
    }
    // expected-error @+1 {{cannot push a block of 'dfb': it was released already}}
    ttl.cb_push %a : !block
  }
}
