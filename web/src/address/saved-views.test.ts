import { expect, test } from '#jest';
import { forgetView, MAX_VIEWS, readViews, saveView } from './saved-views.ts';

function storage(first: string | null = null) {
  let text = first;
  return {
    getItem: () => text,
    setItem: (_key: string, value: string) => {
      text = value;
    },
  };
}

test('a view is saved under its name, without the open sheet', () => {
  const store = storage();
  saveView(store, ' High ', 'riskLevel=HIGH&open=1&tab=proof');
  expect(readViews(store)).toEqual([{ name: 'High', search: 'riskLevel=HIGH' }]);
  saveView(store, 'High', 'riskLevel=CRITICAL');
  expect(readViews(store)).toEqual([{ name: 'High', search: 'riskLevel=CRITICAL' }]);
  expect(forgetView(store, 'High')).toEqual([]);
  expect(readViews(store)).toEqual([]);
});

test('the oldest view is removed when there are too many', () => {
  const store = storage();
  for (let number = 0; number <= MAX_VIEWS; number += 1) saveView(store, `view ${number}`, '');
  const views = readViews(store);
  expect([views.length, views[0]!.name]).toEqual([MAX_VIEWS, 'view 1']);
});

test('views without a name, and views too long for an address, are not saved', () => {
  expect(saveView(storage(), '  ', 'a=b')).toEqual([]);
  expect(saveView(storage(), 'long', `model=${'m'.repeat(3_000)}`)).toEqual([]);
});

test.each(['{', '{}', '[1, null, {"name": 1}]'])('ignores a stored view that is %s', (text) =>
  expect(readViews(storage(text))).toEqual([]),
);

test('a view is shown even if the browser stores nothing', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(saveView(full, 'a', 'b=c')).toEqual([{ name: 'a', search: 'b=c' }]);
});
