import GarlandCrypto
import GarlandWorkflow

/// The digest of a file that `expect.sha256` names.
enum DigestFile {
  /// The largest file that is read.
  static let limit = 1 << 30

  struct Mistake: Error {
    let message: String
  }

  static func digest(
    of file: FileTemplate, in context: any EvaluationContext
  ) throws(EvaluationError) -> Result<(hex: String, path: String), Mistake> {
    let (path, isSecret) = try file.path.evaluateText(in: context)
    let shown = isSecret ? "the file" : "`\(path)`"
    do throws(WorkflowFileError) {
      let bytes = try context.services.files.read(file.resolved ?? path, from: context.services.directory, limit: limit)
      do throws(CryptoError) {
        return .success((try Digest(of: bytes, using: .sha256).hex, shown))
      } catch {
        return .failure(Mistake(message: "\(shown) has no digest: \(error)"))
      }
    } catch {
      return .failure(Mistake(message: "\(shown) can't be read: \(error.message)"))
    }
  }
}
