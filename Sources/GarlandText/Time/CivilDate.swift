/// Converts between dates of the Gregorian calendar and numbers of days. Cookies, tokens, reports and expressions use it.
///
/// Internally a year begins in March, so that the leap day is its last day. Years are grouped in eras of 400 years, each of which has
/// 146,097 days.
package enum CivilDate {
  private static let daysOfEra: Int64 = 146_097
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  /// The names of the months, from January.
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
  ]
  /// The names of the days of the week, from Sunday.
  package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// Returns the number of days of a month, from 1 to 12.
  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days from 1970-01-01 to a date.
  package static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era) * daysOfEra + Int64(dayOfEra) - daysBefore1970
  }

  /// Returns the date that is `days` days after 1970-01-01.
  package static func date(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (daysOfEra - 1)) / daysOfEra
    let dayOfEra = shifted - era * daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
  }
}
