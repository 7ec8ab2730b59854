/// The style sheet of all pages.
///
/// Its colours are those of ``Palette``.
package enum PageStyle {
  /// The beginning of the style sheet, by which a page or a picture is known as one of this project.
  package static let opening = ":root { color-scheme: light dark; --back: #fff; --text: #1c1e21;"

  static let sheet = [
    colors(darkOn: "screen and (prefers-color-scheme: dark)"), layout, charts, media,
  ].joined(separator: "\n")

  /// The colours, with those on a dark ground where the media query holds.
  private static func colors(darkOn query: String) -> String {
    ":root { color-scheme: light dark; \(Palette.light.declarations) }\n"
      + "@media \(query) { :root { \(Palette.dark.declarations) } }"
  }

  /// The rules for drawings.
  private static let charts = """
    svg text { fill: var(--soft); font-size: 12px; }
    svg .label { fill: var(--ink); paint-order: stroke; stroke: var(--back); stroke-width: 3px; }
    .strip { width: 13rem; } .strip .grid { stroke: var(--soft); }
    .grid { stroke: var(--line); stroke-width: 1; }
    .ink-1 { --ink: var(--ink-1); } .ink-2 { --ink: var(--ink-2); } .ink-3 { --ink: var(--ink-3); }
    .ink-4 { --ink: var(--ink-4); } .ink-5 { --ink: var(--ink-5); } .ink-6 { --ink: var(--ink-6); }
    .ink-7 { --ink: var(--ink-7); } .ink-8 { --ink: var(--ink-8); }
    .reference, .bound { --ink: var(--soft); } .faint { --ink: var(--faint); }
    .stroke { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linejoin: round; }
    .leader { fill: none; stroke: var(--ink); stroke-width: .8; stroke-dasharray: 1 2; }
    .mean { stroke: var(--ink); stroke-width: 3; }
    .beyond { fill: none; stroke: var(--ink); }
    .faint .stroke { stroke-width: 1; } .faint .label, .faint .leader { display: none; }
    .strip .leader { stroke-dasharray: none; } .strip.faint .leader { display: inline; }
    .dashes { stroke-dasharray: 7 4; } .bound .dashes { stroke-dasharray: 2 3; }
    .dashed .stroke { stroke-dasharray: 9 2 2 2; }
    .dot { fill: var(--ink); }
    .band { fill: var(--ink); opacity: .18; }
    """

  private static let layout = """
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 92rem; padding: 1.5rem 1rem 3rem; background: var(--back);
      color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
    h1 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; color: var(--soft); font-weight: 600; }
    h2 { font-size: 1.2rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
    p { margin: 0 0 .8rem; max-width: 46rem; overflow-wrap: break-word; }
    .lead { font-size: 1.45rem; line-height: 1.35; margin: .4rem 0 .6rem; max-width: 60rem;
      text-wrap: pretty; }
    .note { border-left: 4px solid var(--ink-2); padding-left: .7rem; }
    .soft { color: var(--soft); font-weight: 400; }
    section { border-top: 1px solid var(--line); margin-top: 1.4rem; padding-top: 1.2rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 1rem; top: .5rem; background: var(--back); padding: .3rem .6rem; }
    nav { display: flex; flex-wrap: wrap; gap: .4rem 2rem; align-items: baseline; }
    nav ul, .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; margin: 0;
      padding: 0; }
    .tool { display: block; margin-bottom: .4rem; color: var(--soft); }
    input { font: inherit; color: var(--text); background: var(--tint); border: 1px solid var(--soft);
      border-radius: 3px; padding: .1rem .4rem; width: 13rem; max-width: 100%; }
    .wide { overflow: auto; margin-bottom: 1rem;
      background: linear-gradient(90deg, var(--back) 30%, transparent) local,
        linear-gradient(270deg, var(--back) 30%, transparent) 100% 0 local,
        linear-gradient(0deg, var(--back) 30%, transparent) 0 100% local,
        linear-gradient(90deg, var(--shade), transparent), linear-gradient(270deg, var(--shade), transparent) 100% 0,
        linear-gradient(0deg, var(--shade), transparent) 0 100%;
      background-repeat: no-repeat;
      background-size: 3rem 100%, 3rem 100%, 100% 3rem, 1rem 100%, 1rem 100%, 100% 1rem; }
    .wide:has(.sortable) { max-height: 80vh; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
    th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; font-weight: 400; }
    .facts { margin-bottom: 1.2rem; }
    .facts th { color: var(--soft); white-space: pre; padding-right: 1.4rem; }
    .facts td { overflow-wrap: anywhere; }
    .numbers { font-size: .9rem; line-height: 1.35; }
    .numbers th { white-space: pre; }
    .numbers thead th { position: sticky; top: 0; background: var(--back); color: var(--soft);
      vertical-align: bottom; white-space: pre-wrap; z-index: 1; }
    .numbers tbody th { position: sticky; left: 0; background: var(--back); }
    .sortable thead th:first-child { left: 0; z-index: 2; }
    .numbers tr { border-bottom: 1px solid var(--line); }
    .numbers tbody + tbody { border-top: 2px solid var(--soft); }
    .numbers .number, .sortable td { text-align: right; } .sortable td.text { text-align: left; }
    .numbers td.number, .sortable td:not(.text) { white-space: nowrap; }
    .numbers button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
      text-align: inherit; cursor: pointer; white-space: inherit; }
    .numbers button:hover { color: var(--link); }
    .numbers button::after { content: "\\A0↕"; color: var(--soft); }
    [aria-sort] button { font-weight: 700; color: var(--text); }
    [aria-sort=descending] button::after { content: "\\A0↓"; color: inherit; }
    [aria-sort=ascending] button::after { content: "\\A0↑"; color: inherit; }
    .best { font-weight: 700; background: var(--mark); }
    .best::after { content: "*"; }
    .better-0 { background: var(--tint); }
    .better-1 { background: var(--better-1); } .better-2 { background: var(--better-2); }
    .better-3 { background: var(--better-3); } .better-4 { background: var(--better-4); }
    .worse-1 { background: var(--worse-1); } .worse-2 { background: var(--worse-2); }
    .worse-3 { background: var(--worse-3); } .worse-4 { background: var(--worse-4); }
    .heat { padding: .2rem .5rem; border: 1px solid var(--back); min-width: 4.2rem; }
    .named th { font-weight: 700; color: var(--link); }
    .legend { font-size: .85rem; gap: .2rem; } .legend li { padding: .1rem .6rem; }
    pre { background: var(--tint); padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere;
      margin: 0 0 .8rem; }
    details { margin-top: 1rem; } summary { cursor: pointer; }
    .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
      gap: 1.2rem 1.6rem; margin-bottom: 1.2rem; }
    .charts:has(> :only-child) { grid-template-columns: minmax(0, 38rem); }
    .charts:has(> :nth-child(2):last-child) {
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 36rem)); }
    figure { margin: 0; min-width: 0; }
    figcaption { font-weight: 600; margin-bottom: .3rem; overflow-wrap: anywhere; }
    svg { width: 100%; height: auto; display: block; }
    """

  private static let media = """
    .naming g.series:not(.named) { opacity: .2; }
    g.series:hover, g.series.named { --ink: var(--link); }
    g.series:hover .stroke, g.series.named .stroke { stroke-width: 3; }
    g.series:hover .label, g.series.named .label { display: inline; font-weight: 700; }
    @media (max-width: 32rem) { .lead { font-size: 1.2rem; } .strip { width: 8rem; }
      .heat { min-width: 3.4rem; }
      .numbers tbody th { white-space: normal; max-width: 9rem; overflow-wrap: break-word; } }
    @media screen and (min-width: 75rem) {
      main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 2.5rem;
        align-items: start; }
      main > section { grid-column: 1 / -1; min-width: 0; }
      section:has(> .charts > :only-child), #ranking:has(+ section > .charts > :only-child),
      section:has(> .charts > :only-child) + #heat-map:not(:has(th:nth-child(9))),
      section:has(> .charts > :only-child):first-child + #runs { grid-column: auto; } }
    @page { size: landscape; margin: 1cm; }
    @media print { :root { color-scheme: light; --back: #fff; --text: #000; --soft: #444;
        --line: #ccc; }
      body { max-width: none; padding: 0; font-size: 11px; } nav, .skip, .tool { display: none; }
      .wide, .wide:has(.sortable) { max-height: none; overflow: visible; background: none; }
      .numbers th { position: static !important; } .numbers button::after { content: none; }
      .numbers button { display: contents; } .heat { min-width: 0; } section { break-inside: auto; }
      details::details-content { content-visibility: visible; height: auto; }
      figure, tr { break-inside: avoid; }
      h2, section > p, summary, caption, figcaption { break-after: avoid; }
      .best, .heat, .legend li { print-color-adjust: exact; }
      .sortable { font-size: 7.5px; } .charts { grid-template-columns: 1fr 1fr 1fr; } }
    """
}
