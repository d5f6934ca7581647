import { detectAlone } from './detect/alone.ts';
import { scanOverHttp } from './detect/over-http.ts';
import { optionsOf } from './options.ts';

/**
 * Measures detection alone, without a service: ordinary texts by length, and texts of 64 KB designed to be slow. With
 * `--http`, sends scans of 2 KB to the embedded service over HTTP instead.
 */
const { values } = optionsOf('detect', { http: false, rate: 500, seconds: 15, runs: 3 });
if (values.http) await scanOverHttp(values);
else detectAlone();
