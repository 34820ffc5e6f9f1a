// Names out of the graph that complete the last words of a question: a combobox with a list.
import { asked, element } from "./dom.js";

const WAIT = 120;
let boxes = 0;

// Where in the text a name begins that its last words are the beginning of.
const beginning = (text, name) => {
  const places = [...text.matchAll(/\S+/g)].map((word) => word.index);
  return places.find((place) => name.toLowerCase().startsWith(text.slice(place).toLowerCase())) ?? places.at(-1) ?? 0;
};

export const startSuggesting = (box) => {
  const list = element("ul", null, { id: `names-${++boxes}`, role: "listbox", class: "names", "aria-label": "Names in the graph" });
  list.hidden = true;
  box.after(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id })) {
    box.setAttribute(name, value);
  }
  let waiting, shown = 0, chosen = -1;

  const close = () => {
    shown += 1;
    list.hidden = true;
    box.ariaExpanded = "false";
    box.removeAttribute("aria-activedescendant");
    chosen = -1;
  };
  const take = (name) => {
    box.value = `${box.value.slice(0, beginning(box.value, name))}${name} `;
    close();
    box.focus();
  };
  const choose = (place) => {
    chosen = place;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === place)));
    if (place >= 0) box.setAttribute("aria-activedescendant", list.children[place].id);
  };
  const show = async () => {
    const last = box.value.match(/(?:\S+ )?\S$|\S+$/)?.[0] ?? "";
    if (last.length < 2) return close();
    const before = box.value, turn = ++shown;
    const found = await asked(`/api/v1/entities?${new URLSearchParams({ like: last, limit: 6 })}`).then((x) => x.json(), () => []);
    if (turn !== shown || box.value !== before || document.activeElement !== box) return;
    list.replaceChildren(...found.map((entity, i) => {
      const item = element("li", entity.name, { role: "option", id: `${list.id}-${i}`, "aria-selected": "false" });
      item.append(element("span", entity.entity_class, { class: "note" }));
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(entity.name); });
      item.dataset.name = entity.name;
      return item;
    }));
    chosen = -1;
    list.hidden = !found.length;
    box.ariaExpanded = String(!list.hidden);
  };

  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, WAIT);
  });
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    const count = list.hidden ? 0 : list.children.length;
    if (event.key === "Escape") close();
    else if (count && event.key === "ArrowDown") choose((chosen + 1) % count);
    else if (count && event.key === "ArrowUp") choose((chosen + count - 1) % count);
    else if (count && chosen >= 0 && (event.key === "Enter" || event.key === "Tab")) take(list.children[chosen].dataset.name);
    else {
      if (event.key === "Enter") { clearTimeout(waiting); close(); }
      return;
    }
    event.preventDefault();
  });
};
