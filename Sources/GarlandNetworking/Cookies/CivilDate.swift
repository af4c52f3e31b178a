/// The Gregorian calendar, counted in days.
enum CivilDate {
  /// Days since 1970-01-01 (the era algorithm: years begin in March, so that the leap day is a year's last).
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era) * 146097 + Int64(dayOfEra) - 719468
  }
}
