import CCurl
import GarlandJSON
import Glibc
import Synchronization

/// The memory that this process may still use under a limit of its address space (`ulimit -v`) or its data (`ulimit -d`).
///
/// Swift ends a process whose allocation fails, so code that needs much memory first checks whether enough memory is left. The checks leave
/// a reserve of memory free, for allocations without such a check and for simultaneous allocations of other threads.
package enum AddressSpace {
  /// The minimum size in bytes of an allocation for which the memory limits of the process are checked. For smaller allocations, the check
  /// would not be worth its time.
  private static let least = MemorySupply.leastBlock
  /// The smallest possible value of ``Limit/reserve`` in bytes.
  private static let leastReserve = 16 << 20
  /// The minimum number of bytes between the memory that this process has requested from the system and the memory limit of the process.
  /// These bytes are reserved for the stacks of new threads: a stack can't use free blocks of the allocator.
  private static let leastUntouched = 8 << 20

  /// A memory limit of this process, as `ulimit` sets it: for the address space, or for the data.
  private struct Limit {
    let bytes: Int
    /// The index of the number in `/proc/self/statm` that the limit applies to: 0 for the size of the address space, 5 for the size of the
    /// data.
    let field: Int
    let command: String
    /// The minimum number of bytes that must be free after an allocation that was checked. These bytes are reserved for allocations that
    /// are not checked, such as copies of values, and for other steps that run at the same time.
    var reserve: Int { max(leastReserve, bytes / 4) }
    /// The number of bytes that must stay free while a computation runs, such as the evaluation of an expression. This number is only half
    /// of ``reserve``, because a computation checks the free memory often.
    var leastLeft: Int { reserve / 2 }

    /// Reads a limit on the memory of this process from the system. Returns nil if there is no limit.
    init?(_ resource: UInt32, field: Int, command: String) {
      var value = rlimit()
      guard getrlimit(__rlimit_resource_t(resource), &value) == 0, value.rlim_cur != rlim_t.max else { return nil }
      bytes = Int(clamping: value.rlim_cur)
      self.field = field
      self.command = command
    }

    /// Returns an error message if fewer than `rest` bytes would stay free after the allocation of `wanted` bytes; otherwise nil.
    ///
    /// - Parameters:
    ///   - allocated: the number of bytes that have already been allocated for the same purpose.
    ///   - rest: the number of bytes that must stay free.
    ///   - sizes: the numbers of `/proc/self/statm`, which describe the memory of this process, in bytes.
    ///   - free: returns the number of bytes in free blocks of the allocator.
    func shortage(of wanted: Int, after allocated: Int, leaving rest: Int, _ sizes: [Int], free: () -> Int) -> String? {
      guard field < sizes.count else { return nil }
      let untouched = bytes - sizes[field]
      // Counting the free blocks takes much longer than the rest of the check.
      if untouched - wanted >= rest { return nil }
      let left = untouched + free()
      if untouched >= leastUntouched, left - wanted >= rest { return nil }
      let available = max(0, min(left - rest, untouched - leastUntouched) + allocated) >> 20
      return "about \(((wanted + allocated) >> 20) + 1) MiB of memory are needed, and \(available) MiB are left (`\(command)`)"
    }
  }

  /// The memory limits of this process, which are read from the system once.
  private static let limits = [
    Limit(RLIMIT_AS.rawValue, field: 0, command: "ulimit -v"), Limit(RLIMIT_DATA.rawValue, field: 5, command: "ulimit -d"),
  ].compactMap { $0 }

  /// Whether the system limits the size of this process's address space (`ulimit -v`) or data segment (`ulimit -d`).
  package static var isLimited: Bool { !limits.isEmpty }

  /// Prepares this process for its memory limits (`ulimit -v`, `ulimit -d`); does nothing without such limits. Afterwards the C library
  /// reserves less address space, and computations end when memory is short.
  package static func watch() {
    guard !limits.isEmpty else { return }
    // Otherwise the C library would reserve 64 MiB for each thread. Without space for that, it would use a whole page for each small
    // allocation.
    mallopt(M_ARENA_MAX, 1)
    // Large blocks go back to the system when they are freed. Otherwise the C library would keep them, and small blocks would divide them.
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    MemorySupply.limit(by: MemorySupply(shortage: { shortageDuringWork }, allocate: { shortage(ofBlock: $0, $1) }))
  }

  /// Returns a message if there is no memory for the given number of bytes; otherwise nil.
  package static func shortage(of bytes: Int) -> String? { shortage(of: { bytes }, for: bytes) }

  /// Returns a message if there is not enough memory for some data; otherwise nil.
  ///
  /// The call of `bytes` may take a while. So `bytes` is called only for large data, and only if the process has memory limits.
  ///
  /// - Parameters:
  ///   - bytes: Computes the number of needed bytes.
  ///   - size: The size in bytes of the data for which the memory is needed.
  package static func shortage(of bytes: () -> Int, for size: Int) -> String? {
    guard !limits.isEmpty, size >= least / 16, let sizes else { return nil }
    let wanted = bytes()
    guard wanted >= least else { return nil }
    return shortage(of: wanted, sizes) { $0.reserve }
  }

  private static func shortage(
    of wanted: Int, after allocated: Int = 0, _ sizes: [Int], patience: Duration = .zero, leaving rest: (Limit) -> Int
  ) -> String? {
    for limit in limits {
      let words = limit.shortage(of: wanted, after: allocated, leaving: rest(limit), sizes) { freeBytes(notOlderThan: patience) }
      if let words { return words }
    }
    return nil
  }

  /// A message if so little memory is left that running computations must end; otherwise nil.
  private static var shortageDuringWork: String? {
    guard let sizes else { return nil }
    // Small blocks that were taken since the free blocks were counted do no harm: the size of the process is known exactly.
    return shortage(of: 0, sizes, patience: .milliseconds(10)) { $0.leastLeft }
  }

  private static let turn = Mutex<UInt>(0)

  /// Calls `body`, which allocates a block of `bytes` bytes. If there is no memory for the block, returns a message without calling `body`;
  /// otherwise returns nil.
  ///
  /// Only one thread at a time checks the free memory and allocates. Otherwise two threads could count on the same free memory.
  package static func shortage(ofBlock bytes: Int, _ body: () -> Void) -> String? {
    guard !limits.isEmpty, bytes >= least else {
      body()
      return nil
    }
    return turn.withLock { address in
      // Free blocks are of no use if all of them are smaller, so the block is allocated on trial. Its pages are never used.
      guard let trial = malloc(bytes) else {
        let commands = limits.map { "`\($0.command)`" }.joined(separator: ", ")
        return "about \((bytes >> 20) + 1) MiB of memory are needed in one piece, and are not left (\(commands))"
      }
      // The compiler removes an allocation whose address nobody reads.
      address = UInt(bitPattern: trial)
      let words = sizes.flatMap { sizes in shortage(of: 0, after: bytes, sizes) { $0.reserve } }
      free(trial)
      if words == nil { body() }
      return words
    }
  }

  /// The numbers of `/proc/self/statm`, converted from pages to bytes; nil if the file cannot be read.
  private static var sizes: [Int]? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    return buffer.prefix(count).split(separator: UInt8(ascii: " ")).map { digits in
      digits.reduce(0) { (48...57).contains($1) ? $0 * 10 + Int($1 - 48) : $0 } * pageSize
    }
  }

  /// The number of bytes in free blocks of the allocator at the last count, and the time of this count; nil before the first count.
  private static let lastFree = Mutex<(bytes: Int, at: ContinuousClock.Instant)?>(nil)

  /// Returns the number of bytes in free blocks of the allocator. If the last count is younger than `age`, returns that count, since
  /// counting many blocks takes a while.
  private static func freeBytes(notOlderThan age: Duration) -> Int {
    lastFree.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last.at < age { return last.bytes }
      let bytes = Int(mallinfo2().fordblks)
      last = (bytes, now)
      return bytes
    }
  }
}
