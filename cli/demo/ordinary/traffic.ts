import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';

interface Templates {
  readonly fillings: Readonly<Record<string, readonly string[]>>;
  readonly kinds: readonly {
    readonly kind: string;
    readonly sandboxSlug: string;
    readonly exchanges: readonly { readonly prompt: string; readonly response: string }[];
  }[];
}

/** A triplet of an ordinary working day. */
interface OrdinaryTriplet {
  readonly kind: string;
  readonly line: string;
}

const OF_EACH_KIND = 100;
const SLOT = /\{(\w{1,16})\}/g;

/** The slots of a template filled for the time `round`; the same slot has the same filling in prompt and response. */
const fill = (template: string, fillings: Templates['fillings'], round: number): string =>
  template.replace(SLOT, (slot, name: string) => {
    const words = fillings[name];
    return words === undefined ? slot : words[round % words.length]!;
  });

/** A hundred exchanges of each kind, out of the templates in `examples/ordinary.json`; the same every time. */
export function ordinaryDay(): OrdinaryTriplet[] {
  const file = path.join(packageRoot(), 'examples', 'ordinary.json');
  const { fillings, kinds } = JSON.parse(readFileSync(file, 'utf8')) as Templates;
  return kinds.flatMap(({ kind, sandboxSlug, exchanges }) =>
    Array.from({ length: OF_EACH_KIND }, (_, place) => {
      const { prompt, response } = exchanges[place % exchanges.length]!;
      const round = Math.floor(place / exchanges.length);
      const [asked, given] = [fill(prompt, fillings, round), fill(response, fillings, round)];
      return {
        kind,
        line: JSON.stringify({
          sandboxSlug,
          provider: 'openai',
          model: 'gpt-4.1',
          prompt: asked,
          response: given,
        }),
      };
    }),
  );
}
