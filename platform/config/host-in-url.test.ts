import { expect, test } from '#jest';
import { hostInUrl, localUrl } from './host-in-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['2001:db8::7', 'http://[2001:db8::7]:8080'],
  ['localhost', 'http://localhost:8080'],
  ['audit.example', 'http://audit.example:8080'],
])('a client reaches a server that listens on %s at %s', (host, url) => {
  expect(localUrl(host, 8080)).toBe(url);
  expect(new URL(localUrl(host, 8080)).port).toBe('8080');
});

test('every interface is shown as configured', () => {
  expect([hostInUrl('::'), hostInUrl('0.0.0.0')]).toEqual(['[::]', '0.0.0.0']);
});
