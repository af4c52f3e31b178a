import GarlandDiagnostics
import GarlandWorkflow
import Glibc

/// The part of a file that a request sends, as a range of bytes.
struct FileSlice: Hashable {
  /// The offset of the first byte, counted from 0.
  var offset: Int64 = 0
  /// The number of bytes. If nil, the slice ends at the end of the file at the time of sending.
  var length: Int64?

  /// Evaluates the range of bytes that a template selects, limited to the size of the file. Throws an error if the range begins after the
  /// end of the file.
  init(_ template: SliceTemplate?, ofFile path: String, in context: any EvaluationContext) throws(EvaluationError) {
    guard let template else { return }
    offset = try template.offset?.resolve(in: context).bytes ?? 0
    length = try template.length?.resolve(in: context).bytes
    var status = stat()
    // A file that can't be read is reported when it is sent.
    guard stat(path, &status) == 0 else { return }
    let available = Int64(status.st_size) - offset
    guard available >= 0 else {
      throw EvaluationError(
        Diagnostic(
          .file, "the slice begins at byte \(offset), but `\(path)` has only \(Shown.count(Int(status.st_size), "byte"))",
          at: template.offset?.range))
    }
    length = min(length ?? available, available)
  }
}
