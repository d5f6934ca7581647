/** One step up: plain, doubled to survive a filter that removes it once, or encoded. */
const STEPS =
  /(?:(?:\.{2,4}|%2e%2e|%252e%252e|\.%2e|%2e\.|%c0%ae%c0%ae)(?:;?[\\/]{1,2}|%2f|%5c|%252f|%255c|%c0%af|%c1%9c|%u2215){1,2}){1,40}/iy;
const ENCODED = /%2e|%2f|%5c|%252|%c0|%u2215|\.{4}|;/i;
const TAIL = 48;
/** Paths that no link between two files of a project leads to. */
const PRIVATE_PATH =
  /^[^\s"'<>]{0,24}(?:etc[\\/%]|passwd|shadow|win\.ini|boot\.ini|windows[\\/%]|winnt|proc[\\/%]|\.ssh|id_rsa|\.env\b|\.git[\\/]|\.aws|web\.config|web-inf|wp-config|config\.php|\.htpasswd|\.htaccess|system32|root[\\/]|var[\\/%]|access\.log|hosts\b)/i;
const TWO_STEPS = 6;
const TWO_ENCODED_STEPS = 10;

interface Traversal {
  readonly end: number;
  /** 0 for an ordinary relative path. */
  readonly confidence: number;
}

/** The steps up that start at `start`, and their target; null if there are none. */
export function traversalAt(text: string, start: number): Traversal | null {
  STEPS.lastIndex = start;
  const steps = STEPS.exec(text)?.[0];
  if (steps === undefined) return null;
  const end = start + steps.length;
  const target = PRIVATE_PATH.exec(text.slice(end, end + TAIL));
  const isEncoded = ENCODED.test(steps);
  if (steps.length < (isEncoded ? TWO_ENCODED_STEPS : TWO_STEPS)) return { end, confidence: 0 };
  if (target !== null) return { end: end + target[0].length, confidence: 0.9 };
  return { end, confidence: isEncoded ? 0.75 : 0 };
}
