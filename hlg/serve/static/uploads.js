// Sends files, shows how their build goes on, and deletes sources.
import { asked, element, fetched, say } from "./dom.js";

const EVERY = 1000;

const send = async (file, mostMb) => {
  if (file.size > mostMb * 2 ** 20) throw new Error(`${file.name} is of more than ${mostMb} MiB`);
  const address = `/api/v1/sources/${encodeURIComponent(file.name)}`;
  try {
    await asked(address, { method: "PUT", body: file });
  } catch (error) {
    if (!error.message.includes("replace=true") || !confirm(`Replace ${file.name}?`)) throw error;
    await asked(`${address}?replace=true`, { method: "PUT", body: file });
  }
};

const show = async (table) => {
  const { build } = await asked("/api/v1/status").then((answer) => answer.json());
  document.getElementById("progress").textContent = build.progress;
  table.hidden = !build.files.length;
  table.tBodies[0].replaceChildren(...build.files.map((file) => {
    const row = element("tr");
    row.append(element("td", file.name), element("td", file.state), element("td", file.reason));
    return row;
  }));
  return build.is_running;
};

// Who is at a row with the keyboard stays there.
const list = async () => {
  const fresh = (await fetched(location.href)).getElementById("listed");
  const listed = document.getElementById("listed");
  const held = listed.contains(document.activeElement) ? document.activeElement : undefined;
  listed.replaceWith(fresh);
  const same = (each) => each.href === held.href && each.dataset.delete === held.dataset.delete;
  if (held) [...fresh.querySelectorAll("a, button")].find(same)?.focus();
};

export const startUploads = () => {
  const form = document.getElementById("upload");
  if (!form) return;
  const table = document.getElementById("build");
  const watch = async (isNew) => {
    // A store that is away for a while comes back: it is asked again.
    if (await show(table).catch(() => true)) setTimeout(watch, EVERY, true);
    else if (isNew) await list().then(() => say("Built"));
  };
  const take = async (files) => {
    for (const file of files) {
      await send(file, Number(form.dataset.mostMb)).catch((error) => {
        form.append(element("p", error.message, { class: "problem", role: "alert" }));
      });
    }
    watch(true);
  };
  form.addEventListener("change", (event) => take([...event.target.files]));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  document.addEventListener("click", async (event) => {
    const { delete: id, name } = event.target.dataset;
    if (!id || !confirm(`Delete ${name} and what only it supports?`)) return;
    try {
      await asked(`/api/v1/sources/${id}`, { method: "DELETE" });
      await list();
      say(`Deleted ${name}`);
    } catch (error) {
      form.append(element("p", error.message, { class: "problem", role: "alert" }));
    }
  });
  if (document.querySelector("#build tbody tr")) watch(false);
};
