import COpenSSL
import GarlandText

/// Returns whether two byte strings are equal, in a time that depends only on their lengths.
///
/// Use it to compare received bytes with a secret: a signature, a token, a password. If the lengths differ,
/// it returns false immediately.
public func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  if left.isEmpty { return true }
  return withContiguousBytes(left) { left in
    withContiguousBytes(right) { right in
      CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}
