import GarlandDiagnostics
import GarlandWorkflow
import GarlandYAML
import Glibc

/// The names of steps, tags, profiles and `auth` entries that a document contains, for the suggestions of a shell. The rest of the document
/// may be invalid, since the user may still be writing it.
struct DocumentOutline {
  var steps: [String] = []
  var tags: [String] = []
  var profiles: [String] = []
  var authentications: [String] = []
  /// Whether the document uses other documents. The command line can name the steps of these documents, too.
  var usesOthers = false

  private static let limit = 4 << 20

  /// Reads the names of steps, tags, profiles and `auth` entries in a document. Returns nil if the document can't be read.
  init?(path: String) {
    var facts = stat()
    // A named pipe is not read, since reading would wait for a writer.
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, let bytes = try? SystemFiles().read(path, limit: Self.limit) else {
      return nil
    }
    var ignored = DiagnosticList()
    guard let root = YAMLParser.parse(name: path, bytes: bytes, into: &ignored).first?.root?.mapping else { return nil }
    func names(_ key: String) -> [YAMLMapping.Entry] { root.entry(key)?.value.mapping?.entries ?? [] }
    for step in names("steps") {
      steps.append(step.name)
      let tags = step.value.mapping?.entry("tags")?.value
      self.tags += (tags?.sequence ?? [tags].compactMap { $0 }).compactMap { $0.scalar?.text }
    }
    usesOthers = root.entry("use") != nil
    profiles = names("profiles").map(\.name)
    authentications = names("auth").map(\.name)
  }
}
