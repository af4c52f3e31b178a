import COpenSSL

/// Converts between the two forms of an ECDSA signature: JSON Web Signatures contain r and s concatenated,
/// each padded to the curve's size; OpenSSL uses a DER sequence.
enum ECDSASignature {
  /// Returns the DER sequence of r and s, which `raw` contains concatenated; nil if there is not enough memory.
  static func encode(_ raw: [UInt8]) -> [UInt8]? {
    let width = raw.count / 2
    guard let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let halves = raw.withUnsafeBufferPointer { raw -> (OpaquePointer?, OpaquePointer?) in
      guard let start = raw.baseAddress else { return (nil, nil) }
      return (BN_bin2bn(start, Int32(width), nil), BN_bin2bn(start + width, Int32(width), nil))
    }
    guard let r = halves.0, let s = halves.1, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(halves.0)
      BN_free(halves.1)
      return nil
    }
    var output: UnsafeMutablePointer<UInt8>?
    let count = i2d_ECDSA_SIG(signature, &output)
    guard count > 0, let output else { return nil }
    defer { CRYPTO_free(output, #file, #line) }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }

  /// Reads the two numbers of a signature, r and s, from a DER sequence. Returns the numbers concatenated, each padded to `width` bytes;
  /// nil if the sequence is invalid.
  static func decode(_ encoded: [UInt8], width: Int) -> [UInt8]? {
    encoded.withUnsafeBufferPointer { encoded in
      var next = encoded.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &next, encoded.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      var raw = [UInt8](repeating: 0, count: width * 2)
      let isWhole = raw.withUnsafeMutableBufferPointer { raw in
        guard let start = raw.baseAddress else { return false }
        return BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, Int32(width)) >= 0
          && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + width, Int32(width)) >= 0
      }
      return isWhole ? raw : nil
    }
  }
}
