import HTTPTypes

extension Session {
  /// Reads the server-sent events of a URL; see ``EventStream``.
  ///
  /// The request has `Accept: text/event-stream` and `Cache-Control: no-store` unless `headers`
  /// contains other values. A response with another status than 2xx, or of another type than
  /// `text/event-stream`, is an error. Interceptors, trust and all other settings are those of the
  /// session's requests; its idle timeout is also the longest time between two events.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - method: The method.
  ///   - headers: Header fields of each request.
  ///   - reconnection: When a new connection is made after one has ended. Defaults to always.
  ///   - lastEventID: The ID of the last event that the caller has received; the stream continues
  ///     after that event.
  ///   - interceptor: An interceptor of each request.
  ///   - modify: Changes each request.
  public func eventStream(
    _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(), reconnection: EventReconnection = .always,
    after lastEventID: String = "", interceptor: (any RequestInterceptor)? = nil,
    modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> EventStream {
    EventStream(reconnection: reconnection) { [self] id in
      var headers = headers
      if headers[.accept] == nil { headers[.accept] = "text/event-stream" }
      if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
      let id = id.isEmpty ? lastEventID : id
      if !id.isEmpty, let name = HTTPField.Name("Last-Event-ID") { headers[name] = id }
      return stream(url, method: method, headers: headers, interceptor: interceptor, modify: modify)
        .validate(.successful, .contentTypes(["text/event-stream"]))
    }
  }
}
