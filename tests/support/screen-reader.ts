/** What a user hears who goes through the page with a screen reader: roles and names, in their order. */
import type { Page } from "playwright-core";

interface Node {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
  childIds?: string[];
}

/** Their names stand for all that is in them. */
const whole = new Set([
  "heading",
  "link",
  "button",
  "textbox",
  "checkbox",
  "radio",
  "slider",
  "timer",
  "image",
  "StaticText",
]);
/** Said on the way in. */
const around = new Set([
  "banner",
  "main",
  "contentinfo",
  "complementary",
  "status",
  "alert",
  "dialog",
  "alertdialog",
]);

/** Each line a role and a name; of a field also that it is required or wrong, and what is said of it. */
export async function heardOn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const heard: string[] = [];
  function walk(node: Node): void {
    const role = node.role?.value ?? "";
    const name = node.name?.value.trim() ?? "";
    const isWhole = !node.ignored && whole.has(role);
    const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    if (isWhole && (name !== "" || role !== "StaticText")) {
      const has = (property: string) =>
        node.properties?.some(
          ({ name, value }) => name === property && value.value !== "false" && value.value,
        );
      const value = role === "timer" ? textIn(node) : "";
      const said = [
        name,
        value,
        has("required") ? "required" : "",
        has("invalid") ? "wrong" : "",
        node.description?.value ?? "",
      ];
      heard.push(`${role === "StaticText" ? "text" : role}: ${said.filter(Boolean).join(", ")}`);
      return;
    }
    // A region without a word in it is not met.
    const isRegion = !node.ignored && around.has(role);
    const before = heard.length;
    if (isRegion) heard.push(name === "" ? role : `${role}: ${name}`);
    for (const child of children) walk(child);
    if (isRegion && heard.length === before + 1) heard.pop();
  }
  const textIn = (node: Node): string =>
    (node.childIds ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .map((child) => (child.role?.value === "StaticText" ? (child.name?.value ?? "") : textIn(child)))
      .join("");
  if (nodes[0]) walk(nodes[0]);
  return heard;
}
