#include "airline/Airline.h"

#include <algorithm>

namespace airline {

Airline::Airline(int numOfTickets)
    : numOfTickets(numOfTickets), maximumCapacity(numOfTickets - std::max(1, numOfTickets / 10)) {
  sellers.reserve(static_cast<std::size_t>(numOfTickets));
}

void Airline::makeBookings() {
  for (int ticket = 0; ticket < numOfTickets; ++ticket) {
    if (!stopSales) {
      sellers.emplace_back(&Airline::run, this);
    }
  }
  for (std::thread& seller : sellers) {
    seller.join();
  }
}

void Airline::run() {
  std::lock_guard<std::mutex> lock(monitor);
  if (numberOfSeatsSold >= maximumCapacity) {
    stopSales = true;
  } else {
    ++numberOfSeatsSold;
  }
}

} // namespace airline
