import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

/// Parses the bodies of responses. The message of an error is a sentence without a full stop.
enum BodyParsing {
  static func json(_ bytes: [UInt8]) -> Result<JSONValue, ResponseDataError> {
    guard !bytes.isEmpty else { return .failure(empty) }
    if let shortage = AddressSpace.shortage(of: { treeSize(of: bytes) }, for: bytes.count) { return .failure(Self.shortage(shortage)) }
    do throws(JSONParsingError) {
      return .success(try JSONValue(parsing: bytes))
    } catch {
      return .failure(noJSON(error))
    }
  }

  /// Reads JSON text, and returns the values at the paths of the extractor. The rest of the JSON is not parsed into a tree. A missing value
  /// is nil.
  static func values(_ extractor: JSONExtractor, in bytes: [UInt8]) -> Result<[JSONValue?], ResponseDataError> {
    guard !bytes.isEmpty else { return .failure(empty) }
    if let shortage = shortage(of: bytes.count) { return .failure(shortage) }
    do throws(JSONParsingError) {
      return .success(try extractor.values(in: bytes))
    } catch {
      return .failure(noJSON(error))
    }
  }

  static func propertyList(_ bytes: [UInt8]) -> Result<JSONValue, ResponseDataError> {
    guard !bytes.isEmpty else { return .failure(empty) }
    do throws(NetworkingError.Serialization) {
      let value = try PropertyList.parse(bytes).jsonWithISO8601Dates
      guard !Computation.hasEnded else { return .failure(ResponseDataError("the body could not be read within the time limit")) }
      return .success(value)
    } catch {
      guard case .propertyList(let detail) = error else { return .failure(ResponseDataError(error)) }
      return .failure(ResponseDataError("the body is not a property list: \(detail)"))
    }
  }

  /// Returns the approximate memory, in bytes, that the tree of a parsed JSON text needs.
  private static func treeSize(of bytes: [UInt8]) -> Int { bytes.count + 96 * bytes.count { ",:[{".utf8.contains($0) } }

  /// Returns an error if there is not enough memory for an allocation of the given size; otherwise nil.
  static func shortage(of size: Int) -> ResponseDataError? { AddressSpace.shortage(of: size).map(shortage) }

  private static func shortage(_ words: String) -> ResponseDataError {
    ResponseDataError("the body can't be read: \(words)", isLocal: true)
  }

  private static let empty = ResponseDataError("the body is empty")

  private static func noJSON(_ error: JSONParsingError) -> ResponseDataError {
    ResponseDataError("the body is not JSON: \(error.message) at line \(error.line), column \(error.column)")
  }
}
