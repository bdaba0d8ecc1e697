// Five tickets for four seats: all seats are sold, and no seat is sold twice.
#undef NDEBUG
#include <cassert>

#include "airline/Airline.h"

using namespace airline;

int main() {
  Airline airline(5);
  airline.makeBookings();
  assert(airline.getNumberOfSeatsSold() == airline.getMaximumCapacity());
}
