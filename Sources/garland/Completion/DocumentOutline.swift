import GarlandDiagnostics
import GarlandWorkflow
import GarlandYAML

/// The names in a document that a command line may use. Nothing else of it is looked at: half a document that is being written has names, too.
struct DocumentOutline {
  var steps: [String] = []
  var tags: [String] = []
  var profiles: [String] = []
  var authentications: [String] = []

  private static let limit = 4 << 20

  /// Nil if it can't be read.
  init?(path: String) {
    guard let bytes = try? SystemFiles().read(path, limit: Self.limit) else { return nil }
    var ignored = DiagnosticList()
    guard let root = YAMLParser.parse(name: path, bytes: bytes, into: &ignored).first?.root?.mapping else { return nil }
    func names(_ key: String) -> [YAMLMapping.Entry] { root.entry(key)?.value.mapping?.entries ?? [] }
    for step in names("steps") {
      steps.append(step.name)
      let tags = step.value.mapping?.entry("tags")?.value
      self.tags += (tags?.sequence ?? [tags].compactMap { $0 }).compactMap { $0.scalar?.text }
    }
    profiles = names("profiles").map(\.name)
    authentications = names("auth").map(\.name)
  }
}
