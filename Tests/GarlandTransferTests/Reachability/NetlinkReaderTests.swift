import CNetlink
import Glibc
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct NetlinkReaderTests {
  /// Builds messages in the kernel's format (rtnetlink(7)).
  enum Kernel {
    static func bytes(_ number: some FixedWidthInteger & BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
      let bytes = bytes(UInt16(4 + value.count)) + bytes(type) + value
      return bytes + [UInt8](repeating: 0, count: NetlinkReader.aligned(bytes.count) - bytes.count)
    }

    static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
      let bytes = bytes(UInt32(16 + body.count)) + bytes(type) + bytes(UInt16(0)) + bytes(UInt32(1)) + bytes(UInt32(0)) + body
      return bytes + [UInt8](repeating: 0, count: NetlinkReader.aligned(bytes.count) - bytes.count)
    }

    static func link(_ index: Int32, _ name: String, flags: UInt32) -> [UInt8] {
      message(
        garland_rtm_newlink,
        [0, 0, 0, 0] + bytes(index) + bytes(flags) + bytes(UInt32(0)) + attribute(garland_ifla_ifname, Array(name.utf8) + [0]))
    }

    static func route(_ family: Int32, bits: UInt8, type: UInt8, flags: UInt32 = 0, _ attributes: [UInt8]...) -> [UInt8] {
      message(garland_rtm_newroute, [UInt8(family), bits, 0, 0, 254, 4, 0, type] + bytes(flags) + attributes.flatMap { $0 })
    }
  }

  @Test func `netlink messages about network interfaces are parsed`() {
    let up = garland_iff_up | garland_iff_running
    let bytes =
      Kernel.link(2, "eth0", flags: up) + Kernel.link(1, "lo", flags: up | garland_iff_loopback)
      + Kernel.link(3, "tun7", flags: garland_iff_up)
    #expect(
      NetlinkReader.messages(in: bytes) == [
        .link(NetworkLink(index: 2, name: "eth0", isUsable: true, isLoopback: false)),
        .link(NetworkLink(index: 1, name: "lo", isUsable: true, isLoopback: true)),
        .link(NetworkLink(index: 3, name: "tun7", isUsable: false, isLoopback: false)),
      ])
    #expect(
      NetlinkReader.messages(in: Kernel.message(garland_rtm_dellink, [0, 0, 0, 0] + Kernel.bytes(Int32(7)))) == [.linkRemoved(index: 7)])
  }

  @Test func `a netlink message about a network route is parsed`() throws {
    let gateway = try #require(IPAddress("192.168.1.1"))
    let bytes =
      Kernel.route(
        AF_INET, bits: 0, type: garland_rtn_unicast, Kernel.attribute(garland_rta_gateway, gateway.bytes),
        Kernel.attribute(garland_rta_oif, Kernel.bytes(Int32(2))))
      + Kernel.route(
        AF_INET, bits: 8, type: garland_rtn_local, Kernel.attribute(garland_rta_dst, [127, 0, 0, 1]),
        Kernel.attribute(garland_rta_oif, Kernel.bytes(Int32(1))))
      + Kernel.route(AF_INET6, bits: 0, type: 7)
    let messages = NetlinkReader.messages(in: bytes)
    #expect(messages.count == 3)
    guard case .route(let first) = messages[0], case .route(let second) = messages[1], case .route(let third) = messages[2] else {
      Issue.record("\(messages)")
      return
    }
    #expect(first.isDefault && first.gateway == gateway && first.interfaces == [2])
    #expect(!second.isDefault && second.kind == .local && second.destination == IPAddress("127.0.0.1"))
    // An IPv6 `unreachable default` is not a default route.
    #expect(!third.isDefault && third.kind == .refused && third.isIPv6)
  }

  @Test func `a network route whose prefix has only a few bits counts as a default route`() {
    for (family, bits, isDefault) in [
      (AF_INET, 0, true), (AF_INET, 1, true), (AF_INET, 8, false), (AF_INET6, 3, true), (AF_INET6, 64, false),
    ] {
      let bytes = Kernel.route(
        family, bits: UInt8(bits), type: garland_rtn_unicast, Kernel.attribute(garland_rta_oif, Kernel.bytes(Int32(2))))
      guard case .route(let route)? = NetlinkReader.messages(in: bytes).first else {
        Issue.record("\(bits) bits")
        continue
      }
      #expect(route.isDefault == isDefault, "\(bits) bits")
    }
  }

  @Test func `if the kernel marks a next hop of a network route as dead, this next hop is ignored`() {
    func hop(_ index: Int32, flags: UInt8) -> [UInt8] {
      let gateway = Kernel.attribute(garland_rta_gateway, [10, 0, 0, 1])
      return Kernel.bytes(UInt16(8 + gateway.count)) + [flags, 0] + Kernel.bytes(index) + gateway
    }
    let dead = UInt8(garland_rtnh_unusable & 1)
    let several = Kernel.route(
      AF_INET, bits: 0, type: garland_rtn_unicast, Kernel.attribute(garland_rta_multipath, hop(4, flags: dead) + hop(5, flags: 0)))
    let alone = Kernel.route(
      AF_INET, bits: 0, type: garland_rtn_unicast, flags: garland_rtnh_unusable, Kernel.attribute(garland_rta_oif, Kernel.bytes(Int32(6))))
    let interfaces = NetlinkReader.messages(in: several + alone).map { message -> [Int32] in
      if case .route(let route) = message { route.interfaces } else { [-1] }
    }
    #expect(interfaces == [[5], []])
    guard case .route(let route)? = NetlinkReader.messages(in: alone).first else { return }
    #expect(route.idleInterfaces == [6])
  }

  @Test func `a kernel message (netlink) that reports an error or ends a list of messages is parsed`() {
    let error = Kernel.message(garland_nlmsg_error, Kernel.bytes(-ENETUNREACH) + [UInt8](repeating: 0, count: 16))
    #expect(NetlinkReader.messages(in: error) == [.failure(ENETUNREACH)])
    #expect(NetlinkReader.messages(in: Kernel.message(garland_nlmsg_done, Kernel.bytes(Int32(0)))) == [.done])
    #expect(NetlinkReader.messages(in: Kernel.message(999, [])) == [.other(999)])
    #expect(NetlinkReader.messages(in: []) == [])
    #expect(NetlinkMessage.overrun.isChange && !NetlinkMessage.done.isChange)
  }

  /// Parsing any bytes ends and stays within bounds.
  @Test func `random netlink messages never crash the parser`() {
    var generator = SeededRandom(seed: 11)
    let seed =
      Kernel.link(2, "eth0", flags: 0x41)
      + Kernel.route(
        AF_INET, bits: 0, type: garland_rtn_unicast, Kernel.attribute(garland_rta_gateway, [10, 0, 0, 1]),
        Kernel.attribute(garland_rta_multipath, Kernel.bytes(UInt16(8)) + [0, 0] + Kernel.bytes(Int32(3))))
      + Kernel.message(garland_nlmsg_error, Kernel.bytes(Int32.min))
    for _ in 0..<WireFuzzTests.rounds {
      var bytes = seed
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / Int.random(in: 1...8, using: &generator))
      let messages = NetlinkReader.messages(in: bytes)
      #expect(messages.count <= bytes.count / 16)
    }
  }

  /// Uses the real kernel. This machine is reachable with any network.
  @Test func `a reachability check with the real kernel finds that 'localhost' is reachable`() async {
    let status = await Reachability(host: "127.0.0.1").status
    #expect(status.isReachable && status.description == "reachable on this machine")
    #expect(Reachability(host: "localhost").immediateStatus.isReachable)
  }
}
