import { z } from 'zod';
import type { JudgedHit } from '#core/detect/judge/judged.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import type { Verdict } from './port.ts';
import type { Prompt } from './prompt.ts';

const MAX_HITS = 1_000;

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

const judgement = z.object({
  hits: z.array(z.object({ rule: z.string(), source: z.string(), confidence: z.number() })).max(MAX_HITS),
});

const notJudged = (reason: 'REFUSED' | 'UNREADABLE' | 'MANIPULATED'): Verdict => ({
  kind: 'NOT_JUDGED',
  reason,
});

/** Parses JSON; undefined for any other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes its input.
    return undefined;
  }
}

/** The model's text without the code fence, or the preceding reasoning, that some models cannot omit. */
function bare(content: string): string {
  const thought = content.startsWith('<think>') ? content.indexOf('</think>') : -1;
  const text = (thought < 0 ? content : content.slice(thought + '</think>'.length)).trim();
  const isFenced = text.startsWith('```') && text.endsWith('```') && text.includes('\n');
  return isFenced ? text.slice(text.indexOf('\n'), -3) : text;
}

/**
 * Reads the answer to a prompt. Only requested labels, sources that were sent and numbers are passed on from the
 * model's output; its own words end here. An answer that fails the check is dropped as a whole.
 */
export function readAnswer(body: string, prompt: Prompt, texts: readonly SourceText[]): Verdict {
  const answer = completion.safeParse(parse(body));
  if (!answer.success) return notJudged('UNREADABLE');
  const { message, finish_reason: reason } = answer.data.choices[0]!;
  if (message.refusal || reason === 'content_filter') return notJudged('REFUSED');
  const said = judgement.safeParse(parse(bare((message.content ?? '').trim())));
  if (!said.success) return notJudged('UNREADABLE');
  const labels = new Set(said.data.hits.map(({ rule }) => rule));
  if (!labels.has(prompt.check.applies) || labels.has(prompt.check.doesNot)) return notJudged('MANIPULATED');
  const hits = said.data.hits.flatMap(({ rule, source, confidence }): JudgedHit[] => {
    const question = prompt.questionOf.get(rule);
    const text = texts.find((one) => one.source === source);
    if (question === undefined || text === undefined) return [];
    const { code, ruleIndex } = question;
    return [{ source: text.source, code, confidence, ...(ruleIndex === undefined ? {} : { ruleIndex }) }];
  });
  return { kind: 'JUDGED', hits, shortened: prompt.shortened };
}
