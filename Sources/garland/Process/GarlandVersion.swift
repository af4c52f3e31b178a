import GarlandJSON
import GarlandTransfer
import GarlandYAML

/// The version of the program `garland`.
enum GarlandVersion {
  /// The version number in semantic versioning; `make version` sets it.
  static let text = "0.1.0"

  /// The output of `garland --version --verbose`: the version, the libraries in use with their versions, and the features that they
  /// support.
  static var verboseText: String {
    var libraries = LinkedLibraries.versions
    libraries.append(("libyaml", YAMLLibrary.version))
    libraries.append(("PCRE2", PatternLibrary.version))
    libraries.sort { $0.name.lowercased() < $1.name.lowercased() }
    return """
      garland \(text)
      Libraries: \(libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
      Features: \(LinkedLibraries.features.joined(separator: ", "))
      """
  }
}
