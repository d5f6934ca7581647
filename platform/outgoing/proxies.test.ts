import { describe, expect, test } from '#jest';
import { proxyOf } from './proxies.ts';

const PROXIES = { http: 'http://plain.example:3128', https: 'http://secure.example:3128' };
const proxied = (target: string, except: string): boolean =>
  proxyOf({ ...PROXIES, except: except.split(/[\s,]+/).filter(Boolean) }, new URL(target)) !== null;

test('the target’s scheme decides the proxy', () => {
  const of = (target: string, change = {}) => proxyOf({ ...PROXIES, except: [], ...change }, new URL(target));
  expect(of('http://audit.example')).toBe(PROXIES.http);
  expect(of('https://audit.example')).toBe(PROXIES.https);
  expect(of('https://audit.example', { https: null })).toBeNull();
});

test.each([
  'http://localhost:8080',
  'https://api.localhost',
  'http://127.0.0.1',
  'http://127.9.9.9',
  'http://[::1]:80',
])('%s is this machine and called directly', (target) => {
  expect(proxied(target, '')).toBe(false);
});

describe('NO_PROXY', () => {
  test.each([
    ['https://audit.example', 'audit.example', false],
    ['https://AUDIT.example', 'audit.Example', false],
    ['https://audit.example.', 'audit.example', false],
    ['https://eu.audit.example', 'audit.example', false],
    ['https://eu.audit.example', '.audit.example', false],
    ['https://eu.audit.example', '*.audit.example', false],
    ['https://audit.example', '.audit.example', false],
    ['https://myaudit.example', 'audit.example', true],
    ['https://audit.example.org', 'audit.example', true],
    ['https://audit.example', 'audit.example:443', false],
    ['https://audit.example:8443', 'audit.example:8443', false],
    ['https://audit.example:8443', 'audit.example:443', true],
    ['http://audit.example', 'audit.example:80', false],
    ['https://audit.example', 'other.example, audit.example', false],
    ['https://audit.example', 'other.example audit.example', false],
    ['https://audit.example', '*', false],
    ['https://audit.example', '', true],
    ['https://audit.example', '.', true],
    ['http://10.1.2.3', '10.1.2.3', false],
    ['http://10.1.2.3', '10.1.2.3:80', false],
    ['http://10.1.2.3:81', '10.1.2.3:80', true],
    ['http://10.1.2.3', '10.0.0.0/8', false],
    ['http://11.1.2.3', '10.0.0.0/8', true],
    ['http://10.1.2.3', '10.0.0.0/99', true],
    ['http://10.1.2.3', '10.0.0.0/8/8', false],
    ['http://audit.example', '10.0.0.0/8', true],
    ['http://[2001:db8::5]', '2001:db8::5', false],
    ['http://[2001:db8:0:0::5]:80', '[2001:db8::5]:80', false],
    ['http://[2001:db8::5]', '2001:db8::/32', false],
    ['http://[2001:db9::5]', '2001:db8::/32', true],
    ['http://10.1.2.3', '2001:db8::/32', true],
  ])('%s with NO_PROXY "%s" uses a proxy: %s', (target, except, expected) => {
    expect(proxied(target, except)).toBe(expected);
  });
});
