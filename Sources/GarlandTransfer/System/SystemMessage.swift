import Glibc

/// Returns the system's message for an error number, for example `No such file or directory`.
package func systemMessage(_ number: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    // Swift imports the POSIX variant of this function, which fills the buffer.
    guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else { return "error \(number)" }
    return String(cString: base)
  }
}
