import type { TermDetector } from '../detector.ts';
import words from '../lists/interpreter-injection.json' with { type: 'json' };
import { weighInterpreter } from '../web/shell-traits.ts';
import { confidenceOf } from '../web/traits.ts';
import { traversalAt } from '../web/traversal.ts';
import { windowOf } from '../web/window.ts';

const BEFORE = 60;
const AFTER = 240;
/** Terms this close after a checked offset were covered by that check. */
const STRIDE = 170;

/** Starts of path traversals. */
const STEP_TERMS = words.traversal;
const TERMS = [...STEP_TERMS, ...words.terms];

/** What must follow terms that are common in code. */
const GATES: Readonly<Record<string, RegExp>> = {
  'o:': /\d{1,3}:"/y,
  '${': /[\s$\w*]{0,3}(?:j|\$\{|\d|t\(|[^\n}]{0,40}(?:java|class|runtime|exec|__|:\/\/))/iy,
  '#{': /[^\n}]{0,40}(?:\d\*\d|\d \* \d|java|class|runtime|exec|system|`|file\.)/iy,
  '{{': /[^\n}]{0,60}(?:\*|__|config|self|request|lipsum|cycler|joiner|settings|class|system|exec|popen|_self|dump|file)/iy,
  '{%': /[^\n%]{0,80}(?:__|popen|system|import os)/iy,
  '"$': /(?:ne|gt|gte|nin|regex|exists|in|where)"\s?:/iy,
};

/** Injection into templates, parsers, directory and document queries, and paths. */
export const interpreterInjection: TermDetector = {
  name: 'interpreter-injection',
  version: 2,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    let checked = 0;
    return (term, start, end) => {
      if (start < done) return;
      if (term < STEP_TERMS.length) {
        const steps = traversalAt(text, start);
        if (steps === null) return;
        done = steps.end;
        if (steps.confidence === 0) return;
        push({ code: 'CODE_INJECTION', entity: null, start, end: steps.end, confidence: steps.confidence });
        return;
      }
      if (start < checked) return;
      const gate = GATES[TERMS[term]!];
      if (gate !== undefined) {
        gate.lastIndex = end;
        if (!gate.test(text)) return;
      }
      checked = start + STRIDE;
      const window = windowOf(text, start - BEFORE, start + AFTER);
      const { score, start: first, end: last } = weighInterpreter(window.plain);
      const confidence = confidenceOf(score);
      if (confidence === 0) return;
      const from = Math.max(done, window.offsetOf(first));
      const until = window.offsetOf(last);
      if (until <= from) return;
      push({ code: 'CODE_INJECTION', entity: null, start: from, end: until, confidence });
      done = until;
    };
  },
};
