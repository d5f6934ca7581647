import { detectAlone } from './detect/alone.ts';
import { scanOverHttp } from './detect/over-http.ts';
import { optionsOf } from './options.ts';

/**
 * Detection alone, without a service: ordinary texts by length, and texts of 64 KB that are meant to be slow. `--http`:
 * scans of 2 KB over HTTP against the embedded service instead.
 */
const { values } = optionsOf('detect', { http: false, rate: 500, seconds: 15, runs: 3 });
if (values.http) await scanOverHttp(values);
else detectAlone();
