import Synchronization

/// The memory that this process may still use, for code whose need of memory depends on data of another party.
///
/// Swift ends a process whose allocation fails. Therefore such code asks first: ``Computation/allocate(_:_:)`` before each large block, and
/// every ``Computation`` regularly during its work. Until ``limit(by:)`` is called, memory counts as unlimited, and asking only reads a flag.
package struct MemorySupply: Sendable {
  /// The minimum size in bytes of a block for which the free memory is checked. Smaller blocks are allocated without a check, and must fit
  /// into the memory that the process keeps in reserve.
  package static let leastBlock = 1 << 20

  private static let limited = Atomic<Bool>(false)
  private static let current = Mutex<MemorySupply?>(nil)

  private let shortage: @Sendable () -> String?
  private let allocate: @Sendable (_ bytes: Int, _ body: () -> Void) -> String?

  /// Creates the supply of a process with limited memory. Each of the two functions can return an error message, which is a part of a
  /// sentence.
  ///
  /// - Parameters:
  ///   - shortage: Returns a message if so little memory is left that running computations must end; otherwise nil.
  ///   - allocate: If a block of the given number of bytes fits into the memory, calls the function that it receives, which allocates the
  ///     block, and returns nil. Otherwise returns a message.
  package init(
    shortage: @escaping @Sendable () -> String?, allocate: @escaping @Sendable (_ bytes: Int, _ body: () -> Void) -> String?
  ) {
    self.shortage = shortage
    self.allocate = allocate
  }

  /// Declares that the memory of this process is limited.
  package static func limit(by supply: MemorySupply) {
    current.withLock { $0 = supply }
    limited.store(true, ordering: .releasing)
  }

  /// Whether the memory of this process is limited.
  package static var isLimited: Bool { limited.load(ordering: .acquiring) }

  /// A message if so little memory is left that running computations must end; otherwise nil.
  static var shortage: String? { isLimited ? current.withLock { $0 }?.shortage() : nil }

  /// If a block of `bytes` bytes fits into the memory, calls `body`, which allocates the block; afterwards, returns nil. If the block does
  /// not fit, returns a message and does not call `body`.
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
