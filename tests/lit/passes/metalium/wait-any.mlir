// wait_any() waits until one of several words is large enough: a helper polls the words.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

// CHECK: template <typename... Words>
// CHECK-NEXT: inline int32_t ttl_wait_any(int32_t start, Words... words) {
// CHECK: void kernel_main() {
// CHECK: uint32_t [[A:[a-z0-9_]+]] = get_semaphore(0);
// CHECK: uint32_t [[B:[a-z0-9_]+]] = get_semaphore(1);
// CHECK: int32_t [[ARRIVED:[a-z0-9_]+]] = ttl_wait_any(1, [[A]], 3, [[B]], -1);
// CHECK: noc_semaphore_set(ttl_l1_word([[A]]), [[ARRIVED]]);
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i3 = arith.constant 3 : i32
  %never = arith.constant -1 : i32
  %a = ttkernel.get_semaphore(%i0) : (i32) -> i32
  %b = ttkernel.get_semaphore(%i1) : (i32) -> i32
  %which = ttkernel.semaphore_wait_any(%a, %b at_least %i3, %never start %i1) : (i32, i32, i32, i32, i32) -> i32
  ttkernel.noc_semaphore_set(%a, %which) : (i32, i32) -> ()
  func.return
}
