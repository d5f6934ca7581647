/** Common words and keyboard rows in the passwords that attackers try first. */
const COMMON =
  /password|passwort|passphrase|qwertyuiop|qwertzuiop|asdfghjkl|zxcvbnm|azerty|qwerty|qwertz|letmein|welcome|administrator|admin|iloveyou|monkey|dragon|football|baseball|sunshine|princess|master|shadow|superman|batman|trustno|changeme|default|secret|starwars|whatever|internet|computer|login|guest|root|test|user|abc/g;
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const MIN_DIFFERENT = 5;
/** Minimum number of letters besides a common word for a password to count as something else. */
const MIN_OTHERS = 4;
const LONGEST_UNIT = 6;
const MIN_NAME = 4;

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** "password2026!", "P4ssw0rd_P4ssw0rd": only common words, digits and punctuation. */
function isCommon(text: string): boolean {
  const read = Array.from(text, (character) => LOOKS_LIKE[character] ?? character).join('');
  return [text, read].some((one) => {
    const rest = one.replaceAll(COMMON, '');
    return rest !== one && lettersOf(rest) < MIN_OTHERS;
  });
}

/** "abcabcabcabc". */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit <= LONGEST_UNIT; unit++)
    if (
      text ===
      text
        .slice(0, unit)
        .repeat(Math.ceil(text.length / unit))
        .slice(0, text.length)
    )
      return true;
  return false;
}

/** "123456789012", "lkjihgfedcba": consecutive characters. */
function isRow(text: string): boolean {
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    // 9 is followed by 0.
    steps.add(Math.abs(step) === 9 ? -Math.sign(step) : step);
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

/** Whether attackers would try a password of at least twelve characters first. `email`: the user's. */
export function isGuessable(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < MIN_DIFFERENT || isRepeated(text) || isRow(text) || isCommon(text)) return true;
  const name = email.split('@', 1)[0]!.toLowerCase();
  if (name.length < MIN_NAME || !text.includes(name)) return false;
  return lettersOf(text.replaceAll(email.toLowerCase(), '').replaceAll(name, '')) < MIN_OTHERS;
}
