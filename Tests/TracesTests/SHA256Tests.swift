import Testing
import Traces

@Suite struct SHA256Tests {
  private func digest(_ bytes: [UInt8], pieces: Int) -> String {
    let digests = [SHA256(), SHA256(usesInstructions: false)].map { start in
      digest(bytes, pieces: pieces, from: start)
    }
    #expect(digests[0] == digests[1])
    return digests[1]
  }

  private func digest(_ bytes: [UInt8], pieces: Int, from start: SHA256) -> String {
    var digest = start
    bytes.withUnsafeBytes { bytes in
      var at = 0
      while at < bytes.count {
        let end = min(bytes.count, at + pieces)
        digest.update(UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
        at = end
      }
    }
    return digest.hexadecimal()
  }

  @Test func theStandardsExamplesComeOut() {
    #expect(
      digest([], pieces: 1) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      digest(Array("abc".utf8), pieces: 3)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(
      digest(Array(two.utf8), pieces: 9)
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      digest([UInt8](repeating: 0x61, count: 1_000_000), pieces: 4097)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func piecesDoNotMatter() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    let whole = digest(bytes, pieces: 300)
    for pieces in [1, 7, 55, 63, 64, 65, 128, 129] {
      #expect(digest(bytes, pieces: pieces) == whole)
    }
  }
}
