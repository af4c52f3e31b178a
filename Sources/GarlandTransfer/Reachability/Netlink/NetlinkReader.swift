import CNetlink
import Glibc

/// Parses the data of a netlink socket. The data is not trusted: truncated or contradictory messages are
/// skipped.
enum NetlinkReader {
  /// Returns the messages in a netlink datagram. Messages that have no case in ``NetlinkMessage`` are skipped.
  static func messages(in bytes: [UInt8]) -> [NetlinkMessage] {
    bytes.withUnsafeBytes { buffer in
      var messages: [NetlinkMessage] = []
      var offset = 0
      // A message begins with a struct nlmsghdr (length, type, flags, sequence and port). The next message is aligned to four bytes.
      while let length = buffer.value(at: offset, as: UInt32.self), let type = buffer.value(at: offset + 4, as: UInt16.self),
        length >= 16, Int(length) <= buffer.count - offset
      {
        let payload = UnsafeRawBufferPointer(rebasing: buffer[(offset + 16)..<(offset + Int(length))])
        if let message = message(type, payload) { messages.append(message) }
        offset += aligned(Int(length))
        if offset >= buffer.count { break }
      }
      return messages
    }
  }

  private static func message(_ type: UInt16, _ payload: UnsafeRawBufferPointer) -> NetlinkMessage? {
    switch type {
    case garland_rtm_newlink: return link(payload).map(NetlinkMessage.link)
    case garland_rtm_dellink: return payload.value(at: 4, as: Int32.self).map { .linkRemoved(index: $0) }
    case garland_rtm_newaddr, garland_rtm_deladdr: return .addressChanged
    case garland_rtm_newroute: return route(payload).map(NetlinkMessage.route)
    case garland_rtm_delroute: return .routeRemoved
    case garland_nlmsg_done: return .done
    case garland_nlmsg_overrun: return .overrun
    case garland_nlmsg_error: return payload.value(at: 0, as: Int32.self).map { .failure($0 == .min ? .max : -$0) }
    default: return .other(type)
    }
  }

  /// Parses the message about a network interface (link). The message begins with a `struct ifinfomsg` (family, type, index, flags and
  /// change), and attributes follow.
  private static func link(_ payload: UnsafeRawBufferPointer) -> NetworkLink? {
    guard payload.count >= 16, let index = payload.value(at: 4, as: Int32.self), let flags = payload.value(at: 8, as: UInt32.self) else {
      return nil
    }
    var name = ""
    forEachAttribute(in: payload, from: 16) { type, value in
      if type == garland_ifla_ifname { name = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let usable = garland_iff_up | garland_iff_running
    return NetworkLink(index: index, name: name, isUsable: flags & usable == usable, isLoopback: flags & garland_iff_loopback != 0)
  }

  /// Parses the message about a route. The message begins with a `struct rtmsg` (family, bits of the destination, bits of the source, type
  /// of service, table, protocol, scope, type and flags), and attributes follow.
  private static func route(_ payload: UnsafeRawBufferPointer) -> NetworkRoute? {
    guard payload.count >= 12, let flags = payload.value(at: 8, as: UInt32.self) else { return nil }
    let family = Int32(payload[0])
    guard family == AF_INET || family == AF_INET6 else { return nil }
    let kind: NetworkRoute.Kind =
      switch payload[7] {
      case garland_rtn_unicast: .unicast
      case garland_rtn_local, garland_rtn_anycast: .local
      case garland_rtn_broadcast, garland_rtn_multicast: .group
      default: .refused
      }
    var route = NetworkRoute(isIPv6: family == AF_INET6, kind: kind, destinationBits: payload[1], interfaces: [])
    forEachAttribute(in: payload, from: 12) { type, value in
      switch type {
      case garland_rta_dst: route.destination = IPAddress(bytes: value)
      case garland_rta_gateway: route.gateway = IPAddress(bytes: value)
      case garland_rta_prefsrc: route.source = IPAddress(bytes: value)
      case garland_rta_oif:
        if let index = value.value(at: 0, as: Int32.self) { add(index, flags, to: &route) }
      case garland_rta_multipath: addHops(in: value, to: &route)
      default: break
      }
    }
    return route
  }

  /// Adds each next hop in a list to a route. A next hop is a `struct rtnexthop` (length, flags, hops and interface), followed by
  /// attributes.
  private static func addHops(in value: UnsafeRawBufferPointer, to route: inout NetworkRoute) {
    var offset = 0
    while let length = value.value(at: offset, as: UInt16.self), let index = value.value(at: offset + 4, as: Int32.self), length >= 8,
      Int(length) <= value.count - offset
    {
      add(index, UInt32(value[offset + 2]), to: &route)
      offset += aligned(Int(length))
    }
  }

  private static func add(_ index: Int32, _ flags: UInt32, to route: inout NetworkRoute) {
    if flags & garland_rtnh_unusable == 0 { route.interfaces.append(index) } else { route.idleInterfaces.append(index) }
  }

  /// Calls a closure with the type and the value of each attribute. An attribute is a `struct rtattr` (length and type), followed by its
  /// value. The two highest bits of the type are flags, which are not passed to the closure.
  private static func forEachAttribute(
    in payload: UnsafeRawBufferPointer, from start: Int, _ body: (UInt16, UnsafeRawBufferPointer) -> Void
  ) {
    var offset = start
    while let length = payload.value(at: offset, as: UInt16.self), let type = payload.value(at: offset + 2, as: UInt16.self), length >= 4,
      Int(length) <= payload.count - offset
    {
      body(type & 0x3FFF, UnsafeRawBufferPointer(rebasing: payload[(offset + 4)..<(offset + Int(length))]))
      offset += aligned(Int(length))
    }
  }

  static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

extension UnsafeRawBufferPointer {
  /// Reads a number in the machine's byte order; nil if it extends beyond the buffer.
  fileprivate func value<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return loadUnaligned(fromByteOffset: offset, as: type)
  }
}
