/// The style sheet of all pages.
///
/// The eight colours are those of M. Okabe and K. Ito (“Color Universal Design”, 2008), darker on white
/// and lighter on black where their contrast asks for it.
enum PageStyle {
  static let sheet = [
    colors(darkOn: "screen and (prefers-color-scheme: dark)"), layout, charts, media,
  ].joined(separator: "\n")

  /// The colours, with those on a dark ground where the media query holds.
  static func colors(darkOn query: String) -> String {
    """
      :root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #5a616b; --line: #d9dde3;
        --tint: #f3f5f8; --mark: #dff0e4; --link: #0b5cad;
        --ink-1: #0067a8; --ink-2: #c2540a; --ink-3: #00795a; --ink-4: #b0487f; --ink-5: #2f93c9;
        --ink-6: #a87400; --ink-7: #33383f; --ink-8: #7a5cc2;
        --heat-1: #f2f7fc; --heat-2: #d9e8f5; --heat-3: #b9d6ec; --heat-4: #91bfe0; --heat-5: #6ba6d2; }
      @media \(query) { :root { --back: #15181c; --text: #e6e8eb;
        --soft: #a2abb5; --line: #353c45; --tint: #1d2127; --mark: #1f3a2a; --link: #7db8f5;
        --ink-1: #5aaef0; --ink-2: #f58a4b; --ink-3: #3ecf9f; --ink-4: #e68fbf; --ink-5: #9ad8fb;
        --ink-6: #e6b93c; --ink-7: #d5d9de; --ink-8: #b59cf0;
        --heat-1: #1b2530; --heat-2: #1d3345; --heat-3: #1f435e; --heat-4: #215578; --heat-5: #236793; } }
    """
  }

  /// The rules for drawings.
  static let charts = """
    svg text { fill: var(--soft); font-size: 12px; }
    .grid { stroke: var(--line); stroke-width: 1; }
    .ink-1 { --ink: var(--ink-1); } .ink-2 { --ink: var(--ink-2); } .ink-3 { --ink: var(--ink-3); }
    .ink-4 { --ink: var(--ink-4); } .ink-5 { --ink: var(--ink-5); } .ink-6 { --ink: var(--ink-6); }
    .ink-7 { --ink: var(--ink-7); } .ink-8 { --ink: var(--ink-8); }
    .reference, .bound { --ink: var(--soft); } .faint { --ink: var(--soft); opacity: .35; }
    .stroke { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linejoin: round; }
    .faint .stroke { stroke-width: 1; }
    .dashes { stroke-dasharray: 7 4; } .bound .dashes { stroke-dasharray: 2 3; }
    .dashed .stroke { stroke-dasharray: 9 2 2 2; }
    .dot { fill: var(--ink); }
    .band { fill: var(--ink); opacity: .18; }
    """

  private static let layout = """
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--back);
      color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; color: var(--soft); font-weight: 600; }
    h2 { font-size: 1.2rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
    p { margin: 0 0 .8rem; max-width: 46rem; overflow-wrap: break-word; }
    .lead { font-size: 1.45rem; line-height: 1.35; margin: .4rem 0 1rem; text-wrap: pretty; }
    .note { border-left: 4px solid var(--ink-2); padding-left: .7rem; }
    section { border-top: 1px solid var(--line); margin-top: 1.8rem; padding-top: 1.4rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 1rem; top: .5rem; background: var(--back); padding: .3rem .6rem; }
    nav ul, .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; margin: 0;
      padding: 0; }
    .wide { overflow: auto; max-height: 80vh; margin-bottom: 1.2rem; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
    th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; font-weight: 400; }
    .facts { margin-bottom: 1.2rem; }
    .facts th { color: var(--soft); white-space: pre; padding-right: 1.4rem; }
    .facts td { overflow-wrap: anywhere; }
    .numbers { font-size: .9rem; line-height: 1.35; }
    .numbers th { white-space: pre; }
    .numbers thead th { position: sticky; top: 0; background: var(--back); color: var(--soft);
      vertical-align: bottom; }
    .numbers tbody th { position: sticky; left: 0; background: var(--back); }
    .numbers tr { border-bottom: 1px solid var(--line); }
    .numbers tbody + tbody { border-top: 2px solid var(--soft); }
    .numbers .number { text-align: right; }
    .best { font-weight: 700; background: var(--mark); }
    .best::after { content: "*"; }
    .heat-1 { background: var(--heat-1); } .heat-2 { background: var(--heat-2); }
    .heat-3 { background: var(--heat-3); } .heat-4 { background: var(--heat-4); }
    .heat-5 { background: var(--heat-5); }
    .heat-1, .heat-2, .heat-3, .heat-4, .heat-5 { padding-left: .7rem; }
    pre { background: var(--tint); padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere;
      margin: 0 0 .8rem; }
    details { margin-top: 1rem; } summary { cursor: pointer; }
    .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr));
      gap: 1.6rem; }
    figure { margin: 0; min-width: 0; }
    figcaption { font-weight: 600; margin-bottom: .3rem; overflow-wrap: anywhere; }
    svg { width: 100%; height: auto; display: block; }
    .legend { font-size: .85rem; margin-top: .3rem; }
    .legend li { display: flex; align-items: center; gap: .35rem; }
    .sample { width: 26px; height: 12px; flex: none; }
    """

  private static let media = """
    .charts svg:has(.series:hover) .series:not(:hover) { opacity: .2; }
    .series:hover .stroke { stroke-width: 3; }
    @media (max-width: 32rem) { svg text { font-size: 15px; } .lead { font-size: 1.2rem; } }
    @media print { :root { color-scheme: light; --back: #fff; --text: #000; --soft: #444;
        --line: #ccc; }
      body { max-width: none; padding: 0; font-size: 11px; } nav, .skip { display: none; }
      .wide { max-height: none; overflow: visible; } .numbers th { position: static !important; }
      figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
      .best, [class*="heat-"] { print-color-adjust: exact; }
      .charts { grid-template-columns: 1fr 1fr; } }
    """
}
