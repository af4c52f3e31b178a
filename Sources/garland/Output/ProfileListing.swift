import ArgumentParser
import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// A list of profiles, as a table for people or as JSON for programs.
struct ProfileListing {
  private let profiles: [KnownProfile]

  init(_ profiles: [KnownProfile]) { self.profiles = profiles }

  func text(_ format: ListingFormat) -> StyledText {
    switch format {
    case .table: table
    case .json: StyledText(json + "\n")
    }
  }

  /// The profiles as text, one on each line: the profile's name, the position of its definition in a file, and notes such as the profile
  /// that it extends.
  private var table: StyledText {
    func line(_ text: String) -> String { DisplayText.visible(text) }
    let nameWidth = profiles.map { DisplayWidth.of(line($0.name.value)) }.max() ?? 0
    let places = profiles.map { "\($0.name.range)" }
    let placeWidth = places.map { DisplayWidth.of($0) }.max() ?? 0
    var text = StyledText()
    for (profile, place) in zip(profiles, places) {
      let notes = Self.notes(profile).map(line).joined(separator: ", ")
      text += StyledText(line(profile.name.value), .key).padded(to: nameWidth)
      text += "  "
      text += notes.isEmpty ? StyledText(place, .dim) : StyledText(place, .dim).padded(to: placeWidth)
      if !notes.isEmpty { text += StyledText("  " + notes) }
      text += "\n"
    }
    return text
  }

  private static func notes(_ profile: KnownProfile) -> [String] {
    var notes: [String] = []
    if profile.isDefault { notes.append("default") }
    if let extends = profile.extends { notes.append("extends \(extends)") }
    if profile.isConfirmed { notes.append("asks before a run") }
    return notes
  }

  /// The profiles as a JSON array, with an object for each profile: `name`, `file`, `line`, `extends`, `confirm`, `default`.
  private var json: String {
    let profiles = profiles.map { profile -> JSONValue in
      .object([
        "name": .string(profile.name.value), "file": .string(profile.name.range.file.name),
        "line": .number(JSONNumber(profile.name.range.start.line)), "extends": profile.extends.map { .string($0) } ?? .null,
        "confirm": .bool(profile.isConfirmed), "default": .bool(profile.isDefault),
      ])
    }
    return JSONValue.array(profiles).jsonText(options: .pretty)
  }
}

/// The format of a listing: for people or for programs.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
