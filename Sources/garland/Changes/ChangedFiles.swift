import GarlandWorkflow
import Glibc

/// What git says has changed: committed or not, also files that it does not track yet.
enum ChangedFiles {
  /// Absolute paths, symbolic links resolved where the file is still there.
  ///
  /// - Parameters:
  ///   - revision: what to compare with, as git names it: `main`, `HEAD~3`, a hash.
  ///   - folder: a folder of the working tree.
  static func since(_ revision: String, in folder: String, files: any WorkflowFiles) throws(CommandFailure) -> Set<String> {
    let top = try git(["rev-parse", "--show-toplevel"], in: folder).first ?? folder
    let root = top.hasSuffix("\n") ? String(top.dropLast()) : top
    // `--` keeps a revision that looks like an option or a path from being taken for one.
    let changed = try git(["diff", "--name-only", "-z", "--end-of-options", revision, "--"], in: root)
    let added = try git(["ls-files", "--others", "--exclude-standard", "-z"], in: root)
    return Set(
      (changed + added).map { name in
        let path = root + "/" + name
        return files.resolve(path) ?? path
      })
  }

  /// What git prints, split at zero bytes.
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
