import GarlandCrypto
import GarlandWorkflow

/// The digest of a file that `expect.sha256` names.
enum DigestFile {
  struct Mistake: Error {
    let message: String
  }

  static func digest(
    of file: FileTemplate, in context: any EvaluationContext
  ) throws(EvaluationError) -> Result<(hex: String, path: String), Mistake> {
    let (path, isSecret) = try file.path.evaluateText(in: context)
    let shown = isSecret ? "the file" : "`\(path)`"
    do throws(WorkflowFileError) {
      switch try digest(of: file.resolved ?? path, in: context.services) {
      case .success(let digest): return .success((digest.hex, shown))
      case .failure(let error): return .failure(Mistake(message: "\(shown) has no digest: \(error)"))
      }
    } catch {
      return .failure(Mistake(message: "\(shown) can't be read: \(error.message)"))
    }
  }

  /// Piece by piece: the file may be larger than memory.
  private static func digest(
    of path: String, in services: EvaluationServices
  ) throws(WorkflowFileError) -> Result<Digest, CryptoError> {
    let hasher: DigestHasher
    do throws(CryptoError) {
      hasher = try DigestHasher(.sha256)
    } catch {
      return .failure(error)
    }
    var problem: CryptoError?
    try services.files.readPieces(path, from: services.directory) { piece in
      do throws(CryptoError) { try hasher.update(piece) } catch { problem = error }
    }
    if let problem { return .failure(problem) }
    do throws(CryptoError) {
      return .success(try hasher.finish())
    } catch {
      return .failure(error)
    }
  }
}
