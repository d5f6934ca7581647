import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { type Directory, openDirectory } from '../../platform/directory/directory.ts';
import { proxyCheck } from '../../platform/runtime/proxy-settings.ts';
import { isServedOn, SURFACES } from '../../schemas/api/contract.ts';
import { ROUTES } from '../../schemas/api/routes.ts';
import { type CostlyTurns, createCostlyTurns, inTurns } from './costly-turns.ts';
import type { ApiParts } from './parts.ts';
import { authenticateKey } from './plugins/authentication.ts';
import { bodyAdmission } from './plugins/body-admission.ts';
import { installBodies } from './plugins/body-arrival.ts';
import { limitConnections } from './plugins/connections.ts';
import { clientErrors, frameworkErrors, installErrors } from './plugins/errors.ts';
import { failedAuthentication } from './plugins/failed-authentication.ts';
import { holdRefusals, waitOf } from './plugins/held-refusals.ts';
import { installHttpMetrics } from './plugins/http-metrics.ts';
import { requireInternalSecret } from './plugins/internal-secret.ts';
import { installNotFound } from './plugins/not-found.ts';
import { closeFloods, workOneAtATime } from './plugins/one-at-a-time.ts';
import { openRequests } from './plugins/open-requests.ts';
import { type AddRoute, routesOf } from './plugins/route.ts';
import { installSecurityHeaders } from './plugins/security-headers.ts';
import { discardUnreadBodies } from './plugins/unread-bodies.ts';
import { auditRoutes } from './routes/audit/ingest.ts';
import { auditListRoutes } from './routes/audits/audits.ts';
import { exportRoutes } from './routes/dashboard/export.ts';
import { signalRoutes } from './routes/dashboard/signals.ts';
import { statisticsRoutes } from './routes/dashboard/statistics.ts';
import { deadLetterRoutes } from './routes/dead-letters/dead-letters.ts';
import { hashChainRoutes } from './routes/evidence/hash-chain.ts';
import { guardianRoutes } from './routes/guardian/scan.ts';
import { customerRoutes } from './routes/internal/customers.ts';
import { partitionRoutes } from './routes/internal/partitions.ts';
import { internalSignalRoutes } from './routes/internal/signal.ts';
import { operationRoutes } from './routes/operation/operation.ts';
import { sandboxRoutes } from './routes/sandboxes/sandboxes.ts';
import { type AdmittedCounts, createAdmittedCounts } from './use-cases/admitted-counts.ts';
import { entryMaker } from './use-cases/ledger-entries.ts';

/** Above the longest address, which is checked for the whole of it. */
const MAX_PARAM_LENGTH = 65_536;

const SLOW_REQUEST_CHECK_MS = 5_000;

/**
 * The HTTP service, or those operations of it that belong to one listener, without listening: the caller calls
 * `listen`, tests inject.
 */
export function buildApp(parts: ApiParts): FastifyInstance {
  const { requestTimeoutMs } = parts.settings;
  const surfaces = parts.surfaces ?? SURFACES;
  const open = openRequests(parts.now, holdRefusals(waitOf(parts.settings.probePauseMs)));
  const hold = holdRefusals(waitOf(parts.settings.refusalPauseMs));
  const app = fastify({
    // The service writes its own log lines; the framework's would carry addresses with ids in them.
    logger: false,
    genReqId: () => randomUUID(),
    requestTimeout: requestTimeoutMs,
    // Node looks for slow requests every 30 s unless told otherwise, and not at all for those whose limit lies below
    // that of their headers.
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, SLOW_REQUEST_CHECK_MS),
    },
    // The address and the protocol of who asked, where a proxy stands in between that may say so.
    trustProxy: parts.settings.trustedProxies.length > 0 ? [...parts.settings.trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: closeFloods(),
    clientErrorHandler: clientErrors(open, hold),
    frameworkErrors: frameworkErrors(open, hold, parts.logger),
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('heldBody', null);
  workOneAtATime(app);
  discardUnreadBodies(app);
  installSecurityHeaders(app, parts.settings.isAllowedHost, open);
  installErrors(app, parts.logger, hold);
  installBodies(app);
  installHttpMetrics(app, parts.metrics);
  const { maxConnections, trustedProxies } = parts.settings;
  limitConnections(app.server, maxConnections, proxyCheck(trustedProxies), parts.metrics);
  // What another listener serves is as unknown here as what never was, in whatever spelling: there is no route for it.
  installNotFound(
    app,
    ROUTES.filter((contract) => isServedOn(surfaces, contract)),
    open,
  );
  const failed = failedAuthentication(parts.now);
  const guards = {
    key: [authenticateKey(parts, failed)],
    internal: [requireInternalSecret(parts.internalSecrets, failed)],
    none: [open.limit],
  };
  const turns = createCostlyTurns();
  const addToListener = inTurns(routesOf(app, guards, bodyAdmission(parts), parts.requests ?? null), turns);
  const add: AddRoute = (contract, handler) => {
    if (isServedOn(surfaces, contract)) addToListener(contract, handler);
  };
  const admitted = createAdmittedCounts({ ...parts, admission: parts.state.admission });
  // Behind the last request.
  app.addHook('onClose', admitted.write);
  addRoutes(add, { ...parts, directory: directoryOf(parts), admitted, turns });
  return app;
}

const directoryOf = (parts: ApiParts): Directory =>
  openDirectory({
    documents: parts.state.documents,
    admission: parts.state.admission,
    makeEntry: entryMaker(parts),
    announce: parts.announce,
    randomBytes: parts.randomBytes,
  });

/** Every route of the service; a test compares them with the contracts. */
export function addRoutes(
  add: AddRoute,
  parts: ApiParts & {
    readonly directory: Directory;
    readonly admitted: AdmittedCounts;
    readonly turns: CostlyTurns;
  },
): void {
  auditRoutes(add, parts);
  auditListRoutes(add, parts);
  guardianRoutes(add, parts);
  sandboxRoutes(add, parts);
  signalRoutes(add, parts);
  exportRoutes(add, parts);
  statisticsRoutes(add, parts);
  hashChainRoutes(add, parts);
  deadLetterRoutes(add, parts);
  customerRoutes(add, parts);
  internalSignalRoutes(add, parts);
  partitionRoutes(add, parts);
  operationRoutes(add, parts);
}
