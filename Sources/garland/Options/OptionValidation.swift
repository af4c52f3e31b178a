#if DEBUG
  /// Accepts the declarations of options without a check.
  ///
  /// In debug builds, `Package.swift` puts this function in the place of `ParsableArguments._validate(parent:)`. Both throw no error and return
  /// nothing, so the calling conventions of C and Swift don't differ.
  @c(garland_acceptOptionDeclarations) func acceptOptionDeclarations() {}
#endif
