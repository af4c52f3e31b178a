import ArgumentParser

/// The format of a listing: for people or for programs.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
