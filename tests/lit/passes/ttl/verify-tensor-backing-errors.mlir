// RUN: ttl-opt %s --ttl-verify-tensor-backing --ttl-merge-allocation-groups --ttl-verify-protocol --ttl-replace-waited-blocks --split-input-file --verify-diagnostics

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @interleaved(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': its pages are interleaved over the banks of L1; the tensor must be sharded in L1, so that every node has a part of it: give it a memory configuration of ttnn.create_sharded_memory_config()}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @in_dram(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': its shards are in DRAM; the tensor must be sharded in L1, so that every node has a part of it: give it a memory configuration of ttnn.create_sharded_memory_config()}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
}

// -----

!tensor = tensor<128x64xf32>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @on_the_host(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': the tensor is not on the device; the tensor must be sharded in L1, so that every node has a part of it: give it a memory configuration of ttnn.create_sharded_memory_config()}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @no_shard(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': its layout does not say how large a shard is: write shard = ROWSxCOLUMNS}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @rows(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': the tensor is in row-major layout, but the buffer holds tiles}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!half = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>

ttl.kernel @format(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': the buffer holds '!ttcore.tile<32x32, bf16>', but the tensor has elements of type 'f32'}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !half
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!small = !ttl.cb<[1, 1], !ttcore.tile<16x32, f32>, 2>

ttl.kernel @tiles(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': a page of the buffer has 2048 bytes, but a page of the tensor has 4096}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !small
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!rows = !ttl.cb<[2, 16], f32, 2>

ttl.kernel @row_length(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': a row of a block has 16 elements, but a row of a shard has 64: the last extent of shape= must be that number}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !rows
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, grid = 2x1, shard = 64x6>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!rows = !ttl.cb<[2, 6], f32, 2>

ttl.kernel @gaps(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': a row of a shard has 24 bytes, and the next row begins at a multiple of 16 bytes, so the rows do not follow each other without gaps: make the rows longer}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !rows
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @offset(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': byte_offset = 64 is not at the start of a page: it must be a multiple of 4096, the bytes of a page}}
  %x = ttl.create_cb "x" in(%a : !tensor) {byte_offset = 64 : i64} : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @behind(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': byte_offset = 16384 lies behind the shard, which has 4 tiles of 4096 bytes}}
  %x = ttl.create_cb "x" in(%a : !tensor) {byte_offset = 16384 : i64} : !cb
}

// -----

// There are 2x3x1 shards of 2 tiles. Only the launch knows how many of them a core has.
!tensor = tensor<4x96x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<sharded, tile = 32x32, grid = 2x3x1, shard = 2x32x32>>>
!all = !ttl.cb<[12, 1], !ttcore.tile<32x32, f32>, 1>
!more = !ttl.cb<[13, 1], !ttcore.tile<32x32, f32>, 1>

ttl.kernel @several_shards(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !all
  // expected-error @+1 {{'y' cannot be a part of tensor 'a': it needs 13 tiles (1 block of 13), but all shards have 12: use a smaller shape or block_count, or larger shards}}
  %y = ttl.create_cb "y" in(%a : !tensor) : !more
  // expected-error @+1 {{'z' cannot be a part of tensor 'a': byte_offset = 49152 lies behind all shards, which have 12 tiles of 4096 bytes}}
  %z = ttl.create_cb "z" in(%a : !tensor) {byte_offset = 49152 : i64} : !all
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!large = !ttl.cb<[3, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @too_large(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': it needs 6 tiles (2 blocks of 3), but a shard has 4: use a smaller shape or block_count, or larger shards}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !large
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @too_far(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' cannot be a part of tensor 'a': it needs 2 tiles (2 blocks of 1), but a shard has 4, of which 3 are before byte_offset: use a smaller shape or block_count, or larger shards}}
  %x = ttl.create_cb "x" in(%a : !tensor) {byte_offset = 12288 : i64} : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @not_backed(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-note @+1 {{the buffer is made here}}
  %x = ttl.create_cb "x" : !cb
  ttl.datamovement_thread "publisher" {
    // expected-error @+1 {{'x' cannot be published, because no tensor backs it: make it with ttl.make_tensor_backed_dfb(), or reserve and push its blocks}}
    ttl.cb_publish %x : !cb
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @in_compute(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.compute_thread "compute" {
    // expected-error @+1 {{'x' is published in the compute thread: only data movement threads may do that}}
    ttl.cb_publish %x : !cb
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @in_no_thread(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  // expected-error @+1 {{'x' is published outside of all threads: only data movement threads may do that}}
  ttl.cb_publish %x : !cb
  ttl.compute_thread "compute" {
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @reserved(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    // expected-error @+1 {{'x' is published, but its blocks are also reserved: publish a buffer whose tensor holds the input; reserve blocks of a second buffer for the output, which may be made from the same tensor}}
    ttl.cb_publish %x : !cb
  }
  ttl.datamovement_thread "writer" {
    // expected-note @+1 {{a block is reserved here}}
    %blk = ttl.cb_reserve %x : !block
    ttl.cb_push %blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @two_threads(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "one" {
    // expected-note @+1 {{the other thread publishes it here}}
    ttl.cb_publish %x : !cb
  }
  ttl.datamovement_thread "two" {
    // expected-error @+1 {{two threads publish 'x': publish it in one of them}}
    ttl.cb_publish %x : !cb
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @nobody(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{this waits for a block of 'x', but no thread publishes it: call x.publish() in a data movement thread if the tensor holds the input, or reserve and push blocks of it in another thread}}
    %blk = ttl.cb_wait %x : !block
    ttl.cb_pop %blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @transposed(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-note @+1 {{'x' is made here}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %x_blk = ttl.cb_wait %x : !block
    %y_blk = ttl.cb_reserve %y : !block
    %twice = ttl.block_add %x_blk, %x_blk : (!block, !block) -> !value
    %t = ttl.block_transpose %twice : (!value) -> !value
    // expected-error @+1 {{this store overwrites elements of 'x' that it still has to read: 'y' and 'x' share memory of tensor 'a'; in place, only element-wise expressions can be computed, so store into a block of other memory}}
    ttl.block_store %y_blk, %t : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %x_blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @shifted(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-note @+1 {{'x' is made here}}
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) {byte_offset = 4096 : i64} : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %x_blk = ttl.cb_wait %x : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-error @+1 {{this store overwrites elements of 'x' that it still has to read: 'y' and 'x' share memory of tensor 'a'; in place, both buffers need the same byte_offset, shape and block_count, so store into a block of other memory}}
    ttl.block_store %y_blk, %x_blk : !block, !block
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %x_blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @read_later(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  %z = ttl.create_cb "z" : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %x_blk = ttl.cb_wait %x : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the store into 'y' overwrites the block}}
    ttl.block_store %y_blk, %x_blk : !block, !block
    %z_blk = ttl.cb_reserve %z : !block
    %c0 = arith.constant 0 : index
    %node = ttl.core_linear : index
    %first = arith.cmpi eq, %node, %c0 : index
    scf.if %first {
      // expected-error @+1 {{this reads a block of 'x', which is overwritten: 'y' and 'x' share memory of tensor 'a'; store this expression first}}
      ttl.block_store %z_blk, %x_blk : !block, !block
    }
    ttl.cb_push %z_blk : !block
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %x_blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @replaced(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    // expected-note @+2 {{the block is acquired here}}
    // expected-note @+1 {{acquired here}}
    %x_blk = ttl.cb_wait %x : !block
    %twice = ttl.block_add %x_blk, %x_blk : (!block, !block) -> !value
    // expected-error @+1 {{stores into a block of 'x', which this thread waited for, and 'x' is part of a tensor, which would not get the new value: to compute in place, make a second buffer with ttl.make_tensor_backed_dfb() from the same tensor, reserve a block of it, and store into that block}}
    ttl.block_store %x_blk, %twice : !block, !value
    // expected-warning @+1 {{this pops a block of 'x', but nobody has read it}}
    ttl.cb_pop %x_blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @group_of_parts(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'y' shares its allocation group with 'x', but their memory differs: buffers of one group have one range of L1, so all of them or none must be backed by a tensor, with the same byte_offset}}
  %y = ttl.create_cb "y" in(%a : !tensor) {byte_offset = 4096 : i64, ttl.allocation_group = 1 : i32} : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @group_of_kinds(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'y' shares its allocation group with 'x', but their memory differs}}
  %y = ttl.create_cb "y" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @published_group(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'x' shares its allocation group with 'y', but a thread publishes it, which fills the whole range at once: take it out of the group}}
  %x = ttl.create_cb "x" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @read_in_the_next_iteration(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-note @+1 {{the block is acquired here}}
    %x_blk = ttl.cb_wait %x : !block
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        %y_blk = ttl.cb_reserve %y : !block
        // expected-error @+1 {{this store overwrites a block of 'x', which the next iteration of the loop reads again: 'y' and 'x' share memory of tensor 'a'; wait for a block of 'x' in each iteration, or store into a block of other memory}}
        ttl.block_store %y_blk, %x_blk : !block, !block
        ttl.cb_push %y_blk : !block
      }
    }
    ttl.cb_pop %x_blk : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @crosswise(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %x0 = ttl.cb_wait %x : !block
    %x1 = ttl.cb_wait %x : !block
    %y0 = ttl.cb_reserve %y : !block
    %y1 = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the store into 'y' overwrites the block}}
    ttl.block_store %y0, %x1 : !block, !block
    // expected-error @+1 {{this reads a block of 'x', which is overwritten: 'y' and 'x' share memory of tensor 'a'; store this expression first}}
    ttl.block_store %y1, %x0 : !block, !block
    ttl.cb_push %y0 : !block
    ttl.cb_push %y1 : !block
    ttl.cb_pop %x0 : !block
    ttl.cb_pop %x1 : !block
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x64>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @counted(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %node = ttl.core_linear : index
    %first = ttl.cb_wait %x {outstanding = 1 : i32} : !block
    %oldest = ttl.held_block %x[0] : !block
    %x_blk = ttl.block_at %oldest[%node] : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-error @+1 {{it depends on run-time values which blocks of 'x' and 'y' are held here, so what this store overwrites is not known: 'y' and 'x' share memory of tensor 'a'; release each block in the loop or branch that acquires it, or store into a block of other memory}}
    ttl.block_store %y_blk, %x_blk : !block, !block
    ttl.cb_push %y_blk : !block
    %old = ttl.held_block %x[0] : !block
    ttl.cb_pop %old : !block
  }
}
