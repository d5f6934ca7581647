import { gathering, type Item, isSpace, type Splitter } from './splitter.ts';

const LINE_FEED = 0x0a;

/** One item per line; blank lines are skipped. */
export function lineSplitter(): Splitter {
  const gathered = gathering();
  let line = 1;
  const take = (): Item[] => {
    const bytes = gathered.take();
    return bytes?.every(isSpace) ? [] : [{ line, bytes }];
  };
  return {
    *push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        gathered.add(chunk.subarray(from, at));
        yield* take();
        line += 1;
        from = at + 1;
      }
      gathered.add(chunk.subarray(from));
    },
    end: take,
  };
}
