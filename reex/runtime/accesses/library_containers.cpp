// What libstdc++ does outside of its headers: the links of std::map and std::set (a red-black tree), the
// links of std::list, and the hash of strings. The layouts are part of its ABI.
#include "reex/runtime/accesses/access.h"
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;

namespace {

struct TreeNode { // std::_Rb_tree_node_base
  int color;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};

struct ListNode { // std::__detail::_List_node_base
  ListNode* next;
  ListNode* previous;
};

constinit Real<void(bool, TreeNode*, TreeNode*, TreeNode&)>
    g_insert("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
constinit Real<TreeNode*(TreeNode*, TreeNode&)>
    g_erase("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
constinit Real<TreeNode*(TreeNode*)> g_increment("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
constinit Real<TreeNode*(TreeNode*)> g_decrement("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
constinit Real<void(ListNode*, ListNode*)> g_hook("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
constinit Real<void(ListNode*)> g_unhook("_ZNSt8__detail15_List_node_base9_M_unhookEv");
constinit Real<void(ListNode*, ListNode*, ListNode*)>
    g_transfer("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
constinit Real<void(ListNode&, ListNode&)> g_swap("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
constinit Real<void(ListNode*)> g_reverse("_ZNSt8__detail15_List_node_base10_M_reverseEv");
constinit Real<std::size_t(const void*, std::size_t, std::size_t)> g_hash("_ZSt11_Hash_bytesPKvmm");

template <typename T>
void reads(const T& field, void* pc) {
  watch_read(&field, sizeof field, pc);
}
template <typename T>
void writes(const T& field, void* pc) {
  watch_write(&field, sizeof field, pc);
}

// Fields that have changed.
class Changes {
public:
  template <typename T>
  void compare(const T& field, const T& before) {
    if (field != before && m_count < k_most) m_fields[m_count++] = {&field, sizeof field};
  }
  void watch(void* pc) const {
    for (unsigned i = 0; i < m_count; ++i) watch_write(m_fields[i].address, m_fields[i].size, pc);
  }

private:
  struct Field {
    const void* address;
    std::size_t size;
  };
  static constexpr unsigned k_most = 128; // 64 levels have another color, three rotations change links
  unsigned m_count = 0;
  Field m_fields[k_most];
};

// Rebalancing changes nodes on the path from its start to the root, and next to this path. Which ones is
// known only afterwards: those that differ from their copies. No other thread runs between `keep` and
// `changed`.
class Surroundings {
public:
  void keep(const TreeNode* from, const TreeNode& header) {
    m_count = 0;
    keep(&header);
    for (const TreeNode* node = from; node != nullptr && node != &header && m_count < k_most;
         node = node->parent)
      keep_with_children(node, 2);
  }

  Changes changed() const {
    Changes changes;
    for (unsigned i = 0; i < m_count; ++i) {
      const auto& [node, before] = m_kept[i];
      changes.compare(node->color, before.color);
      changes.compare(node->parent, before.parent);
      changes.compare(node->left, before.left);
      changes.compare(node->right, before.right);
    }
    return changes;
  }

private:
  struct Kept {
    const TreeNode* node;
    TreeNode before;
  };

  void keep(const TreeNode* node) {
    if (m_count < k_most) m_kept[m_count++] = {node, *node};
  }

  void keep_with_children(const TreeNode* node, int levels) {
    if (node == nullptr) return;
    keep(node);
    if (levels == 0) return;
    keep_with_children(node->left, levels - 1);
    keep_with_children(node->right, levels - 1);
  }

  static constexpr unsigned k_most = 512; // enough for 64 levels
  unsigned m_count = 0;
  Kept m_kept[k_most]{};
};

// Scratch space: too large for the stack of a coroutine.
constinit Surroundings g_surroundings{};

// The new node has no links yet.
void watch_insert(bool left, TreeNode* node, TreeNode* parent, TreeNode& header, void* pc) {
  reach_write(parent, pc);
  g_surroundings.keep(parent, header);
  g_insert(left, node, parent, header);
  const Changes changes = g_surroundings.changed();
  writes(*node, pc);
  changes.watch(pc);
}

TreeNode* watch_erase(TreeNode* node, TreeNode& header, void* pc) {
  reach_write(node, pc);
  reads(*node, pc);
  // The node's successor replaces it. Rebalancing begins where the successor was.
  TreeNode* lowest = node;
  if (node->left != nullptr && node->right != nullptr)
    for (lowest = node->right; lowest->left != nullptr; lowest = lowest->left) reads(lowest->left, pc);
  g_surroundings.keep(lowest, header);
  TreeNode* removed = g_erase(node, header);
  const Changes changes = g_surroundings.changed();
  changes.watch(pc);
  return removed;
}

// Reads the links on the way to the next node, or, with left and right exchanged, to the one before.
void walks(const TreeNode* node, TreeNode* TreeNode::*ahead, TreeNode* TreeNode::*behind, void* pc) {
  reach_read(node, pc);
  reads(node->*ahead, pc);
  if (const TreeNode* next = node->*ahead; next != nullptr) {
    for (; next != nullptr; next = next->*behind) reads(next->*behind, pc);
    return;
  }
  for (;;) {
    reads(node->parent, pc);
    const TreeNode* parent = node->parent;
    if (parent == nullptr) return;
    reads(parent->*ahead, pc);
    if (parent->*ahead != node) return;
    if (parent->parent == node) return; // the header
    node = parent;
  }
}

TreeNode* increments(TreeNode* node, void* pc) {
  if (g_watching && is_watched(pc)) [[unlikely]]
    walks(node, &TreeNode::right, &TreeNode::left, pc);
  return g_increment(node);
}

TreeNode* decrements(TreeNode* node, void* pc) {
  if (g_watching && is_watched(pc)) [[unlikely]] {
    const bool past_the_end = node->parent != nullptr && node->parent->parent == node;
    if (past_the_end)
      reach_read(node, pc), reads(node->right, pc);
    else
      walks(node, &TreeNode::left, &TreeNode::right, pc);
  }
  return g_decrement(node);
}

void watch_swap(const ListNode& list, void* pc) {
  writes(list, pc);
  if (list.next == &list) return;
  writes(list.next->previous, pc);
  writes(list.previous->next, pc);
}

} // namespace

REEX_LIBRARY_FUNCTION(void, tree_insert, "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
                      bool left, TreeNode* node, TreeNode* parent, TreeNode& header) {
  void* const pc = REEX_CALLER;
  if (!g_watching || !is_watched(pc)) [[likely]]
    return g_insert(left, node, parent, header);
  watch_insert(left, node, parent, header, pc);
}

REEX_LIBRARY_FUNCTION(TreeNode*, tree_erase, "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
                      TreeNode* node, TreeNode& header) {
  void* const pc = REEX_CALLER;
  if (!g_watching || !is_watched(pc)) [[likely]]
    return g_erase(node, header);
  return watch_erase(node, header, pc);
}

REEX_LIBRARY_FUNCTION(TreeNode*, tree_increment, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
                      TreeNode* node) {
  return increments(node, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(TreeNode*, tree_increment_const, "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
                      TreeNode* node) {
  return increments(node, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(TreeNode*, tree_decrement, "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
                      TreeNode* node) {
  return decrements(node, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(TreeNode*, tree_decrement_const, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
                      TreeNode* node) {
  return decrements(node, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(void, list_hook, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", ListNode* node,
                      ListNode* position) {
  if (void* const pc = REEX_CALLER; g_watching && is_watched(pc)) [[unlikely]] {
    reach_write(position, pc);
    writes(*node, pc);
    reads(position->previous, pc);
    writes(position->previous, pc);
    writes(position->previous->next, pc);
  }
  g_hook(node, position);
}

REEX_LIBRARY_FUNCTION(void, list_unhook, "_ZNSt8__detail15_List_node_base9_M_unhookEv", ListNode* node) {
  if (void* const pc = REEX_CALLER; g_watching && is_watched(pc)) [[unlikely]] {
    reach_write(node, pc);
    reads(*node, pc);
    writes(node->next->previous, pc);
    writes(node->previous->next, pc);
  }
  g_unhook(node);
}

REEX_LIBRARY_FUNCTION(void, list_transfer, "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
                      ListNode* position, ListNode* first, ListNode* last) {
  if (void* const pc = REEX_CALLER; g_watching && is_watched(pc)) [[unlikely]] {
    reach_write(position, pc);
    if (position != last) {
      for (const ListNode* node : {position, first, last}) {
        writes(node->previous, pc);
        writes(node->previous->next, pc);
      }
    }
  }
  g_transfer(position, first, last);
}

REEX_LIBRARY_FUNCTION(void, list_swap, "_ZNSt8__detail15_List_node_base4swapERS0_S1_", ListNode& a,
                      ListNode& b) {
  if (void* const pc = REEX_CALLER; g_watching && is_watched(pc)) [[unlikely]] {
    reach_write(&a, pc);
    reach_write(&b, pc);
    watch_swap(a, pc);
    watch_swap(b, pc);
  }
  g_swap(a, b);
}

REEX_LIBRARY_FUNCTION(void, list_reverse, "_ZNSt8__detail15_List_node_base10_M_reverseEv", ListNode* list) {
  if (void* const pc = REEX_CALLER; g_watching && is_watched(pc)) [[unlikely]] {
    reach_write(list, pc);
    const ListNode* node = list;
    do {
      writes(*node, pc);
      node = node->next;
    } while (node != list);
  }
  g_reverse(list);
}

REEX_LIBRARY_FUNCTION(std::size_t, hash_bytes, "_ZSt11_Hash_bytesPKvmm", const void* bytes, std::size_t size,
                      std::size_t seed) {
  if (void* const pc = REEX_CALLER; g_watching && size != 0 && is_watched(pc)) [[unlikely]]
    access(bytes, size, false, pc);
  return g_hash(bytes, size, seed);
}
