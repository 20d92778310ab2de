//===- endpoints.h - cores, banks and memory as ends of transfers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#ifdef COMPILE_FOR_TRISC
#include "ttjit/device.h"
#else
#include "ttjit/noc.h"
#endif

/// An array of elements that begins at an address of the core's own L1.
template <typename T, typename AddressType = uintptr_t> class CoreLocalMem {
public:
  CoreLocalMem(AddressType address) : address_(address) {}
  CoreLocalMem(T *pointer) : address_(reinterpret_cast<AddressType>(pointer)) {}

  T *get_unsafe_ptr() const { return reinterpret_cast<T *>(address_); }
  AddressType get_address() const { return address_; }
  T &operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
  T &operator*() const { return *get_unsafe_ptr(); }
  T *operator->() const { return get_unsafe_ptr(); }
  explicit operator bool() const { return address_ != 0; }

  CoreLocalMem operator+(int32_t count) const { return CoreLocalMem(address_ + bytes(count)); }
  CoreLocalMem operator-(int32_t count) const { return CoreLocalMem(address_ - bytes(count)); }
  CoreLocalMem &operator+=(int32_t count) { return *this = *this + count; }
  CoreLocalMem &operator-=(int32_t count) { return *this = *this - count; }
  CoreLocalMem &operator++() { return *this += 1; }
  CoreLocalMem &operator--() { return *this -= 1; }
  int32_t operator-(const CoreLocalMem &other) const {
    return static_cast<int32_t>(address_ - other.address_) / static_cast<int32_t>(sizeof(T));
  }
  bool operator==(const CoreLocalMem &other) const { return address_ == other.address_; }
  bool operator!=(const CoreLocalMem &other) const { return address_ != other.address_; }
  bool operator<(const CoreLocalMem &other) const { return address_ < other.address_; }

private:
  static AddressType bytes(int32_t count) {
    return static_cast<AddressType>(static_cast<int64_t>(count) * static_cast<int64_t>(sizeof(T)));
  }

  AddressType address_;
};

#ifndef COMPILE_FOR_TRISC
/// An address in the L1 of one core.
struct UnicastEndpoint {};
/// The same address in the L1 of each core of a rectangle.
struct MulticastEndpoint {};
enum class AllocatorBankType { L1, DRAM };
/// An address in a bank of DRAM or L1.
template <AllocatorBankType bank_type> struct AllocatorBank {};

template <typename T, typename AddressType> struct noc_traits_t<CoreLocalMem<T, AddressType>> {
  struct src_args_type {
    AddressType offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  using Memory = CoreLocalMem<T, AddressType>;

  template <Noc::AddressType type>
  static AddressType src_addr(const Memory &memory, const Noc &, const src_args_type &args) {
    static_assert(type == Noc::AddressType::LOCAL_L1, "this memory is that of the own core");
    return memory.get_address() + args.offset_bytes;
  }
  template <Noc::AddressType type>
  static AddressType dst_addr(const Memory &memory, const Noc &noc, const dst_args_type &args) {
    return src_addr<type>(memory, noc, args);
  }
};

template <> struct noc_traits_t<UnicastEndpoint> {
  struct src_args_type {
    uint32_t noc_x = 0, noc_y = 0, addr = 0;
  };
  using dst_args_type = src_args_type;

  template <Noc::AddressType type>
  static uint64_t src_addr(const UnicastEndpoint &, const Noc &noc, const src_args_type &args) {
    if constexpr (type == Noc::AddressType::LOCAL_L1)
      return args.addr;
    else
      return get_noc_addr(args.noc_x, args.noc_y, args.addr, noc.get_noc_id());
  }
  template <Noc::AddressType type>
  static uint64_t dst_addr(const UnicastEndpoint &core, const Noc &noc, const dst_args_type &args) {
    return src_addr<type>(core, noc, args);
  }
};

template <> struct noc_traits_t<MulticastEndpoint> {
  struct dst_args_mcast_type {
    uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, addr = 0;
  };

  template <Noc::AddressType type>
  static uint64_t dst_addr_mcast(const MulticastEndpoint &, const Noc &noc,
                                 const dst_args_mcast_type &args) {
    return get_noc_multicast_addr(args.noc_x_start, args.noc_y_start, args.noc_x_end,
                                  args.noc_y_end, args.addr, noc.get_noc_id());
  }
};

template <AllocatorBankType bank_type> struct noc_traits_t<AllocatorBank<bank_type>> {
  struct src_args_type {
    uint32_t bank_id = 0, addr = 0;
  };
  using dst_args_type = src_args_type;

  template <Noc::AddressType type>
  static uint64_t src_addr(const AllocatorBank<bank_type> &, const Noc &noc,
                           const src_args_type &args) {
    static_assert(type == Noc::AddressType::NOC,
                  "one end of a transfer must be in the L1 of the core, such as a CircularBuffer");
    return get_noc_addr_from_bank_id<bank_type == AllocatorBankType::DRAM>(args.bank_id, args.addr,
                                                                           noc.get_noc_id());
  }
  template <Noc::AddressType type>
  static uint64_t dst_addr(const AllocatorBank<bank_type> &bank, const Noc &noc,
                           const dst_args_type &args) {
    return src_addr<type>(bank, noc, args);
  }
};
#endif
