// Opens a cited source beside what cites it, at the cited characters.
import { element, fetched, say } from "./dom.js";

const beside = document.getElementById("beside");
let cameFrom = null;

const close = () => {
  beside.hidden = true;
  document.body.classList.remove("two");
  cameFrom?.classList.remove("open");
  cameFrom?.focus();
};

const open = async (link) => {
  const address = new URL(link.href);
  address.searchParams.set("part", "true");
  address.hash = "";
  try {
    beside.replaceChildren(await fetched(address));
  } catch (error) {
    beside.replaceChildren(element("p", error.message, { class: "problem", role: "alert" }));
  }
  beside.hidden = false;
  document.body.classList.add("two");
  const text = beside.querySelector(".source");
  const mark = beside.querySelector("mark");
  if (mark) {
    text.scrollTop = mark.offsetTop - text.clientHeight / 3;
    say(`Cited: ${mark.textContent}`);
  }
  if (matchMedia("(max-width: 60rem)").matches) beside.scrollIntoView({ block: "start" });
  beside.focus({ preventScroll: true });
};

export const startBeside = () => {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.place, #beside a.turnpage");
    if (event.target.closest("[data-close]")) close();
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.matches(".place")) {
      cameFrom?.classList.remove("open");
      cameFrom = link;
      link.classList.add("open");
    }
    open(link);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !beside.hidden && beside.contains(document.activeElement)) close();
  });
};
