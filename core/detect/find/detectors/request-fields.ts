import type { Candidate, SearchDetector } from '../detector.ts';
import { markupScoreOf, scriptScoreOf } from '../web/markup/judge.ts';
import { codeScoreOf } from '../web/requests/code-value.ts';
import { fieldsOf, type RequestField } from '../web/requests/fields.ts';
import { sqlScoreOf } from '../web/requests/sql-value.ts';
import { followsValue, shellScoreOf } from '../web/shell/judge.ts';

/** Minimum score of a reported value; below 0.5 it is a hint. */
const MIN = 0.4;
/** Minimum score for values of JSON and XML, which contain code for many reasons. */
const SURE = 0.75;
/** Every certain sign of code contains one of these; JSON values without any are skipped. */
const MAY_BE_CODE =
  /['"<>(){}[\];|&$`=%\\*#]|\.\.\/|__|:\/\/|\b(?:union|select)\b|java|runtime|process|[A-Za-z\d+/]{16}/i;
const MIN_PARAMETER = 3;
const SHORT_WORD = /^\w{0,4}$/;
const ORDINARY_HEADER = /^(?:accept|host|content-length|content-type|connection|date|range|if-|sec-|cache-)/i;

/** Keys whose values are pages or parts of pages. */
const CONTAINS_MARKUP = /html|markup|template|content|snippet|body|component|svg/i;

/** In JSON, whole commands are a program's settings; in other requests, injected commands follow another value. */
const shellScore = ({ value, kind }: RequestField): number =>
  kind === 'JSON' && !followsValue(value) ? 0 : shellScoreOf(value);

const lowered = (score: number, { kind }: RequestField): number =>
  kind === 'JSON' || kind === 'NAME' || kind === 'PATH' || kind === 'XML'
    ? score >= SURE
      ? score
      : 0
    : score;

const isPlain = ({ kind, value }: RequestField): boolean =>
  kind === 'PARAMETER' || kind === 'HEADER'
    ? value.length < MIN_PARAMETER || SHORT_WORD.test(value)
    : !MAY_BE_CODE.test(value);

function judged(field: RequestField): readonly (readonly ['CODE_INJECTION' | 'XSS', number])[] {
  const { value, kind, name } = field;
  if (kind === 'HEADER' && ORDINARY_HEADER.test(name)) return [];
  if (kind === 'XML') return [['CODE_INJECTION', codeScoreOf(value)]];
  const injected =
    kind === 'PATH' || kind === 'NAME'
      ? codeScoreOf(value)
      : Math.max(sqlScoreOf(value), shellScore(field), codeScoreOf(value));
  const origin = kind === 'JSON' && CONTAINS_MARKUP.test(name) ? 'PAGE' : 'REQUEST';
  const script = Math.max(markupScoreOf(value, origin), scriptScoreOf(value));
  return [
    ['CODE_INJECTION', lowered(injected, field)],
    ['XSS', lowered(script, field)],
  ];
}

/** Values of requests, decoded as by a server, that are code for the program that receives them. */
export const requestFields: SearchDetector = {
  name: 'request-fields',
  version: 1,
  search: (text) => {
    const { fields } = fieldsOf(text);
    const found: Candidate[] = [];
    for (const field of fields) {
      if (isPlain(field)) continue;
      for (const [code, confidence] of judged(field)) {
        if (confidence < MIN) continue;
        found.push({ code, entity: null, start: field.start, end: field.end, confidence });
      }
    }
    return found.sort((a, b) => a.start - b.start || a.end - b.end);
  },
};
