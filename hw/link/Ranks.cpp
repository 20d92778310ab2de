//===- Ranks.cpp - the ranks to which this process belongs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/link/Ranks.h"

#include "hw/link/Bytes.h"

namespace ttjit::hw {

namespace {

// Data that a rank has noted, and their hash: a message names the first data that differ.
struct NotedData {
  std::string what;
  uint64_t sum = 0;
};

std::vector<NotedData> noted;
std::string disagreement; // why all further calls fail; empty at first

// FNV-1a (Fowler, Noll, Vo) over words instead of bytes.
uint64_t sumOf(const void *bytes, size_t count) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t sum = 0xcbf29ce484222325;
  const auto *next = static_cast<const uint8_t *>(bytes);
  for (; count >= sizeof(uint64_t); next += sizeof(uint64_t), count -= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, next, sizeof word);
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 29;
  }
  for (; count > 0; --count)
    sum = (sum ^ *next++) * kPrime;
  return sum;
}

void putCall(Message &message, const std::string &what) {
  ByteWriter writer(message);
  writer.putText(what);
  writer.put(noted.size());
  for (const NotedData &data : noted) {
    writer.putText(data.what);
    writer.put(data.sum);
  }
  noted.clear();
}

struct Call {
  std::string what;
  std::vector<NotedData> data;
};

Call takeCall(ByteReader &reader) {
  Call call;
  call.what = reader.takeText();
  call.data.resize(reader.take<size_t>());
  for (NotedData &data : call.data) {
    data.what = reader.takeText();
    data.sum = reader.take<uint64_t>();
  }
  return call;
}

// Returns how a call of a rank differs from that of rank 0; empty if it does not.
std::string difference(const Call &first, const Call &other, size_t rank) {
  std::string number = std::to_string(rank);
  if (other.what != first.what)
    return "rank 0 " + first.what + ", rank " + number + " " + other.what +
           ": every rank must run the same calls in the same order";
  for (size_t i = 0; i < first.data.size() && i < other.data.size(); ++i)
    if (first.data[i].what != other.data[i].what || first.data[i].sum != other.data[i].sum)
      return "rank 0 " + first.data[i].what + ", rank " + number + " " +
             (first.data[i].what == other.data[i].what ? "gives it other elements"
                                                       : other.data[i].what) +
             ": every rank must compute the same tensors; seed random numbers";
  if (first.data.size() != other.data.size())
    return "before rank 0 " + first.what + ", it makes " + std::to_string(first.data.size()) +
           " tensors, and rank " + number + " makes " + std::to_string(other.data.size()) +
           ": every rank must make the same tensors";
  return {};
}

} // namespace

RanksOfProcess &ranksOfProcess() {
  static RanksOfProcess ranks;
  return ranks;
}

std::vector<Message> callTogether(const std::string &what, const Message &own) {
  if (!disagreement.empty())
    throw RanksDiffer(disagreement);
  Link &link = *ranksOfProcess().link;
  Message message;
  putCall(message, what);
  ByteWriter(message).putBytes(own.data(), own.size());
  std::vector<Message> all =
      exchange(link, std::vector(static_cast<size_t>(link.numRanks()), message));
  std::vector<Call> calls;
  for (Message &each : all) {
    ByteReader reader(each);
    calls.push_back(takeCall(reader));
    each = reader.rest();
  }
  for (size_t rank = 1; rank < calls.size() && disagreement.empty(); ++rank)
    disagreement = difference(calls[0], calls[rank], rank);
  if (!disagreement.empty())
    throw RanksDiffer(disagreement);
  return all;
}

void noteData(const std::string &what, const void *bytes, size_t count) {
  if (ranksOfProcess().link)
    noted.push_back({what, sumOf(bytes, count)});
}

void compareCalls(const std::string &what) {
  if (ranksOfProcess().link)
    (void)callTogether(what, {});
}

} // namespace ttjit::hw
