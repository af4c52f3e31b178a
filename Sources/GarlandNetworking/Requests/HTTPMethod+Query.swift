public import HTTPTypes

extension HTTPRequest.Method {
  /// The method QUERY, which like GET changes nothing on the server, and whose query is in the body. The literal is a valid method, so the
  /// fallback is never used.
  public static let query = HTTPRequest.Method("QUERY") ?? .post
}
