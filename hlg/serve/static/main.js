import { startAsking } from "./ask.js";
import { startBeside } from "./beside.js";
import { startFilters } from "./filters.js";
import { startPictures } from "./picture.js";
import { startSuggesting } from "./suggest.js";
import { startUploads } from "./uploads.js";

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = getComputedStyle(root).getPropertyValue("--is-dark").trim() === "1";
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});
startBeside();
startPictures();
for (const form of document.querySelectorAll("form:has([data-filter])")) startFilters(form);
for (const box of document.querySelectorAll("input[name=q]")) startSuggesting(box);
const form = document.getElementById("ask");
if (form) startAsking(form);
startUploads();
