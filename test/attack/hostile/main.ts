import { constants, setPriority } from 'node:os';
import type { AttackOrder, AttackReport } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { openSockets } from './sockets.ts';

/**
 * Main module of the attacker's process: it is told which attack to begin, ends it at the next message, and reports
 * what it saw. A real attacker has cores of its own. This one shares two with the service, so it runs at a lower
 * priority: CPU time that it takes away is not harm that the service could prevent.
 */
setPriority(constants.priority.PRIORITY_LOW);

const tell = (report: AttackReport): void => void process.send?.(report);
let end: (() => void) | null = null;

process.on('message', (order: AttackOrder | { readonly over: true }) => {
  if ('over' in order) {
    end?.();
    end = null;
    return;
  }
  const attack = ATTACKS.find(({ name }) => name === order.attack);
  if (attack === undefined) throw new Error(`no attack is called ${order.attack}`);
  const sockets = openSockets(order.url, order.address);
  const before = process.cpuUsage();
  attack.begin({ sockets, accounts: order.accounts });
  tell({ begun: true });
  end = () => {
    sockets.close();
    const { user, system } = process.cpuUsage(before);
    tell({ seen: Object.fromEntries(sockets.seen), cpuSeconds: (user + system) / 1e6 });
  };
});
// The parent process is gone.
process.on('disconnect', () => process.exit(0));
