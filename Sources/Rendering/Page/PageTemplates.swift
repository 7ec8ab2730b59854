import Mustache

/// The templates of pages, as part of the executable, so that it works from anywhere.
///
/// Two braces escape what they show, by `markupEscaped`; three show a drawing as it is.
enum PageTemplates {
  /// The text of a page.
  static func render(_ page: Page) -> String {
    guard let text = library.render(page, withTemplate: "page") else {
      preconditionFailure("there is a template for pages")
    }
    return text
  }

  private static let library: MustacheLibrary = {
    MustacheContentTypes.register(Markup(), named: "MARKUP")
    do {
      var templates: [String: MustacheTemplate] = [:]
      for (name, text) in all {
        templates[name] = try MustacheTemplate(string: "{{% CONTENT_TYPE: MARKUP}}" + text)
      }
      return MustacheLibrary(templates: templates)
    } catch {
      preconditionFailure("a template cannot be read: \(error)")
    }
  }()

  /// The escaping of text between two braces.
  private struct Markup: MustacheContentType {
    func escapeText(_ text: String) -> String { text.markupEscaped }
  }

  private static let all = [
    "page": page, "section": section, "table": table, "figure": figure,
  ]

  private static let page = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{title}} · {{kind}}, EvictionLab</title>
    <style>
    {{{sheet}}}
    </style>
    </head>
    <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
    <h1>{{title}}</h1>
    {{#lead}}
    <p class="lead">{{.}}</p>
    {{/lead}}
    {{#support}}
    <p>{{.}}</p>
    {{/support}}
    {{#notes}}
    <p class="note">{{.}}</p>
    {{/notes}}
    {{#hasContents}}
    <nav aria-label="Contents"><ul>
    {{#sections}}
    <li><a href="#{{id}}">{{heading}}</a></li>
    {{/sections}}
    </ul></nav>
    {{/hasContents}}
    </header>
    <main id="content">
    {{#sections}}
    {{>section}}
    {{/sections}}
    </main>
    {{#script}}
    <script>
    {{{.}}}
    </script>
    {{/script}}
    </body>
    </html>

    """

  private static let section = """
    <section id="{{id}}" aria-labelledby="{{id}}-heading">
    <h2 id="{{id}}-heading">{{heading}}</h2>
    {{#texts}}
    <p>{{.}}</p>
    {{/texts}}
    {{#hasFigures}}
    <div class="charts">
    {{#figures}}
    {{>figure}}
    {{/figures}}
    </div>
    {{/hasFigures}}
    {{#hasMore}}
    <details><summary>More charts</summary>
    <div class="charts">
    {{#moreFigures}}
    {{>figure}}
    {{/moreFigures}}
    </div>
    </details>
    {{/hasMore}}
    {{#hasFacts}}
    <table class="facts">
    {{#facts}}
    <tr><th scope="row">{{label}}</th><td>{{fact}}</td></tr>
    {{/facts}}
    </table>
    {{/hasFacts}}
    {{#tables}}
    {{>table}}
    {{/tables}}
    {{#commands}}
    <pre tabindex="0"><code>{{.}}</code></pre>
    {{/commands}}
    {{#notes}}
    <p>{{.}}</p>
    {{/notes}}
    {{#hasFolded}}
    <details><summary>{{foldedSummary}}</summary>
    {{#foldedNotes}}
    <p>{{.}}</p>
    {{/foldedNotes}}
    </details>
    {{/hasFolded}}
    </section>

    """

  private static let table = """
    {{#isFolded}}
    <details><summary>{{caption}}</summary>
    {{/isFolded}}
    <div class="wide" role="region" tabindex="0" aria-label="{{caption}}">
    <table class="{{kind}}">
    <caption>{{caption}}</caption>
    <thead><tr>{{#columns}}<th scope="col"{{#key}} data-key="{{.}}"{{/key}}{{#isNumber}} class="number"{{/isNumber}}>{{title}}</th>{{/columns}}</tr></thead>
    {{#groups}}
    <tbody>
    {{#rows}}
    <tr>{{#cells}}{{#isHeader}}<th scope="row"{{#exact}} data-value="{{.}}"{{/exact}}>{{text}}</th>{{/isHeader}}{{^isHeader}}<td{{#classes}} class="{{.}}"{{/classes}}{{#exact}} data-value="{{.}}"{{/exact}}>{{text}}{{{drawing}}}</td>{{/isHeader}}{{/cells}}</tr>
    {{/rows}}
    </tbody>
    {{/groups}}
    </table>
    </div>
    {{#isFolded}}
    </details>
    {{/isFolded}}
    {{#hasLegend}}
    <ul class="legend">{{#legend}}<li class="{{classes}}">{{text}}</li>{{/legend}}</ul>
    {{/hasLegend}}

    """

  private static let figure = """
    <figure>
    <figcaption>{{caption}}{{#note}} <span class="soft">{{.}}</span>{{/note}}</figcaption>
    {{{drawing}}}
    </figure>

    """
}

/// Tables may have thousands of cells: mirrors, by which other properties are found, would take most of the time. Where a
/// cell has none of something, sections of it are not shown, nor is it looked for around the cell.
extension PageTable.Cell: MustacheParent {
  package func child(named name: String) -> Any? {
    switch name {
    case "text": text
    case "exact": exact ?? false
    case "classes": classes ?? false
    case "drawing": drawing ?? ""
    case "isHeader": isHeader
    default: nil
    }
  }
}

extension PageTable.Row: MustacheParent {
  package func child(named name: String) -> Any? { name == "cells" ? cells : nil }
}
