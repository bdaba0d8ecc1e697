// A thread waits for a condition that main triggers.
#include <cassert>
#include <thread>

#include <fastdds/dds/core/condition/GuardCondition.hpp>
#include <fastdds/dds/core/condition/WaitSet.hpp>

using namespace eprosima::fastdds::dds;

int main() {
  GuardCondition condition;
  WaitSet set;
  set.attach_condition(condition);
  std::thread waiter([&] {
    ConditionSeq active;
    assert(set.wait(active, eprosima::fastrtps::c_TimeInfinite) == ReturnCode_t::RETCODE_OK);
    assert(active.size() == 1);
  });
  condition.set_trigger_value(true);
  waiter.join();
  set.detach_condition(condition);
}
