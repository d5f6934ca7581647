import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import type { Client } from '../../../cli/command/client.ts';
import { type CasProcess, startCas } from '../../helpers/cas-process.ts';
import { customerClient } from '../../helpers/customer.ts';
import { lookInside } from '../../helpers/look-inside.ts';
import { control, removeDataDir, temporaryDataDir } from '../../helpers/service.ts';

export interface DashboardWorld {
  readonly url: string;
  readonly browser: Browser;
  /** Of the demo customer. */
  readonly client: Client;
  readonly internalSecret: string;
  /** Signs in to the demo customer, once. */
  readonly link: string;
  /** `model`: that answered; audits of some may fail on purpose. */
  ingest(texts: readonly string[], model?: string, sandboxSlug?: string): Promise<string[]>;
  /** Resolves when it is down; it comes back by itself. */
  holdWarehouseDown(ms: number): Promise<void>;
  /** Changes the tables past the service, which is stopped meanwhile and started again at the same address. */
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

/** The service as a user starts it for the first time, and a browser. */
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
      await lookInside(dataDir, ({ warehouse }) => warehouse.command(statement));
      service = await start(new URL(service.url).port);
    },
    holdWarehouseDown: (ms) => control(service.process, { holdWarehouseDown: ms }),
    close: async () => {
      await browser.close();
      await service.killTree();
      removeDataDir(dataDir);
    },
  };
}

export type SignedInState = Awaited<ReturnType<BrowserContext['storageState']>>;

export const PASSWORD = 'seven quiet grey herons';

/** A context that is signed in by the link of the first start, and remembered for others. */
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

/** Where pictures of the pages go; without the variable none are taken. */
export const screenOf = (name: string): string | null =>
  process.env.SCREENS === undefined ? null : path.join(process.env.SCREENS, `${name}.png`);
