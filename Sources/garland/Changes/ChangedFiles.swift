import GarlandWorkflow
import Glibc

/// The files that git reports as changed, whether the changes are committed or not. Untracked files are included.
enum ChangedFiles {
  /// Returns the absolute paths of the changed files. Symbolic links are resolved if the file still exists.
  ///
  /// - Parameters:
  ///   - revision: the revision to compare with, in git's notation: `main`, `HEAD~3`, a hash.
  ///   - folders: the folders of the documents, in one or several working trees. Files outside of all working trees count as unchanged.
  /// - Throws: an error if no folder is in a working tree that contains the revision.
  static func since(_ revision: String, in folders: [String], files: any WorkflowFiles) throws(CommandFailure) -> Set<String> {
    var changed: Set<String> = []
    var roots: Set<String> = []
    var isKnown = false
    var failure: CommandFailure?
    for folder in folders {
      do throws(CommandFailure) {
        let root = try root(of: folder)
        guard roots.insert(root).inserted else { continue }
        changed.formUnion(try since(revision, below: root, files))
        isKnown = true
      } catch {
        failure = failure ?? error
      }
    }
    if !isKnown, let failure { throw failure }
    return changed
  }

  private static func root(of folder: String) throws(CommandFailure) -> String {
    let top = try git(["rev-parse", "--show-toplevel"], in: folder).first ?? folder
    return top.hasSuffix("\n") ? String(top.dropLast()) : top
  }

  private static func since(_ revision: String, below root: String, _ files: any WorkflowFiles) throws(CommandFailure) -> [String] {
    // `--` prevents a revision that looks like an option or a path from being read as one.
    let changed = try git(["diff", "--name-only", "-z", "--end-of-options", revision, "--"], in: root)
    let added = try git(["ls-files", "--others", "--exclude-standard", "-z"], in: root)
    return (changed + added).map { name in
      let path = root + "/" + name
      return files.resolve(path) ?? path
    }
  }

  /// Returns the output of git, split at zero bytes.
  private static func git(_ arguments: [String], in folder: String) throws(CommandFailure) -> [String] {
    let result: (status: Int32, output: [UInt8], error: [UInt8])
    do throws(ExternalProgramError) {
      result = try ExternalProgram.run("git", ["-C", folder] + arguments)
    } catch {
      throw .usage("--changed-since needs git, which can't be started: \(error.message)")
    }
    guard result.status == 0 else {
      let words = String(decoding: result.error, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "status \(result.status)"
      throw .usage("--changed-since: git says: \(words)")
    }
    return result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
