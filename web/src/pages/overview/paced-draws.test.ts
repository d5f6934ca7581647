import { expect, test } from '#jest';
import { pacedDraws } from './paced-draws.ts';

/** A clock that is moved by hand. */
function world() {
  let now = 1_000;
  let due: { readonly at: number; readonly call: () => void } | null = null;
  const drawn: number[] = [];
  const draws = pacedDraws(
    () => drawn.push(now),
    (ms, call) => {
      const own = { at: now + ms, call };
      due = own;
      return () => {
        if (due === own) due = null;
      };
    },
    () => now,
  );
  const passTo = (at: number): void => {
    if (due !== null && due.at <= at) {
      const { at: dueAt, call } = due;
      due = null;
      now = dueAt;
      call();
    }
    now = at;
  };
  return { draws, drawn, passTo };
}

test('changes that arrive together are drawn once, and soon', () => {
  const { draws, drawn, passTo } = world();
  draws.changed();
  passTo(1_020);
  draws.changed();
  passTo(2_000);
  expect(drawn).toEqual([1_050]);
});

test('a page is drawn at most four times a second, including the last change', () => {
  const { draws, drawn, passTo } = world();
  for (let at = 1_000; at <= 2_000; at += 10) {
    passTo(at);
    draws.changed();
  }
  passTo(3_000);
  expect(drawn).toEqual([1_050, 1_300, 1_550, 1_800, 2_050]);
});

test('nothing is drawn without a change, or after the end', () => {
  const { draws, drawn, passTo } = world();
  passTo(2_000);
  draws.changed();
  draws.stop();
  passTo(3_000);
  expect(drawn).toEqual([]);
});
