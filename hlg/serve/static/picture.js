// Draws a part of the graph as `hlg view` does, and repeats it as a table.
import { asked, element } from "./dom.js";

const script = (address) =>
  new Promise((done, failed) => {
    const made = element("script", null, { src: address });
    made.onload = done;
    made.onerror = () => failed(new Error(`${address} could not be loaded`));
    document.head.append(made);
  });
let loading;
const beside = (name) => new URL(name, import.meta.url).href;
const libraries = () => (loading ??= script(beside("cytoscape.min.js")).then(() => script(beside("draw.js"))));

const relation = (edge) => edge.properties.predicate ?? edge.type.replaceAll("_", " ").toLowerCase();

const table = ({ nodes, edges, title }) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const made = element("table");
  made.append(element("caption", title));
  const head = made.createTHead().insertRow();
  for (const name of ["This", "leads by", "to that"]) head.append(element("th", name, { scope: "col" }));
  const body = made.createTBody();
  for (const edge of edges) {
    const row = body.insertRow();
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    for (const [node, text] of [[from, from.name], [null, relation(edge)], [to, to.name]]) {
      const cell = row.insertCell();
      if (node) cell.append(element("span", node.label, { class: "badge" }), " ");
      cell.append(text);
    }
  }
  const folded = element("details");
  folded.append(element("summary", `As a table: ${edges.length} relations`), element("div", null, { class: "scroll", tabindex: "0", role: "region", "aria-label": "The picture as a table" }));
  folded.lastChild.append(made);
  return folded;
};

const properties = ({ name, label, properties: own }) => {
  const list = element("dl", null, { class: "facts" });
  list.append(element("dt", label), element("dd", name));
  for (const [key, value] of Object.entries(own)) {
    if (key === "text_hash" || String(value) === "" || String(value) === name) continue;
    list.append(element("dt", key), element("dd", typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value)));
  }
  return list;
};

const draw = async (place, address) => {
  place.replaceChildren(element("p", "Drawing…", { role: "status" }));
  try {
    const picture = await asked(address).then((answer) => answer.json());
    await libraries();
    const canvas = element("div", null, { class: "canvas", role: "img", "aria-label": `${picture.title}: ${picture.shown}. The table below has the same.` });
    const told = element("div", null, { class: "told", "aria-live": "polite" });
    const large = element("button", "Full screen", { type: "button", class: "quiet" });
    large.addEventListener("click", () => canvas.requestFullscreen());
    place.replaceChildren(element("p", `${picture.shown}. Press a box for its text.`, { class: "how" }), large, canvas, told, table(picture));
    const graph = globalThis.drawPicture(canvas, picture);
    graph.on("select", "node", (event) => {
      const node = event.target;
      graph.elements().removeClass("dim near").difference(node.closedNeighborhood()).addClass("dim");
      node.connectedEdges().addClass("near");
      told.replaceChildren(properties(node.data()));
    });
    graph.on("unselect", () => graph.elements().removeClass("dim near"));
    canvas.addEventListener("fullscreenchange", () => setTimeout(() => graph.resize().fit(undefined, 24), 100));
    canvas.graph = graph;
  } catch (error) {
    place.replaceChildren(element("p", error.message, { class: "problem", role: "alert" }));
  }
};

export const startPictures = () => {
  // "toggle" does not bubble, but is seen on its way down.
  document.addEventListener("toggle", (event) => {
    const folded = event.target;
    if (folded.matches?.("details[data-picture]") && folded.open && !folded.dataset.drawn) {
      folded.dataset.drawn = "true";
      draw(folded.querySelector(".drawn"), folded.dataset.picture);
    }
  }, true);
};
