export interface Gate {
  /** Runs `work` concurrently with other work, or exclusively when `alone`. In order of arrival. */
  enter<Result>(alone: boolean, work: () => Promise<Result>): Promise<Result>;
}

/** Lets the partitions of a stream work concurrently, or one exclusively when a death must be attributable to it. */
export function createGate(): Gate {
  const waiting: { readonly alone: boolean; readonly start: () => void }[] = [];
  let active = 0;
  let closed = false;

  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (closed || (next.alone && active > 0)) return;
      waiting.shift();
      active += 1;
      closed = next.alone;
      next.start();
    }
  };

  return {
    enter: async (alone, work) => {
      await new Promise<void>((resolve) => {
        waiting.push({ alone, start: resolve });
        admit();
      });
      try {
        return await work();
      } finally {
        active -= 1;
        closed = false;
        admit();
      }
    },
  };
}
