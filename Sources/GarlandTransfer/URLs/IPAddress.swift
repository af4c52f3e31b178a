import Glibc

/// An IP address, of version 4 or 6.
///
/// ```swift
/// print(IPAddress("2001:DB8::0:1")?.description ?? "none")   // 2001:db8::1
/// ```
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The 4 or 16 bytes in network order.
  public let bytes: [UInt8]

  /// Parses an address; nil if it is invalid. An IPv6 address may have brackets.
  public init?(_ text: String) {
    var text = text
    if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") { text = String(text.dropFirst().dropLast()) }
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    bytes = withUnsafeBytes(of: six) { Array($0) }
  }

  /// Creates an address from 4 bytes (IPv4) or 16 bytes (IPv6). Returns nil for any other number of bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Whether the address is an IPv6 address.
  public var isIPv6: Bool { bytes.count == 16 }

  /// The address as text in its usual form (RFC 5952), without brackets.
  public var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      guard let base = buffer.baseAddress, inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, base, socklen_t(buffer.count)) != nil else {
        return ""
      }
      return String(cString: base)
    }
  }
}
