/// The sessions that the readers of a trace's files have met, from file to file.
struct ReadSessions {
  /// The number of sessions whose numbers of blocks are their own.
  var count = 0
  /// The session of each chat.
  var chats: [String: String] = [:]
}
