import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of symbols for terminals that do not support UTF-8.
@Suite struct CharacterSetTests {
  @Test(
    arguments: [
      ([:], true), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "de_DE"], false), (["LANG": "C"], false),
      (["LANG": "POSIX"], false), (["LANG": "de_DE.ISO-8859-15"], false), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false),
      (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true), (["LC_CTYPE": "C", "LANG": "de_DE.UTF-8"], false),
    ] as [([String: String], Bool)]) func `the first of LC_ALL, LC_CTYPE and LANG that is set decides whether the console uses Unicode`(
      environment: [String: String], isUnicode: Bool
    )
  {
    #expect(ConsoleOptions(environment: environment).isUnicode == isUnicode)
  }

  @Test(arguments: [nil, 40, 80])
  func `in a locale without UTF-8, the console writes only ASCII, even for the borders of boxes and for ellipses`(width: Int?)
    throws
  {
    var options = ConsoleOptions()
    options.isUnicode = false
    let console = ConsoleHarness(options, width: width, errorWidth: width)
    for event in Fixture.allEvents {
      console.reporter.receive(event)
      console.clock.advance(.milliseconds(150))
      console.reporter.flush()
    }
    try console.reporter.finish()
    let text = console.standardOutput.text + console.standardError.text
    #expect(text.utf8.count > 500)
    #expect(text.unicodeScalars.filter { !$0.isASCII }.map { String(Character($0)) } == [])
  }
}
