import type { Page } from 'playwright-core';
import { expect } from '#jest';
import { type Expected, type WatchedPage, watchedPage } from './watched-page.ts';
import { type DashboardWorld, type SignedInState, screenOf } from './world.ts';

export const WIDE = { width: 1_280, height: 900 };
export const TELEPHONE = { width: 360, height: 780 };
export const SIGNED_OUT = { storageState: { cookies: [], origins: [] } };

type Options = Parameters<DashboardWorld['browser']['newContext']>[0];

/** Pages that a test opens, each in its own context, with checks that apply to all of them. */
export interface Visits {
  /** Signed in unless the options say otherwise. `expected`: complaints that the test itself causes. */
  open(address: string, options?: Options, expected?: Expected): Promise<WatchedPage>;
  /** Ends one test: closes its pages and fails if any page complained. */
  end(): Promise<void>;
}

export function createVisits(world: () => DashboardWorld, state: () => SignedInState): Visits {
  let opened: WatchedPage[] = [];
  return {
    open: async (address, options = {}, expected = []) => {
      const context = await world().browser.newContext({
        viewport: WIDE,
        storageState: state(),
        ...options,
      });
      const watched = await watchedPage(context, expected);
      opened.push(watched);
      await watched.page.goto(`${world().url}${address}`);
      return watched;
    },
    end: async () => {
      const ended = opened;
      opened = [];
      for (const { page } of ended) await page.context().close();
      expect(ended.flatMap(({ complaints }) => complaints)).toEqual([]);
    },
  };
}

/** Takes a screenshot of the page, only if screenshots are requested. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const screen = screenOf(name);
  if (screen !== null) await page.screenshot({ path: screen });
}
