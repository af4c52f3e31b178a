import Glibc

/// The system's words for an error number: `No such file or directory`.
package func systemMessage(_ number: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    // POSIX's variant, the one that Swift imports: it fills the buffer.
    guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else { return "error \(number)" }
    return String(cString: base)
  }
}
