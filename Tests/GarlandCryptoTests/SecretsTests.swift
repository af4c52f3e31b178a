import GarlandCrypto
import Testing

@Suite struct SecretsTests {
  @Test func `the constant-time comparison finds a difference in any one byte`() {
    let secret = Array("correct horse battery staple".utf8)
    #expect(constantTimeEqual(secret, secret))
    #expect(constantTimeEqual([], [UInt8]()))
    #expect(!constantTimeEqual(secret, secret.dropLast()))
    for index in secret.indices {
      var other = secret
      other[index] ^= 1
      #expect(!constantTimeEqual(secret, other))
    }
    #expect(constantTimeEqual(secret.lazy.map { $0 }, secret), "a collection without storage of its own is compared too")
  }

  @Test func `two calls for random bytes return different bytes of the requested length`() throws {
    #expect(try SecureRandom.bytes(0).isEmpty)
    #expect(try SecureRandom.bytes(-1).isEmpty)
    let first = try SecureRandom.bytes(32)
    #expect(first.count == 32)
    #expect(try first != SecureRandom.bytes(32))
  }
}
