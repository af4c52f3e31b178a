import ArgumentParser
import GarlandWorkflow
import Glibc

/// The files that a command writes, such as reports and scripts.
///
/// - No two reports may have the same file.
/// - A written file may not replace a file that the command reads.
/// - A written file may not replace a workflow.
enum OutputTargets {
  /// The identity of a target file. An existing file is identified by its device and inode number, so that a link to the file counts as the
  /// same target. A new file is identified by its folder and name.
  private enum Identity: Hashable {
    case file(device: UInt, number: UInt)
    case toCome(folder: String, name: String)

    /// Determines the identity of a target file. Returns nil for a file that is written directly instead of being replaced, such as
    /// `/dev/null` or a named pipe.
    init?(_ path: String) {
      var facts = stat()
      if stat(path, &facts) == 0 {
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .file(device: UInt(facts.st_dev), number: UInt(facts.st_ino))
        return
      }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let folder = String(path.dropLast(name.count))
      guard let resolved = realpath(folder.isEmpty ? "." : folder, nil) else {
        self = .toCome(folder: folder, name: name)
        return
      }
      defer { free(resolved) }
      self = .toCome(folder: String(cString: resolved), name: name)
    }
  }

  /// Checks the targets of reports.
  ///
  /// - Parameters:
  ///   - reports: the reports of the command line.
  ///   - inputs: the files that the command line names as inputs.
  /// - Throws: `ValidationError` for two reports with the same file, and for a report that would replace an input or a workflow.
  static func check(_ reports: [ReportOption], inputs: [String]) throws {
    var users: [Identity: String] = [:]
    let read = identities(of: inputs)
    for report in reports where !report.isStandardOutput && report.upload == nil {
      guard let identity = Identity(report.path) else { continue }
      if let other = users.updateValue(report.path, forKey: identity) {
        throw ValidationError(
          "Two reports would be written to \(report.path)\(other == report.path ? "" : ", which is the same file as \(other)").")
      }
      if let reason = obstacle(to: report.path, identity, read) {
        throw ValidationError("The report `\(report.format.rawValue)` would replace \(report.path), \(reason): name another file.")
      }
    }
  }

  /// Returns the reason why a command must not replace the file at `path`, such as `which is a workflow`; nil if it may.
  ///
  /// - Parameters:
  ///   - path: the path of the file that the command writes.
  ///   - inputs: the files that the command reads.
  static func obstacle(to path: String, inputs: [String]) -> String? {
    Identity(path).flatMap { obstacle(to: path, $0, identities(of: inputs)) }
  }

  /// Refuses a path that can't be the path of a file: an empty path, a path that ends in `/`, and an existing folder. Call this function
  /// before writing with `makingFolders`, which would make a missing folder first.
  ///
  /// - Parameter path: the value of `--output`.
  static func refuseFolder(_ path: String) throws(CommandFailure) {
    if path.isEmpty { throw .usage("the value of `--output` is empty: name a file") }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // The last name is empty if the path ends in `/`.
    guard ["", ".", ".."].contains(name) || SystemFiles().kind(of: path) == .folder else { return }
    throw .usage("`\(path)` is a folder: name a file")
  }

  private static func obstacle(to path: String, _ identity: Identity, _ read: Set<Identity>) -> String? {
    if read.contains(identity) { return "which this command reads" }
    return isWorkflow(path) ? "which is a workflow" : nil
  }

  private static func identities(of paths: [String]) -> Set<Identity> {
    Set(Set(paths).compactMap { $0 == "-" ? nil : Identity($0) })
  }

  /// Whether an existing file is a workflow. A workflow that the command line does not name counts too, since another workflow may use it.
  private static func isWorkflow(_ path: String) -> Bool {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"), let bytes = try? SystemFiles().read(path, limit: 1 << 20) else { return false }
    return WorkflowRecognition.isWorkflow(bytes)
  }
}
