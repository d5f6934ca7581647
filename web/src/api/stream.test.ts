import { describe, expect, test } from '#jest';
import { openStream } from './stream.ts';

type Heard = (event: MessageEvent<string>) => void;

class Source {
  readonly address: string;
  readyState = 1;
  isClosed = false;
  readonly #listeners = new Map<string, Heard>();

  constructor(address: string) {
    this.address = address;
  }

  addEventListener(name: string, listener: Heard): void {
    this.#listeners.set(name, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  tell(name: string, data = '{}', lastEventId = ''): void {
    this.#listeners.get(name)?.({ data, lastEventId } as MessageEvent<string>);
  }
}

function start() {
  const sources: Source[] = [];
  const told: string[] = [];
  const looks = new Set<() => void>();
  const waiting: (() => void)[] = [];
  const page = {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: (_name: string, look: () => void) => void looks.add(look),
    removeEventListener: (_name: string, look: () => void) => void looks.delete(look),
  };
  const stop = openStream(
    {
      onSignal: ({ id }) => void told.push(id),
      onStats: () => void told.push('stats'),
      onReset: () => void told.push('reset'),
      onState: (state) => void told.push(state),
    },
    {
      open: (address) => {
        sources.push(new Source(address));
        return sources.at(-1)!;
      },
      page: page as unknown as Document,
      later: (_ms, call) => {
        waiting.push(call);
        return () => void waiting.splice(waiting.indexOf(call), 1);
      },
      retryMs: 1,
    },
  );
  const show = (state: DocumentVisibilityState): void => {
    page.visibilityState = state;
    for (const look of looks) look();
  };
  return { sources, told, waiting, stop, show, looks };
}

describe('the stream of signals', () => {
  test('tells what comes, and passes over what cannot be read', () => {
    const { sources, told } = start();
    sources[0]!.tell('ready', '{}', '1-4');
    sources[0]!.tell('signal', '{"id":"a"}', '1-5');
    sources[0]!.tell('signal', '{');
    sources[0]!.tell('stats');
    sources[0]!.tell('reset', '{}', '1-9');
    expect(told).toEqual(['connecting', 'live', 'a', 'stats', 'reset']);
  });

  test('is closed while the tab is hidden, and goes on behind the last event', () => {
    const { sources, told, show } = start();
    sources[0]!.tell('signal', '{"id":"a"}', '1-5');
    show('hidden');
    expect(sources[0]!.isClosed).toBe(true);
    sources[0]!.tell('signal', '{"id":"late"}', '1-6');
    show('visible');
    show('visible');
    expect(sources.map(({ address }) => address)).toEqual([
      '/dashboard/stream',
      '/dashboard/stream?lastEventId=1-5',
    ]);
    expect(told).toEqual(['connecting', 'a', 'hidden', 'connecting']);
  });

  test('that the browser gave up begins again after a while, and one that it mends does not', () => {
    const { sources, waiting, told } = start();
    sources[0]!.tell('error');
    expect(waiting).toHaveLength(0);
    sources[0]!.readyState = 2;
    sources[0]!.tell('error');
    waiting[0]!();
    expect([sources.length, told.filter((one) => one === 'broken').length]).toEqual([2, 2]);
  });

  test('that is ended waits for nothing', () => {
    const { sources, waiting, stop, looks } = start();
    sources[0]!.readyState = 2;
    sources[0]!.tell('error');
    stop();
    expect([waiting.length, looks.size, sources[0]!.isClosed]).toEqual([0, 0, true]);
  });
});
