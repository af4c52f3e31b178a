import GarlandCrypto

/// Reads a whole body before it is sent, to compute its digests or length. Does not run on the
/// engine's thread.
struct PayloadPass: Sendable {
  /// The known facts about a body as sent.
  struct Facts: Sendable, Hashable {
    var length: Int64 = 0
    /// The digests in hexadecimal.
    var digests: [DigestAlgorithm: String] = [:]

    /// Whether all these digests are known.
    func hold(_ algorithms: Set<DigestAlgorithm>) -> Bool { algorithms.allSatisfy { digests[$0] != nil } }
  }

  private static let pieceSize = 256 << 10

  let body: TransferBody
  let compression: RequestCompression?
  let algorithms: Set<DigestAlgorithm>

  func run() async -> Result<Facts, NetworkingError> {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    do throws(NetworkingError) {
      guard let reader = try body.reader(compressedBy: compression, onReady: { signal.yield() }) else { return .success(Facts()) }
      defer { reader.close() }
      var hashers: [DigestHasher] = []
      do {
        for algorithm in algorithms { hashers.append(try DigestHasher(algorithm)) }
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
      var facts = Facts()
      var iterator = signals.makeAsyncIterator()
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
      defer { buffer.deallocate() }
      while !Task.isCancelled {
        switch reader.read(into: buffer) {
        case .bytes(let count):
          facts.length += Int64(count)
          do {
            for hasher in hashers { try hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
          } catch {
            throw NetworkingError(.unsupported("\(error)"))
          }
          await Task.yield()
        case .wait: await iterator.next()
        case .failed(let reason): throw NetworkingError(reason)
        case .end:
          do {
            for hasher in hashers { facts.digests[hasher.algorithm] = try hasher.finish().hex }
          } catch {
            throw NetworkingError(.unsupported("\(error)"))
          }
          return .success(facts)
        }
      }
      throw NetworkingError(.cancelled)
    } catch {
      return .failure(error)
    }
  }
}
