/// An error for an item of a stream that is larger than the size limit.
package struct StreamItemTooLong: Error, Hashable {
  /// The limit in bytes.
  package let limit: Int

  /// Creates an error.
  ///
  /// - Parameter limit: The limit in bytes.
  package init(limit: Int) { self.limit = limit }
}
