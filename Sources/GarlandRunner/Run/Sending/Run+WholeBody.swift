import GarlandTransfer
import GarlandPlanner
import GarlandResults
import Glibc

/// The body that is to be had whole, because somebody prints it.
extension Run {
  /// Where it goes if nobody looks into it: to a file in a folder that nobody else can look into. So memory stays flat, however large it is.
  func wholeBodyDestination(computesDigest: Bool) -> TransferDestination {
    if wholeBodyFolder == nil { wholeBodyFolder = Self.privateFolder(below: configuration.environment["TMPDIR"]) }
    guard let folder = wholeBodyFolder else { return .memory }
    return .file(DownloadTarget(path: folder + "/body", replacesExisting: true, computesDigest: computesDigest))
  }

  /// Whether a file that came is such a body, and not the download of a step.
  func isWholeBody(_ planned: PlannedStep) -> Bool {
    configuration.wholeBodyOf == planned.index && planned.step.request?.download == nil
  }

  /// Gives an exchange the whole of the body that has come.
  func takeWholeBody(of response: TransferResponse, _ planned: PlannedStep, into exchange: inout Exchange) {
    guard isWholeBody(planned) else { return }
    switch response.body {
    case .bytes(let bytes): exchange.responseBody?.whole = .memory(bytes)
    case .file(let file):
      // What is open stays.
      defer { file.discard() }
      exchange.responseBody?.file = nil
      guard file.size > 0 else {
        exchange.responseBody = nil
        return
      }
      do throws(BodyFile.Failure) {
        let body = try BodyFile(path: file.temporaryPath)
        exchange.responseBody?.bytes = try body.read(at: 0, count: configuration.keptBodyBytes)
        exchange.responseBody?.whole = .file(body)
      } catch {
        // The step passes or fails by itself; whoever was to print the body says that it can't.
        exchange.responseBody?.whole = .lost(error)
      }
    case .prefix, .discarded: break
    }
  }

  /// Nothing is left of it when the run is over.
  func removeWholeBodyFolder() {
    if let folder = wholeBodyFolder { rmdir(folder) }
    wholeBodyFolder = nil
  }

  private static func privateFolder(below parent: String?) -> String? {
    let parent = parent.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var path = Array((parent + "/garland-XXXXXX").utf8CString)
    return path.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
  }
}
