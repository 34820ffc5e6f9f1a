"use strict";
// Draws the document of the page. All text goes in as textContent, none as HTML.
(() => {
  const picture = JSON.parse(document.getElementById("document").textContent);
  const { looks, nodes, edges } = picture;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const panel = document.getElementById("panel");
  const words = document.getElementById("words");
  const found = document.getElementById("found");
  const hidden = new Set();

  const graph = drawPicture(document.getElementById("graph"), picture);

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const nodeList = (heading, members) => {
    if (!members.length) return;
    panel.append(element("h3", heading));
    const list = element("ul");
    for (const node of members) {
      const button = element("button", node.name, { type: "button", "data-id": node.id });
      button.style.borderColor = looks[node.label].colour;
      button.addEventListener("click", () => select(node.id, true));
      const item = element("li");
      item.append(button);
      list.append(item);
    }
    panel.append(list);
  };

  const joined = (type, from, to) =>
    edges.filter((edge) => edge.type === type && (from === undefined || edge.from === from) && (to === undefined || edge.to === to));

  // Offsets count characters; a string of JavaScript counts halves of some of them.
  const quote = (chunk, start, end) => {
    const text = Array.from(chunk.properties.text);
    const [first, last] = [start - chunk.properties.start, end - chunk.properties.start];
    if (first < 0 || last > text.length) return;
    const block = element("blockquote", text.slice(0, first).join(""));
    const mark = element("mark", text.slice(first, last).join(""));
    block.append(mark, text.slice(last).join(""));
    panel.append(element("h3", "in its chunk"), block);
    block.scrollTop = Math.max(0, mark.offsetTop - block.offsetTop - 60);
  };

  const citation = (node) => {
    const chunks = node.label === "Chunk" ? [node] : joined("MENTIONED_IN", node.id).map((edge) => byId.get(edge.to));
    const parts = chunks.flatMap((chunk) => joined("PART_OF", chunk.id));
    if (!parts.length || node.properties.start === undefined) return;
    const source = byId.get(parts[0].to);
    panel.append(element("p", `${source.properties.uri}:${node.properties.start}-${node.properties.end}`, { id: "citation" }));
    if (node.label !== "Chunk") quote(chunks[0], node.properties.start, node.properties.end);
  };

  const shownProperties = (node) => {
    const list = element("dl");
    for (const [name, value] of Object.entries(node.properties)) {
      const isShare = typeof value === "number" && !Number.isInteger(value);
      const text = Array.isArray(value) ? value.join(", ") : isShare ? value.toFixed(2) : String(value);
      if (text && name !== "text_hash" && text !== node.name && !(node.label === "Chunk" && name === "text")) {
        list.append(element("dt", name), element("dd", text));
      }
    }
    return list;
  };

  const showNode = (node) => {
    panel.replaceChildren();
    const look = looks[node.label];
    const badge = element("span", node.rank ? `${node.label} · hit ${node.rank}` : node.label, { class: "badge" });
    badge.style.background = look.colour;
    badge.style.color = look.ink;
    panel.append(badge, element("h2", node.name, { id: "name" }));
    if (node.label === "Chunk") panel.append(element("blockquote", node.properties.text));
    citation(node);
    panel.append(shownProperties(node));
    const near = new Map();
    for (const edge of edges) {
      if (edge.from !== node.id && edge.to !== node.id) continue;
      const forth = edge.from === node.id;
      const what = edge.properties.predicate ? `${edge.type} ${edge.properties.predicate}` : edge.type;
      const heading = forth ? `${what} →` : `← ${what}`;
      if (!near.has(heading)) near.set(heading, []);
      near.get(heading).push(byId.get(forth ? edge.to : edge.from));
    }
    for (const [heading, members] of near) nodeList(heading, members);
  };

  const showContents = () => {
    panel.replaceChildren(element("h2", "Press a box, or choose here"));
    for (const [label, look] of Object.entries(looks)) {
      if (!hidden.has(label)) nodeList(look.plural, nodes.filter((node) => node.label === label));
    }
  };

  const light = (kept) => {
    graph.elements().removeClass("dim near");
    if (kept) graph.elements().difference(kept).addClass("dim");
  };

  const select = (id, centre) => {
    const node = graph.getElementById(id);
    graph.$(":selected").unselect();
    node.select();
    if (centre) graph.animate({ center: { eles: node }, duration: 200 });
  };

  const search = () => {
    const wanted = words.value.trim().toLowerCase();
    graph.$(":selected").unselect();
    if (!wanted) {
      light();
      found.textContent = "";
      showContents();
      return;
    }
    const matching = nodes.filter((node) =>
      [node.name, ...Object.values(node.properties)].some((value) => String(value).toLowerCase().includes(wanted)),
    );
    const ids = new Set(matching.map((node) => node.id));
    light(graph.nodes().filter((node) => ids.has(node.id())));
    found.textContent = `${matching.length} of ${nodes.length}`;
    panel.replaceChildren(element("h2", `Found: ${words.value.trim()}`));
    for (const [label, look] of Object.entries(looks)) {
      nodeList(look.plural, matching.filter((node) => node.label === label));
    }
  };

  graph.on("select", "node", (event) => {
    const node = event.target;
    light(node.closedNeighborhood());
    node.connectedEdges().addClass("near");
    showNode(byId.get(node.id()));
  });
  graph.on("tap", (event) => {
    if (event.target !== graph) return;
    light();
    showContents();
  });
  words.addEventListener("input", search);
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    panel.querySelector("li button")?.click();
  });
  document.getElementById("fit").addEventListener("click", () => graph.fit(undefined, 24));

  const legend = document.getElementById("legend");
  for (const [label, look] of Object.entries(looks)) {
    const button = element("button", look.plural, { type: "button", "aria-pressed": "true" });
    button.style.background = look.colour;
    button.style.color = look.ink;
    button.addEventListener("click", () => {
      const hide = !hidden.delete(label);
      if (hide) hidden.add(label);
      button.setAttribute("aria-pressed", String(!hide));
      graph.nodes().filter((node) => node.data("label") === label).toggleClass("hidden", hide);
    });
    legend.append(button);
  }
  showContents();
  window.graph = graph;
})();
