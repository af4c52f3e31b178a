import CCurl

extension NetworkingError.Reason {
  /// Creates the reason for data that does not fit into the memory.
  ///
  /// - Parameters:
  ///   - data: The data in words, such as `the body`.
  ///   - shortage: The message about the missing memory, a part of a sentence.
  static func noRoom(for data: String, _ shortage: String) -> Self {
    .library(code: Int32(CURLE_OUT_OF_MEMORY.rawValue), detail: "\(data) does not fit into the memory: \(shortage)")
  }
}
