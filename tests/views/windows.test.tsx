/** Where a window that was opened for a person may be sent. */
import { expect, test, vi } from "vitest";
import { isSafeAddress, openWindow } from "../../src/app/ports/windows.ts";

const home = "http://192.168.1.20:3000";

test.each([
  ["https://pay.example/", false, home, true],
  ["http://pay.example/", true, home, false],
  ["javascript:alert(1)", true, home, false],
  ["data:text/html,x", true, home, false],
  ["/help", true, home, false],
  ["http://127.0.0.1:3000/help", true, home, true],
  ["http://127.0.0.1:3000/help", false, home, false],
  ["http://localhost/help", true, home, true],
  ["http://[::1]:3000/help", true, home, true],
  ["http://192.168.1.20:3000/help", true, home, true],
  ["http://192.168.1.20:3000/help", false, home, false],
  ["http://192.168.1.20:4000/help", true, home, false],
  ["http://192.168.1.21:3000/help", true, home, false],
  ["http://192.168.1.20:3000@pay.example/", true, home, false],
  ["http://10.0.0.5/help", true, "http://10.0.0.5", true],
  ["http://172.20.0.5/help", true, "http://172.20.0.5", true],
  ["http://172.32.0.5/help", true, "http://172.32.0.5", false],
  ["http://[fd00::1]/help", true, "http://[fd00::1]", true],
  ["http://studio.local:3000/help", true, "http://studio.local:3000", true],
  ["http://10.example/help", true, "http://10.example", false],
  ["http://pay.example/help", true, "http://pay.example", false],
])("to %s, in the sandbox: %s, from %s: %s", (address, sandbox, here, allowed) => {
  expect(isSafeAddress(address, sandbox, here)).toBe(allowed);
});

test("a window says that its page is on the way, until it is sent there", async () => {
  const blank = document.implementation.createHTMLDocument();
  const replace = vi.fn<(address: string) => void>();
  const opened = { opener: window, closed: false, document: blank, location: { replace } };
  vi.spyOn(window, "open").mockReturnValue(opened as unknown as Window);
  const said: string[] = [];
  await openWindow("加载中", async () => {
    said.push(blank.title, blank.body.textContent);
    return "https://pay.example/";
  });
  expect({ said, opener: opened.opener, sent: replace.mock.calls }).toEqual({
    said: ["加载中", "加载中…"],
    opener: null,
    sent: [["https://pay.example/"]],
  });
});

test.each([
  [false, null, 1],
  [true, "https://pay.example/", 0],
])(
  "a window that was closed before its address came (%s) leaves %s for a link",
  async (closed, blocked, sent) => {
    const replace = vi.fn<(address: string) => void>();
    vi.spyOn(window, "open").mockReturnValue({
      opener: window,
      closed,
      location: { replace },
    } as unknown as Window);
    expect(await openWindow("Loading", async () => "https://pay.example/")).toEqual({ blocked });
    expect(replace.mock.calls.length).toBe(sent);
  },
);
