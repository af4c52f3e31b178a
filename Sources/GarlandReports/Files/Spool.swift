import GarlandDiagnostics
import Glibc

/// Stores the pieces of a report in a file, in the order in which steps end. At the end of the run, the pieces are read in the order of the
/// plan.
///
/// The memory needed is 24 bytes for each piece. The file has no name and is in the folder of the report.
final class Spool {
  /// The key by which a piece of output is sorted in the finished file: first by `step`, then by `iteration`.
  struct Key: Hashable, Comparable {
    /// The first number by which pieces are sorted: the position of the step in the plan or, in an HTTP Archive, the start of the request
    /// in whole milliseconds.
    var step: Int
    /// The number by which pieces with the same ``step`` are sorted.
    ///
    /// - Usually, this is the position of the item in the step's loop; 0 without a loop.
    /// - In an HTTP Archive, ``step`` contains the whole milliseconds of the request's start, and this number contains the remaining
    ///   microseconds.
    var iteration: Int

    static func < (left: Key, right: Key) -> Bool {
      left.step != right.step ? left.step < right.step : left.iteration < right.iteration
    }
  }

  private struct Piece {
    var offset: Int
    var length: UInt32
    var step: UInt32
    var iteration: UInt32

    var key: Key { Key(step: Int(step), iteration: Int(iteration)) }
  }

  private let writer: FileDescriptorWriter
  private var pieces: [Piece] = []
  private var isSorted = true
  private var unread: [UInt8] = []

  /// Creates a spool for a report.
  ///
  /// - Parameter path: the path of the report.
  init(forReportAt path: String) throws(ReportError) {
    var facts = stat()
    let isOrdinary = path != "-" && (stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG)
    let folder = isOrdinary ? WholeFile.folder(of: WholeFile.resolvingLinks(path)) : "/tmp"
    let descriptor = TemporaryFile.openScratch(in: folder)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errno) }
    writer = FileDescriptorWriter(descriptor)
  }

  /// The error number of the first write or read that failed; nil if none failed.
  var failure: Int32? { writer.failure ?? readFailure }
  private var readFailure: Int32?

  /// Adds a piece to the spool. A piece has at most 4 GiB.
  func append(_ bytes: [UInt8], at key: Key) {
    let piece = Piece(
      offset: writer.position, length: UInt32(clamping: bytes.count), step: UInt32(clamping: key.step),
      iteration: UInt32(clamping: key.iteration))
    if let last = pieces.last, piece.key < last.key { isSorted = false }
    pieces.append(piece)
    writer.write(bytes)
  }

  /// Passes the report's pieces for the steps in `range` to `body`, sorted by step and iteration. Pieces with the same step and iteration
  /// are passed in the order in which they were added.
  func forEach(stepsIn range: Range<Int>, _ body: (ArraySlice<UInt8>) -> Void) {
    writer.flush()
    if !isSorted {
      pieces.sort { $0.key != $1.key ? $0.key < $1.key : $0.offset < $1.offset }
      isSorted = true
    }
    var index = firstPiece(ofStep: range.lowerBound)
    while index < pieces.count, pieces[index].step < range.upperBound {
      body(read(pieces[index]))
      index += 1
    }
  }

  private func firstPiece(ofStep step: Int) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].step < step { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private var window: Range<Int> = 0..<0

  /// Returns a piece of the report. If the piece must be read from the file, also reads some bytes after the piece, because the next
  /// piece that is needed usually follows directly.
  private func read(_ piece: Piece) -> ArraySlice<UInt8> {
    let wanted = piece.offset..<piece.offset + Int(piece.length)
    if !(window.lowerBound <= wanted.lowerBound && wanted.upperBound <= window.upperBound) {
      let size = max(Int(piece.length), min(64 << 10, writer.position - piece.offset))
      unread = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = 0
        while count < size {
          let got = pread(writer.descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(piece.offset + count))
          if got > 0 {
            count += got
          } else if got == 0 || errno != EINTR {
            if readFailure == nil { readFailure = got == 0 ? EIO : errno }
            break
          }
        }
      }
      window = piece.offset..<piece.offset + unread.count
    }
    let start = min(wanted.lowerBound - window.lowerBound, unread.count)
    return unread[start..<min(start + Int(piece.length), unread.count)]
  }
}
