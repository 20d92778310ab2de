// RUN: ttl-opt %s --ttl-infer-dst-requirements | FileCheck %s

!f32 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!bf16 = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>

// 32-bit elements in a buffer of the compute thread need a 32-bit DST. Buffers of other threads
// do not count. Attributes that the kernel has stay.
// CHECK: ttl.program @narrow() attributes {compute_config = #ttcore.compute_config<>
ttl.program @narrow() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !bf16
  %b = ttl.create_cb "b" : !f32
  ttl.thread @mixed on riscv_1 (%a, %b) : !bf16, !f32
  ttl.thread @narrow_compute on compute (%a) : !bf16
}
// CHECK: ttl.program @wide() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>
ttl.program @wide() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !bf16
  %b = ttl.create_cb "b" : !f32
  ttl.thread @mixed on compute (%a, %b) : !bf16, !f32
}
// CHECK: ttl.program @explicit() attributes {compute_config = #ttcore.compute_config<dst_full_sync_en = true>
ttl.program @explicit() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<dst_full_sync_en = true>} {
  %a = ttl.create_cb "a" : !bf16
  %b = ttl.create_cb "b" : !f32
  ttl.thread @mixed on compute (%a, %b) : !bf16, !f32
}
// A buffer that the compute thread only resets does not count either.
// CHECK: ttl.program @reset_only() attributes {compute_config = #ttcore.compute_config<>
ttl.program @reset_only() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !bf16
  %b = ttl.create_cb "b" : !f32
  ttl.thread @resets on compute (%a, %b) : !bf16, !f32
}
func.func @resets(%a: !bf16, %b: !f32) {
  ttl.cb_reset 0 "ttl.reset_all_dfbs" %a, %b : !bf16, !f32
  return
}
func.func @mixed(%a: !bf16, %b: !f32) {
  return
}
func.func @narrow_compute(%a: !bf16) {
  return
}
