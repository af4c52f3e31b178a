import GarlandText

/// A rule for the clock changes that recur every year, in the format of the POSIX variable `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`. A
/// TZif file ends with such a rule.
struct ZoneRule: Sendable {
  /// The form in which a rule gives the day of a clock change.
  private enum Day {
    /// A day in the form `Jn` of a POSIX time zone: a number from 1 to 365. 29 February is not counted, even in leap years.
    case withoutLeapDay(Int)
    /// A day in the form `n` of a POSIX time zone: a number from 0 to 365. 29 February is counted.
    case ordinal(Int)
    /// A day in the form `Mm.w.d` of a POSIX time zone: a weekday in a week of a month. The weeks are numbered from 1; 5 is the last week
    /// of the month.
    case weekday(month: Int, week: Int, day: Int)
  }

  private struct Change {
    let day: Day
    /// The time of the clock change, in seconds of local time after midnight. It may be negative, or more than a day.
    let time: Int
  }

  private let standard: ZoneRules.Period
  private let summer: (period: ZoneRules.Period, start: Change, end: Change)?

  /// Parses a rule. Returns nil if the text is invalid.
  init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8)[...])
    guard let name = reader.name(), let west = reader.clock() else { return nil }
    standard = .init(offset: -west, abbreviation: name)
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard let name = reader.name() else { return nil }
    var offset = standard.offset + 3_600
    if !reader.isAt(",") {
      guard let west = reader.clock() else { return nil }
      offset = -west
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    summer = (.init(offset: offset, abbreviation: name), start, end)
  }

  /// Returns the offset and abbreviation that are valid at a point in time, in standard or summer time.
  ///
  /// - Parameter time: the point in time, in seconds since 1970.
  func period(at time: Int) -> ZoneRules.Period {
    guard let summer else { return standard }
    let local = time + standard.offset
    let year = CivilDate.date(Int64((local - (local % 86_400 + 86_400) % 86_400) / 86_400)).year
    let start = Self.local(summer.start, year) - standard.offset
    let end = Self.local(summer.end, year) - summer.period.offset
    // South of the equator, summer time includes the end of the year.
    let isSummer = start < end ? start <= time && time < end : !(end <= time && time < start)
    return isSummer ? summer.period : standard
  }

  private static func local(_ change: Change, _ year: Int) -> Int {
    let newYear = Int(CivilDate.days(year: year, month: 1, day: 1))
    let isLeapYear = CivilDate.days(in: 2, of: year) == 29
    let day: Int
    switch change.day {
    case .withoutLeapDay(let number): day = newYear + number - (isLeapYear && number >= 60 ? 0 : 1)
    case .ordinal(let number): day = newYear + number
    case .weekday(let month, let week, let weekday):
      let first = Int(CivilDate.days(year: year, month: month, day: 1))
      // 1970-01-01 was a Thursday.
      let found = first + (weekday - (first + 4) % 7 + 14) % 7 + (week - 1) * 7
      day = found < first + CivilDate.days(in: month, of: year) ? found : found - 7
    }
    return day * 86_400 + change.time
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    var isAtEnd: Bool { bytes.isEmpty }

    func isAt(_ character: UnicodeScalar) -> Bool { bytes.first == UInt8(ascii: character) }

    mutating func take(_ character: UnicodeScalar) -> Bool {
      guard isAt(character) else { return false }
      bytes = bytes.dropFirst()
      return true
    }

    /// Reads the abbreviation of a time zone, such as `CET` or `<-03>`. Returns nil if there is no valid abbreviation.
    mutating func name() -> String? {
      let isQuoted = take("<")
      let name = bytes.prefix { byte in
        isQuoted ? byte != UInt8(ascii: ">") : UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
      bytes = bytes.dropFirst(name.count)
      guard name.count >= 3, !isQuoted || take(">") else { return nil }
      return String(decoding: name, as: UTF8.self)
    }

    mutating func number(_ values: ClosedRange<Int>) -> Int? {
      let digits = bytes.prefix(3).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      bytes = bytes.dropFirst(digits.count)
      guard !digits.isEmpty, case let number = digits.reduce(0, { $0 * 10 + Int($1 - UInt8(ascii: "0")) }), values.contains(number) else {
        return nil
      }
      return number
    }

    /// Reads an offset or a time of day, such as `-1`, `5:30` or `2:00:00`. Returns the value in seconds; nil if the text is invalid.
    mutating func clock() -> Int? {
      let sign = take("-") ? -1 : 1
      if sign == 1 { _ = take("+") }
      guard var seconds = number(0...167).map({ $0 * 3_600 }) else { return nil }
      for unit in [60, 1] where take(":") {
        guard let part = number(0...59) else { return nil }
        seconds += part * unit
      }
      return sign * seconds
    }

    /// Reads a clock change, such as `,M3.5.0/2`. Returns nil if the text is invalid.
    mutating func change() -> Change? {
      guard take(",") else { return nil }
      let day: Day
      if take("M") {
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6) else { return nil }
        day = .weekday(month: month, week: week, day: weekday)
      } else if take("J") {
        guard let number = number(1...365) else { return nil }
        day = .withoutLeapDay(number)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .ordinal(number)
      }
      guard take("/") else { return Change(day: day, time: 7_200) }
      return clock().map { Change(day: day, time: $0) }
    }
  }
}
