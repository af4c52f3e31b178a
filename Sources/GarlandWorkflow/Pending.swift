public struct JSONPath: Sendable {}
public struct JSONPointer: Sendable {}
public struct RegularExpression: Sendable {}
public struct JSONSchema: Sendable {}
