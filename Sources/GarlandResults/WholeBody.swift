/// The complete body of a request or response, of any size, for output. ``Exchange/Body`` keeps only the beginning.
package enum WholeBody: Sendable {
  case memory([UInt8])
  case file(BodyFile)
  /// The file that received the body cannot be read.
  case lost(BodyFile.Failure)
}
