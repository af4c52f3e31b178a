import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// What a failure has to say of a body that names something twice in one object, of which only the last counts: without it nobody would see why.
enum RepeatedNames {
  private static let limit = 256 << 10

  /// Adds it to failures that are about the body as JSON, and shows the body as it came.
  static func tell(of response: some ResponseView, in failures: inout [CheckFailure]) {
    guard response.size <= limit, failures.contains(where: isAboutJSON), let text = try? response.text(),
      let document = try? JSONDocument(parsing: Array(text.utf8)), let first = document.duplicateKeys.first
    else { return }
    let more = document.duplicateKeys.count - 1
    let names = more == 0 ? "" : ", and \(Shown.count(more, "other name"))"
    let words = "the body has `\(Shown.cut(first.key, 40))` twice in one object\(names): the last one counts (RFC 8259, section 4)"
    guard let place = failures.firstIndex(where: isAboutJSON) else { return }
    failures[place].help = [failures[place].help, words].compactMap(\.self).joined(separator: "; ")
    let body = Excerpt.cut(text)
    for index in failures.indices where isAboutJSON(failures[index]) { failures[index].excerpt = body }
  }

  private static func isAboutJSON(_ failure: CheckFailure) -> Bool {
    failure.subject.hasPrefix("json ") || failure.subject == "schema" || failure.subject == "that" || failure.kind == .extraction
  }
}
