import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import type { Client } from '../../../cli/command/client.ts';
import { type CasProcess, startCas } from '../../helpers/cas-process.ts';
import { customerClient } from '../../helpers/customer.ts';
import { inspectStores } from '../../helpers/inspect-stores.ts';
import { control, removeDataDir, temporaryDataDir } from '../../helpers/service.ts';

export interface DashboardWorld {
  readonly url: string;
  readonly browser: Browser;
  /** Client of the demo customer. */
  readonly client: Client;
  readonly internalSecret: string;
  /** Signs in to the demo customer once. */
  readonly link: string;
  /** `model`: the model that answered; audits of some models fail on purpose. */
  ingest(texts: readonly string[], model?: string, sandboxSlug?: string): Promise<string[]>;
  /** Resolves when the warehouse is down; it comes back by itself. */
  keepWarehouseDown(ms: number): Promise<void>;
  /** Changes the tables directly: the service is stopped and restarted at the same address. */
  changeTables(statement: string): Promise<void>;
  close(): Promise<void>;
}

const KEY = /cas_[0-9a-f]{48}/;
const LINK = /http:\/\/\S+\/ui\/#token=\S+/;
const WAIT_SECONDS = 30;

const found = (output: string, pattern: RegExp): string => {
  const [text] = pattern.exec(output) ?? [];
  if (text === undefined) throw new Error(`the first start printed nothing like ${pattern}`);
  return text;
};

/** Starts the service as on a user's first start, and a browser. */
export async function startDashboard(
  executablePath: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DashboardWorld> {
  const dataDir = temporaryDataDir();
  const start = (port: string): Promise<CasProcess> =>
    startCas(['start'], { DATA_DIR: dataDir, PORT: port, CONTROLLED: 'true', ...environment });
  let service = await start('0');
  const browser = await chromium.launch({ executablePath });
  const output = service.output();
  const client = customerClient(service.url, found(output, KEY));
  return {
    url: service.url,
    browser,
    client,
    internalSecret: readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim(),
    link: found(output, LINK),
    ingest: async (texts, model = 'gpt-4o', sandboxSlug = 'customer-support') => {
      const ids: string[] = [];
      for (const prompt of texts) {
        const body = {
          sandboxSlug,
          provider: 'openai',
          model,
          prompt,
          response: 'Done.',
        };
        ids.push(String((await client.request('POST', '/audit/ingest', body)).body.auditId));
      }
      for (const id of ids) await client.request('GET', `/audits/${id}?wait=${WAIT_SECONDS}`);
      return ids;
    },
    changeTables: async (statement) => {
      await service.stop();
      await inspectStores(dataDir, ({ warehouse }) => warehouse.command(statement));
      service = await start(new URL(service.url).port);
    },
    keepWarehouseDown: (ms) => control(service.process, { keepWarehouseDown: ms }),
    close: async () => {
      await browser.close();
      await service.killTree();
      removeDataDir(dataDir);
    },
  };
}

export type SignedInState = Awaited<ReturnType<BrowserContext['storageState']>>;

export const PASSWORD = 'seven quiet grey herons';

/** State of a context signed in by the link of the first start, for reuse in other contexts. */
export async function signedInState(world: DashboardWorld): Promise<SignedInState> {
  const context = await world.browser.newContext();
  const page = await context.newPage();
  await page.goto(world.link);
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  if (page.url().includes('token')) throw new Error('the address still holds the token of the link');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** File for a screenshot of a page; null without the variable: no screenshots are taken. */
export const screenOf = (name: string): string | null =>
  process.env.SCREENS === undefined ? null : path.join(process.env.SCREENS, `${name}.png`);
