import type { TermDetector } from '../detector.ts';
import { kindOfHost } from '../web/internal-hosts.ts';
import { windowOf } from '../web/window.ts';

const BEFORE = 64;
const AFTER = 160;
const TERMS = [
  '://',
  '%3a%2f%2f',
  '%3a//',
  ':\\/\\/',
  '169.254.169.254/',
  'metadata-flavor:',
  '/latest/meta-data/iam',
  'computemetadata/v1',
] as const;
const URL_TERMS = 4;

const SCHEME = /[a-z][a-z0-9+.-]{0,11}$/i;
/** Text before the host: a name and password, or a host meant to mislead a filter. */
const AUTHORITY =
  /(?:([^\s/?"'<>@]{0,80})@)?(\[[\da-f:.]{2,45}\]|[\w.-]{1,80})(?::(\d{1,5}))?([/?#][^\s"'<>)\]}]{0,120})?/iy;
const ODD_SCHEMES = /^(?:gopher|dict|netdoc|jar|tftp|ldaps?|sftp)$/i;
const HTTP = /^(?:https?|ftp|wss?)$/i;
/** A parameter or field whose value a server fetches. */
const FETCHED_PARAMETER =
  /[?&](?:\w{0,16}(?:ur[il]|target|dest(?:ination)?|redirect|next|feed|host|src|source|link|image|img|file|page|path|callback|webhook|proxy|site|fetch|load|ref|domain|return|open|forward|continue|preview|document|pdf|template)\w{0,8}|u|to|q)=$/i;
const FETCHED_FIELD =
  /["'](?:\w{0,16}(?:ur[il]|webhook|callback|image|avatar|feed|target|link|src|source|href)\w{0,8})["']\s{0,2}:\s{0,2}["']$/i;
const FETCH_VERB =
  /(?:fetch|retriev\w{1,3}|summari[sz]e|scrape|crawl|visit|browse|read|load|download|access|request|import|get|query|follow|preview|render|screenshot)\b(?!\()[^.!?\n(]{0,40}$/i;
const SETTING = /(?:^|\s)(?:url|uri|target|src|href|dest)=$/i;
const SIGNED_IN = /[?&](?:redirect_ur[il]|post_logout_redirect_uri|callback_url)=$/i;
const OWN_MACHINE = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0)$/i;
const TOOL_VERB =
  /(?:fetch|retriev\w{1,3}|summari[sz]e|scrape|crawl|screenshot|preview|download|browse)\b(?!\()[^.!?\n(]{0,40}$/i;
const SENSITIVE_TARGET =
  /^(?::(?:22|25|2375|2376|2379|3306|4243|5432|5984|6379|6443|8500|9200|10250|11211|27017)\b)?[/?#]?(?:\/?(?:admin|internal|manager|console|actuator|server-status|metrics|debug|env\b|latest|secret|config|private|api\/internal|v1\/(?:secret|kv|agent)|_cat|_all_dbs|jenkins|phpmyadmin|solr|containers|images\/json|cgi-bin|wp-admin|backup))/i;
const PORTS_WITHIN = new Set(
  '22 25 2375 2376 2379 3306 4243 5432 5984 6379 6443 8500 9200 10250 11211 27017'.split(' '),
);
const PRIVATE_FILE =
  /^\/{0,3}(?:localhost\/)?(?:\/?(?:etc|proc|root|sys|var\/(?:log|run|www))\/|\/?[a-z]:\/(?:windows|winnt|boot|users)|\/?[\w/]{0,60}\.(?:ssh|aws|env|git|kube)\b)/i;

const SCHEME_REACH = 16;
/** A scheme with encoded letters: `%68ttp`, `\\x68ttp`, `&#104;ttp`. */
const ENCODED_SCHEME = /[%\\;][\w+.-]{0,15}$/;

/** Whether the text before `://` is certainly none of the schemes above, so that no decoding is needed. */
function isOtherScheme(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - SCHEME_REACH), at);
  if (ENCODED_SCHEME.test(before)) return false;
  const scheme = SCHEME.exec(before)?.[0] ?? '';
  return !/(?:https?|ftp|wss?|file)$/i.test(scheme) && !ODD_SCHEMES.test(scheme);
}

interface Url {
  /** Whether the text consists of this URL. */
  readonly isAlone: boolean;
  readonly before: string;
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
  readonly path: string;
}

/** Confidence that fetching this URL reaches into an internal network; 0 if it does not. */
function confidenceOfUrl(url: Url): number {
  const { before, scheme, user, host, port, path, isAlone } = url;
  const isParameter = FETCHED_PARAMETER.test(before);
  if (ODD_SCHEMES.test(scheme)) return oddSchemeConfidence(url, isParameter);
  if (!HTTP.test(scheme)) return 0;
  const kind = kindOfHost(host);
  if (kind === 'METADATA') return 0.9;
  if (kind === 'DISGUISED') return host === '0.0.0.0' ? 0 : 0.85;
  if (kind === 'OUTSIDE') return 0;
  // "http://shop.example@127.0.0.1": the part before the @ is meant to be mistaken for the host.
  if (user !== undefined && /\.|#|\\|%/.test(user) && !user.includes(':')) return 0.85;
  // Programs under development redirect back to the local machine after sign-in.
  if (isParameter) return OWN_MACHINE.test(host) && SIGNED_IN.test(before) ? 0.4 : 0.85;
  const isSensitive = SENSITIVE_TARGET.test(path) || (port !== undefined && PORTS_WITHIN.has(port));
  if (isAlone) return isSensitive ? 0.6 : 0.45;
  if (FETCHED_FIELD.test(before) || SETTING.test(before)) return isSensitive ? 0.65 : 0;
  // Developers often ask about pages on localhost, but rarely about pages in an internal network.
  if (TOOL_VERB.test(before) && !OWN_MACHINE.test(host)) return 0.55;
  return FETCH_VERB.test(before) && isSensitive ? 0.65 : 0;
}

function oddSchemeConfidence({ scheme, host }: Url, isParameter: boolean): number {
  if (/^(?:gopher|dict|netdoc)$/i.test(scheme)) return 0.85;
  return isParameter || kindOfHost(host) !== 'OUTSIDE' ? 0.75 : 0;
}

/** Requests that make a server access its own network: internal and metadata addresses, unusual schemes, files. */
export const ssrf: TermDetector = {
  name: 'ssrf',
  version: 1,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    const report = (start: number, end: number, confidence: number): void => {
      const from = Math.max(start, done);
      if (confidence === 0 || end <= from) return;
      push({ code: 'SSRF', entity: null, start: from, end, confidence });
      done = end;
    };
    return (term, start, end) => {
      if (start < done) return;
      if (term >= URL_TERMS) {
        report(start, end, 0.7);
        return;
      }
      if (!/\S/.test(text[end] ?? '') || isOtherScheme(text, start)) return;
      const { plain, offsetOf } = windowOf(text, start - BEFORE, end + AFTER);
      let sign = plain.indexOf('://');
      while (sign !== -1 && offsetOf(sign) < start) sign = plain.indexOf('://', sign + 1);
      if (sign === -1) return;
      const scheme = SCHEME.exec(plain.slice(Math.max(0, sign - 12), sign))?.[0] ?? '';
      const first = sign - scheme.length;
      const before = plain.slice(0, first);
      if (/^file$/i.test(scheme)) {
        const path = /^[^\s"'<>)]{1,100}/.exec(plain.slice(sign + 3))?.[0] ?? '';
        const confidence = PRIVATE_FILE.test(path) ? 0.85 : FETCHED_PARAMETER.test(before) ? 0.75 : 0;
        report(offsetOf(first), offsetOf(sign + 3 + path.length), confidence);
        return;
      }
      AUTHORITY.lastIndex = sign + 3;
      const match = AUTHORITY.exec(plain);
      if (match === null) return;
      const [whole, user, host = '', port, path = ''] = match;
      const isAlone = first === 0 && start < BEFORE && plain.slice(sign + 3 + whole.length).trim() === '';
      report(
        offsetOf(first),
        offsetOf(sign + 3 + whole.length),
        confidenceOfUrl({ isAlone, before, scheme, user, host, port, path }),
      );
    };
  },
};
