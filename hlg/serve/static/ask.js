// Asks without leaving the page: the answer comes piece by piece, then whole, made by the server.
import { asked, element, fetched, say } from "./dom.js";

async function* events(stream) {
  let rest = "";
  for (const reader = stream.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const [, name, data] = part.match(/^event: (\w+)\ndata: (.*)$/s);
      yield [name, JSON.parse(data)];
    }
  }
}

const question = (form) => {
  const given = new FormData(form);
  const told = { question: given.get("q"), chat: given.get("chat"), retriever: given.get("retriever"), where: given.get("where") };
  if (given.get("top_k")) told.top_k = Number(given.get("top_k"));
  if (given.get("extractive")) told.extractive = true;
  return told;
};

const answer = async (form, turn) => {
  const sent = { method: "POST", headers: { accept: "text/event-stream", "content-type": "application/json" }, body: JSON.stringify(question(form)) };
  const { body } = await asked("/api/v1/ask", sent);
  const text = turn.querySelector(".coming");
  for await (const [name, told] of events(body)) {
    if (name === "text") text.textContent += told.piece;
    if (name === "error") throw new Error(told.message);
    if (name === "answer") {
      form.elements.chat.value = told.chat;
      turn.replaceWith(await fetched(`/turns/${told.chat}/${told.turn}`));
      const { lead, is_answered: isAnswered, citations } = told.answer;
      say(isAnswered ? `Answered${lead ? `: ${lead}` : ""}, with ${citations.length} citation${citations.length === 1 ? "" : "s"}.` : "Nothing seems to answer that.");
    }
  }
};

export const startAsking = (form) => {
  const turns = document.getElementById("turns");
  const anew = document.getElementById("anew");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const box = form.elements.q;
    const given = box.value.trim();
    if (!given || form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    form.querySelector("[role=alert]")?.remove();
    document.getElementById("first")?.remove();
    document.querySelector("h1").className = "unseen";
    const turn = element("article", null, { class: "turn", "aria-busy": "true" });
    turn.append(element("h2", given), element("p", "", { class: "coming" }));
    turns.append(turn);
    turn.scrollIntoView({ block: "start" });
    say("Searching");
    try {
      await answer(form, turn);
      const told = [...new FormData(form)].filter(([name, value]) => value && name !== "chat");
      history.replaceState(null, "", `/?${new URLSearchParams(told)}`);
      box.value = "";
      box.placeholder = "Ask on: and when was that?";
      anew.hidden = false;
      turns.lastElementChild.scrollIntoView({ block: "start" });
    } catch (error) {
      turn.remove();
      form.prepend(element("p", error.message, { class: "problem", role: "alert" }));
    }
    form.ariaBusy = "false";
    box.focus({ preventScroll: true });
  });
  anew.addEventListener("click", () => {
    form.elements.chat.value = "";
    turns.replaceChildren();
    anew.hidden = true;
    form.elements.q.focus();
  });
};
