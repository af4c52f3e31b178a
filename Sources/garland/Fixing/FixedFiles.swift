import GarlandDiagnostics
import GarlandWorkflow
import Glibc

/// Shows and writes the changes that `check --fix` or `send --save` has made to documents in memory.
struct FixedFiles {
  private let texts: FixedTexts
  private let changes: [(path: String, change: FixedTexts.Change)]

  init(_ texts: FixedTexts) {
    self.texts = texts
    changes = texts.changes.filter { $1.old != $1.new }.map { ($0, $1) }.sorted { $0.change.name < $1.change.name }
  }

  /// The number of texts that the fixes changed: files, and possibly standard input.
  var count: Int { changes.count + (inputHasChanged ? 1 : 0) }

  private var inputHasChanged: Bool { texts.input.map { $0.old != $0.new } ?? false }

  /// The differences between the old and the new texts of all files. Standard input is not included, since its fixed text is written to
  /// standard output.
  var difference: StyledText {
    changes.reduce(into: StyledText()) { $0 += UnifiedDifference(of: $1.change.name, from: $1.change.old, to: $1.change.new).text }
  }

  /// Writes each file completely or not at all. If one of the files can't be written, or was changed by another program meanwhile, all
  /// files keep their old texts.
  func write() throws(CommandFailure) {
    try check()
    for (index, (path, change)) in changes.enumerated() {
      do throws(WholeFile.Failure) {
        try WholeFile.write(change.new, to: path, .asBefore)
      } catch {
        throw .local("the file `\(change.name)` can't be written: \(error)\(Self.restore(changes[..<index]))")
      }
    }
  }

  /// Throws if one of the changed files can't be written, or if another program has changed one of them since it was read.
  func check() throws(CommandFailure) {
    for (path, change) in changes {
      // A file is replaced, so that its folder has to be writable, too.
      guard access(path, W_OK) == 0, access(WholeFile.folder(of: path), W_OK) == 0 else {
        throw .local("the file `\(change.name)` can't be written: \(String(cString: strerror(errno)))")
      }
      let now = try? SystemFiles().read(path, limit: change.old.count)
      guard now == change.old else { throw .local("the file `\(change.name)` has changed since it was read: nothing was written") }
    }
  }

  /// Restores the files that were already changed, after another file could not be written. Returns the end of the error message: a list of
  /// the files that could not be restored; empty if all files were restored.
  private static func restore(_ written: ArraySlice<(path: String, change: FixedTexts.Change)>) -> String {
    var names: [String] = []
    for (path, change) in written {
      do throws(WholeFile.Failure) {
        try WholeFile.write(change.old, to: path, .asBefore)
      } catch {
        names.append(change.name)
      }
    }
    return names.isEmpty ? "" : "; already fixed: \(names.joined(separator: ", "))"
  }
}
