import HTTPTypes

/// Reads the body of a response while it arrives, in addition to the body's destination. Called on the engine's first thread.
///
/// The size limit of bodies does not apply to such a body: it may be endless, and only its beginning is kept.
package protocol BodyTap: AnyObject, Sendable {
  /// The number of the body's first bytes that the response keeps.
  var keptBytes: Int { get }
  /// Returns whether the tap reads the body of a response with this head. If the tap refuses it, the response is received as if
  /// there were no tap. Called for each response except redirects that are followed.
  func begin(_ head: BodyChannel.Head) -> Bool
  /// Receives decoded bytes. Returns false if no more bytes are needed; the transfer then ends normally.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
