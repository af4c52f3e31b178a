import HTTPTypes

/// Receives the bytes of a response's body while they arrive, in addition to the destination of the body. Called on the engine's first
/// thread.
///
/// The size limit of bodies does not apply to a body with a tap: the body may be endless, and only its beginning is stored.
package protocol BodyTap: AnyObject, Sendable {
  /// The number of bytes that the response stores, counted from the beginning of the body.
  var keptBytes: Int { get }
  /// Returns whether the tap wants the body of the response that begins with `head`. If false, the response is received as if there were
  /// no tap. Called for each response except redirects that are followed.
  func begin(_ head: BodyChannel.Head) -> Bool
  /// Receives decoded bytes. Returns false if no more bytes are needed; the transfer then ends normally.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
