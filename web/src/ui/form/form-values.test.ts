import { expect, test } from '#jest';
import { checkedIn, chosenIn, numberIn, typedIn } from './form-values.ts';

test("reads a form's values", () => {
  const form = new FormData();
  form.append('name', '  Ann ');
  form.append('empty', '  ');
  form.append('box', 'B');
  form.append('box', 'X');
  form.append('days', '30');
  expect([typedIn(form, 'name'), typedIn(form, 'empty'), typedIn(form, 'missing')]).toEqual([
    'Ann',
    undefined,
    undefined,
  ]);
  expect(checkedIn(form, 'box', ['A', 'B'])).toEqual(['B']);
  expect([chosenIn(form, 'box', ['A', 'B'], 'A'), chosenIn(form, 'name', ['A', 'B'], 'A')]).toEqual([
    'B',
    'A',
  ]);
  expect([numberIn(form, 'days'), numberIn(form, 'empty')]).toEqual([30, Number.NaN]);
});
