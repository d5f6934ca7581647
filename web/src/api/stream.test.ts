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

  emit(name: string, data = '{}', lastEventId = ''): void {
    this.#listeners.get(name)?.({ data, lastEventId } as MessageEvent<string>);
  }
}

function start() {
  const sources: Source[] = [];
  const reported: string[] = [];
  const setVisible = new Set<() => void>();
  const waiting: (() => void)[] = [];
  const page = {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: (_name: string, look: () => void) => void setVisible.add(look),
    removeEventListener: (_name: string, look: () => void) => void setVisible.delete(look),
  };
  const stop = openStream(
    {
      onSignal: ({ id }) => void reported.push(id),
      onStats: () => void reported.push('stats'),
      onReset: () => void reported.push('reset'),
      onState: (state) => void reported.push(state),
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
    for (const look of setVisible) look();
  };
  return { sources, reported, waiting, stop, show, setVisible };
}

describe('the stream of signals', () => {
  test('reports signals, and skips unreadable ones', () => {
    const { sources, reported } = start();
    sources[0]!.emit('ready', '{}', '1-4');
    sources[0]!.emit('signal', '{"id":"a"}', '1-5');
    sources[0]!.emit('signal', '{');
    sources[0]!.emit('stats');
    sources[0]!.emit('reset', '{}', '1-9');
    expect(reported).toEqual(['connecting', 'live', 'a', 'stats', 'reset']);
  });

  test('is closed while the tab is hidden, and resumes after the last event', () => {
    const { sources, reported, show } = start();
    sources[0]!.emit('signal', '{"id":"a"}', '1-5');
    show('hidden');
    expect(sources[0]!.isClosed).toBe(true);
    sources[0]!.emit('signal', '{"id":"late"}', '1-6');
    show('visible');
    show('visible');
    expect(sources.map(({ address }) => address)).toEqual([
      '/dashboard/stream',
      '/dashboard/stream?lastEventId=1-5',
    ]);
    expect(reported).toEqual(['connecting', 'a', 'hidden', 'connecting']);
  });

  test('is reopened after the browser gave up, and not while the browser reconnects', () => {
    const { sources, waiting, reported } = start();
    sources[0]!.emit('error');
    expect(waiting).toHaveLength(0);
    sources[0]!.readyState = 2;
    sources[0]!.emit('error');
    waiting[0]!();
    expect([sources.length, reported.filter((one) => one === 'broken').length]).toEqual([2, 2]);
  });

  test('waits for nothing once ended', () => {
    const { sources, waiting, stop, setVisible } = start();
    sources[0]!.readyState = 2;
    sources[0]!.emit('error');
    stop();
    expect([waiting.length, setVisible.size, sources[0]!.isClosed]).toEqual([0, 0, true]);
  });
});
