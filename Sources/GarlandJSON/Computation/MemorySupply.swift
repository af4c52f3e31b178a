import Synchronization

/// The memory that this process may still use. Code that reads data from another party, such as a server, checks this memory before it
/// allocates: the other party determines the size of the data, and Swift ends a process whose allocation fails.
///
/// ``Computation/allocate(_:_:)`` checks before each large block. Each ``Computation`` also checks regularly during its work. Until
/// ``limit(by:)`` is called, memory counts as unlimited, and a check only reads a flag.
package struct MemorySupply: Sendable {
  /// The minimum size in bytes of a block for which the free memory is checked. Smaller blocks are allocated without a check, and must fit
  /// into the memory that the process keeps in reserve.
  package static let leastBlock = 1 << 20

  private static let limited = Atomic<Bool>(false)
  private static let current = Mutex<MemorySupply?>(nil)

  private let shortage: @Sendable () -> String?
  private let allocate: @Sendable (_ bytes: Int, _ body: () -> Void) -> String?

  /// Creates a memory supply for a process whose memory is limited. Both closures can return an error message, which the caller inserts
  /// into a sentence.
  ///
  /// - Parameters:
  ///   - shortage: Returns a message if so little memory is left that running computations must end; otherwise nil.
  ///   - allocate: Receives a number of bytes, and a closure `body` that allocates a block of this size. If the block fits into the memory,
  ///     calls `body` and returns nil. Otherwise returns a message.
  package init(
    shortage: @escaping @Sendable () -> String?, allocate: @escaping @Sendable (_ bytes: Int, _ body: () -> Void) -> String?
  ) {
    self.shortage = shortage
    self.allocate = allocate
  }

  /// Limits the memory of this process. From now on, computations ask `supply` whether enough memory is left.
  package static func limit(by supply: MemorySupply) {
    current.withLock { $0 = supply }
    limited.store(true, ordering: .releasing)
  }

  /// Whether the memory of this process is limited.
  package static var isLimited: Bool { limited.load(ordering: .acquiring) }

  /// A message if so little memory is left that running computations must end; otherwise nil.
  static var shortage: String? { isLimited ? current.withLock { $0 }?.shortage() : nil }

  /// Calls `body`, which allocates a block of `bytes` bytes. If the block does not fit into the memory, does not call `body` and returns a
  /// message. Otherwise returns nil.
  package static func allocate(_ bytes: Int, _ body: () -> Void) -> String? {
    guard bytes >= leastBlock, isLimited, let supply = current.withLock({ $0 }) else {
      body()
      return nil
    }
    return supply.allocate(bytes, body)
  }

  /// Returns a message if a block of `bytes` bytes does not fit into the memory; otherwise nil.
  package static func shortage(of bytes: Int) -> String? { allocate(bytes) {} }
}
