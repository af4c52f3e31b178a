import CLoader
import GarlandTransfer
import Glibc
import Synchronization

/// A part of the memory of a process with a limit (`ulimit -v`, `ulimit -d`), kept for the time when all other memory is in use.
///
/// Swift ends a process whose allocation fails. In a process with a limit, this type therefore replaces the functions of the C library that
/// Swift allocates memory with. When an allocation fails for the first time, the reserve is given back to the system, the allocation is
/// tried again, and the run is interrupted as by a signal, so that it runs its cleanups and writes its reports.
enum MemoryReserve {
  private typealias Allocation = @convention(c) @Sendable (Int) -> UnsafeMutableRawPointer?
  private typealias AlignedAllocation = @convention(c) @Sendable (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int, Int) -> Int32

  /// The largest reserve. The end of a run needs less, but several threads may allocate memory at the same time.
  private static let most = 64 << 20
  /// The least memory, in addition to the stacks of threads, with which a command begins.
  private static let least = 8 << 20

  private static let malloc = dlsym(nil, "malloc").map { unsafeBitCast($0, to: Allocation.self) }
  private static let memalign = dlsym(nil, "posix_memalign").map { unsafeBitCast($0, to: AlignedAllocation.self) }
  /// The address and the size of the reserve; zero if there is none.
  private static let reserve = Mutex((address: UInt(0), size: 0))

  /// Keeps a reserve if the memory of this process is limited.
  ///
  /// - Parameter threads: the number of threads that the command may need at once.
  /// - Throws: an error if too little memory is left.
  static func keep(besides threads: Int) throws(CommandFailure) {
    guard let left = AddressSpace.left else { return }
    let free = left - threads * stackSize
    guard free >= least else {
      throw .local("only \(max(0, free) >> 20) MiB of memory are left; allow the process \(ThreadSupply.remedy)")
    }
    let size = min(most, free / 4)
    // The first use of each of these constants allocates memory, so it must not happen during an allocation.
    _ = MainLoop.shared
    guard malloc != nil, memalign != nil, let block = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      block != MAP_FAILED
    else { return }
    let address = UInt(bitPattern: block)
    reserve.withLock { $0 = (address, size) }
    let allocate: Allocation = { size in MemoryReserve.malloc?(size) ?? MemoryReserve.allocateAgain(size) }
    let allocateAligned: AlignedAllocation = { place, alignment, size in
      let status = MemoryReserve.memalign?(place, alignment, size) ?? ENOMEM
      return status == ENOMEM ? MemoryReserve.allocateAgain(place, alignment, size) : status
    }
    _ = garland_replace_function("malloc", unsafeBitCast(allocate, to: UnsafeMutableRawPointer.self))
    _ = garland_replace_function("posix_memalign", unsafeBitCast(allocateAligned, to: UnsafeMutableRawPointer.self))
  }

  /// The size of a thread's stack, unless the thread asks for another one.
  private static var stackSize: Int {
    var attributes = pthread_attr_t()
    var size = 0
    pthread_attr_init(&attributes)
    pthread_attr_getstacksize(&attributes, &size)
    pthread_attr_destroy(&attributes)
    return size
  }

  private static func allocateAgain(_ size: Int) -> UnsafeMutableRawPointer? {
    var address: UInt = 0
    _ = withReserve {
      address = UInt(bitPattern: malloc?(size))
      return address != 0
    }
    return UnsafeMutableRawPointer(bitPattern: address)
  }

  private static func allocateAgain(_ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ alignment: Int, _ size: Int) -> Int32 {
    withReserve { memalign?(place, alignment, size) == 0 } ? 0 : ENOMEM
  }

  /// Tries an allocation again that has failed; gives the reserve back to the system if it still fails. Returns whether it succeeds.
  private static func withReserve(_ attempt: () -> Bool) -> Bool {
    reserve.withLock { reserve in
      // Another thread may have given the reserve back, or have freed memory.
      if attempt() { return true }
      guard reserve.address != 0 else { return false }
      munmap(UnsafeMutableRawPointer(bitPattern: reserve.address), reserve.size)
      reserve = (0, 0)
      MainLoop.shared.noteSignal(MainLoop.lackOfMemory)
      return attempt()
    }
  }
}
