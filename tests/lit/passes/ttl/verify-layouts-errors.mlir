// RUN: ttl-opt %s --ttl-verify-layouts --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @on_the_host(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{'a' is not on the device: place it there (device= of ttnn.from_torch, or ttnn.to_device)}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<sharded, tile = 32x32, shard = 2x32x64>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @too_many_dimensions(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{shards of 'a' have 3 dimensions, but the tensor has 2}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @sharded(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{'a' is height_sharded and its layout does not say how large a shard is: write shard = ROWSxCOLUMNS}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], f32, 2>
!block = !ttl.block<tensor<1x1xf32>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @units(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{'a' is in tile layout, but the block holds scalars: make the buffer like a tensor that has the layout of this one}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @rows_to_tiles(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{'a' is in row-major layout, but the block holds tiles: make the buffer like a tensor that has the layout of this one}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<16x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<16x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @tiles(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{tiles of 'a' are 32x32, but those of the block are 16x32}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 48x64>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @cut(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{shards of 'a' have 48x64 elements, which is no whole number of tiles}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

// Starts that must be outside are errors. A start at run time is allowed if it can be inside.
ttl.kernel @start(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<4x4>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %x, %y = ttl.core : index, index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%x, %y] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %s, %blk : !slice, !block
    // expected-error @+1 {{index 3 of 'a' in dimension 1 is out of range: the dimension has extent 4, so a part of 2 must start at an index from 0 to 2}}
    %s1 = ttl.index_accessor %acc[%c0, %c3] : !ttl.accessor<!tensor> -> !slice
    %xf1 = ttl.copy %s1, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x3x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 3], !tensor>

ttl.kernel @extent(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    // expected-error @+1 {{cannot take a part of extent 3 of 'a' in dimension 1, which has extent 2}}
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @either(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %x = ttl.core_linear : index
    %first = arith.cmpi eq, %x, %c0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %part = arith.select %first, %a_part, %b_part : !slice
    %blk = ttl.cb_reserve %dfb : !block
    // expected-error @+1 {{cannot move a part of an unknown tensor: slices and accessors cannot be passed through loops or branches}}
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #layout>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @layout_of_d2m(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-error @+1 {{'a' has a #ttcore.metal_layout, which kernels of ttl do not read: write #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>}}
    %xf = ttl.copy %s, %blk : !slice, !block
  }
}
