// An op on the parts of eight devices, and then another placement.
!x = !ttl.dist_tensor<128x64xf32, #ttl.placement<mesh = [2, 4], dims = [0, -1]>>
!y = !ttl.dist_tensor<128x64xf32, #ttl.placement<mesh = [2, 4], dims = [1, 0]>>
func.func @main(%x: !x) -> !y {
  %p = ttl.extract_shard %x
  %q = "ttir.exp"(%p) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = ttl.from_shards %q : tensor<64x64xf32> -> !x
  %u = ttl.redistribute %t : !x -> !y
  return %u : !y
}
