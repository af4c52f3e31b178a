/// The offsets of a time zone from UTC in the past and the future, as stored in a TZif file (RFC 9636).
struct ZoneRules: Sendable {
  /// A period between two clock changes, with the offset and abbreviation that are valid in it.
  struct Period: Sendable, Equatable {
    /// The offset in seconds, positive east of UTC.
    var offset: Int
    /// The abbreviation of the time zone, such as `CET`, or the zone's offset, such as `-03`, if the zone has no abbreviation with letters.
    var abbreviation: String
  }

  /// The clock changes, in ascending order. At the time `start`, in seconds since 1970, a new period begins: the element of `periods` with
  /// the index `period`.
  private var transitions: [(start: Int, period: Int)] = []
  private var periods: [Period] = []
  /// The rule for clock changes after the last entry of `transitions`; nil if there are no further clock changes.
  private var future: ZoneRule?

  /// Parses a TZif file. Returns nil if the bytes are not a valid TZif file.
  init?(tzif bytes: [UInt8]) {
    var reader = Reader(bytes: bytes[...])
    guard let first = reader.header() else { return nil }
    var header = first
    var width = 4
    if first.version >= 0x32 {
      // The first block is only for readers that support times of 32 bits.
      guard reader.take(first.blockSize(timeWidth: 4)) != nil, let second = reader.header() else { return nil }
      (header, width) = (second, 8)
    }
    guard header.typeCount > 0, let times = reader.integers(header.timeCount, width: width), let kinds = reader.take(header.timeCount),
      let types = reader.take(header.typeCount * 6).map(Array.init), let names = reader.take(header.nameCount).map(Array.init),
      reader.take(header.leapCount * (width + 4) + header.standardCount + header.utcCount) != nil
    else { return nil }
    for start in stride(from: 0, to: types.count, by: 6) {
      let name = Int(types[start + 5])
      guard name < names.count else { return nil }
      let offset = types[start..<start + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) }
      periods.append(Period(offset: Int(offset), abbreviation: String(decoding: names[name...].prefix { $0 != 0 }, as: UTF8.self)))
    }
    for (time, kind) in zip(times, kinds) {
      guard Int(kind) < periods.count, transitions.last.map({ $0.start < time }) ?? true else { return nil }
      transitions.append((time, Int(kind)))
    }
    guard width == 8 else { return }
    guard let footer = reader.line() else { return nil }
    if !footer.isEmpty {
      guard let rule = ZoneRule(footer) else { return nil }
      future = rule
    }
  }

  /// Returns the period that contains the time `time`, given in seconds since 1970. All times of a period have the same offset from UTC.
  func period(at time: Int) -> Period {
    // A binary search for the first period that begins later.
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count, let future { return future.period(at: time) }
    return periods[low == 0 ? 0 : transitions[low - 1].period]
  }

  /// Returns the offset from UTC of a local time.
  ///
  /// If a clock change makes the local time occur twice, the result is the offset of the first occurrence. If a clock change skips the
  /// local time, the result is the offset before the change.
  ///
  /// - Parameter time: the local time, in seconds since 1970 as if it were UTC.
  func offset(ofLocal time: Int) -> Int {
    let candidates = [time - 86_400, time + 86_400].map { period(at: $0).offset }
    return candidates.first { period(at: time - $0).offset == $0 } ?? candidates[0]
  }

  private struct Header {
    let version: UInt8
    let utcCount, standardCount, leapCount, timeCount, typeCount, nameCount: Int

    func blockSize(timeWidth: Int) -> Int {
      timeCount * (timeWidth + 1) + typeCount * 6 + nameCount + leapCount * (timeWidth + 4) + standardCount + utcCount
    }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func header() -> Header? {
      guard let start = take(20), start.prefix(4).elementsEqual("TZif".utf8), let counts = integers(6, width: 4),
        counts.allSatisfy({ (0...1_000_000).contains($0) })
      else { return nil }
      return Header(
        version: start[start.startIndex + 4], utcCount: counts[0], standardCount: counts[1], leapCount: counts[2], timeCount: counts[3],
        typeCount: counts[4], nameCount: counts[5])
    }

    mutating func integers(_ count: Int, width: Int) -> [Int]? {
      guard let taken = take(count * width) else { return nil }
      let bytes = Array(taken)
      return (0..<count).map { index in
        let value = bytes[index * width..<(index + 1) * width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(Int64(bitPattern: value))
      }
    }

    mutating func line() -> String? {
      guard take(1)?.first == UInt8(ascii: "\n"), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}
