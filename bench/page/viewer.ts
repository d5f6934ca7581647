import { existsSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { createClient } from '../../cli/command/client.ts';
import { SLUG, type Target } from '../load/triplets.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PASSWORD = 'seven quiet grey herons';

/** Somebody who looks at the overview of a customer, and the key that the customer's programs send with. */
export interface Viewer {
  readonly target: Target;
  readonly page: Page;
  readonly browser: Browser;
  readonly devtools: CDPSession;
}

/** How often the count of new signals changed, and to what, by the clock that both processes share (Unix ms). */
export type Seen = readonly (readonly [atMs: number, count: number])[];

/**
 * Looks at the count of new signals when the browser draws what changed. A loop over all frames took a tenth of a core of its
 * own, which nobody's page does.
 */
const WATCH = `
  window.seen = [];
  let asked = false;
  const look = () => {
    asked = false;
    const text = document.querySelector('.new-rows')?.textContent ?? '0';
    const count = Number(text.replace(/\\D/g, ''));
    if (count !== (window.seen.at(-1)?.[1] ?? 0)) window.seen.push([Date.now(), count]);
  };
  new MutationObserver(() => {
    if (!asked) requestAnimationFrame(look);
    asked = true;
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

/** One signal, which is shown at once: into a feed that shows something others come only when they are asked for. */
async function storeFirst({ url, keys }: Target): Promise<void> {
  const client = createClient(url, { 'x-service-key': keys[0]! });
  const triplet = { sandboxSlug: SLUG, provider: 'openai', model: 'gpt-4o', prompt: 'a', response: 'b' };
  const { body } = await client.request('POST', '/audit/ingest', triplet);
  await client.request('GET', `/audits/${body.auditId}?wait=30`);
}

/** Signs up, opens the overview in a browser, and waits until its stream is live. */
export async function openViewer(url: string, internalSecret: string): Promise<Viewer> {
  const executablePath = [process.env.CHROMIUM ?? '', ...PLACES].find((one) => one !== '' && existsSync(one));
  if (executablePath === undefined) throw new Error('no Chromium was found: name one in CHROMIUM');
  const account = { email: 'bench@example.org', password: PASSWORD, name: 'Bench', type: 'COMPANY' };
  const answer = await fetch(`${url}/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { customer, csrfToken } = (await answer.json()) as { customer: { id: string }; csrfToken: string };
  const [name, value] = /^([^=]+)=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')?.slice(1) ?? [];
  if (name === undefined || value === undefined) throw new Error('no session was given');
  const internal = createClient(url, { 'x-internal-secret': internalSecret });
  await internal.request('PATCH', `/internal/customers/${customer.id}`, { plan: 'ENTERPRISE' });
  const own = createClient(url, { cookie: `${name}=${value}`, 'x-csrf-token': csrfToken });
  await own.request('POST', '/sandboxes', { name: 'Bench', slug: SLUG, sandboxType: 'FULL_SPECTRUM' });
  const { body } = await own.request('POST', '/api-keys', { name: 'bench' });
  const target = { url, keys: [String(body.key)] };
  await storeFirst(target);
  const browser = await chromium.launch({ executablePath });
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await page.goto(`${url}/ui/`);
  await page.getByText('live', { exact: true }).waitFor();
  await page.locator('.feed > li').waitFor();
  const devtools = await context.newCDPSession(page);
  return { target, page, browser, devtools };
}

export const seenBy = (page: Page): Promise<Seen> => page.evaluate<Seen>('window.seen');

/** What the tab's scripts hold after a garbage collection, MiB, and the elements of its document. */
export async function tabMemory(devtools: CDPSession): Promise<{ heapMiB: number; elements: number }> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  return { heapMiB: usedSize / 1024 / 1024, elements: nodes };
}
