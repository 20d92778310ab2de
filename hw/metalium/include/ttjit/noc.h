//===- noc.h - transfers between objects ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// noc_traits_t<T> defines the address of an object of type T, and the arguments that it takes.
// Options of a transfer may have the form of either generation of the API: NocOptions, or the
// enumerations in Noc. A number among them is the largest size of a page, which has no effect here.
//===--------------------------------------------------------------------------===//

#pragma once

#include <type_traits>

#include "api/tensor/tensor_accessor.h"
#include "ttjit/transfers.h"

template <typename T> struct noc_traits_t {
  static_assert(sizeof(T) == 0, "no transfer can begin or end at an object of this type");
};

enum class NocOptions : uint32_t {
  DEFAULT = 0,
  TXN_ID = 1,
  POSTED = 2,
  CUSTOM_VC = 4,
  MCAST_INCL_SRC = 8,
  INLINE_L1 = 16,
  INLINE_REG = 32
};
constexpr NocOptions operator|(NocOptions a, NocOptions b) {
  return static_cast<NocOptions>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool has_flag(NocOptions options, NocOptions flag) {
  return (static_cast<uint32_t>(options) & static_cast<uint32_t>(flag)) != 0;
}

struct NocOptVals {
  uint32_t vc = 1;
  uint32_t trid = 0;
};

class Noc {
public:
  enum class AddressType { NOC, LOCAL_L1 };
  enum class TxnIdMode { ENABLED, DISABLED };
  enum class ResponseMode { NON_POSTED, POSTED };
  enum class BarrierMode { TXN_ID, FULL };
  enum class McastMode { INCLUDE_SRC, EXCLUDE_SRC };
  enum class VcSelection { DEFAULT, CUSTOM };
  static constexpr uint32_t INVALID_TXN_ID = 0xFFFFFFFF;

private:
  template <typename T> using Source = typename noc_traits_t<T>::src_args_type;
  template <typename T> using Destination = typename noc_traits_t<T>::dst_args_type;
  template <typename T> using Rectangle = typename noc_traits_t<T>::dst_args_mcast_type;

  static constexpr NocOptions read(NocOptions option) { return option; }
  static constexpr NocOptions read(TxnIdMode mode) {
    return mode == TxnIdMode::ENABLED ? NocOptions::TXN_ID : NocOptions::DEFAULT;
  }
  static constexpr NocOptions read(ResponseMode mode) {
    return mode == ResponseMode::POSTED ? NocOptions::POSTED : NocOptions::DEFAULT;
  }
  static constexpr NocOptions read(BarrierMode mode) {
    return mode == BarrierMode::TXN_ID ? NocOptions::TXN_ID : NocOptions::DEFAULT;
  }
  static constexpr NocOptions read(McastMode mode) {
    return mode == McastMode::INCLUDE_SRC ? NocOptions::MCAST_INCL_SRC : NocOptions::DEFAULT;
  }
  static constexpr NocOptions read(InlineWriteDst destination) {
    return destination == InlineWriteDst::REG ? NocOptions::INLINE_REG : NocOptions::DEFAULT;
  }
  static constexpr NocOptions read(VcSelection) { return NocOptions::DEFAULT; }
  template <typename Number, typename = std::enable_if_t<std::is_integral_v<Number>>>
  static constexpr NocOptions read(Number) {
    return NocOptions::DEFAULT;
  }

  template <NocOptions flag, auto... options> static constexpr bool has() {
    return (has_flag(read(options), flag) || ...);
  }

  template <AddressType type, typename T>
  auto source(const T &object, const Source<T> &args) const {
    return noc_traits_t<T>::template src_addr<type>(object, *this, args);
  }
  template <AddressType type, typename T>
  auto destination(const T &object, const Destination<T> &args) const {
    return noc_traits_t<T>::template dst_addr<type>(object, *this, args);
  }
  template <typename T> uint32_t localSource(const T &object, const Source<T> &args) const {
    return static_cast<uint32_t>(source<AddressType::LOCAL_L1>(object, args));
  }
  template <typename T>
  uint32_t localDestination(const T &object, const Destination<T> &args) const {
    return static_cast<uint32_t>(destination<AddressType::LOCAL_L1>(object, args));
  }

public:
  Noc() : noc_id_(noc_index) {}
  explicit Noc(uint8_t noc_id) : noc_id_(noc_id) {}

  uint8_t get_noc_id() const { return noc_id_; }

  //===--- Reads --------------------------------------------------------------===//

  template <auto... options, typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t size, const Source<Src> &src_args,
                  const Destination<Dst> &dst_args, const NocOptVals &values = {}) const {
    if constexpr (has<NocOptions::TXN_ID, options...>())
      noc_async_read_set_trid(values.trid, noc_id_);
    noc_async_read(source<AddressType::NOC>(src, src_args), localDestination(dst, dst_args), size,
                   noc_id_);
  }
  template <auto... options, typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t size, const Source<Src> &src_args,
                  const Destination<Dst> &dst_args, uint32_t vc,
                  uint32_t trid = INVALID_TXN_ID) const {
    async_read<options...>(src, dst, size, src_args, dst_args, NocOptVals{vc, trid});
  }

  template <auto... options, typename Src>
  void set_async_read_state(const Src &src, uint32_t, const Source<Src> &src_args,
                            const NocOptVals &values = {}) const {
    if constexpr (has<NocOptions::TXN_ID, options...>())
      noc_async_read_set_trid(values.trid, noc_id_);
    noc_async_read_set_state(source<AddressType::NOC>(src, src_args), noc_id_);
  }
  template <auto... options, typename Src, typename Dst>
  void async_read_with_state(const Src &src, const Dst &dst, uint32_t size,
                             const Source<Src> &src_args, const Destination<Dst> &dst_args,
                             const NocOptVals & = {}) const {
    auto from = static_cast<uint32_t>(source<AddressType::NOC>(src, src_args));
    noc_async_read_with_state(from, localDestination(dst, dst_args), size, noc_id_);
  }

  //===--- Writes -------------------------------------------------------------===//

  template <auto... options, typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t size, const Source<Src> &src_args,
                   const Destination<Dst> &dst_args, const NocOptVals &values = {}) const {
    constexpr bool hasId = has<NocOptions::TXN_ID, options...>();
    if constexpr (hasId)
      noc_async_write_set_trid(values.trid, noc_id_);
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, has<NocOptions::POSTED, options...>()>(
        localSource(src, src_args), destination<AddressType::NOC>(dst, dst_args), size, noc_id_);
    if constexpr (hasId)
      noc_async_write_set_trid(0, noc_id_);
  }
  template <auto... options, typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t size, const Source<Src> &src_args,
                   const Destination<Dst> &dst_args, uint32_t vc,
                   uint32_t trid = INVALID_TXN_ID) const {
    async_write<options...>(src, dst, size, src_args, dst_args, NocOptVals{vc, trid});
  }

  template <auto... options, typename Dst>
  void set_async_write_state(const Dst &dst, uint32_t size, const Destination<Dst> &dst_args,
                             const NocOptVals & = {}) const {
    ttl_hw_noc_set_state(ttjit::metalium::thread(), 1, destination<AddressType::NOC>(dst, dst_args),
                         size);
  }
  template <auto... options, typename Src, typename Dst>
  void async_write_with_state(const Src &src, const Dst &dst, uint32_t size,
                              const Source<Src> &src_args, const Destination<Dst> &dst_args,
                              const NocOptVals & = {}) const {
    auto to = static_cast<uint32_t>(destination<AddressType::NOC>(dst, dst_args));
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, has<NocOptions::POSTED, options...>()>(
        localSource(src, src_args), ttjit::metalium::stateAddress(true, to), size, noc_id_);
  }

  template <auto... options, typename Src, typename Dst>
  void async_write_multicast(const Src &src, const Dst &dst, uint32_t size, uint32_t num_dsts,
                             const Source<Src> &src_args, const Rectangle<Dst> &dst_args,
                             bool linked = false, uint32_t = INVALID_TXN_ID) const {
    uint32_t from = localSource(src, src_args);
    uint64_t to =
        noc_traits_t<Dst>::template dst_addr_mcast<AddressType::NOC>(dst, *this, dst_args);
    if constexpr (has<NocOptions::MCAST_INCL_SRC, options...>())
      noc_async_write_multicast_loopback_src(from, to, size, num_dsts, linked, noc_id_);
    else
      noc_async_write_multicast(from, to, size, num_dsts, linked, noc_id_);
  }

  template <auto... options, typename Dst>
  void inline_dw_write(const Dst &dst, uint32_t value, const Destination<Dst> &dst_args,
                       uint8_t byte_enable = 0xf) const {
    constexpr auto place =
        has<NocOptions::INLINE_REG, options...>() ? InlineWriteDst::REG : InlineWriteDst::L1;
    noc_inline_dw_write<place, has<NocOptions::POSTED, options...>()>(
        destination<AddressType::NOC>(dst, dst_args), value, byte_enable, noc_id_);
  }

  //===--- Barriers -----------------------------------------------------------===//

  template <auto... options> void async_read_barrier(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (has<NocOptions::TXN_ID, options...>())
      noc_async_read_barrier_with_trid(trid, noc_id_);
    else
      noc_async_read_barrier(noc_id_);
  }
  template <auto... options> void async_read_barrier(const NocOptVals &values) const {
    async_read_barrier<options...>(values.trid);
  }
  template <auto... options> void async_write_barrier(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (has<NocOptions::TXN_ID, options...>())
      noc_async_write_barrier_with_trid(trid, noc_id_);
    else
      noc_async_write_barrier(noc_id_);
  }
  template <auto... options> void async_write_barrier(const NocOptVals &values) const {
    async_write_barrier<options...>(values.trid);
  }
  template <auto... options> void async_writes_flushed(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (has<NocOptions::TXN_ID, options...>())
      noc_async_write_flushed_with_trid(trid, noc_id_);
    else if constexpr (has<NocOptions::POSTED, options...>())
      noc_async_posted_writes_flushed(noc_id_);
    else
      noc_async_writes_flushed(noc_id_);
  }
  void async_atomic_barrier() const { noc_async_atomic_barrier(noc_id_); }
  void async_full_barrier() const { noc_async_full_barrier(noc_id_); }

private:
  uint8_t noc_id_;
};

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

template <> struct noc_traits_t<TensorAccessor> {
  struct src_args_type {
    uint32_t page_id = 0;
    uint32_t offset_bytes = 0;
  };
  using dst_args_type = src_args_type;

  template <Noc::AddressType type>
  static uint64_t src_addr(const TensorAccessor &tensor, const Noc &noc,
                           const src_args_type &args) {
    static_assert(type == Noc::AddressType::NOC,
                  "one end of a transfer must be in the L1 of the core, such as a CircularBuffer");
    return tensor.get_noc_addr(args.page_id, args.offset_bytes, noc.get_noc_id());
  }
  template <Noc::AddressType type>
  static uint64_t dst_addr(const TensorAccessor &tensor, const Noc &noc,
                           const dst_args_type &args) {
    return src_addr<type>(tensor, noc, args);
  }
};
