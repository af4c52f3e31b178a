/// All bytes of a body, however many, for whoever prints it. What ``Exchange/Body`` keeps is its beginning.
package enum WholeBody: Sendable {
  case memory([UInt8])
  case file(BodyFile)
  /// It was received into a file, which can't be read.
  case lost(BodyFile.Failure)
}
