import GarlandResults
import Testing

/// Tests of failures as text.
@Suite struct CheckFailureTests {
  @Test(arguments: [
    ("status", "is 404, expected 200", "status is 404, expected 200"),
    ("json $.id", "exists, expected it to be missing", "json $.id exists, expected it to be missing"),
    ("url", "contains `${…}`, which is evaluated only in documents", "url contains `${…}`, which is evaluated only in documents"),
    ("extract.it", "`//h2` selects nothing", "extract.it: `//h2` selects nothing"),
    ("${vars.words}", "expected a number", "${vars.words}: expected a number"),
    ("nam", "`a.json` has no member `nam`", "`a.json` has no member `nam`"),
    ("2", "`a.json` has no item [2]", "`a.json` has no item [2]"), ("-5", "`a.json` has no item [-5]", "`a.json` has no item [-5]"),
    ("", "no route to host", "no route to host"),
  ]) func `the text of a failed check begins with the checked part, such as 'status', unless the rest of the text names it`(
    _ subject: String, _ message: String, _ sentence: String
  ) {
    #expect(CheckFailure(.value, subject: subject, message: message, at: nil).sentence == sentence)
  }
}
