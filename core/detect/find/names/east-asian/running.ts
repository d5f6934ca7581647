import { CANDIDATE_STEPS, type Candidate, forEachCandidate, scoreOfCandidate } from './candidates.ts';

/** Takes a name with the margin that a tagger would give it. */
type Push = (start: number, end: number, margin: number) => void;

/** Scores from here on are a name: it is somewhat likelier than not. */
const MIN = CANDIDATE_STEPS / 2;
/** Margin of a tagger per step of a score. */
const MARGIN = 4;

/** Names in one run of letters of East Asia that the letters of the name and those around it tell. */
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
