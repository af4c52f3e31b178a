import Histogram

/// A histogram of durations in microseconds, with a precision of three significant digits. It computes the percentiles of any number of
/// durations, and its size in memory does not depend on this number.
///
/// ```swift
/// var latency = LatencyHistogram()
/// latency.record(.milliseconds(12))
/// latency.percentile(99)
/// ```
/// Histograms of several machines can be added without loss. The implementation is an [HDR histogram](https://hdrhistogram.org).
public struct LatencyHistogram: Sendable, Equatable {
  /// The longest duration that is counted, in microseconds: one day. Longer durations are counted as one day.
  static let greatest: UInt64 = 86_400_000_000

  /// The maximum total of the durations that a report may contain, in microseconds: 35 years. With this limit, the histograms of 10,000
  /// shards can be added without an overflow, for which HDR histogram does not check.
  private static let mostTotal = UInt64.max >> 14

  private var counts = Histogram<UInt64>()
  /// The sum of all durations, in microseconds.
  public private(set) var sum: UInt64 = 0

  /// Creates an empty histogram.
  init() {}

  /// Counts a duration.
  public mutating func record(_ duration: Duration) {
    let microseconds = min(Self.greatest, UInt64(clamping: duration.attoseconds / 1_000_000_000_000))
    counts.record(microseconds)
    sum &+= microseconds
  }

  /// Adds the durations of another histogram.
  public mutating func merge(_ other: LatencyHistogram) {
    // Copying the other histogram is faster than growing an empty one.
    guard count > 0 else {
      self = other
      return
    }
    counts.add(other.counts)
    sum &+= other.sum
  }

  /// The number of counted durations.
  public var count: Int { Int(counts.totalCount) }

  /// Returns a percentile of the recorded durations: for 95, the shortest duration such that at least 95 % of them are equal or shorter.
  ///
  /// - Parameter percent: from 0 to 100.
  public func percentile(_ percent: Double) -> Duration { .microseconds(Int64(counts.valueAtPercentile(percent))) }

  /// The mean of all durations; zero if no duration was recorded.
  public var mean: Duration { count == 0 ? .zero : .microseconds(Int64(sum / UInt64(count))) }

  /// The shortest duration; zero if no duration was recorded.
  public var least: Duration { count == 0 ? .zero : .microseconds(Int64(counts.min)) }

  /// The longest duration; zero if no duration was recorded.
  public var most: Duration { .microseconds(Int64(counts.maxRecorded)) }

  // MARK: In reports

  /// The counted durations in microseconds, in ascending order, each with its count. The shortest and the longest duration are exact. Any
  /// other entry represents similar durations that are counted together; its duration is the lower bound of their range.
  public var entries: [(microseconds: Int, count: Int)] {
    var entries: [(microseconds: Int, count: Int)] = []
    for value in counts.recordedValues() {
      entries.append((Int(counts.lowestEquivalentForValue(value.value)), Int(value.count)))
    }
    guard count > 0 else { return entries }
    entries[0].microseconds = Int(counts.min)
    // The entry for the greatest duration is counted separately, so that it is exact.
    let most = Int(counts.maxRecorded)
    guard let last = entries.last, last.microseconds != most else { return entries }
    guard last.count > 1 else {
      entries[entries.count - 1].microseconds = most
      return entries
    }
    entries[entries.count - 1].count -= 1
    entries.append((most, 1))
    return entries
  }

  /// Creates a histogram from its ``entries`` and its ``sum``. Returns nil if an entry or `sum` is invalid, or if the durations are longer
  /// than 35 years in total.
  public init?(entries: [(microseconds: Int, count: Int)], sum: Int) {
    guard sum >= 0 else { return nil }
    self.sum = UInt64(sum)
    var total: UInt64 = 0
    for (microseconds, count) in entries {
      guard count > 0, count <= 1 << 40, microseconds >= 0, microseconds <= Self.greatest else { return nil }
      // A histogram takes the longest of similar durations, which is at most a thousandth longer.
      let (product, isTooLarge) = UInt64(count).multipliedReportingOverflow(by: UInt64(microseconds + microseconds / 500 + 1))
      guard !isTooLarge, product <= Self.mostTotal - total else { return nil }
      total += product
      counts.record(UInt64(microseconds), count: UInt64(count))
    }
    // The mean can't be longer than the longest duration.
    guard count == 0 ? sum == 0 : self.sum / UInt64(count) <= Self.greatest else { return nil }
  }
}
