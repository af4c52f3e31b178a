import GarlandCrypto
import GarlandText
import GarlandTransfer
import TestSupport

/// A WebSocket server whose every frame the test decides.
package final class FrameServer: Sendable {
  /// A frame of the client, unmasked.
  package struct Frame: Sendable, Hashable {
    package let opcode: UInt8
    package let payload: [UInt8]
    package var isFinal = true
    package var isCompressed = false

    package init(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false) {
      self.opcode = opcode
      self.payload = payload
      self.isFinal = isFinal
      self.isCompressed = isCompressed
    }

    /// The frame of a server. Reserved bits are those of a byte.
    package func bytes(reserved: UInt8 = 0) -> [UInt8] {
      let first = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | reserved | opcode
      let length: [UInt8] =
        switch payload.count {
        case ...125: [UInt8(payload.count)]
        case ...0xFFFF: [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
      return [first] + length + payload
    }
  }

  /// One connection, after the handshake.
  package struct Peer {
    package let head: String
    private let connection: RawConnection

    init(_ connection: RawConnection, head: String) {
      self.connection = connection
      self.head = head
    }

    @discardableResult package func send(_ bytes: [UInt8]) -> Bool { connection.send(bytes) }
    @discardableResult package func send(_ frame: Frame) -> Bool { connection.send(frame.bytes()) }
    package func close() { connection.close() }
    package func pause(_ duration: Duration) { connection.pause(duration) }

    /// Reads a frame; nil at the end. A client's frame that is not masked counts as the end.
    package func read() -> Frame? {
      let start = connection.read(2)
      guard start.count == 2, start[1] & 0x80 != 0 else { return nil }
      let short = Int(start[1] & 0x7F)
      let size = short == 126 ? 2 : short == 127 ? 8 : 0
      let length = size == 0 ? short : connection.read(size).reduce(0) { $0 << 8 | Int($1) }
      let mask = connection.read(4)
      guard mask.count == 4 else { return nil }
      var payload = connection.read(length)
      guard payload.count == length else { return nil }
      payload.withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] ^= mask[index & 3] } }
      return Frame(start[0] & 0x0F, payload, isFinal: start[0] & 0x80 != 0, isCompressed: start[0] & 0x40 != 0)
    }

    /// Reads all frames to the end of the connection.
    package func readAll() -> [Frame] {
      var frames: [Frame] = []
      while let frame = read() { frames.append(frame) }
      return frames
    }
  }

  private let server: RawServer
  package var port: UInt16 { server.port }
  /// The number of connections so far.
  package var connectionCount: Int { server.connectionCount }

  /// - Parameters:
  ///   - fields: lines that are added to the response.
  ///   - handler: what to do with a connection after the handshake.
  package init(fields: [String] = [], _ handler: @escaping @Sendable (Peer) -> Void) throws {
    server = try RawServer { connection in
      let head = connection.readHead()
      let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }?.dropFirst(18) ?? ""
      let text = key.drop { $0 == " " } + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
      guard let digest = try? Digest(of: Array(text.utf8), using: .sha1) else { return }
      let lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"]
      let accept = "Sec-WebSocket-Accept: \(Base64.encode(digest.bytes))"
      connection.send((lines + [accept] + fields).map { $0 + "\r\n" }.joined() + "\r\n")
      handler(Peer(connection, head: head))
    }
  }
}
