// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Blocks in a wrong state, blocks in a wrong order, and buffers that no thread fills.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Released on one branch only: the error is where the block is acquired.
ttl.kernel @branch(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-error @+1 {{a block of 'a_dfb' is released on some paths only: not where the condition in line 34 is false; write pop() there too}}
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %a : !block, !block
    // expected-note @+1 {{the condition is here}}
    scf.if %true {
      // expected-note @+1 {{the block is released here}}
      ttl.cb_pop %a : !block
    }
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The same, with an else branch that does something else.
ttl.kernel @other_branch(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-error @+1 {{a block of 'a_dfb' is released on some paths only: not where the condition in line 71 is false; write pop() there too}}
    %a = ttl.cb_wait %a_dfb : !block
    // expected-note @+1 {{the condition is here}}
    scf.if %true {
      %e = ttl.block_exp %a : (!block) -> !e
      // expected-note @+1 {{the block is released here}}
      ttl.cb_pop %a : !block
    } else {
      %e = ttl.block_exp %a : (!block) -> !e
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @double_pop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // expected-note @+1 {{the block is released here}}
    ttl.cb_pop %a : !block
    // expected-error @+1 {{cannot pop a block of 'a_dfb': it was released already}}
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @double_push(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    // expected-note @+1 {{the block is released here}}
    ttl.cb_push %a : !block
    // expected-error @+1 {{cannot push a block of 'a_dfb': it was released already}}
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @use_after_release(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // expected-note @+1 {{the block is released here}}
    ttl.cb_pop %a : !block
    // expected-error @+1 {{cannot read a block of 'a_dfb': it was released already}}
    %f = ttl.block_exp %a : (!block) -> !e
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @store_after_release(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %a = ttl.cb_wait %a_dfb : !block
    // expected-note @+1 {{the block is acquired here}}
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %a : !block, !block
    // expected-note @+1 {{the block is released here}}
    ttl.cb_push %y : !block
    // expected-error @+1 {{cannot store into a block of 'y_dfb': it was released already}}
    ttl.block_store %y, %a : !block, !block
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @push_unwritten(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-error @+1 {{cannot push a block of 'a_dfb': nobody has written it since it was reserved; write it with store() or ttl.copy(): 'name = value' only binds the name}}
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The thread writes the buffer's blocks only at another reserve, so no node may execute this push.
ttl.kernel @push_elsewhere(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %w = ttl.copy %s, %a : !slice, !block
    ttl.wait %w
    ttl.cb_push %a : !block
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %a_dfb : !block
    // expected-warning @+1 {{this pushes a block of 'a_dfb', but nobody has written it since it was reserved; a node that gets here faults}}
    ttl.cb_push %b : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c2 step %c1 {
      %s = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %a = ttl.cb_wait %a_dfb : !block
      %w = ttl.copy %a, %s : !block, !slice
      ttl.wait %w
      ttl.cb_pop %a : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @read_unwritten(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-note @+1 {{the block is acquired here}}
    %y = ttl.cb_reserve %y_dfb : !block
    // expected-error @+1 {{cannot read a block of 'y_dfb': nobody has written it since it was reserved, so it holds garbage}}
    %e = ttl.block_exp %y : (!block) -> !e
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @overwrite_unread(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %one = arith.constant 1.0 : f32
    %e = ttl.block_fill %one : !e
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    // A reserved block may be stored into again.
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %e : !block, !e
    ttl.block_store %y, %e : !block, !e
    // expected-error @+1 {{cannot store into a block of 'a_dfb': nobody has read its contents yet}}
    ttl.block_store %a, %e : !block, !e
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A consumer must pop its blocks; a producer must push its blocks.
ttl.kernel @wrong_kind(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // expected-error @+1 {{cannot push a block of 'a_dfb': it was waited for, so release it with pop() instead}}
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @wrong_kind_of_producer(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    // expected-error @+1 {{cannot pop a block of 'a_dfb': it was reserved, so release it with push() instead}}
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @out_of_order(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the older block is acquired here}}
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    %xb = ttl.copy %s, %b : !slice, !block
    ttl.wait %xa
    ttl.wait %xb
    // expected-error @+1 {{cannot push a block of 'a_dfb' before a block of 'a_dfb', which was acquired earlier: release them in that order}}
    ttl.cb_push %b : !block
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @too_many(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{this block is still held}}
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-note @+1 {{this block is still held}}
    %b = ttl.cb_reserve %a_dfb : !block
    // expected-error @+1 {{this acquires one more block of 'a_dfb' than the buffer has (2), so it would wait for ever; release an older block first, or make the buffer with a larger block_count}}
    %c = ttl.cb_reserve %a_dfb : !block
    ttl.cb_push %a : !block
    ttl.cb_push %b : !block
    ttl.cb_push %c : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Reported before errors in the code behind it.
ttl.kernel @no_producer(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    // expected-error @+1 {{this waits for a block of 'a_dfb', but no thread produces any: reserve and push blocks of it in another thread}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    ttl.cb_pop %a : !block
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @two_producers(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the other thread acquires it here}}
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.datamovement_thread "other" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{two threads produce 'a_dfb' on node (0, 0): on each node a buffer can have only one producer and one consumer; use a buffer for each thread, or acquire the blocks on different nodes}}
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>

// Tile by tile blocks are read and written as by expressions.
ttl.kernel @tile_of_garbage() attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{the block is acquired here}}
    %y = ttl.cb_reserve %y_dfb : !block
    // expected-error @+1 {{cannot read a block of 'y_dfb': nobody has written it since it was reserved, so it holds garbage}}
    %0 = ttl.get_tile %y[%c0] : !block -> !t
    ttl.pack_tile %0, %y[%c0] : !t, !block
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Printing is no read: a block that nobody wrote can be printed, a released one cannot.
ttl.kernel @prints() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    // expected-note @below {{acquired here}}
    %a = ttl.cb_reserve %cb : !block
    ttl.print_block %a : !block
    ttl.element_write %f, %a[%c0, %c0] : !block
    // expected-note @below {{released here}}
    ttl.cb_push %a : !block
    // expected-error @below {{cannot print a block of 'cb': it was released already}}
    ttl.print_block %a : !block
  }
  ttl.datamovement_thread "reader" {
    // expected-note @below {{acquired here}}
    %b = ttl.cb_wait %cb : !block
    ttl.print_block %b : !block
    // expected-warning @below {{but nobody has read it}}
    ttl.cb_pop %b : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// A function of the host reads blocks that were waited for, and writes reserved ones.
ttl.kernel @host() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "cb" : !cb
  %other = ttl.create_cb "other" : !cb
  ttl.datamovement_thread "writer" {
    %a = ttl.cb_reserve %cb : !block
    ttl.call_host "fill" (%a) : (!block) -> ()
    ttl.cb_push %a : !block
    // expected-note @below {{acquired here}}
    %b = ttl.cb_reserve %other : !block
    ttl.call_host "nothing" () : () -> ()
    // expected-error @below {{nobody has written it since it was reserved}}
    ttl.cb_push %b : !block
  }
  ttl.datamovement_thread "reader" {
    %a = ttl.cb_wait %cb : !block
    ttl.call_host "show" (%a) : (!block) -> ()
    ttl.cb_pop %a : !block
    // expected-note @below {{acquired here}}
    %b = ttl.cb_wait %other : !block
    ttl.call_host "show" (%b) : (!block) -> ()
    // expected-note @below {{released here}}
    ttl.cb_pop %b : !block
    // expected-error @below {{cannot pass a block of 'other': it was released already}}
    ttl.call_host "show" (%b) : (!block) -> ()
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The compute thread's result goes nowhere.
ttl.kernel @no_consumer(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %slice = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %block = ttl.cb_reserve %a_dfb : !block
    %xf = ttl.copy %slice, %block : !slice, !block
    ttl.wait %xf
    ttl.cb_push %block : !block
  }
  ttl.compute_thread "compute" {
    %block = ttl.cb_wait %a_dfb : !block
    // expected-warning @+1 {{this pushes blocks of 'y_dfb', but no thread reads it: wait for them in another thread}}
    %result = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %result, %block : !block, !block
    ttl.cb_push %result : !block
    ttl.cb_pop %block : !block
  }
}

// -----

// Nobody fills the buffer: an error if a node surely waits, though only node 1 does.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @waits_on_one_node() attributes {grid = #ttcore.grid<2x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %x, %y = ttl.core : index, index
    scf.for %i = %c0 to %x step %c2 {
      // expected-error @+1 {{this waits for a block of 'dfb', but no thread produces any: reserve and push blocks of it in another thread}}
      %a = ttl.cb_wait %dfb : !block
      ttl.cb_pop %a : !block
    }
  }
}

// -----

// What a node may not reach is a warning: only a run can tell.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @may_wait(%n: index) attributes {grid = #ttcore.grid<2x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-warning @+2 {{this waits for a block of 'dfb', but no thread produces any: reserve and push blocks of it in another thread; a node that gets here waits for ever}}
      // expected-note @+1 {{acquired here}}
      %a = ttl.cb_wait %dfb : !block
      // expected-warning @+1 {{nobody has read it}}
      ttl.cb_pop %a : !block
    }
  }
}

// -----

// No node gets to a wait in a loop without iterations.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @never_waits() attributes {grid = #ttcore.grid<2x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c1 to %c0 step %c1 {
      // expected-note @+1 {{acquired here}}
      %a = ttl.cb_wait %dfb : !block
      // expected-warning @+1 {{nobody has read it}}
      ttl.cb_pop %a : !block
    }
  }
}

// -----

// An acquire outside of every thread has no nodes on which it runs.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @outside_of_threads() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{this waits for a block of 'dfb', but no thread produces any}}
    %a = ttl.cb_wait %dfb : !block
    ttl.cb_pop %a : !block
  }
  %b = ttl.cb_wait %dfb : !block
}
