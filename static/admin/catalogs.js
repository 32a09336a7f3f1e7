// What the page at /admin/catalogs gains from a script: line numbers, jumps, a warning on leaving.
const LINE_HEIGHT = 20; // px, as in catalogs.css
const form = document.getElementById("catalog");
const text = document.getElementById("text");
const saved = text.value;
const places = new Map(
  [...document.querySelectorAll("[data-line]")].map((link) => [Number(link.dataset.line), link]),
);

const gutter = document.createElement("div");
gutter.className = "gutter";
gutter.setAttribute("aria-hidden", "true");
text.before(gutter);

function number() {
  const count = text.value.split("\n").length;
  const unchanged = text.value === saved; // an edit may have moved the places
  gutter.replaceChildren(
    ...Array.from({ length: count }, (_, index) => {
      const line = document.createElement("span");
      line.textContent = String(index + 1);
      if (unchanged && places.has(index + 1)) line.className = "place";
      return line;
    }),
  );
  follow();
}

function follow() {
  gutter.style.height = `${text.offsetHeight}px`;
  gutter.scrollTop = text.scrollTop;
}

function jump(line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  text.scrollTop = Math.max(0, (line - 4) * LINE_HEIGHT);
  text.scrollIntoView({ block: "nearest" });
}

text.addEventListener("input", number);
text.addEventListener("scroll", follow);
new ResizeObserver(follow).observe(text);
for (const [line, link] of places) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    jump(line);
  });
}

let isSubmitted = false;
form.addEventListener("submit", () => {
  isSubmitted = true;
});
addEventListener("beforeunload", (event) => {
  if (!isSubmitted && text.value !== saved) event.preventDefault();
});

number();
