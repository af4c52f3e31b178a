import HTTPTypes

extension Session {
  /// Reads the server-sent events of a URL; see ``EventStream``.
  ///
  /// The request has `Accept: text/event-stream` and `Cache-Control: no-store` unless `headers` contains other values for these fields. A
  /// response is an error if its status is not 2xx, or its type is not `text/event-stream`. The session's interceptors, trust and other
  /// settings apply. The session's idle timeout is also the maximum time without any data from the server.
  ///
  /// - Parameters:
  ///   - url: The URL from which the server sends the events.
  ///   - method: The HTTP method. Defaults to GET.
  ///   - headers: Header fields of each request.
  ///   - reconnection: The rule for connecting again after a connection has ended. Defaults to always.
  ///   - lastEventID: The ID of the last event that the caller has received; the stream continues after that event.
  ///   - interceptor: Changes each request and decides about retries, before the session's own interceptor.
  ///   - modify: The closure that changes each request before it is sent, for example its settings.
  public func eventStream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(),
    reconnection: EventReconnection = .always, after lastEventID: String = "", interceptor: (any RequestInterceptor)? = nil,
    modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> EventStream {
    eventStream(.success(headers), reconnection, lastEventID, interceptor) { [self] fields in
      original(url, method, fields, modify) { Self.prepare(&$0, for: .memory) }
    }
  }

  /// Reads the server-sent events of a URL. The names of the header fields are strings.
  public func eventStream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders?, reconnection: EventReconnection = .always,
    after lastEventID: String = "", interceptor: (any RequestInterceptor)? = nil,
    modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> EventStream {
    eventStream(Self.fields(headers), reconnection, lastEventID, interceptor) { [self] fields in
      original(url, method, fields, modify) { Self.prepare(&$0, for: .memory) }
    }
  }

  private func eventStream(
    _ headers: Result<HTTPFields, NetworkingError>, _ reconnection: EventReconnection, _ lastEventID: String,
    _ interceptor: (any RequestInterceptor)?, _ make: @escaping @Sendable (HTTPFields) -> Result<TransferRequest, NetworkingError>
  ) -> EventStream {
    EventStream(reconnection: reconnection, lastEventID: lastEventID, clock: configuration.clock) { [self] id in
      let original = headers.flatMap { fields in
        var fields = fields
        if fields[.accept] == nil { fields[.accept] = "text/event-stream" }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        if !id.isEmpty, let name = HTTPField.Name("Last-Event-ID") { fields[name] = id }
        return make(fields)
      }
      return DataStreamRequest(session: self, original: original, interceptor: interceptor)
        .validate(.successful, .contentTypes(["text/event-stream"]))
    }
  }
}
