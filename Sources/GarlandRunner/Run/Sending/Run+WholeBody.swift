import GarlandTransfer
import GarlandPlanner
import GarlandResults
import Glibc

/// Keeps the complete body of a response, even a very large body, for a command whose output is this body.
extension Run {
  /// Returns the destination for a body that is kept completely but that no check reads. The destination is a file, so that memory use is
  /// independent of the body's size. No other user can read the file's folder.
  func wholeBodyDestination(computesDigest: Bool) -> TransferDestination {
    if output.wholeBodyFolder == nil { output.wholeBodyFolder = Self.privateFolder(below: configuration.environment["TMPDIR"]) }
    guard let folder = output.wholeBodyFolder else { return .memory }
    return .file(DownloadTarget(path: folder + "/body", replacesExisting: true, computesDigest: computesDigest, partial: .discarded))
  }

  /// Returns whether the complete response body of a step is kept, because the output of the command consists of this body. If the run
  /// stores the body in a file, the file is temporary.
  func isWholeBody(_ planned: PlannedStep) -> Bool {
    configuration.recording.wholeBodyOf == planned.index && planned.step.request?.download == nil
  }

  /// Adds the complete response body to the exchange. Does nothing unless the output of the command consists of the response body of this
  /// step.
  func takeWholeBody(of response: TransferResponse, _ planned: PlannedStep, into exchange: inout Exchange) {
    guard isWholeBody(planned) else { return }
    switch response.body {
    case .bytes(let bytes): exchange.responseBody?.whole = .memory(bytes)
    case .file(let file):
      // Removes the file's name; the descriptor that the report opens here stays readable.
      defer { file.discard() }
      exchange.responseBody?.file = nil
      guard file.size > 0 else {
        exchange.responseBody = nil
        return
      }
      do throws(BodyFile.Failure) {
        let body = try BodyFile(path: file.temporaryPath)
        exchange.responseBody?.bytes = try body.read(at: 0, count: configuration.recording.keptBodyBytes)
        exchange.responseBody?.whole = .file(body)
      } catch {
        // The step's result is not changed; the code that prints the body reports the error.
        exchange.responseBody?.whole = .lost(error)
      }
    case .prefix, .discarded: break
    }
  }

  /// Removes the temporary folder of the response body that the `garland` command prints. The run calls this function at its end.
  func removeWholeBodyFolder() {
    if let folder = output.wholeBodyFolder { rmdir(folder) }
    output.wholeBodyFolder = nil
  }

  private static func privateFolder(below parent: String?) -> String? {
    let parent = parent.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var path = Array((parent + "/garland-XXXXXX").utf8CString)
    return path.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
  }
}
