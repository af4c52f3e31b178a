import ArgumentParser

/// How what was found is listed: for people or for programs.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
