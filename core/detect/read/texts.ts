/**
 * The source of a text: audits have a prompt, a response and a thinking block, scans a user input and a system prompt.
 */
export type TextSource = 'prompt' | 'response' | 'thinkingBlock' | 'systemPrompt' | 'userInput';

export interface SourceText {
  readonly source: TextSource;
  readonly text: string;
}
