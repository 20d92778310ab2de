//===- MpiLink.cpp - ranks that are processes of Open MPI ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The only file that uses MPI. It is a library of its own, which a process loads only if mpirun has
// started it (hw/link/OpenMpi.cpp). MPI keeps the order of messages of one sender, communicator and
// tag, so all messages have one tag.
//===--------------------------------------------------------------------------===//

#include "hw/link/Link.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#define OMPI_SKIP_MPICXX
#include <mpi.h>

using namespace ttjit::hw;

namespace {

constexpr int kTag = 1;
// MPI counts bytes with an int, so long messages travel in pieces. The last byte of a piece says
// whether another one follows.
constexpr size_t kPiece = size_t{1} << 30;

class MpiLink : public Link {
public:
  MpiLink() {
    int flag = 0, level = 0;
    MPI_Initialized(&flag);
    if (!flag)
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &number);
    MPI_Comm_size(comm, &count);
    pieces.resize(static_cast<size_t>(count));
  }

  // Waits for the other ranks: if one ends with a status other than 0, mpirun ends all others at
  // once.
  ~MpiLink() override {
    for (Sent &each : sent)
      MPI_Wait(&each.request, MPI_STATUS_IGNORE);
    MPI_Request all;
    MPI_Ibarrier(comm, &all);
    for (int isDone = 0; !isDone; MPI_Test(&all, &isDone, MPI_STATUS_IGNORE))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    MPI_Comm_free(&comm);
    MPI_Finalize();
  }

  int rank() const override { return number; }
  int numRanks() const override { return count; }

  void post(int to, Message message) override {
    size_t first = 0;
    do {
      size_t bytes = std::min(kPiece, message.size() - first);
      Message piece(message.begin() + static_cast<ptrdiff_t>(first),
                    message.begin() + static_cast<ptrdiff_t>(first + bytes));
      first += bytes;
      piece.push_back(first < message.size());
      Sent &own = sent.emplace_back();
      own.bytes = std::move(piece);
      MPI_Isend(own.bytes.data(), static_cast<int>(own.bytes.size()), MPI_BYTE, to, kTag, comm,
                &own.request);
    } while (first < message.size());
    dropSent();
  }

  std::optional<Message> take(int from) override {
    dropSent();
    int isThere = 0, bytes = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(from, kTag, comm, &isThere, &handle, &status);
    if (!isThere)
      return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Message piece(static_cast<size_t>(bytes));
    MPI_Mrecv(piece.data(), bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    bool isLast = !piece.back();
    piece.pop_back();
    Message &whole = pieces[static_cast<size_t>(from)];
    if (whole.empty())
      whole = std::move(piece);
    else
      whole.insert(whole.end(), piece.begin(), piece.end());
    if (!isLast)
      return std::nullopt;
    return std::exchange(whole, {});
  }

private:
  struct Sent {
    Message bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  // Frees the messages that MPI has sent.
  void dropSent() {
    while (!sent.empty()) {
      int isDone = 0;
      MPI_Test(&sent.front().request, &isDone, MPI_STATUS_IGNORE);
      if (!isDone)
        return;
      sent.pop_front();
    }
  }

  MPI_Comm comm = MPI_COMM_NULL;
  int number = 0, count = 1;
  std::deque<Sent> sent;
  std::vector<Message> pieces; // by rank: the pieces that have arrived of an unfinished message
};

} // namespace

extern "C" Link *ttjit_make_mpi_link() { return new MpiLink; }
