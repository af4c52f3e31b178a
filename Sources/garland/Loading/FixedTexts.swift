import GarlandDiagnostics
import GarlandWorkflow
import Synchronization

/// The files of this machine, with changes that are not written yet. The object also stores standard input, which can be read only once.
final class FixedTexts: WorkflowFiles {
  /// The old and the new content of a changed file.
  struct Change {
    /// The name of the file on the command line.
    let name: String
    let old: [UInt8]
    let new: [UInt8]
  }

  private struct State {
    /// The changed files, by path. Symbolic links in the paths are resolved.
    var changes: [String: Change] = [:]
    /// The text of standard input before and after fixes; nil if standard input was not read.
    var input: (old: [UInt8], new: [UInt8])?
    /// The name that messages use for the text of standard input.
    var inputName = StandardInput.name
  }

  /// The path that means standard input.
  static let standardInput = "-"
  private let system = SystemFiles()
  private let state = Mutex(State())

  /// The changed files by path, each with its old and its new content. The new contents are only in memory.
  var changes: [String: Change] { state.withLock { $0.changes } }

  /// The text of standard input before and after fixes; nil if standard input was not read.
  var input: (old: [UInt8], new: [UInt8])? { state.withLock { $0.input } }

  /// The name that messages use for the text of standard input.
  var inputName: String { state.withLock { $0.inputName } }

  /// Replaces standard input with a text. `name` is the name of the text in messages.
  func setInput(_ text: [UInt8], named name: String) { state.withLock { $0 = State(input: (text, text), inputName: name) } }

  /// Replaces the text of a file in memory. The file on the disk is unchanged.
  func change(_ path: String, to change: Change) { state.withLock { $0.changes[path] = change } }

  /// Reads standard input. If standard input was read before, returns the stored text, including the fixes that were applied in memory.
  func readStandardInput(limit: Int) throws(WorkflowFileError) -> [UInt8] {
    if let input { return input.new }
    let bytes = try StandardInput.read(limit: limit)
    state.withLock { $0.input = (bytes, bytes) }
    return bytes
  }

  /// Returns the path of the file whose text a fix can change; `-` for standard input. Returns nil if no fix can change the text, for one
  /// of these reasons: the text is an argument of the command line, the file has another encoding, or the file has changed since it was
  /// read.
  func path(of file: SourceFile, in folder: String) -> String? {
    if file.name == inputName, let input, input.new == file.bytes { return Self.standardInput }
    guard let path = system.resolve(file.name.hasPrefix("/") ? file.name : folder + "/" + file.name) else { return nil }
    guard let bytes = try? read(path, limit: file.bytes.count), bytes == file.bytes else { return nil }
    return path
  }

  /// Applies fixes to the texts, without writing the files.
  func make(_ fixes: [ProposedFix]) {
    for (path, fixes) in Dictionary(grouping: fixes, by: \.path) {
      guard let file = fixes.first?.fix.range.file else { continue }
      let new = Diagnostic.Fix.making(fixes.map(\.fix), in: file.bytes)
      state.withLock { state in
        if path == Self.standardInput {
          state.input?.new = new
        } else {
          state.changes[path] = Change(name: state.changes[path]?.name ?? file.name, old: state.changes[path]?.old ?? file.bytes, new: new)
        }
      }
    }
  }

  /// Sets ``changes`` and ``input`` back to values from an earlier time, and so undoes all later changes.
  func restore(_ saved: [String: Change], _ input: (old: [UInt8], new: [UInt8])?) {
    state.withLock { $0 = State(changes: saved, input: input, inputName: $0.inputName) }
  }

  private func changed(_ path: String) -> [UInt8]? {
    state.withLock { state in
      guard !state.changes.isEmpty else { return nil }
      return system.resolve(path).flatMap { state.changes[$0]?.new }
    }
  }

  // MARK: Files

  func kind(of path: String) -> WorkflowFileKind { system.kind(of: path) }

  func resolve(_ path: String) -> String? { system.resolve(path) }

  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    if let bytes = changed(path) { return bytes }
    return try system.read(path, limit: limit)
  }

  func readPieces(_ path: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError) {
    guard let bytes = changed(path) else { return try system.readPieces(path, take) }
    _ = take(bytes)
  }

  func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8] {
    if let bytes = changed(path) { return Array(bytes.prefix(count)) }
    return try system.beginning(of: path, count: count)
  }

  func size(of path: String) throws(WorkflowFileError) -> Int {
    if let bytes = changed(path) { return bytes.count }
    return try system.size(of: path)
  }

  func names(in folder: String) -> [String] { system.names(in: folder) }
}
