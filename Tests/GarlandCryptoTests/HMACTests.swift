import GarlandCrypto
import Testing

@Suite struct HMACTests {
  struct Vector: Sendable {
    let key: [UInt8]
    let message: [UInt8]
    let algorithm: DigestAlgorithm
    let expected: String

    init(_ algorithm: DigestAlgorithm, key: [UInt8], message: [UInt8], _ expected: String) {
      self.algorithm = algorithm
      self.key = key
      self.message = message
      self.expected = expected
    }
  }

  /// The test vectors of RFC 4231 (SHA-2) and RFC 2202 (SHA-1, MD5).
  static let vectors = [
    Vector(
      .sha256, key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      .sha512, key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"),
    Vector(
      .sha256, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      .sha256, key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      .sha256, key: [UInt8](repeating: 0xAA, count: 131), message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      .sha1, key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
    Vector(
      .sha1, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    Vector(.md5, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8), "750c783e6ab0b503eaa86e310a5db738"),
    Vector(.sha256, key: [], message: [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ]

  @Test(arguments: vectors) func `an HMAC equals the example in RFC 4231 or RFC 2202`(vector: Vector) throws {
    #expect(try HMAC.authenticate(vector.message, key: vector.key, using: vector.algorithm).hex == vector.expected)
  }
}
