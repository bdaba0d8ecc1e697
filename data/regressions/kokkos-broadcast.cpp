// A team of two threads broadcasts twice, one thread after the other.
#include <Kokkos_Core.hpp>
#include <cassert>

int main() {
  Kokkos::initialize(Kokkos::InitArguments(2));
  {
    using Policy = Kokkos::TeamPolicy<Kokkos::Threads>;
    int seen[2][2] = {};
    Kokkos::parallel_for(Policy(1, 2), [&](const Policy::member_type& team) {
      int first = 1, second = 2;
      team.team_broadcast(first, 0);
      team.team_broadcast(second, 1);
      seen[team.team_rank()][0] = first;
      seen[team.team_rank()][1] = second;
    });
    for (const auto& rank : seen) assert(rank[0] == 1 && rank[1] == 2);
  }
  Kokkos::finalize();
}
