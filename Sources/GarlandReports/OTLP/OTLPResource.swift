/// The program and the machine that an OTLP trace names as its source.
package struct OTLPResource: Sendable {
  /// The name of the program that reports the trace.
  package var program: String
  /// The version of the program that reports the trace.
  package var version: String
  /// The name of the machine; if nil, the trace contains no machine name.
  package var hostname: String?

  /// Creates a resource from the values of its properties.
  package init(program: String, version: String, hostname: String?) {
    self.program = program
    self.version = version
    self.hostname = hostname
  }

  /// Returns the bytes of an OTLP message that come before its spans, and the bytes that come after its spans.
  func message(_ mask: Mask) -> (head: [UInt8], tail: [UInt8]) {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      var attributes = OTLPAttributes()
      attributes.add("service.name", program)
      attributes.add("service.version", version)
      attributes.add("host.name", hostname)
      attributes.write(in: &json)
    }
    let head = Array("{\"resourceSpans\":[{\"resource\":".utf8) + writer.bytes
    var scope = JSONWriter(mask: mask)
    scope.object { json in
      json.member("name", program)
      json.member("version", version)
    }
    return (
      head + Array(",\"scopeSpans\":[{\"scope\":".utf8) + scope.bytes + Array(",\"schemaUrl\":\"\(Self.conventions)\",\"spans\":[".utf8),
      Array("]}]}]}".utf8)
    )
  }

  /// The URL of the semantic conventions that define the names of attributes.
  private static let conventions = "https://opentelemetry.io/schemas/1.37.0"
}
