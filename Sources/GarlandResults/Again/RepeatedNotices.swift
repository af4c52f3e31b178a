import GarlandDiagnostics

/// Remembers the notices (messages to the user) of a series of runs, so that a notice that several runs cause is shown only once.
struct RepeatedNotices {
  private struct Notice: Hashable {
    var code: DiagnosticCode
    var message: String
    var range: SourceRange?
  }

  private var seen: Set<Notice> = []
  /// The maximum number of remembered notices. Without this limit, notices with a varying text could take up more and more memory.
  private static let limit = 1_000

  /// Returns whether a notice is new, and remembers it.
  mutating func isNew(_ diagnostic: Diagnostic) -> Bool {
    let notice = Notice(code: diagnostic.code, message: diagnostic.message, range: diagnostic.range)
    guard seen.count < Self.limit else { return !seen.contains(notice) }
    return seen.insert(notice).inserted
  }
}
