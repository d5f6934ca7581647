import { expect, test } from '#jest';
import { createStoredNotifier } from './stored-notifier.ts';

test('every listener of an audit is notified until it unsubscribes', () => {
  const { subscribe, notify } = createStoredNotifier();
  const heard: string[] = [];
  const stopFirst = subscribe('a', () => heard.push('first'));
  const stopSecond = subscribe('a', () => heard.push('second'));
  subscribe('b', () => heard.push('other'));
  notify(['a', 'unknown']);
  expect(heard).toEqual(['first', 'second']);
  stopFirst();
  stopFirst();
  notify(['a']);
  stopSecond();
  notify(['a', 'b']);
  expect(heard).toEqual(['first', 'second', 'second', 'other']);
});
