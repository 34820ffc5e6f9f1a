"use strict";
// Draws a picture's document with Cytoscape, for the page of `hlg view` and for `hlg serve`.
globalThis.drawPicture = (container, { fontPixels, faint, looks, nodes, edges }) =>
  cytoscape({
    container: container,
    elements: {
      nodes: nodes.map((node) => ({ data: node, position: { x: node.x, y: node.y } })),
      edges: edges.map((edge, i) => ({ data: { ...edge, id: `edge ${i}`, source: edge.from, target: edge.to } })),
    },
    layout: { name: "preset", fit: true, padding: 24 },
    minZoom: 0.05,
    maxZoom: 4,
    style: [
      {
        selector: "node",
        style: {
          shape: "round-rectangle",
          width: "data(width)",
          height: "data(height)",
          label: "data(caption)",
          "text-wrap": "wrap",
          "text-valign": "center",
          "text-halign": "center",
          "font-family": '"DejaVu Sans", system-ui, sans-serif',
          "font-size": fontPixels,
          "background-color": (node) => looks[node.data("label")].colour,
          color: (node) => looks[node.data("label")].ink,
        },
      },
      { selector: "node[?rank]", style: { "border-width": 2.5, "border-color": "#1f1f2e" } },
      {
        selector: "edge",
        style: {
          width: 1,
          "line-color": "#8a8fa3",
          "line-opacity": 0.6,
          "curve-style": "straight",
          "target-arrow-shape": "triangle",
          "target-arrow-color": "#8a8fa3",
          "arrow-scale": 0.7,
        },
      },
      { selector: faint.map((type) => `edge[type = "${type}"]`).join(", "), style: { "line-style": "dotted", "line-opacity": 0.45 } },
      {
        selector: 'edge[type = "RELATES_TO"]',
        style: {
          "curve-style": "bezier",
          label: (edge) => edge.data("properties").predicate,
          "font-size": fontPixels - 3,
          color: "#5a5f73",
          "text-background-color": "#fff",
          "text-background-opacity": 0.85,
          "text-rotation": "autorotate",
        },
      },
      { selector: "edge.dim", style: { opacity: 0.2 } },
      { selector: "node.dim", style: { opacity: 0.5 } },
      { selector: "edge.near", style: { width: 2, "line-color": "#1f1f2e", "line-opacity": 0.9, "target-arrow-color": "#1f1f2e" } },
      { selector: "node:selected", style: { "border-width": 4, "border-color": "#e0218a" } },
      { selector: ".hidden", style: { display: "none" } },
    ],
  });
