import ArgumentParser
import GarlandReports
import GarlandWorkflow
import Glibc

/// The words that shells suggest for an argument when Tab is pressed. There are no suggestions from a document that can't be read, since
/// the document may be incomplete or belong to another user.
enum Completion {
  /// Returns suggestions for an argument: workflow files, folders and names of steps. The steps come from the workflow files that other
  /// arguments name; without such arguments, from `garland.yaml`.
  @Sendable static func pathsAndSteps(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    // bash treats `=` as a separate word, so completion for the file of a report arrives here.
    if index > 1, words.indices.contains(index), unquoted(words[index - 1]) == "=" { return [] }
    return offered(paths(unquoted(prefix)) + outlines(words, before: index).flatMap(\.steps))
  }

  @Sendable static func steps(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    offered(outlines(words, before: nil).flatMap(\.steps))
  }

  @Sendable static func tags(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    offered(outlines(words, before: nil).flatMap(\.tags))
  }

  @Sendable static func profiles(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    offered(outlines(words, before: nil).flatMap(\.profiles) + projectProfiles(words))
  }

  /// Returns the names of the `auth` entries in the documents on the command line. The user types such a name before the documents, so the
  /// command line may not contain a document yet. In this case, `garland.yaml` is used or, if this file can't be read, the documents in
  /// the current folder.
  @Sendable static func authentications(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    var outlines = outlines(words, before: nil)
    if outlines.isEmpty {
      outlines = paths("").filter { !$0.hasSuffix("/") }.prefix(mostDocuments).compactMap { DocumentOutline(path: $0) }
    }
    return offered(outlines.flatMap(\.authentications))
  }

  @Sendable static func reports(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    ReportFormat.allCases.map { "\($0.rawValue)=\($0.fileName)" }
  }

  /// Returns examples of expectations for a load test, such as `p95<300ms`, quoted for the shell.
  @Sendable static func expectations(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    let steps = outlines(words, before: nil).flatMap(\.steps)
    return offered(([""] + steps.map { "\($0)." }).flatMap { ["\($0)p95<300ms", "\($0)errors<1%"] })
  }

  /// Returns the topics for `garland help`.
  @Sendable static func topics(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let library = HelpLibrary(), let entries = try? library.entryNames() else { return [] }
    return offered(library.pages.map(\.name) + entries)
  }

  /// Returns the profiles of the project file that follows `--project` on the command line. Without this option, the project file is the
  /// one in the current folder or, if there is none, in the nearest parent folder.
  private static func projectProfiles(_ words: [String]) -> [String] {
    let words = words.map(unquoted)
    if let option = words.firstIndex(of: "--project"), words.indices.contains(option + 1) {
      return DocumentOutline(path: expanded(words[option + 1]))?.profiles ?? []
    }
    var path = Project.fileName
    for _ in 0..<mostFolders {
      if let outline = DocumentOutline(path: path) { return outline.profiles }
      path = "../" + path
    }
    return []
  }

  private static let mostFolders = 16

  // MARK: Documents

  /// The maximum number of documents that are read, since the user waits for the suggestions.
  private static let mostDocuments = 50
  private static let mostPaths = 500

  private static func outlines(_ words: [String], before end: Int?) -> [DocumentOutline] {
    var named = words.enumerated().filter { $0.offset > 0 && $0.offset != end }.map { unquoted($0.element) }.filter { !$0.hasPrefix("-") }
      .flatMap { word in isFolder(word) ? workflows(below: word) : isWorkflow(word) ? [word] : [] }
    if named.isEmpty { named = ["garland.yaml"] }
    return named.prefix(mostDocuments).compactMap { DocumentOutline(path: expanded($0)) }
  }

  private static func isWorkflow(_ path: String) -> Bool { path.hasSuffix(".yaml") || path.hasSuffix(".yml") }

  private static func workflows(below folder: String) -> [String] {
    paths(folder.hasSuffix("/") ? folder : folder + "/").filter(isWorkflow)
  }

  // MARK: Files

  /// Returns the workflows and folders whose paths begin with `prefix`.
  private static func paths(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { prefix[...$0] } ?? ""
    let beginning = prefix.dropFirst(folder.count)
    // bash itself adds a mark after folders.
    let mark = CompletionShell.requesting == .bash ? "" : "/"
    var found: [String] = []
    for name in SystemFiles().names(in: folder.isEmpty ? "." : expanded(String(folder))) where name.hasPrefix(beginning) {
      guard found.count < mostPaths else { break }
      let path = folder + name
      if isFolder(String(path)) { found.append("\(path)\(mark)") } else if isWorkflow(name) { found.append(String(path)) }
    }
    // If a folder is the only suggestion, zsh uses it as the whole argument.
    if CompletionShell.requesting == .zsh, found.count == 1, let only = found.first, only.hasSuffix("/") { return found + paths(only) }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(expanded(path), &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns a path in which `~/` at the beginning is replaced with the home folder. The shell passes words to the completion as they were
  /// typed, before it replaces `~`.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// Returns a word without the shell's quotes, since the shell passes words to the completion as they were typed.
  private static func unquoted(_ word: String) -> String {
    var result = ""
    var isEscaped = false
    for character in word {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        if isEscaped || (character != "'" && character != "\"") { result.append(character) }
        isEscaped = false
      }
    }
    return result
  }

  /// Returns the words without duplicates, quoted for the shell.
  private static func offered(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }.compactMap { CompletionWord.quoted($0, for: CompletionShell.requesting) }
  }
}
