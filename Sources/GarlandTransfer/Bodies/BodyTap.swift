import HTTPTypes

/// Reads the body of a response while it arrives, beside the body's destination. Called on the engine's
/// first thread.
///
/// The limit of a body's size does not apply to a body that is read so: it may have no end, and only
/// its beginning is kept.
package protocol BodyTap: AnyObject, Sendable {
  /// The number of the body's first bytes that the response keeps.
  var keptBytes: Int { get }
  /// Returns whether the body of a response with this head is read. If not, the response is received as
  /// if there were no tap. Called for each head that is not that of a followed redirect.
  func begin(_ head: BodyChannel.Head) -> Bool
  /// Takes decoded bytes. Returns false if no more are needed: the transfer then ends in good order.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
