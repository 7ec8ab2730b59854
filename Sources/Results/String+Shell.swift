extension String {
  /// A word of a command line: quoted where a shell would read more into it.
  package var shellQuoted: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || "0123456789%+,-./:=@_".unicodeScalars.contains($0))
      }
    if isPlain { return self }
    // By scalars: a quote with an accent is one character, and ends a word all the same.
    var quoted = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: "'\\'".unicodeScalars) }
      quoted.append(scalar)
    }
    return "'\(String(quoted))'"
  }
}
