const SENTENCE =
  /^\W{0,2}(?:[A-Z][a-z]+|how|what|why|please|can|write|create|give|i|we|explain|the|a)\s+(?:[A-Za-z']+\s+){2}[A-Za-z']/;
const STATEMENT = /^\s*(?:select|insert|update|delete|create|alter|drop|with|use|grant)\s/i;

/**
 * Whether the text starts like a sentence or a complete SQL statement, so is neither a field's value nor a fragment.
 */
export function isStatementOrSentence(plain: string): boolean {
  return SENTENCE.test(plain) || STATEMENT.test(plain);
}
