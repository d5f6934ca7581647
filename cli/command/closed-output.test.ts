import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import os from 'node:os';
import { expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';

/** The compiled program in a real shell pipe. */

const LIMIT_MS = 30_000;
const CAS = `'${process.execPath}' '${compiledModule('cli/main.ts')}'`;
const env = { PATH: process.env.PATH, DATA_DIR: os.tmpdir() };

async function inShell(script: string): Promise<{ out: string; err: string }> {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  await once(child, 'close');
  return { out, err };
}

/** The reader has ended before the program writes its first line. */
const unread = (args: string): string =>
  `mkfifo_dir=$(mktemp -d); mkfifo "$mkfifo_dir/pipe"
   { ${CAS} ${args} >"$mkfifo_dir/pipe"; echo "exit $?"; } & exec 3<"$mkfifo_dir/pipe"; exec 3<&-; wait; rm -r "$mkfifo_dir"`;

test.each(['--help', 'export --help', 'config'])(
  'cas %s whose reader is gone ends silently, with exit code 141',
  async (args) => {
    expect(await inShell(unread(args))).toEqual({ out: 'exit 141\n', err: '' });
  },
  LIMIT_MS,
);

test(
  'an unwritable error output ends the program without a stack trace',
  async () => {
    expect(await inShell(`${CAS} ingst 2>/dev/full; echo "exit $?"`)).toEqual({
      out: expect.stringMatching(/^exit [12]\n$/),
      err: '',
    });
  },
  LIMIT_MS,
);

test(
  'a full disk is reported in one line, with exit code 1',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'config'], {
      stdio: ['ignore', full, 'pipe'],
      env,
    });
    closeSync(full);
    let err = '';
    child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([1, 'cas: Cannot write to standard output: no space left on the device\n']);
  },
  LIMIT_MS,
);
