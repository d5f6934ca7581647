import { constants, setPriority } from 'node:os';
import type { AttackOrder, AttackReport } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { openSockets } from './sockets.ts';

/**
 * Main module of the attacker's process: it is told which attack to begin, ends it at the next message, and tells what
 * it saw. An attacker has cores of its own. Here it has the same two as the service, so it goes behind: what it takes
 * from the service by computing is no harm that the service could prevent.
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
// Whoever started it is gone.
process.on('disconnect', () => process.exit(0));
