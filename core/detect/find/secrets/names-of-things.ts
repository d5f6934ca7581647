/** A range of commits, as `git diff` prints it. */
const RANGE_OF_COMMITS = /^[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40}$/;
/** An internationalised domain in ASCII (IDNA), or a character set. */
const CODED_NAME = /^(?:[\w-]{1,64}\.){0,4}xn--|^utf-?8/i;
/** An SVG path. */
const OUTLINE = /^[\dMLHVCSQTAZmlhvcsqtaz.,-]{1,600}$/;
/** A camel case word, an acronym, a short number, or a mark between them. */
const PART = /[A-Z]?[a-z]{2,}|[A-Z]{2,6}(?=[A-Z][a-z]|[^A-Za-z]|$)|\d{1,4}|[._-]/g;
const MAX_NUMBERS = 3;
const LONGEST_WORD = 16;
const MIN_MEAN_LENGTH = 3.4;
/** Upper-case words joined by marks: names of ciphers, constants, products. */
const CONSTANT = /^[A-Z][A-Z0-9]{0,15}(?:[_-][A-Z0-9]{1,16}){2,12}$/;
const WORD_OF_PATH = /^\.?[A-Za-z]{3,24}(?:[.-][A-Za-z]{2,12}){0,4}$/;

/** Words joined without blanks, with a number or two: "okhttp3.OkHttpClient", "Wav2Vec2Processor". */
function isOfWords(value: string): boolean {
  const parts = value.match(PART) ?? [];
  if (parts.join('').length !== value.length) return false;
  const words = parts.filter((part) => /[A-Za-z]/.test(part));
  if (words.some((word) => word.length > LONGEST_WORD)) return false;
  const numbers = parts.filter((part) => /\d/.test(part)).length;
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return numbers <= MAX_NUMBERS && words.length > 0 && letters / words.length >= MIN_MEAN_LENGTH;
}

/**
 * "TLS_DHE_DSS_WITH_AES_128_CBC_SHA": at most two of its parts mix letters and digits, unlike those of a licence key.
 */
function isConstant(value: string): boolean {
  if (!CONSTANT.test(value)) return false;
  const parts = value.split(/[_-]/);
  const mixed = parts.filter((part) => /\d/.test(part) && /[A-Z]/.test(part)).length;
  const words = parts.filter((part) => /^[A-Z]{2,}$/.test(part)).length;
  return mixed <= 2 && words >= mixed && words >= 2;
}

/** Words joined by slashes: "listener/app/my-load-balancer/50dc6c495c0c9188". */
function isPathOfWords(value: string): boolean {
  if (/[+=]/.test(value)) return false;
  return value.split('/').filter((part) => WORD_OF_PATH.test(part)).length >= 2;
}

/** Whether a token that no word for a secret precedes is the name of something in a program. */
export function isNameOfSomething(value: string): boolean {
  if (RANGE_OF_COMMITS.test(value) || CODED_NAME.test(value) || OUTLINE.test(value)) return true;
  return isOfWords(value) || isConstant(value) || isPathOfWords(value);
}
