import Testing

@testable import GarlandText

@Suite struct CivilDateTests {
  @Test func `a month has as many days as there are between its first day and the first day of the next month`() {
    for year in -1...2401 {
      for month in 1...12 {
        let next = month == 12 ? CivilDate.days(year: year + 1, month: 1, day: 1) : CivilDate.days(year: year, month: month + 1, day: 1)
        #expect(CivilDate.days(in: month, of: year) == Int(next - CivilDate.days(year: year, month: month, day: 1)))
      }
    }
  }

  @Test func `a month is found by the first three letters of its name`() {
    #expect(HTTPDate.month("jan") == 1)
    #expect(HTTPDate.month("dec") == 12)
    #expect(HTTPDate.month("january") == nil)
  }
}
