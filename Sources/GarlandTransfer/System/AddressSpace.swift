import CCurl
import Glibc

/// How much address space this process may still use under a limit (`ulimit -v`).
///
/// Swift ends a process whose allocation fails, so code that needs much memory calls this first.
/// Other allocations of a step are not counted, nor those of other threads: this is no guarantee.
package enum AddressSpace {
  /// Less than this is not worth a look.
  private static let least = 1 << 20
  /// The bytes that are left for all other allocations.
  private static let reserve = 16 << 20

  /// In bytes; nil if there is none. It is asked for once.
  private static let limit: Int? = {
    var space = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur != rlim_t.max else { return nil }
    return Int(clamping: space.rlim_cur)
  }()

  /// Whether somebody has limited it.
  package static var isLimited: Bool { limit != nil }

  /// Sees to it that threads share their memory: the C library would reserve 64 MiB for each, and where there is no room for that a page for each small piece.
  package static func share() {
    if isLimited { mallopt(M_ARENA_MAX, 1) }
  }

  /// Why there is no room for so many bytes; nil if there is.
  package static func shortage(of bytes: Int) -> String? { shortage(of: { bytes }, for: bytes) }

  /// Returns the shortage for a need that takes a while to compute.
  ///
  /// - Parameters:
  ///   - bytes: how many are needed.
  ///   - size: the size of what they are needed for: if it is small, the limit is not checked.
  package static func shortage(of bytes: () -> Int, for size: Int) -> String? {
    guard let limit, size >= least / 16, let used else { return nil }
    let wanted = bytes()
    let left = limit - used - reserve
    guard wanted >= least, wanted > left else { return nil }
    return "about \((wanted >> 20) + 1) MiB of memory are needed, and \(max(0, left) >> 20) MiB are left (`ulimit -v`)"
  }

  /// The address space that the process has, without its free pieces.
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
