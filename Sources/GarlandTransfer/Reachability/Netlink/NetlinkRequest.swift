import CNetlink
import Glibc

/// Builds the messages that query the kernel.
enum NetlinkRequest {
  /// A query for all network interfaces (links).
  static var links: [UInt8] { message(garland_rtm_getlink, garland_nlm_dump, interfaceHeader(index: 0)) }

  /// Returns a query for the network interface (link) with the given index.
  static func link(_ index: Int32) -> [UInt8] { message(garland_rtm_getlink, garland_nlm_request, interfaceHeader(index: index)) }

  /// Returns a query for all routes of IPv4 or IPv6.
  static func routes(isIPv6: Bool) -> [UInt8] { message(garland_rtm_getroute, garland_nlm_dump, routeHeader(isIPv6: isIPv6, bits: 0)) }

  /// Returns a query for the route of a packet to an address.
  static func route(to address: IPAddress) -> [UInt8] {
    var body = routeHeader(isIPv6: address.isIPv6, bits: UInt8(address.bytes.count * 8))
    append(UInt16(4 + address.bytes.count), to: &body)
    append(garland_rta_dst, to: &body)
    body += address.bytes
    return message(garland_rtm_getroute, garland_nlm_request, body)
  }

  private static func interfaceHeader(index: Int32) -> [UInt8] {
    var header: [UInt8] = [UInt8(AF_UNSPEC), 0, 0, 0]
    append(index, to: &header)
    append(UInt32(0), to: &header)
    append(UInt32(0), to: &header)
    return header
  }

  private static func routeHeader(isIPv6: Bool, bits: UInt8) -> [UInt8] {
    [UInt8(isIPv6 ? AF_INET6 : AF_INET), bits] + [UInt8](repeating: 0, count: 10)
  }

  private static func message(_ type: UInt16, _ flags: UInt16, _ body: [UInt8]) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(16 + body.count)
    append(UInt32(16 + body.count), to: &message)
    append(type, to: &message)
    append(flags, to: &message)
    append(UInt32(1), to: &message)
    append(UInt32(0), to: &message)
    return message + body
  }

  private static func append(_ number: some FixedWidthInteger & BitwiseCopyable, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes += $0 }
  }
}
