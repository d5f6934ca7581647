import { describe, expect, test } from '#jest';
import { hostCheck, isLoopback } from './allowed-hosts.ts';

describe('a server reachable only from this machine', () => {
  const isAllowed = hostCheck('127.0.0.1', ['audit.example.org', 'CAS.internal']);

  test.each([
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:8080',
    '192.168.1.7:80',
    'audit.example.org',
    'audit.example.org:443',
    'cas.internal',
  ])('responds to the host %s', (host) => expect(isAllowed(host)).toBe(true));

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'evil.example.localhost.',
    '127.0.0.1.evil.example',
    '127.0.0.1:8080.evil.example',
    'audit.example.org.evil.example',
    'evil.example:80:localhost',
    '[::1].evil.example',
    '[evil.example]',
    '[::1',
    '',
    ':8080',
    '0x7f.1',
  ])('does not respond to the host %j', (host) => expect(isAllowed(host)).toBe(false));

  test('responds to a client that sends no host, because browsers always do', () => {
    expect(isAllowed(undefined)).toBe(true);
  });
});

test('a server reachable by others responds to any host, unless names were configured', () => {
  expect(hostCheck('0.0.0.0', [])('any.example')).toBe(true);
  const isAllowed = hostCheck('0.0.0.0', ['audit.example.org']);
  expect(['any.example', 'audit.example.org', '10.0.0.7:8080'].map(isAllowed)).toEqual([false, true, true]);
});

test('only loopback is this machine', () => {
  expect(['127.0.0.1', '127.8.8.8', 'localhost', '::1'].map(isLoopback)).toEqual([true, true, true, true]);
  const others = ['0.0.0.0', '::', '10.0.0.1', '127.example.org', 'localhost.example.org', ''];
  expect(others.map(isLoopback)).toEqual(others.map(() => false));
});
