import { ingestAudit } from '../../../../schemas/api/audits.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { submitAudit } from '../../use-cases/submit-audit.ts';

export function auditRoutes(add: AddRoute, parts: ApiParts): void {
  add(ingestAudit, ({ caller, body, sent }) => submitAudit(parts, caller, body, sent));
}
