#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace airline {

// A flight that sells seats until it is full. Every thread that sells a ticket runs on the one flight.
class Airline {
public:
  explicit Airline(int numOfTickets);

  // Starts a seller for each ticket, as long as seats are on sale, and waits for all of them.
  void makeBookings();

  int getNumberOfSeatsSold() const { return numberOfSeatsSold; }
  int getMaximumCapacity() const { return maximumCapacity; }

private:
  // Sells one seat, or ends the sale.
  void run();

  const int numOfTickets;
  const int maximumCapacity; // a tenth of the tickets, and at least one, is more than there are seats
  int numberOfSeatsSold = 0;
  std::atomic<bool> stopSales{false};
  std::mutex monitor;
  std::vector<std::thread> sellers;
};

} // namespace airline
