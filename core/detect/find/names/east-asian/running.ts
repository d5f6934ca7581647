import { CANDIDATE_STEPS, type Candidate, forEachCandidate, scoreOfCandidate } from './candidates.ts';

/** Receives a name, with the margin that the tagger would give it. */
type Push = (start: number, end: number, margin: number) => void;

/** Minimum score of a name: more likely than not. */
const MIN = CANDIDATE_STEPS / 2;
/** Tagger margin per step of a score. */
const MARGIN = 4;

/** Finds names in one run of East Asian letters by their letters and those around them. */
export function findRunningNames(
  text: string,
  start: number,
  end: number,
  isJapanese: boolean,
  weights: Int8Array,
  push: Push,
): void {
  let [from, until, most] = [0, 0, 0];
  const settle = (): void => {
    if (most > 0) push(from, until, most * MARGIN);
    most = 0;
  };
  forEachCandidate(text, start, end, isJapanese, (one: Candidate) => {
    const score = scoreOfCandidate(text, one, weights);
    if (score < MIN) return;
    if (one.start >= until) settle();
    if (score <= most) return;
    [from, until, most] = [one.start, one.end, score];
  });
  settle();
}
