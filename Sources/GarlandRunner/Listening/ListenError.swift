/// Why nothing can be listened to.
package struct ListenError: Error, Sendable {
  /// A sentence without an end: "there is no port to listen at: Too many open files".
  package let message: String
}
