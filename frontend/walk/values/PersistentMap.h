//===- PersistentMap.h - a sorted map with cheap copies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walk copies its state at every branch and joins the copies behind it. A copy of this
// map takes constant time, and `forEachDifference` visits only the entries that one of two
// copies has changed. So the cost of a branch is that of the variables that it assigns,
// however many others there are.
//
// The map is a treap: a tree that is sorted by the keys, with the entry of the highest
// priority at its root. The hash of a key is its priority, so that equal keys make equal
// trees. Copies share subtrees. A change copies the nodes above it that others share.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_PERSISTENTMAP_H
#define TTJIT_FRONTEND_WALK_VALUES_PERSISTENTMAP_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <string>
#include <utility>

namespace ttjit::frontend {

template <typename Key, typename T> class PersistentMap {
  struct Entry : llvm::RefCountedBase<Entry> {
    Entry(Key key, T value)
        : key(std::move(key)), value(std::move(value)), priority(priorityOf(this->key)) {}
    const Key key;
    const T value;
    const size_t priority;
  };
  using EntryPtr = llvm::IntrusiveRefCntPtr<const Entry>;

  struct Node;
  using NodePtr = llvm::IntrusiveRefCntPtr<Node>;
  struct Node : llvm::RefCountedBase<Node> {
    explicit Node(EntryPtr entry) : entry(std::move(entry)) {}
    EntryPtr entry;
    NodePtr left, right;
  };

public:
  bool empty() const { return !root; }

  /// The value of a key; null if it has none. Valid until this map changes.
  const T *find(const Key &key) const {
    const Node *node = root.get();
    while (node && node->entry->key != key)
      node = key < node->entry->key ? node->left.get() : node->right.get();
    return node ? &node->entry->value : nullptr;
  }
  bool contains(const Key &key) const { return find(key) != nullptr; }

  /// The entry of the least key that is not less than `key`; nulls if there is none.
  std::pair<const Key *, const T *> lowerBound(const Key &key) const {
    const Node *best = nullptr;
    for (const Node *node = root.get(); node;) {
      bool isLess = node->entry->key < key;
      best = isLess ? best : node;
      node = isLess ? node->right.get() : node->left.get();
    }
    if (!best)
      return {nullptr, nullptr};
    return {&best->entry->key, &best->entry->value};
  }

  void set(const Key &key, T value) {
    insert(root, llvm::makeIntrusiveRefCnt<const Entry>(key, std::move(value)));
  }
  void erase(const Key &key) {
    if (contains(key))
      erase(root, key);
  }

  /// Calls `visit(key, value)` in the order of the keys.
  template <typename Visitor> void forEach(Visitor &&visit) const {
    forEachBelow(root.get(), visit);
  }

  /// Calls `visit(key, value, otherValue)` in the order of the keys for every entry that was
  /// not copied from one map to the other; a value is null where a map has no such key.
  template <typename Visitor>
  void forEachDifference(const PersistentMap &other, Visitor &&visit) const {
    // A visitor may change the maps.
    NodePtr own = root, others = other.root;
    difference(own.get(), others, visit);
  }

private:
  static constexpr const T *kNone = nullptr;

  static size_t priorityOf(const Key &key) { return static_cast<size_t>(llvm::hash_value(key)); }

  static bool isAbove(const Node &a, const Node &b) {
    return a.entry->priority > b.entry->priority;
  }

  /// The node, for a change: a copy if others share it.
  static Node &own(NodePtr &node) {
    if (node->UseCount() > 1) {
      auto copy = llvm::makeIntrusiveRefCnt<Node>(node->entry);
      copy->left = node->left;
      copy->right = node->right;
      node = std::move(copy);
    }
    return *node;
  }

  // Moves the left or right child of a node that is not shared into its place.
  static void rotate(NodePtr &node, NodePtr Node::*side, NodePtr Node::*otherSide) {
    own((*node).*side);
    NodePtr child = std::move((*node).*side);
    (*node).*side = std::move((*child).*otherSide);
    (*child).*otherSide = std::move(node);
    node = std::move(child);
  }

  static void insert(NodePtr &node, EntryPtr entry) {
    if (!node) {
      node = llvm::makeIntrusiveRefCnt<Node>(std::move(entry));
      return;
    }
    own(node);
    if (node->entry->key == entry->key) {
      node->entry = std::move(entry);
      return;
    }
    bool isLeft = entry->key < node->entry->key;
    NodePtr Node::*side = isLeft ? &Node::left : &Node::right;
    insert((*node).*side, std::move(entry));
    if (isAbove(*((*node).*side), *node))
      rotate(node, side, isLeft ? &Node::right : &Node::left);
  }

  static void erase(NodePtr &node, const Key &key) {
    if (node->entry->key == key) {
      node = merge(node->left, node->right);
      return;
    }
    own(node);
    erase(key < node->entry->key ? node->left : node->right, key);
  }

  // Joins two trees. All keys of `left` must be less than those of `right`.
  static NodePtr merge(NodePtr left, NodePtr right) {
    if (!left || !right)
      return left ? left : right;
    if (isAbove(*left, *right)) {
      own(left).right = merge(left->right, right);
      return left;
    }
    own(right).left = merge(left, right->left);
    return right;
  }

  // The nodes with lesser keys, the entry of the key, and the nodes with greater keys.
  struct Parts {
    NodePtr less;
    EntryPtr entry;
    NodePtr greater;
  };
  static Parts split(NodePtr node, const Key &key) {
    if (!node)
      return Parts();
    if (node->entry->key == key)
      return {node->left, node->entry, node->right};
    if (key < node->entry->key) {
      Parts parts = split(node->left, key);
      own(node).left = std::move(parts.greater);
      return {std::move(parts.less), std::move(parts.entry), std::move(node)};
    }
    Parts parts = split(node->right, key);
    own(node).right = std::move(parts.less);
    return {std::move(node), std::move(parts.entry), std::move(parts.greater)};
  }

  template <typename Visitor> static void forEachBelow(const Node *node, Visitor &visit) {
    if (!node)
      return;
    forEachBelow(node->left.get(), visit);
    visit(node->entry->key, node->entry->value);
    forEachBelow(node->right.get(), visit);
  }

  template <typename Visitor>
  static void difference(const Node *a, const NodePtr &b, Visitor &visit) {
    if (a == b.get())
      return;
    if (!a) {
      auto visitOther = [&](const Key &key, const T &value) { visit(key, kNone, &value); };
      return forEachBelow(b.get(), visitOther);
    }
    Parts parts = split(b, a->entry->key);
    difference(a->left.get(), parts.less, visit);
    if (parts.entry != a->entry)
      visit(a->entry->key, &a->entry->value, parts.entry ? &parts.entry->value : kNone);
    difference(a->right.get(), parts.greater, visit);
  }

  NodePtr root;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_PERSISTENTMAP_H
