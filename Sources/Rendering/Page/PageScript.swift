/// The script of pages: tables sort and filter, and a policy is found in every chart. Pages say the same
/// without it.
///
/// It has no `<` and no `&`, so that a page is well-formed XML.
enum PageScript {
  static let text = """
    (() => {
      const all = (selector, node = document) => [...node.querySelectorAll(selector)];
      const make = (tag, attributes, ...content) => {
        const node = Object.assign(document.createElement(tag), attributes);
        node.append(...content);
        return node;
      };

      const nameOf = node => node.dataset.name ?? node.querySelector("th")?.textContent;
      const show = name => {
        const found = all("g.series, .named-rows tbody tr").filter(node => {
          const isFound = nameOf(node) === name;
          node.classList.toggle("named", isFound);
          return isFound;
        });
        document.body.classList.toggle("naming", found.length > 0);
      };
      const field = make("input", {type: "search", autocomplete: "off", placeholder: "name of a policy"});
      const nav = document.querySelector("nav");
      if (nav ? document.querySelector(".faint") : false) {
        const names = new Set(all("g.series").map(nameOf));
        const list = make("datalist", {id: "names"}, ...[...names].map(value => make("option", {value})));
        field.setAttribute("list", "names");
        nav.append(make("label", {className: "tool"}, "Highlight in every chart ", field), list);
        field.addEventListener("input", () => show(field.value));
      }
      for (const series of all("g.series")) {
        series.addEventListener("pointerenter", () => show(nameOf(series)));
        series.addEventListener("pointerleave", () => show(field.value));
      }

      const valueOf = (row, column) => {
        const cell = row.cells[column];
        return cell.dataset.value ?? cell.textContent;
      };
      const compare = (one, other) => {
        const [a, b] = [Number(one), Number(other)];
        const areNumbers = ![a, b].some(Number.isNaN);
        return areNumbers ? a - b : one.localeCompare(other, "en", {numeric: true});
      };
      for (const table of all("table.sortable")) {
        const titles = [...table.tHead.rows[0].cells];
        const rows = [...table.tBodies].flatMap(body => [...body.rows]);
        titles.forEach((title, column) => {
          const button = make("button", {type: "button"}, ...title.childNodes);
          title.append(button);
          button.addEventListener("click", () => {
            const isNumber = title.classList.contains("number");
            const wasSorted = title.getAttribute("aria-sort");
            const isFalling = wasSorted ? wasSorted === "ascending" : isNumber;
            titles.forEach(other => other.removeAttribute("aria-sort"));
            title.setAttribute("aria-sort", isFalling ? "descending" : "ascending");
            const body = make("tbody", {});
            const isKnown = row => valueOf(row, column) === "–" ? 0 : 1;
            body.append(...rows.sort((one, other) =>
              isKnown(other) - isKnown(one) ||
                compare(valueOf(one, column), valueOf(other, column)) * (isFalling ? -1 : 1)));
            [...table.tBodies].forEach(old => old.remove());
            table.append(body);
          });
        });
        const count = make("output", {});
        const filter = make("input", {type: "search", placeholder: "words that a row has"});
        filter.addEventListener("input", () => {
          const words = filter.value.toLowerCase().split(/ +/);
          const shown = rows.filter(row => {
            const text = row.textContent.toLowerCase();
            row.hidden = !words.every(word => text.includes(word));
            return !row.hidden;
          });
          count.textContent = ` ${shown.length} of ${rows.length}`;
        });
        table.parentNode.before(make("label", {className: "tool"}, "Filter ", filter, count));
      }
    })();
    """
}
