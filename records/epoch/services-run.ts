import type { EventLog } from '#platform/event-log/port.ts';
import { roleOfGroup } from '#schemas/topics.ts';

const MEMBERS_SHOWN = 5;

/** Running services still use what a command is about to replace. `meanwhile`: what the command does. */
class ServicesRun extends Error {
  constructor(group: string, members: readonly string[], meanwhile: string, what: string) {
    const shown = members.slice(0, MEMBERS_SHOWN).join(', ');
    const more = members.length > MEMBERS_SHOWN ? ` and ${members.length - MEMBERS_SHOWN} more` : '';
    super(
      `No service may run while ${meanwhile}, but the group "${group}" has members: ${shown}${more}. ${what} Stop every "cas ${roleOfGroup(group)}" (or "cas start"), and every "cas api", which is in no group, and run the command again. A process that was killed counts until its session has ended: wait for KAFKA_SESSION_TIMEOUT_MS, 30 seconds unless it is set.`,
    );
    this.name = 'ServicesRun';
  }
}

/**
 * Rejects with `ServicesRun` while one of the consumer groups has members. Does not detect APIs, which are in no group.
 */
export async function refuseWhileServicesRun(
  log: Pick<EventLog, 'members'>,
  groups: readonly string[],
  meanwhile: string,
  what: string,
): Promise<void> {
  for (const group of groups) {
    const members = await log.members(group);
    if (members.length > 0) throw new ServicesRun(group, members, meanwhile, what);
  }
}
