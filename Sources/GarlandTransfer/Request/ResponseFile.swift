import HTTPTypes

/// Writes the body of a response, piece by piece, to the file of a ``DownloadTarget``.
package struct ResponseFile {
  private let writer: DownloadWriter

  /// Creates the temporary file. If the target has no file name, the finished file is named by the response or its URL.
  package init(_ target: DownloadTarget, for response: TransferResponse) throws(NetworkingError) {
    try self.init(target, headerFields: response.headerFields, url: response.url)
  }

  /// Creates the temporary file. If the target has no file name, the finished file is named by the header fields or the URL.
  package init(_ target: DownloadTarget, headerFields: HTTPFields, url: String) throws(NetworkingError) {
    let path = (try? URLReference(url))?.path ?? ""
    writer = try DownloadWriter(target, suggestion: DownloadName.suggested(by: headerFields, url: path))
  }

  /// Appends a piece of the body to the temporary file.
  package func write(_ piece: [UInt8]) throws(NetworkingError) {
    let result = piece.withUnsafeBytes { bytes in
      Result { () throws(NetworkingError) in try writer.write(bytes) }
    }
    try result.get()
  }

  /// Ends writing and returns the complete file. The caller must then commit or discard the file.
  package func finish() throws(NetworkingError) -> DownloadedFile { try writer.finish() }

  /// Removes the temporary file without moving it to its target path.
  package func abandon() { writer.abandon() }
}
