// A team of two threads broadcasts a value, and then adds up two.
#include <Kokkos_Core.hpp>
#include <cassert>

int main() {
  Kokkos::initialize(Kokkos::InitArguments(2));
  {
    using Policy = Kokkos::TeamPolicy<Kokkos::Threads>;
    int seen[2][2] = {};
    Kokkos::parallel_for(Policy(1, 2), [&](const Policy::member_type& team) {
      int value = 1;
      team.team_broadcast(value, 1);
      seen[team.team_rank()][0] = value;
      seen[team.team_rank()][1] = team.team_reduce(10);
    });
    for (const auto& rank : seen) assert(rank[0] == 1 && rank[1] == 20);
  }
  Kokkos::finalize();
}
