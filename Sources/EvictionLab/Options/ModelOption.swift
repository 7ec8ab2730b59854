import ArgumentParser
import Parameters

/// The memory that a token takes in a cache of prefixes.
struct ModelOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Model whose tokens fill the cache.", valueName: "name"))
  var model: Model?

  @Option(help: ArgumentHelp("Bytes that a token takes in the cache.", valueName: "n"))
  var bytesPerToken: Count?

  func validate() throws {
    if model != nil && bytesPerToken != nil {
      throw ValidationError("--model says what --bytes-per-token is; leave one out")
    }
    if bytesPerToken?.value == 0 { throw ValidationError("a token takes 1 byte at least") }
  }

  /// The bytes of a token; nil where they are not known.
  var bytes: Int? { bytesPerToken?.value ?? model?.bytesPerToken }

  /// A public model, by the shape of its attention.
  ///
  /// Bytes of a token: layers × 2 × key-value heads × head dimension × 2 bytes (16-bit keys and values); with
  /// multi-head latent attention layers × (latent rank + decoupled key dimension) × 2 bytes.
  enum Model: String, CaseIterable, ExpressibleByArgument {
    case llama3x8b = "llama-3-8b"
    case llama3x70b = "llama-3-70b"
    case qwen2x7b = "qwen2.5-7b"
    case qwen2x72b = "qwen2.5-72b"
    case deepseekV3 = "deepseek-v3"

    /// The bytes of a token's keys and values, over all layers.
    var bytesPerToken: Int {
      switch self {
      case .llama3x8b: 32 * 2 * 8 * 128 * 2
      case .llama3x70b: 80 * 2 * 8 * 128 * 2
      case .qwen2x7b: 28 * 2 * 4 * 128 * 2
      case .qwen2x72b: 80 * 2 * 8 * 128 * 2
      case .deepseekV3: 61 * (512 + 64) * 2
      }
    }
  }
}
