/** Commands of a page, parsed as a shell does. */

const FENCE = /^```(.*)$/;
/** Commands among everything between backticks in a sentence. */
const TYPED = /^(npm|npx|node|docker|cas|curl|eval|bash) \S/;

/** Every command of every shell block, in order. Throws at a block of another kind that could contain commands. */
export function commandsOf(page: string): string[] {
  const commands: string[] = [];
  let block: { language: string; lines: string[] } | null = null;
  for (const line of page.split('\n')) {
    const fence = FENCE.exec(line);
    if (fence === null) block?.lines.push(line);
    else if (block === null) block = { language: fence[1]!, lines: [] };
    else {
      if (block.language === 'sh') commands.push(...commandsIn(block.lines.join('\n')));
      else if (block.language !== '')
        throw new Error(`a block of "${block.language}": commands are read from blocks of sh alone`);
      block = null;
    }
  }
  if (block !== null) throw new Error('the last block of the page does not end');
  return commands;
}

/** Commands in sentences. */
export const commandsInSentences = (page: string): string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, code]) => code!)
    .filter((code) => TYPED.test(code));

/** Splits at line ends outside quotes; drops comments. */
function commandsIn(block: string): string[] {
  const commands: string[] = [];
  let command = '';
  let quote = '';
  const end = (): void => {
    if (command.trim() !== '') commands.push(command.trim());
    command = '';
  };
  for (let at = 0; at < block.length; at += 1) {
    const letter = block[at]!;
    if (quote === '' && letter === '#' && /^$|\s$/.test(command)) {
      while (at + 1 < block.length && block[at + 1] !== '\n') at += 1;
    } else if (quote === '' && letter === '\n' && !command.endsWith('\\')) end();
    else {
      command += letter;
      if (quote === letter) quote = '';
      else if (quote === '' && (letter === "'" || letter === '"')) quote = letter;
    }
  }
  if (quote !== '') throw new Error(`a quotation in a block does not end: ${command}`);
  end();
  return commands;
}
