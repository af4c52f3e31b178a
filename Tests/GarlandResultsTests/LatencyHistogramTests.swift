import Testing

@testable import GarlandResults

/// Tests of percentiles of any number of durations.
@Suite struct LatencyHistogramTests {
  private static func histogram(_ microseconds: some Sequence<Int>) -> LatencyHistogram {
    microseconds.reduce(into: LatencyHistogram()) { $0.record(.microseconds($1)) }
  }

  @Test func `a latency histogram gives percentiles with three significant digits`() {
    let histogram = Self.histogram(1...100_000)
    #expect(histogram.count == 100_000)
    #expect(abs(histogram.percentile(50) / .microseconds(1) - 50_000) <= 50)
    #expect(abs(histogram.percentile(99.9) / .microseconds(1) - 99_900) <= 100)
    #expect(histogram.least == .microseconds(1) && histogram.most == .microseconds(100_000))
    #expect(histogram.mean == .microseconds(50_000))
  }

  @Test func `merging two latency histograms gives the histogram of all their durations`() {
    let all = (0..<5_000).map { ($0 * 7_919) % 1_000_003 }
    var merged = Self.histogram(all.prefix(1_234))
    merged.merge(Self.histogram(all.dropFirst(1_234)))
    #expect(merged == Self.histogram(all))
  }

  @Test(arguments: [[], [0], [5, 5, 5], [3, 70_000, 70_001, 70_002, 9_999_999], Array(1...3_000)])
  func `a latency histogram is unchanged after it is converted to a list of durations with their counts and back`(microseconds: [Int])
    throws
  {
    let histogram = Self.histogram(microseconds)
    let again = try #require(LatencyHistogram(entries: histogram.entries, sum: Int(histogram.sum)))
    #expect(again == histogram)
    #expect(again.least == histogram.least && again.most == histogram.most && again.mean == histogram.mean)
  }

  @Test func `the size of a latency histogram does not grow with the number of durations`() {
    let few = Self.histogram((0..<1_000).map { $0 * 1_000 })
    let many = Self.histogram((0..<1_000_000).map { $0 % 1_000 * 1_000 })
    // The greatest duration is a separate entry, if there are several.
    #expect(many.entries.count <= few.entries.count + 1)
  }

  @Test func `a latency histogram records a duration of more than a day as a day`() {
    #expect(Self.histogram([Int(30 * 86_400e6)]).most == .seconds(86_400))
  }

  @Test func `a latency histogram cannot be created from a count of 0, a negative duration or a negative sum`() {
    #expect(LatencyHistogram(entries: [(5, 0)], sum: 0) == nil)
    #expect(LatencyHistogram(entries: [(-1, 1)], sum: 0) == nil)
    #expect(LatencyHistogram(entries: [(1, 1)], sum: -1) == nil)
  }

  @Test func `a latency histogram cannot be created from durations that are longer than 35 years in total`() {
    let day = 86_400_000_000
    #expect(LatencyHistogram(entries: [(day, 12_000)], sum: 12_000 * day) != nil)
    #expect(LatencyHistogram(entries: [(day, 13_100)], sum: 13_100 * day) == nil)
    #expect(LatencyHistogram(entries: [(day, 1 << 40)], sum: day) == nil)
  }

  @Test func `a latency histogram cannot be created if the sum of the durations is too large for their number`() {
    #expect(LatencyHistogram(entries: [], sum: 1) == nil)
    #expect(LatencyHistogram(entries: [(1, 2)], sum: 2 * 86_400_000_000) != nil)
    #expect(LatencyHistogram(entries: [(1, 2)], sum: 2 * 86_400_000_001) == nil)
  }
}
