import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Adds a note to a failure if an object in the body has two members with the same name. Only the last member with this name is used.
/// Without the note, the user might not see why the expectation failed.
enum RepeatedNames {
  private static let limit = 256 << 10

  /// Adds a note to a failure about JSON if an object in the body contains the same name twice. Every failure about JSON gets the received
  /// body.
  ///
  /// The note belongs to the failure of a check that reads the member with this name. Without such a failure, the first failure about JSON
  /// gets the note.
  static func tell(of response: some ResponseView, in failures: inout [CheckFailure]) {
    guard response.size <= limit, let fallback = failures.firstIndex(where: isAboutJSON), let text = try? response.text(),
      let document = try? JSONDocument(parsing: Array(text.utf8)), let first = document.duplicateKeys.first
    else { return }
    // The repeated name that the failure is about, if any.
    let place =
      failures.firstIndex { failure in
        isAboutJSON(failure) && document.duplicateKeys.contains { failure.subject.hasSuffix(".\($0.key)") }
      } ?? fallback
    let subject = failures[place].subject
    let name = (document.duplicateKeys.first { subject.hasSuffix(".\($0.key)") } ?? first).key
    let more = document.duplicateKeys.count - 1
    let names = more == 0 ? "" : ", and \(Shown.count(more, "other name"))"
    let words = "the body has `\(Shown.cut(name, 40))` twice in one object\(names): the last one counts (RFC 8259, section 4)"
    failures[place].help = [failures[place].help, words].compactMap(\.self).joined(separator: "; ")
    let body = Excerpt.cut(text)
    for index in failures.indices where isAboutJSON(failures[index]) { failures[index].excerpt = body }
  }

  private static func isAboutJSON(_ failure: CheckFailure) -> Bool {
    failure.subject.hasPrefix("json ") || failure.subject == "schema" || failure.subject == "that" || failure.kind == .extraction
  }
}
