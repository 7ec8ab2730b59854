/// No filter: the policy hears of every miss, and every victim that it proposes leaves.
public final class AlwaysAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "always", summary: "no filter: every newcomer that fits is offered to the policy",
      paper: "None.",
      idea: "What a cache does that does not ask whether an object is worth its room.",
      decision: "Nothing is noted, and nothing refused.",
      complexity: "None: a run without a filter does not even ask.",
      differences: "None.", mayRefuse: false)
  }
}
