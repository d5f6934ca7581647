import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LEDGER, TRIPLETS } from '../../schemas/topics.ts';
import { compiledModule } from '../runtime/package-root.ts';
import { describeEventLogContract } from './contract.ts';
import type { CrashAppenderOptions } from './crash-appender.ts';
import { openEmbeddedLog } from './embedded.ts';
import type { ContractEnvironment, SpawnedAppender } from './harness.contract.ts';
import type { EventLog } from './port.ts';

async function begin(): Promise<ContractEnvironment> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-'));
  const logs: EventLog[] = [];
  const children: ChildProcess[] = [];

  async function spawnAppender(topic: string, round: string): Promise<SpawnedAppender> {
    const options: CrashAppenderOptions = { path: folder, topic, round };
    const child = spawn(
      process.execPath,
      [compiledModule('platform/event-log/crash-appender.ts'), JSON.stringify(options)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    children.push(child);
    const acknowledged: string[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      acknowledged.push(...lines);
    });
    const closed = once(child, 'close');
    return {
      acknowledged,
      async kill() {
        child.kill('SIGKILL');
        await closed;
      },
    };
  }

  return {
    topics: [TRIPLETS, LEDGER],
    async open(limits = {}) {
      const log = await openEmbeddedLog({ path: folder, topics: [TRIPLETS, LEDGER], ...limits });
      logs.push(log);
      return log;
    },
    spawnAppender,
    async end() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(logs.map((log) => log.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describeEventLogContract('embedded', begin);
