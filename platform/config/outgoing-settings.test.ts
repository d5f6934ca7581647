import os from 'node:os';
import path from 'node:path';
import { expect, test } from '#jest';
import { readSettings } from './settings.ts';

const PASSWORD = 'n0-one-reads-this';

test('there are no proxies by default; the environment’s are used', () => {
  expect(readSettings({}).proxies).toEqual({ http: null, https: null, except: [] });
  const proxies = {
    HTTP_PROXY: 'http://plain.example:3128',
    HTTPS_PROXY: `http://ann:${PASSWORD}@secure.example:3128`,
    NO_PROXY: 'audit.example, .internal  10.0.0.0/8,',
  };
  expect(readSettings(proxies).proxies).toEqual({
    http: 'http://plain.example:3128',
    https: `http://ann:${PASSWORD}@secure.example:3128`,
    except: ['audit.example', '.internal', '10.0.0.0/8'],
  });
});

test('lower-case names take precedence, and an address without a scheme means http', () => {
  const { proxies } = readSettings({
    https_proxy: 'lower.example:3128',
    HTTPS_PROXY: 'http://upper.example:3128',
    no_proxy: '*',
    http_proxy: '',
    HTTP_PROXY: 'https://upper.example',
  });
  expect(proxies).toEqual({
    http: 'https://upper.example',
    https: 'http://lower.example:3128',
    except: ['*'],
  });
});

test.each([`socks5://ann:${PASSWORD}@proxy.example:1080`, `http://ann:${PASSWORD}@proxy.example:port`])(
  'another kind of proxy is refused, without its password',
  (HTTPS_PROXY) => {
    expect(() => readSettings({ HTTPS_PROXY })).toThrow(/^invalid settings:\n {2}- HTTPS_PROXY must be/);
    expect(() => readSettings({ HTTPS_PROXY })).not.toThrow(PASSWORD);
  },
);

test('the state folder is the user’s, and a relative one is ignored', () => {
  const home = path.join(os.homedir(), '.local', 'state');
  expect(readSettings({}).stateFolder).toBe(home);
  expect(readSettings({ XDG_STATE_HOME: 'relative' }).stateFolder).toBe(home);
  expect(readSettings({ XDG_STATE_HOME: '/var/state' }).stateFolder).toBe('/var/state');
});
