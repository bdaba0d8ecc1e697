// The keys of a blackboard are listed while another thread adds one.
#include <behaviortree_cpp/blackboard.h>

#include <cassert>
#include <thread>

int main() {
  auto board = BT::Blackboard::create();
  board->set("first", 1);
  std::thread other([&] { board->set("second", 2); });
  auto keys = board->getKeys();
  assert(keys.size() == 1 || keys.size() == 2);
  other.join();
  assert(board->get<int>("second") == 2);
}
