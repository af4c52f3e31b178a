import GarlandWorkflow
import Glibc

/// The pages of the documentation: the folder `docs` of the repository, or the copy that packages install together with the program.
struct HelpLibrary {
  /// A page, with its name for `garland help`.
  struct Page {
    let name: String
    let path: String
    /// Whether the page is about the workflow language, and not about commands or other tools.
    let isOfLanguage: Bool
  }

  /// A row of a table that explains one item, such as a key, an option or the code of a diagnostic.
  struct Entry {
    let page: String
    let heading: String
    /// The cells of this row of the table, each with the title of its column.
    let cells: [(title: String, text: String)]
  }

  /// The maximum size of a page in bytes.
  private static let pageLimit = 16 << 20

  /// The pages that were already read, by their paths. A search that finds nothing goes through all pages several times.
  private final class Documents {
    var byPath: [String: MarkdownDocument] = [:]
  }

  let pages: [Page]
  private let documents = Documents()

  /// Opens the folder with the documentation pages that `garland help` shows. Returns nil if no pages are installed.
  init?(program: String = Self.ownPath) {
    guard let folder = Self.folder(of: program) else { return nil }
    pages = Self.pages(in: folder, isOfLanguage: false) + Self.pages(in: folder + "/language", isOfLanguage: true)
  }

  func page(named name: String) -> Page? { pages.first { $0.name == name } }

  /// Returns the page with the given name, ignoring case. If there is no such page, returns the only page whose name begins with `name` and
  /// a hyphen, such as `exit-statuses` for `exit`.
  func page(near name: String) -> Page? {
    let name = name.lowercased()
    if let page = page(named: name) { return page }
    let beginning = pages.filter { $0.name.hasPrefix(name + "-") }
    return beginning.count == 1 ? beginning[0] : nil
  }

  /// Returns the only page whose name ends with a hyphen and `name`, such as `from-postman` for `postman`; nil if there is no such page, or
  /// several.
  func page(endingWith name: String) -> Page? {
    let ending = pages.filter { $0.name.hasSuffix("-" + name.lowercased()) }
    return ending.count == 1 ? ending[0] : nil
  }

  /// Returns the content of a page as a Markdown document.
  func document(_ page: Page) throws(CommandFailure) -> MarkdownDocument {
    if let document = documents.byPath[page.path] { return document }
    do throws(WorkflowFileError) {
      let document = MarkdownDocument(String(decoding: try SystemFiles().read(page.path, limit: Self.pageLimit), as: UTF8.self))
      documents.byPath[page.path] = document
      return document
    } catch {
      throw .local("cannot read \(page.path): \(error.message)")
    }
  }

  /// Returns the table rows of the documentation that explain a name, such as a key, the most relevant rows first.
  ///
  /// The pages about the workflow language come before the other pages, such as the page about scripts for load tools. The other pages
  /// explain only special uses of a key. Rows whose first cell only mentions the name in a sentence come last.
  func entries(about name: String, ignoringCase: Bool = false) throws(CommandFailure) -> [Entry] {
    func isMeant(_ other: String) -> Bool { ignoringCase ? other.lowercased() == name.lowercased() : other == name }
    let entries = try rows { _, cell in Self.names(in: cell).contains(where: isMeant) }
    func mentionsOnly(_ entry: Entry) -> Bool { entry.cells.first?.text.hasPrefix("`") != true }
    return entries.filter { !mentionsOnly($0) } + entries.filter(mentionsOnly)
  }

  /// Returns the table rows that explain the last key of a path, such as `paths` in `run.paths`. If some of these rows are below a heading
  /// that begins with the parent key (`run`), returns only those rows.
  func entries(aboutPath path: String) throws(CommandFailure) -> [Entry] {
    let names = path.split(separator: ".").map(String.init)
    guard names.count > 1, let key = names.last, let parent = names.dropLast().last?.lowercased() else { return [] }
    let all = try entries(about: key)
    let below = all.filter { $0.heading.lowercased().hasPrefix(parent) }
    return below.isEmpty ? all : below
  }

  /// Returns all rows of tables below a heading, such as `functions`, from all pages. The heading is compared case-insensitively.
  func entries(under heading: String) throws(CommandFailure) -> [Entry] {
    try rows { title, _ in title.lowercased() == heading.lowercased() }
  }

  /// Returns the table rows for which `isMeant` returns true. The arguments of `isMeant` are the heading above the table and the first cell
  /// of the row.
  private func rows(_ isMeant: (String, String) -> Bool) throws(CommandFailure) -> [Entry] {
    let order = try readingOrder()
    func place(_ page: Page) -> Int { page.isOfLanguage ? order.firstIndex(of: page.name) ?? order.count : order.count + 1 }
    var entries: [Entry] = []
    for page in pages.sorted(by: { (place($0), $0.name) < (place($1), $1.name) }) {
      var heading = ""
      for block in try document(page).blocks {
        switch block {
        case .heading(_, let text): heading = text
        case .table(let titles, let rows):
          entries += rows.filter { isMeant(heading, $0.first ?? "") }.map {
            Entry(page: page.name, heading: heading, cells: Array(zip(titles, $0)))
          }
        default: break
        }
      }
    }
    return entries
  }

  /// Returns the names of the pages in the order in which the entries (table rows) of the pages are shown.
  ///
  /// This is the order of the list of pages on the page `language`, except that `expectations` comes last. Many expectations have the same
  /// name as a key on another page, and the entry of that key must be shown first.
  private func readingOrder() throws(CommandFailure) -> [String] {
    guard let list = page(named: "language") else { return [] }
    let listed = try document(list).blocks.compactMap { block -> String? in
      guard case .item(_, _, let text) = block, text.hasSuffix(".md)") else { return nil }
      return text.dropLast(4).split(separator: "(").last.map(String.init)
    }
    return listed.filter { $0 != "expectations" } + ["expectations"]
  }

  /// Returns the names of all keys, options and other items that have a row in a table of a documentation page.
  func entryNames() throws(CommandFailure) -> [String] {
    var names: [String] = []
    for page in pages {
      for case .table(_, let rows) in try document(page).blocks { names += rows.flatMap { Self.names(in: $0.first ?? "") } }
    }
    return names
  }

  /// Returns the names that are written as code (between backquotes) in the first cell of a row, without their arguments. For the cell
  /// `-j`, `--concurrency COUNT`, the names are `-j` and `--concurrency`.
  private static func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .compactMap { $0.element.split { " =(".contains($0) }.first.map(String.init) }
  }

  // MARK: Files

  private static var ownPath: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the folder of the pages; nil if it does not exist. For a program `PREFIX/bin/garland`, it is `PREFIX/share/garland/docs`; for
  /// a program in `.build`, it is the folder `docs` of the repository.
  private static func folder(of program: String) -> String? {
    var folders = program.split(separator: "/").dropLast()
    if folders.last == "bin" {
      let installed = "/" + (folders.dropLast() + ["share", "garland", "docs"]).joined(separator: "/")
      if access(installed + "/README.md", R_OK) == 0 { return installed }
    }
    guard let build = folders.lastIndex(of: ".build") else { return nil }
    folders = folders[..<build]
    let sources = "/" + (folders + ["docs"]).joined(separator: "/")
    return access(sources + "/README.md", R_OK) == 0 ? sources : nil
  }

  private static func pages(in folder: String, isOfLanguage: Bool) -> [Page] {
    SystemFiles().names(in: folder).filter { $0.hasSuffix(".md") && (isOfLanguage || $0 != "README.md") }
      .map { file in
        let name = file == "README.md" ? "language" : String(file.dropLast(3))
        return Page(name: name, path: folder + "/" + file, isOfLanguage: isOfLanguage)
      }
      .sorted { $0.name < $1.name }
  }
}
