/// An item of a stream that has no end within the limit.
package struct StreamItemTooLong: Error, Hashable {
  /// The limit in bytes.
  package let limit: Int

  /// - Parameter limit: The limit in bytes.
  package init(limit: Int) { self.limit = limit }
}
