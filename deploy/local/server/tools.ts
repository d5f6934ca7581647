import { spawnSync } from 'node:child_process';

/** A required program is missing on this machine. The message says what to install. */
export class ToolMissing extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolMissing';
  }
}

const MIN_JAVA = 17;

export function requireJava(whatFor: string): void {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
  if (error === undefined && version >= MIN_JAVA) return;
  const found = error === undefined ? `found is Java ${version}` : 'there is no "java"';
  throw new ToolMissing(
    `${whatFor} needs Java ${MIN_JAVA} or newer, ${found}. On Debian: apt-get install openjdk-17-jre-headless`,
  );
}

export const requireMaven = (whatFor: string): void =>
  requireProgram('mvn', `${whatFor} is downloaded by Maven`, 'maven');

export const requireRedis = (): void =>
  requireProgram('redis-server', 'Redis runs as Debian’s package', 'redis-server');

function requireProgram(program: string, why: string, debianPackage: string): void {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) return;
  throw new ToolMissing(`${why}, and there is no "${program}". On Debian: apt-get install ${debianPackage}`);
}
