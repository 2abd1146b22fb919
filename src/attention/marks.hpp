// Which of a number of rows or columns are meant: those that have to be computed anew, say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attention {

/// Some of the numbers from 0 to below `size`: rows of a matrix, say, by their index.
class Marks {
 public:
  /// Of nothing: none is marked, whichever is asked about.
  Marks() = default;
  /// Of `size` numbers, none marked.
  explicit Marks(std::size_t size) : marked_(size, 0) {}

  std::size_t size() const { return marked_.size(); }
  /// `place` < size().
  void mark(std::size_t place) {
    marked_[place] = 1;
    any_ = true;
  }
  bool operator[](std::size_t place) const { return any_ && marked_[place] != 0; }
  bool any() const { return any_; }
  /// Whether one of `count` numbers from `first` on is marked.
  bool any_in(std::size_t first, std::size_t count) const {
    return run_from(first, first + count, 1).count > 0;
  }
  /// Marks what is marked in `others`, which are of no more numbers than these.
  void add(const Marks& others) {
    for (std::size_t place = 0; place < others.size(); ++place) {
      if (others[place]) mark(place);
    }
  }

  /// Marked ones side by side.
  struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// The first of them from `from` on and before `end`, with those that follow, `longest` at most;
  /// a count of 0 where there are none left.
  Run run_from(std::size_t from, std::size_t end, std::size_t longest) const {
    while (from < end && !(*this)[from]) ++from;
    Run run{from, 0};
    while (run.count < longest && from + run.count < end && (*this)[from + run.count]) ++run.count;
    return run;
  }

 private:
  std::vector<unsigned char> marked_;
  bool any_ = false;
};

/// What of a matrix [rows,columns] has to be computed anew: whole rows and whole columns.
struct Stale {
  Marks rows;
  Marks columns;

  bool any() const { return rows.any() || columns.any(); }
};

}  // namespace attention
