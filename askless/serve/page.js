// Fetches the page again and puts the new rows in place, unless the reader is in the table or has stopped it.
const LIVE = "live", EVERY_MS = 2000;
const button = document.createElement("button");
const state = document.createElement("span");
let running = true;

function say() {
  button.textContent = running ? "Stop updating" : "Update again";
  state.textContent = running ? " Updated every two seconds." : " Not updated.";
}

async function update() {
  const live = document.getElementById(LIVE);
  if (!running || live.contains(document.activeElement)) return;
  try {
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    live.replaceWith(page.getElementById(LIVE));
    say();
  } catch {
    state.textContent = " The server does not answer.";
  }
}

button.type = "button";
button.addEventListener("click", () => { running = !running; say(); });
document.getElementById("updating").replaceChildren(button, state);
say();
setInterval(update, EVERY_MS);
