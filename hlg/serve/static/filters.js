// Writes the condition that the fields of a filter stand for; it can be written by hand as well.
const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
const value = (text) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? text : quoted(text));

export const startFilters = (form) => {
  const get = (name) => form.querySelector(`[data-filter=${name}]`).value.trim();
  form.addEventListener("input", (event) => {
    if (!event.target.dataset.filter) return;
    const uri = get("uri");
    const isWhole = [...form.querySelectorAll("#addresses option")].some((option) => option.value === uri);
    form.elements.where.value = [
      uri && (isWhole ? `uri = ${quoted(uri)}` : `uri contains ${quoted(uri)}`),
      get("from") && `date >= ${get("from")}`,
      get("to") && `date <= ${get("to")}`,
      get("field") && get("value") && `${get("field")} ${get("is")} ${value(get("value"))}`,
    ].filter(Boolean).join(" and ");
  });
};
