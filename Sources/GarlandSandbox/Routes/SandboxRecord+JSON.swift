import GarlandJSON

extension SandboxRecord {
  /// The record in the form that `GET /_sandbox/requests` shows. Times are in nanoseconds since the start of the sandbox.
  var json: JSONValue {
    [
      "sequence": JSONValue(sequence), "connection": JSONValue(connection), "tenant": JSONValue(tenant), "method": .string(method),
      "target": .string(target), "version": .string(version),
      "headers": .array(headers.map { [.string($0.name), .string($0.value)] }),
      "body": [
        "size": JSONValue(body.size), "sha256": .string(body.sha256), "text": JSONValue(body.text),
        "parts": .array(body.parts.map(\.json)),
      ],
      "arrived_ns": JSONValue(nanoseconds: arrived), "finished_ns": finished.map { JSONValue(nanoseconds: $0) } ?? .null,
      "status": JSONValue(status), "outcome": .string(outcome.rawValue),
    ]
  }
}

extension SandboxRecord.Part {
  var json: JSONValue {
    [
      "name": JSONValue(name), "filename": JSONValue(filename), "type": JSONValue(type), "size": JSONValue(size), "sha256": .string(sha256),
    ]
  }
}

extension ReceivedBody {
  private static let recordedTextLimit = 16 << 10

  /// Returns the part of a request's record that describes the body: its size and digest, its text if the body is short, and the parts of a
  /// multipart body.
  func record(type: MediaType?) -> SandboxRecord.Body {
    var body = SandboxRecord.Body()
    body.size = size
    body.sha256 = sha256
    if size <= Self.recordedTextLimit, type?.isTextual ?? true { body.text = text }
    body.parts = (parts ?? []).map {
      SandboxRecord.Part(name: $0.name, filename: $0.filename, type: $0.type, size: $0.size, sha256: $0.sha256)
    }
    return body
  }
}

extension TenantState {
  /// The state in the form that `GET /_sandbox/state` shows. It contains no tokens.
  var json: JSONValue {
    [
      "books": JSONValue(shop.books.count), "orders": JSONValue(shop.orders.count), "jobs": JSONValue(jobs.jobs.count),
      "counters": .object(JSONObject(counters.values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })),
      "tokens": ["issued": JSONValue(tokens.issued), "refreshed": JSONValue(tokens.refreshed), "live": JSONValue(tokens.count)],
    ]
  }
}
