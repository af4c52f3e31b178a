import CCurl
import Glibc

/// The address space that this process may still use under a limit (`ulimit -v`).
///
/// Swift ends a process whose allocation fails, so code that needs much memory checks this first. The check is
/// not a guarantee: other allocations of the same step, and those of other threads, are not counted.
package enum AddressSpace {
  /// The minimum number of bytes for which the limit is checked; checking it for less is not worth the time.
  private static let least = 1 << 20
  /// The number of bytes that must stay free for all other allocations.
  private static let reserve = 16 << 20

  /// The limit of this process's address space in bytes; nil if the address space is unlimited. The limit is read from the system
  /// once.
  private static let limit: Int? = {
    var space = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur != rlim_t.max else { return nil }
    return Int(clamping: space.rlim_cur)
  }()

  /// Whether the address space of this process is limited.
  package static var isLimited: Bool { limit != nil }

  /// Makes all threads share the C library's memory if the address space is limited. Otherwise the C library
  /// would reserve 64 MiB for each thread. Without space for that, it would use a whole page for each small
  /// allocation.
  package static func share() {
    if isLimited { mallopt(M_ARENA_MAX, 1) }
  }

  /// Returns a message if the address space has no room for the given number of bytes; otherwise nil.
  package static func shortage(of bytes: Int) -> String? { shortage(of: { bytes }, for: bytes) }

  /// Returns a message if the address space has no room; otherwise nil.
  ///
  /// The number of bytes is computed only if the limit is checked, since the computation takes a while.
  ///
  /// - Parameters:
  ///   - bytes: Computes the number of bytes that are needed.
  ///   - size: The size of the data for which the bytes are needed. For small data the limit is not checked.
  package static func shortage(of bytes: () -> Int, for size: Int) -> String? {
    guard let limit, size >= least / 16, let used else { return nil }
    let wanted = bytes()
    let left = limit - used - reserve
    guard wanted >= least, wanted > left else { return nil }
    return "about \((wanted >> 20) + 1) MiB of memory are needed, and \(max(0, left) >> 20) MiB are left (`ulimit -v`)"
  }

  /// The number of bytes of address space that the process uses, without free blocks of the allocator.
  private static var used: Int? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0, let pages = Int(String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) else {
      return nil
    }
    return pages * sysconf(Int32(_SC_PAGESIZE)) - Int(mallinfo2().fordblks)
  }
}
