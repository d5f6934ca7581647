import { describe, expect, test } from '#jest';
import { warehouseAddress } from './address.ts';

describe('warehouseAddress', () => {
  test.each([
    [
      'http://127.0.0.1:8123',
      { url: 'http://127.0.0.1:8123', username: 'default', password: '', database: 'default' },
    ],
    [
      'https://auditor:se%40cr%2Fet@db.example:8443/audit',
      { url: 'https://db.example:8443', username: 'auditor', password: 'se@cr/et', database: 'audit' },
    ],
    [
      'http://[::1]:8123/audit/',
      { url: 'http://[::1]:8123', username: 'default', password: '', database: 'audit' },
    ],
  ])('%s', (address, expected) => expect(warehouseAddress(address)).toEqual(expected));

  test('overrides win, even if empty', () => {
    expect(warehouseAddress('http://a:b@host/c', { username: 'd', password: '', database: 'e' })).toEqual({
      url: 'http://host',
      username: 'd',
      password: '',
      database: 'e',
    });
  });

  test.each([
    ['host:8123', /must start with http/],
    ['clickhouse://u:hidden@host', /must start with http/],
    ['http://u:hid/den@host', /is not a URL/],
    ['', /is not a URL/],
    ['http://u:hidden%@host', /use %25/],
    ['http://u:hidden@host?max_threads=1', /not have settings after/],
    ['http://u:hidden@host/a/b', /letters, digits and _/],
    ['http://u:hidden@host/drop-me', /letters, digits and _/],
  ])('%s is refused with the expected form, and never quoted', (address, message) => {
    let said = '';
    try {
      warehouseAddress(address);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toMatch(message);
    expect(said).not.toMatch(/hid/);
  });
});
