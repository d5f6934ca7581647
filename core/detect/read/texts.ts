/**
 * The source of a text: an audit has a prompt, a response and a thinking block, a scan user input and system prompt.
 */
export type TextSource = 'prompt' | 'response' | 'thinkingBlock' | 'systemPrompt' | 'userInput';

export interface SourceText {
  readonly source: TextSource;
  readonly text: string;
}
