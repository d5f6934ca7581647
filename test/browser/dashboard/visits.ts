import { expect } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { type WatchedPage, watchedPage } from './watched-page.ts';
import { type DashboardWorld, screenOf } from './world.ts';

export const WIDE = { width: 1_280, height: 900 };
export const TELEPHONE = { width: 360, height: 780 };

type Options = Parameters<DashboardWorld['browser']['newContext']>[0];

/** Pages that a test opens, each in a context of its own, and what none of them may do. */
export interface Visits {
  /** `expected`: statuses that the test itself brings about. */
  open(address: string, options?: Options, expected?: readonly number[]): Promise<WatchedPage>;
  /** Usable by everybody's means, and no wider than the screen; a picture is kept where one is asked for. */
  forAll(visited: WatchedPage, name: string): Promise<void>;
  /** Of one test: closes what it opened, and no page may have complained. */
  end(): Promise<void>;
}

export function createVisits(world: () => DashboardWorld): Visits {
  let opened: WatchedPage[] = [];
  let contexts: BrowserContext[] = [];
  return {
    open: async (address, options = {}, expected = []) => {
      const context = await world().browser.newContext({ viewport: WIDE, ...options });
      contexts.push(context);
      const watched = await watchedPage(context, expected);
      opened.push(watched);
      await watched.page.goto(`${world().url}${address}`);
      return watched;
    },
    forAll: async ({ page, faultsForAll }, name) => {
      const screen = screenOf(name);
      if (screen !== null) await page.screenshot({ path: screen, fullPage: true });
      expect([name, await faultsForAll()]).toEqual([name, []]);
      const tooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect([name, tooWide]).toEqual([name, false]);
    },
    end: async () => {
      const complaints = opened.flatMap((one) => one.complaints);
      for (const context of contexts) await context.close();
      [opened, contexts] = [[], []];
      expect(complaints).toEqual([]);
    },
  };
}
