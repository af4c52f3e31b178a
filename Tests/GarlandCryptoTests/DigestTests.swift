import Testing

@testable import GarlandCrypto

@Suite struct DigestTests {
  /// The examples are those of FIPS 180 and RFC 1321.
  static let vectors: [(DigestAlgorithm, String, String)] = [
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (.sha512_256, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    (.sha512_256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
  ]

  @Test(arguments: vectors) func `for each hash algorithm, the hash of a text equals the value in the algorithm's standard`(
    algorithm: DigestAlgorithm, text: String, expected: String
  )
    throws
  {
    let digest = try Digest(of: text.utf8, using: algorithm)
    #expect(digest.hex == expected)
    #expect(digest.bytes.count == algorithm.byteCount)
  }

  @Test(arguments: vectors) func `hashing a text byte by byte gives the digest of the whole text`(
    algorithm: DigestAlgorithm, text: String, expected: String
  ) throws {
    let hasher = try DigestHasher(algorithm)
    for byte in text.utf8 { try hasher.update(CollectionOfOne(byte)) }
    #expect(hasher.byteCount == UInt64(text.utf8.count))
    #expect(try hasher.finish().hex == expected)
  }

  /// FIPS 180's long example, which also shows that a hasher can be reused.
  @Test func `the digest of a long text is correct at the first and at the second use of a hasher`() throws {
    let hasher = try DigestHasher(.sha256)
    let piece = [UInt8](repeating: 0x61, count: 10_000)
    for _ in 0..<2 {
      for index in 0..<100 {
        if index.isMultiple(of: 2) {
          try hasher.update(piece)
        } else {
          try piece.withUnsafeBytes { try hasher.update($0) }
        }
      }
      #expect(try hasher.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
      #expect(hasher.byteCount == 0)
    }
  }

  @Test func `an OpenSSL error is described in a sentence`() {
    #expect(CryptoError(operation: "MD5", reasons: ["unsupported"]).description == "MD5 failed in OpenSSL: unsupported")
    #expect(CryptoError(operation: "MD5").description == "MD5 failed in OpenSSL")
  }
}
