import type { ViolationCode } from '#schemas/vocabulary.ts';
import { after, byRole, headed, type PhraseRule, words } from './phrase-rules.ts';

/**
 * A request to write or make something that promotes `what`, which is a pattern as in `phrase`: "write a post that
 * glorifies ...".
 */
export const incitement = (code: ViolationCode, what: string): PhraseRule =>
  after(
    '(?:write|create|generate|draft|design|develop|make|compose|produce|share|post|publish|script|how)',
    headed(
      code,
      byRole(0.68, 0.5),
      [
        'incit',
        'encourag',
        'promot',
        'glorif',
        'advocat',
        'normaliz',
        'celebrat',
        'call for',
        'calls for',
        'calling for',
        'spread',
      ],
      `\\p{L}{0,4} (?:${words(4)})${what}`,
      { NEGATED: 'SILENT', FICTION: 'HINT' },
    ),
  );
