import GarlandResults
import Synchronization

/// The messages of an OTLP trace that are uploaded to a collector. The sender reads them after the
/// reports are finished.
package final class TraceUpload: Sendable {
  /// The URL of the trace collector to which the spans are sent.
  package let url: String
  private let content = Mutex<(file: BodyFile, messages: [Range<Int>])?>(nil)

  /// Creates an upload without messages. A message is the content of one request to the collector.
  ///
  /// - Parameter url: the URL to which the messages are sent.
  package init(url: String) { self.url = url }

  func take(_ messages: [Range<Int>], from file: ReportFile) throws(ReportError) {
    file.writer.flush()
    if let failure = file.writer.failure { throw .cannotWrite(path: ReportURL.shown(url), reason: failure) }
    do throws(BodyFile.Failure) {
      let file = try BodyFile(path: "/proc/self/fd/\(file.writer.descriptor)")
      content.withLock { $0 = (file, messages) }
    } catch {
      throw .cannotWrite(path: ReportURL.shown(url), reason: error.reason)
    }
  }

  /// The number of messages in which the trace is sent to the collector. It is 0 before the report is finished.
  package var count: Int { content.withLock { $0?.messages.count ?? 0 } }

  /// Returns the bytes of the message with the given index, as they are sent to the collector.
  package func message(_ index: Int) throws(ReportError) -> [UInt8] {
    guard let (file, messages) = content.withLock({ $0 }), messages.indices.contains(index) else { return [] }
    do throws(BodyFile.Failure) {
      return try file.read(at: messages[index].lowerBound, count: messages[index].count)
    } catch {
      throw .cannotWrite(path: ReportURL.shown(url), reason: error.reason)
    }
  }
}
