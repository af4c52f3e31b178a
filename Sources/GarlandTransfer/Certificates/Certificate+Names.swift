import COpenSSL
import Glibc

extension Certificate {
  /// The alternative names (RFC 5280, section 4.2.1.6), in the order of the certificate. Each is a host name (possibly with `*`), an address
  /// as text, a mail address or a URI.
  public var alternativeNames: [String] {
    final class Collector {
      var names: [String] = []
    }
    let collector = Collector()
    _ = Self.withParsed(der) { certificate in
      garland_alternative_names(certificate, Unmanaged.passUnretained(collector).toOpaque()) { context, kind, bytes, count in
        guard let context, let bytes, count >= 0 else { return }
        let data = UnsafeBufferPointer(start: bytes, count: Int(count))
        let text = kind == GEN_IPADD ? Certificate.address(data) : String(decoding: data, as: UTF8.self)
        if let text { Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().names.append(text) }
      }
    }
    return withExtendedLifetime(collector) { collector.names }
  }

  /// Formats an address of four or sixteen bytes; returns nil for any other length.
  private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    switch bytes.count {
    case 4: return bytes.map(String.init).joined(separator: ".")
    case 16:
      var storage = Array(bytes)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
        inet_ntop(AF_INET6, &storage, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
      }
    default: return nil
    }
  }
}
