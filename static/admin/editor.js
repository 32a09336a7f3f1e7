// Ties the editor to its page: the address follows the catalog, the colours follow the admin's theme.
const page = document.getElementById("editor");
const editor = page.querySelector("service-catalog-editor");
const list = page.dataset.list;

const addressOf = (key) =>
  `${key ? `${list}/${encodeURIComponent(key)}/edit` : list}?tenant=${encodeURIComponent(editor.tenant)}`;
const keyIn = (path) => decodeURIComponent(/\/catalogs\/([^/]+)\/edit$/.exec(path)?.[1] ?? "");

editor.addEventListener("catalog-opened", ({ detail }) => {
  if (keyIn(location.pathname) !== (detail.key ?? "")) history.pushState(null, "", addressOf(detail.key));
});
addEventListener("popstate", () => {
  editor.catalogKey = keyIn(location.pathname);
});

const follow = () => {
  editor.theme = document.documentElement.dataset.theme || "auto";
};
new MutationObserver(follow).observe(document.documentElement, { attributeFilter: ["data-theme"] });
follow();
