import Testing

@testable import ArgumentParser
@testable import garland

/// The validation of option declarations by the argument parser, which `Package.swift` takes out of the parsing of each command line.
@Suite struct OptionDeclarationTests {
  /// All commands, and all groups of options within them.
  private static let types: [any ParsableArguments.Type] = commands(below: GarlandCommand.self).flatMap(groups)

  private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap(commands)
  }

  private static func groups(in type: any ParsableArguments.Type) -> [any ParsableArguments.Type] {
    [type] + Mirror(reflecting: type.init()).children.compactMap { ($0.value as? any OptionGrouping)?.type }.flatMap(groups)
  }

  @Test func `the argument parser finds no mistake in the declared options of any command`() {
    let validators: [any ParsableArgumentsValidator.Type] = [
      PositionalArgumentsValidator.self, CodingKeyValidator.self, UniqueNamesValidator.self, NonsenseFlagsValidator.self,
      AsyncCompletionsValidator.self,
    ]
    #expect(Self.types.contains { $0 == RunCommand.self } && Self.types.contains { $0 == ProjectOptions.self })
    for type in Self.types {
      for validator in validators {
        if let mistake = validator.validate(type, parent: nil) { Issue.record("\(type): \(mistake)") }
      }
    }
  }

  private struct TwiceNamed: ParsableArguments {
    @Option var name = ""
    @Option(name: .customLong("name")) var other = ""
  }

  /// If this fails, the argument parser may have renamed its function: `Package.swift` names its symbol.
  @Test func `a debug build parses command lines without validating the declared options each time`() {
    #expect(UniqueNamesValidator.validate(TwiceNamed.self, parent: nil) != nil)
    #expect(throws: Never.self) { try TwiceNamed._validate(parent: nil) }
  }
}

private protocol OptionGrouping {
  var type: any ParsableArguments.Type { get }
}

extension OptionGroup: OptionGrouping {
  fileprivate var type: any ParsableArguments.Type { Value.self }
}
