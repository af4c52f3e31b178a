import CCurl
import Glibc

/// The memory that this process may still use under a limit of its address space (`ulimit -v`) or its data (`ulimit -d`).
///
/// Swift ends a process whose allocation fails, so code that needs much memory checks this first. The check is
/// not a guarantee: other allocations of the same step, and those of other threads, are not counted.
package enum AddressSpace {
  /// The minimum number of bytes for which the limits are checked; checking them for fewer bytes is not worth the time.
  private static let least = 1 << 20
  /// The minimum number of bytes that must stay free for all other allocations.
  private static let leastReserve = 16 << 20

  /// A limit of this process.
  private struct Limit {
    let bytes: Int
    /// The index of the number in `/proc/self/statm` that the limit applies to.
    let field: Int
    let command: String
    /// The number of bytes that must stay free for all other allocations, such as copies of values, and the work of other steps.
    var reserve: Int { max(leastReserve, bytes / 4) }

    /// Reads a limit from the system. Returns nil if there is no limit.
    init?(_ resource: UInt32, field: Int, command: String) {
      var value = rlimit()
      guard getrlimit(__rlimit_resource_t(resource), &value) == 0, value.rlim_cur != rlim_t.max else { return nil }
      bytes = Int(clamping: value.rlim_cur)
      self.field = field
      self.command = command
    }
  }

  /// The limits of this process, which are read from the system once.
  private static let limits = [
    Limit(RLIMIT_AS.rawValue, field: 0, command: "ulimit -v"), Limit(RLIMIT_DATA.rawValue, field: 5, command: "ulimit -d"),
  ].compactMap { $0 }

  /// Makes all threads share the C library's memory if this process has a limit. Otherwise the C library
  /// would reserve 64 MiB for each thread. Without space for that, it would use a whole page for each small
  /// allocation.
  package static func share() {
    if !limits.isEmpty { mallopt(M_ARENA_MAX, 1) }
  }

  /// Returns a message if there is no memory for the given number of bytes; otherwise nil.
  package static func shortage(of bytes: Int) -> String? { shortage(of: { bytes }, for: bytes) }

  /// Returns a message if there is not enough memory; otherwise nil.
  ///
  /// The number of bytes is computed only if the limits are checked, since the computation takes a while.
  ///
  /// - Parameters:
  ///   - bytes: Computes the number of bytes that are needed.
  ///   - size: The size of the data for which the bytes are needed. For small data the limits are not checked.
  package static func shortage(of bytes: () -> Int, for size: Int) -> String? {
    guard !limits.isEmpty, size >= least / 16, let used else { return nil }
    let wanted = bytes()
    guard wanted >= least else { return nil }
    for limit in limits where limit.field < used.count {
      let left = limit.bytes - used[limit.field] - limit.reserve
      if wanted > left {
        return "about \((wanted >> 20) + 1) MiB of memory are needed, and \(max(0, left) >> 20) MiB are left (`\(limit.command)`)"
      }
    }
    return nil
  }

  /// The numbers of `/proc/self/statm` in bytes, without free blocks of the allocator.
  private static var used: [Int]? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let free = Int(mallinfo2().fordblks)
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    return buffer.prefix(count).split(separator: UInt8(ascii: " ")).compactMap { digits in
      Int(String(decoding: digits, as: UTF8.self)).map { $0 * pageSize - free }
    }
  }
}
