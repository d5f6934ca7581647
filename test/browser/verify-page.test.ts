import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseVerifierKey, verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '#jest';
import type { PackageFile } from '#schemas/api/evidence/evidence-package.ts';
import {
  archiveBytes,
  SAMPLE_FILES,
  SAMPLE_KEYS,
  samplePackage,
  sampleSigner,
} from '../../services/api/testing/sample-package.ts';
import { describeInBrowser, type Offline, startOffline } from './chromium.ts';
import { type OpenedPage, openPage } from './opened-page.ts';
import { changedPackage, MARKUP, type MadePackage, makePackage, textsOf } from './packages.ts';

const SIGNALS = 30;
const OTHER_KEY = verifierKey(sampleSigner(2));
const SAMPLE_KEY = verifierKey(SAMPLE_KEYS[0]!);
const ALL_STEPS = [
  'Archive',
  'Signature',
  'Files',
  'Checkpoint',
  'Ledger',
  'Signals and incidents',
  'Control attestations',
];

/** The page from an archive, opened without a network and compared with `cas verify`. */
describeInBrowser('the page inside a package', (executable) => {
  let good: MadePackage;
  let html: string;
  let folder: string;
  let browser: Offline;
  let opened: OpenedPage;
  beforeAll(async () => {
    good = await makePackage(SIGNALS);
    html = (await textsOf(good.bytes)).get('verify.html')!;
    folder = mkdtempSync(path.join(os.tmpdir(), 'verify-page-'));
    browser = await startOffline(executable);
  });
  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    opened = await openPage(browser.context, html, folder);
  });
  afterEach(async () => {
    expect(opened.asked).toEqual([opened.page.url()]);
    expect(opened.complaints).toEqual([]);
    expect(await opened.page.locator('img, iframe, object, a').count()).toBe(0);
    expect(await opened.page.title()).toBe('Verify an evidence package');
    await opened.page.close();
  });

  /** Output of the command for the same file. */
  const commandSays = async (bytes: Buffer, key: string) => {
    const { faults, facts } = await verifyPackage(archiveBytes(bytes), [parseVerifierKey(key)!]);
    return { faults: faults.map(({ file, reason }) => `${file}: ${reason}`), facts };
  };
  const states = (passed: number, last: 'Failed' | 'Passed'): Record<string, string> =>
    Object.fromEntries(
      ALL_STEPS.map((step, at) => [step, at < passed ? 'Passed' : at === passed ? last : 'Not checked']),
    );

  test('verifies a good package step by step, with the same result as the command', async () => {
    const shown = await opened.verify(good.bytes, good.key);
    const said = await commandSays(good.bytes, good.key);
    expect(said.faults).toEqual([]);
    expect(shown).toEqual({ verdict: 'Verified', faults: [], facts: said.facts, steps: states(7, 'Passed') });
    const texts = await textsOf(good.bytes);
    const signed = JSON.parse(texts.get('manifest.json')!);
    const values = await opened.page.locator('dd').allTextContents();
    expect(values).toEqual([
      `compliance-audit-service/${signed.customerId}`,
      `${signed.treeSize} entries`,
      signed.rootHash,
      signed.generatedAt,
      'GDPR',
      `${signed.periodStart} to ${signed.periodEnd}`,
      signed.customerId,
      'Sandboxes tagged GDPR',
      String(SIGNALS),
      '1',
      String(JSON.parse(texts.get('attestations.json')!).length),
    ]);
  });

  test('shows signals as text, including markup, and loads more on request', async () => {
    await opened.verify(good.bytes, good.key);
    const rows = opened.page.locator('#signal-rows > tr');
    expect(await rows.count()).toBe(25);
    expect(await rows.nth(1).locator('td').last().textContent()).toBe(MARKUP);
    await opened.page.getByRole('button', { name: 'Show more' }).click();
    await opened.page.getByText(`Showing ${SIGNALS} of ${SIGNALS}.`).waitFor();
    expect(await rows.count()).toBe(SIGNALS);
  });

  test.each<[what: string, passed: number, change: (bytes: Buffer) => Promise<Buffer> | Buffer]>([
    [
      'a changed signal',
      2,
      async (bytes) => {
        const text = (await textsOf(bytes)).get('signals.ndjson')!;
        return changedPackage(bytes, { 'signals.ndjson': text.replace('"HIGH"', '"LOW"') });
      },
    ],
    ['a dropped file', 2, (bytes) => changedPackage(bytes, { 'incidents.ndjson': null })],
    ['another page', 2, (bytes) => changedPackage(bytes, { 'verify.html': MARKUP })],
    [
      'a changed manifest',
      1,
      async (bytes) => {
        const text = (await textsOf(bytes)).get('manifest.json')!;
        return changedPackage(bytes, { 'manifest.json': text.replace('"GDPR"', '"SOC2"') });
      },
    ],
    ['no manifest', 1, (bytes) => changedPackage(bytes, { 'manifest.json': '' })],
    ['a truncated zip', 0, (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['an empty file', 0, () => Buffer.alloc(0)],
    ['no zip', 0, () => Buffer.from(MARKUP)],
  ])('rejects %s', async (_what, passed, change) => {
    const bytes = await change(good.bytes);
    const shown = await opened.verify(bytes, good.key);
    const { faults } = await commandSays(bytes, good.key);
    expect(faults.length).toBeGreaterThan(0);
    expect(shown).toEqual({ verdict: 'Not verified', faults, facts: [], steps: states(passed, 'Failed') });
    expect(await opened.page.locator('dd, #signal-rows > tr').count()).toBe(0);
  });

  test('rejects another key', async () => {
    const shown = await opened.verify(good.bytes, OTHER_KEY);
    expect(shown).toMatchObject({ verdict: 'Not verified', steps: states(1, 'Failed') });
    expect(shown.faults).toEqual((await commandSays(good.bytes, OTHER_KEY)).faults);
  });

  test('asks for a file and for a valid key', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Verify' }).click();
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      expect.stringContaining('Choose the package first'),
      expect.stringContaining('This isn’t a verifier key'),
    ]);
    expect(await page.locator('#file:focus').count()).toBe(1);
    expect(await page.locator('#result').isVisible()).toBe(false);
  });

  /** Archives that a lying service would sign. */
  test.each<[what: string, passed: number, file: PackageFile, change: (text: string) => string]>([
    ['a core', 5, 'signals.ndjson', (text) => text.replace('gpt-4o', MARKUP.replaceAll('"', "'"))],
    ['a link', 4, 'hash-chain/entries.ndjson', (text) => text.replace(/"hash":"[0-9a-f]{4}/, '"hash":"abcd')],
    [
      'a subtree',
      4,
      'hash-chain/range.json',
      (text) => text.replace(/"hash": "[0-9a-f]{4}/, '"hash": "abcd'),
    ],
    ['a checkpoint', 3, 'checkpoint.txt', (text) => text.replace('13', '14')],
    ['a count', 6, 'attestations.json', (text) => text.replace('"signalCount": 5', '"signalCount": 4')],
    [
      'a control with markup for a name',
      6,
      'attestations.json',
      (text) =>
        text
          .replace(/"controlId": "[^"]*"/, `"controlId": "${MARKUP.replaceAll('"', "'")}"`)
          .replace(/"generatedAt": "[^"]*"/, '"generatedAt": "2026-01-01T00:00:00.000Z"'),
    ],
  ])('rejects signed but invalid content: %s', async (_what, passed, file, change) => {
    const bytes = await samplePackage({ files: { [file]: change(SAMPLE_FILES[file]!) } });
    const { faults } = await commandSays(bytes, SAMPLE_KEY);
    expect(faults).toHaveLength(1);
    const shown = await opened.verify(bytes, SAMPLE_KEY);
    expect(shown).toEqual({ verdict: 'Not verified', faults, facts: [], steps: states(passed, 'Failed') });
  });

  test('verifies a package of a release without this page', async () => {
    const shown = await opened.verify(await samplePackage(), SAMPLE_KEY);
    expect([shown.verdict, shown.faults]).toEqual(['Verified', []]);
  });

  test('works by keyboard, and every control has a name', async () => {
    const { page } = opened;
    const file = path.join(folder, 'package.zip');
    writeFileSync(file, good.bytes);
    const { keyboard } = page;
    // Before the first key press: unless the browser knows that a listener waits, it opens its own dialog.
    const chooser = page.waitForEvent('filechooser');
    await keyboard.press('Tab');
    await page.locator('#file:focus').waitFor();
    await keyboard.press('Enter');
    await (await chooser).setFiles(file);
    await keyboard.press('Tab');
    await keyboard.insertText(`  ${good.key}\n`);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    expect((await opened.shown()).verdict).toBe('Verified');
    expect(await page.locator('#verdict:focus').count()).toBe(1);
    const unnamed = await page.evaluate(
      `[...document.querySelectorAll('input, textarea, progress, button')]
        .filter((one) => one.labels.length === 0 && one.textContent.trim() === '').map((one) => one.id)`,
    );
    expect(unnamed).toEqual([]);
  });

  test('accepts a dropped file', async () => {
    const { page } = opened;
    await page.evaluate(
      `const files = new DataTransfer();
      files.items.add(new File([Uint8Array.fromBase64(${JSON.stringify(good.bytes.toString('base64'))})], 'dropped.zip'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));`,
    );
    await page.getByLabel('Verifier key').fill(good.key);
    await page.getByRole('button', { name: 'Verify' }).click();
    expect((await opened.shown()).verdict).toBe('Verified');
  });

  /** With the network on, so that only the page’s policy blocks requests. */
  test('its policy blocks outgoing requests and markup in texts', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { page } = await openPage(browser.context, html, folder);
    await browser.context.setOffline(false);
    try {
      const image = `const one = new Image(); one.onload = () => done('out'); one.onerror = () => done('kept'); one.src = '${address}';`;
      const tries = [
        `fetch('${address}').then(() => 'out', () => 'kept')`,
        `new Promise((done) => { ${image} })`,
        `try { document.body.innerHTML = '<p>'; 'out' } catch { 'kept' }`,
      ];
      for (const one of tries) expect([one, await page.evaluate(one)]).toEqual([one, 'kept']);
      expect(requests).toBe(0);
    } finally {
      await browser.context.setOffline(true);
      await page.close();
      server.close();
    }
  });
});
