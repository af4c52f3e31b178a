/// Receives the bytes of a response's body while they arrive. Called on the engine's first thread.
///
/// The size limit of bodies does not apply to a body with a tap: the body may be endless. The response itself stores only the first
/// ``keptBytes`` bytes.
package protocol BodyTap: AnyObject, Sendable {
  /// The number of bytes at the beginning of the body that are also stored in the response.
  var keptBytes: Int { get }
  /// Returns whether this object wants to receive the body of a response with the header `head`. If false, the body is received in the
  /// usual way. This method is called for each response except redirects that are followed.
  func begin(_ head: BodyChannel.Head) -> Bool
  /// Receives decoded bytes. Returns false if no more bytes are needed; the transfer then ends normally.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
