import GarlandResults
import GarlandWorkflow

/// Checks `expect.snapshot`: the body must equal a file.
extension ExpectationJudge {
  private static var limit: Int { 16 << 20 }

  mutating func judgeSnapshot(_ template: SnapshotTemplate, _ expectation: Expectation) throws(EvaluationError) {
    let (written, isSecret) = try template.file.evaluateText(in: context)
    let shown = isSecret ? "the file" : "`\(written)`"
    let body: SnapshotBody
    do throws(ResponseDataError) {
      body = try SnapshotBody(of: response, ignoring: template.ignored, snapshots)
    } catch {
      failures.append(CheckFailure(error, subject: "snapshot", at: expectation.keyRange))
      return
    }
    let files = context.services.files
    let path: String
    let old: [UInt8]?
    do throws(WorkflowFileError) {
      path = try Self.locate(written, files, from: context.services.directory, mayBeNew: snapshots.isUpdating)
      old = files.files.kind(of: path) == .missing ? nil : try files.files.read(path, limit: Self.limit)
    } catch {
      var failure = CheckFailure(.value, subject: "snapshot", message: "\(shown) can't be used: \(error.message)", at: template.file.range)
      if error.isOutside { failure.help = "allow the folder of the file with `--allow-path DIR`" }
      failures.append(failure)
      return
    }
    let difference = old.map { body.difference(from: $0, ignoring: template.ignored) }
    if case .some(nil) = difference { return }
    if snapshots.isUpdating {
      snapshotWrites.append(
        SnapshotWrite(files: files, path: path, shown: shown, bytes: body.bytes, isNew: old == nil, range: template.file.range))
      return
    }
    var failure = CheckFailure(.expectation, subject: "snapshot", message: "", at: template.file.range)
    if case .some(let difference?) = difference {
      failure.message =
        difference.words.map { "the response differs from \(shown) in \($0)" } ?? "the response is JSON, but \(shown) is not"
      failure.difference = difference.lines
      failure.help = "if the new response is correct, update the snapshot with `--update-snapshots`"
    } else {
      failure.message = "can't be compared: \(shown) does not exist yet"
      failure.help = "to write the snapshot, run with `--update-snapshots`"
    }
    failures.append(failure)
  }

  /// Returns the absolute path of a snapshot. If `mayBeNew` is true, its folder may be missing, since writing the snapshot creates the
  /// folder.
  private static func locate(_ path: String, _ files: FileAccess, from directory: String, mayBeNew: Bool) throws(WorkflowFileError)
    -> String
  {
    do throws(WorkflowFileError) {
      return try files.locate(path, from: directory)
    } catch {
      if error.isOutside { throw error }
      var known = path.split(separator: "/", omittingEmptySubsequences: false)
      var below: [Substring] = []
      while let last = known.popLast(), !known.isEmpty {
        below.insert(last, at: 0)
        guard last != "..", let folder = try? files.locate(known.joined(separator: "/"), from: directory) else { continue }
        return ([folder] + below.map(String.init)).joined(separator: "/")
      }
      return try files.locate(".", from: directory) + "/" + path
    }
  }
}
