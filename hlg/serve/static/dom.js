// What every module makes elements of. Text goes in as text, never as HTML.
export const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// A part of a page that the server made out of its templates.
export const fetched = async (address) => {
  const answer = await fetch(address);
  const made = document.createElement("template");
  made.innerHTML = await answer.text();
  if (!answer.ok) throw new Error(made.content.querySelector("[role=alert]")?.textContent ?? answer.statusText);
  return made.content;
};

// What the API answers; its one line is the message of what is thrown.
export const asked = async (address, how = {}) => {
  const answer = await fetch(address, how);
  if (!answer.ok) {
    const { message } = await answer.json().catch(() => ({ message: answer.statusText }));
    throw Object.assign(new Error(message), { status: answer.status });
  }
  return answer;
};

// For whoever listens to the page instead of looking at it.
export const say = (text) => {
  document.getElementById("said").textContent = text;
};
