"use strict";
// Light or dark as it was chosen last, else as the system says; before anything is drawn.
{
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
