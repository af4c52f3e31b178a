import HTTPTypes

/// Writes the body of a response, piece by piece, to the file that a target names.
package struct ResponseFile {
  private let writer: DownloadWriter

  /// Creates the temporary file. The response and its URL suggest a name if the target has none.
  package init(_ target: DownloadTarget, for response: TransferResponse) throws(NetworkingError) {
    try self.init(target, headerFields: response.headerFields, url: response.url)
  }

  /// Creates the temporary file. The header fields and the URL suggest a name if the target has none.
  package init(_ target: DownloadTarget, headerFields: HTTPFields, url: String) throws(NetworkingError) {
    let path = (try? URLReference(url))?.path ?? ""
    writer = try DownloadWriter(target, suggestion: DownloadName.suggested(by: headerFields, url: path))
  }

  /// Appends a piece.
  package func write(_ piece: [UInt8]) throws(NetworkingError) {
    let result = piece.withUnsafeBytes { bytes in
      Result { () throws(NetworkingError) in try writer.write(bytes) }
    }
    try result.get()
  }

  /// Returns the complete file, which waits to be committed or discarded.
  package func finish() throws(NetworkingError) -> DownloadedFile { try writer.finish() }

  /// Removes the temporary file.
  package func abandon() { writer.abandon() }
}
