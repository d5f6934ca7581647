import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { proxyCheck } from '#platform/config/proxy-settings.ts';
import { isServedOn, type RouteContract, SURFACES } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Auditors, openAuditors } from '#services/customers/auditors/auditors.ts';
import { type Directory, openDirectory } from '#services/customers/directory.ts';
import { entryMaker } from '#services/customers/entry-maker.ts';
import { type Incidents, openIncidents } from '#services/customers/incidents/incidents.ts';
import type { EntryMaker } from '#services/customers/ledger-events.ts';
import { openPolicies, type Policies } from '#services/customers/policies/policies.ts';
import { type CostlyWork, createCostlyWork, limitCostlyWork } from './costly-work.ts';
import type { ApiDependencies } from './dependencies.ts';
import { NONE_STOPPED } from './jobs/watch-partitions.ts';
import {
  authenticateAuditor,
  refusedCalls,
  unknownAuditorPaths,
} from './plugins/authentication/auditor-authentication.ts';
import { authenticateCustomer } from './plugins/authentication/authentication.ts';
import { failedAuthentication } from './plugins/authentication/failed-authentication.ts';
import { requireInternalSecret } from './plugins/authentication/internal-secret.ts';
import { withoutBasePath } from './plugins/base-path.ts';
import { bodyAdmission } from './plugins/bodies/body-admission.ts';
import { installBodies } from './plugins/bodies/body-arrival.ts';
import { discardUnreadBodies } from './plugins/bodies/unread-bodies.ts';
import { closeConnectionsWithAnswers } from './plugins/closing-connections.ts';
import { limitConnections } from './plugins/connections.ts';
import { clientErrors, frameworkErrors, installErrors } from './plugins/errors.ts';
import { holdRefusals, waitOf } from './plugins/held-refusals.ts';
import { installHttpMetrics } from './plugins/http-metrics.ts';
import { installNotFound } from './plugins/not-found.ts';
import { refuseWithOlderState } from './plugins/older-state.ts';
import { closeFloods, workOneAtATime } from './plugins/one-at-a-time.ts';
import { openRequests } from './plugins/open-requests.ts';
import { type AddRoute, routesOf } from './plugins/route.ts';
import { installSecurityHeaders } from './plugins/security-headers.ts';
import { accountRoutes } from './routes/accounts/accounts.ts';
import { auditRoutes } from './routes/audit/ingest.ts';
import { auditorChainRoutes } from './routes/auditor/hash-chain.ts';
import { auditorRecordRoutes } from './routes/auditor/records.ts';
import { auditListRoutes } from './routes/audits/audits.ts';
import { exportRoutes } from './routes/dashboard/export.ts';
import { signalRoutes } from './routes/dashboard/signals.ts';
import { statisticsRoutes } from './routes/dashboard/statistics.ts';
import { streamRoutes } from './routes/dashboard/stream.ts';
import { deadLetterRoutes } from './routes/dead-letters/dead-letters.ts';
import { attestationRoutes } from './routes/evidence/attestations.ts';
import { auditorRoutes } from './routes/evidence/auditors.ts';
import { correlationRoutes } from './routes/evidence/correlations.ts';
import { erasureRoutes } from './routes/evidence/erasures.ts';
import { hashChainRoutes } from './routes/evidence/hash-chain.ts';
import { incidentRoutes } from './routes/evidence/incidents.ts';
import { packageDownloads, packageRoutes } from './routes/evidence/packages.ts';
import { policyRoutes } from './routes/evidence/policies.ts';
import { proofRoutes } from './routes/evidence/proofs.ts';
import { retentionPolicyRoutes } from './routes/evidence/retention-policies.ts';
import { guardianRoutes } from './routes/guardian/scan.ts';
import { sharedAuditorRoutes } from './routes/internal/auditors.ts';
import { customerRoutes } from './routes/internal/customers.ts';
import { damageRoutes } from './routes/internal/damage.ts';
import { partitionRoutes } from './routes/internal/partitions.ts';
import { retentionRunRoutes } from './routes/internal/retention.ts';
import { internalSignalRoutes } from './routes/internal/signal.ts';
import { operationRoutes } from './routes/operation/operation.ts';
import { sandboxRoutes } from './routes/sandboxes/sandboxes.ts';
import { uiRoutes } from './routes/ui/ui.ts';
import type { AdmitDependencies } from './use-cases/auditors/admit-auditor.ts';
import { searchHere } from './use-cases/evidence/correlate/find-patterns.ts';
import { createPatternRuns } from './use-cases/evidence/correlate/pattern-runs.ts';
import { logEndOf, passesHere } from './use-cases/evidence/verify/passes.ts';
import { createVerificationJobs } from './use-cases/evidence/verify/verification-jobs.ts';
import { createFreshness } from './use-cases/freshness.ts';
import { type AdmittedCounts, createAdmittedCounts } from './use-cases/ingest/admitted-counts.ts';
import { intakeLog } from './use-cases/ingest/intake-log.ts';
import { createReceiptDesk, type ReceiptDesk } from './use-cases/ingest/receipts.ts';
import { SignalStreams } from './use-cases/stream/open-streams.ts';

/** Longer than any address: the length of the whole address is checked instead. */
const MAX_PARAM_LENGTH = 65_536;

const SLOW_REQUEST_CHECK_MS = 5_000;

/** The HTTP service, or the operations of one listener only. It does not listen: the caller calls `listen`, tests inject. */
export function buildApp(dependencies: ApiDependencies): FastifyInstance {
  const { requestTimeoutMs } = dependencies.settings;
  const surfaces = dependencies.surfaces ?? SURFACES;
  const contracts = ROUTES.filter((contract) => isServedOn(surfaces, contract));
  const open = openRequests(dependencies.now, holdRefusals(waitOf(dependencies.settings.probePauseMs)));
  const hold = holdRefusals(waitOf(dependencies.settings.refusalPauseMs));
  const app = fastify({
    // The service writes its own log lines; the framework's would contain addresses with ids in them.
    logger: false,
    genReqId: () => randomUUID(),
    requestTimeout: requestTimeoutMs,
    // By default Node looks for slow requests every 30 s, and skips the check when the request timeout is below the
    // headers timeout.
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, SLOW_REQUEST_CHECK_MS),
    },
    // The client's address and protocol, where a trusted proxy may report them.
    trustProxy:
      dependencies.settings.trustedProxies.length > 0 ? [...dependencies.settings.trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: rewriteOf(dependencies.settings.basePath, contracts),
    clientErrorHandler: clientErrors(open, hold),
    frameworkErrors: frameworkErrors(open, hold, dependencies.logger),
  });
  app.decorate('basePath', dependencies.settings.basePath);
  app.decorateRequest('caller', null);
  app.decorateRequest('heldBody', null);
  app.decorateRequest('admittedAt', 0);
  closeConnectionsWithAnswers(app);
  workOneAtATime(app);
  discardUnreadBodies(app);
  installSecurityHeaders(app, dependencies.settings.isAllowedHost, open);
  installErrors(app, dependencies.logger, hold);
  installBodies(app);
  installHttpMetrics(app, dependencies.metrics);
  limitConnectionsOf(app, dependencies);
  if (dependencies.ledger !== undefined) refuseWithOlderState(app, dependencies.ledger);
  const records = recordsOf(dependencies);
  const admit = auditorAdmissionOf(dependencies, records.auditors);
  // What another listener serves is as unknown here as a path that never existed, in any spelling: there is no route
  // for it.
  installNotFound(app, contracts, open, surfaces.includes('client') ? unknownAuditorPaths(admit) : null);
  const guards = { ...guardsOf(dependencies, admit), none: [open.limit] };
  const costly = createCostlyWork();
  const addToListener = limitCostlyWork(
    routesOf(app, {
      guards,
      bodies: bodyAdmission(dependencies),
      requests: dependencies.requests ?? null,
      rights: dependencies.rights,
    }),
    costly,
  );
  const add: AddRoute = (contract, handler) => {
    if (isServedOn(surfaces, contract)) addToListener(contract, handler);
  };
  const admitted = createAdmittedCounts({ ...dependencies, admission: dependencies.state.admission });
  // After the last request.
  app.addHook('onClose', admitted.write);
  const receipts = createReceiptDesk(dependencies.signingKey);
  const jobs = { ...jobsOf(dependencies), ...dashboardOf(dependencies, records, costly) };
  for (const job of [jobs.verificationJobs, jobs.patternRuns, jobs.signalStreams])
    app.addHook('onClose', () => job.stop());
  addRoutes(add, { ...dependencies, ...jobs, ...records, admitted, receipts, costly });
  return app;
}

/** Called with each request before its address is parsed. */
function rewriteOf(basePath: string, contracts: readonly RouteContract[]) {
  const countedUrl = closeFloods();
  const strip = withoutBasePath(basePath, contracts);
  return (request: IncomingMessage): string => strip(countedUrl(request));
}

/** How callers of each audience prove who they are; failures of all of them share the buckets of their addresses. */
function guardsOf(dependencies: ApiDependencies, admit: AdmitDependencies) {
  const failed = failedAuthentication(dependencies.now);
  const customers = [authenticateCustomer(dependencies, failed)];
  return {
    key: customers,
    session: customers,
    internal: [requireInternalSecret(dependencies.internalSecrets, failed)],
    auditor: [authenticateAuditor(admit, failed)],
  };
}

function limitConnectionsOf(app: FastifyInstance, { settings, metrics }: ApiDependencies): void {
  const { maxConnections, trustedProxies } = settings;
  limitConnections(app.server, maxConnections, proxyCheck(trustedProxies), metrics);
}

interface Records {
  readonly directory: Directory;
  readonly incidents: Incidents;
  readonly auditors: Auditors;
  readonly policies: Policies;
  readonly makeEntry: EntryMaker;
}

/** What the state keeps of customers, each change of which is an entry of the ledger. */
function recordsOf(dependencies: ApiDependencies): Records {
  const { state, announce, randomBytes } = dependencies;
  const { documents, admission } = state;
  const makeEntry = entryMaker(dependencies);
  return {
    directory: openDirectory({ documents, admission, makeEntry, announce, randomBytes }),
    incidents: openIncidents({ documents, makeEntry, announce }),
    auditors: openAuditors({ documents, makeEntry, announce, randomBytes }),
    makeEntry,
    policies: openPolicies({ documents, makeEntry, announce }),
  };
}

/** What letting auditors in needs. */
const auditorAdmissionOf = (dependencies: ApiDependencies, auditors: Auditors): AdmitDependencies => ({
  ...dependencies,
  auditors,
  admission: dependencies.state.admission,
  requests: dependencies.requests ?? null,
  makeEntry: entryMaker(dependencies),
  refused: refusedCalls(dependencies.metrics),
});

/** What verifying a ledger and looking for patterns need besides the stores; both may go on behind their answers. */
function jobsOf(dependencies: ApiDependencies) {
  const { warehouse, log, state } = dependencies;
  const shared = { ...dependencies, documents: state.documents };
  const search = dependencies.patternSearch ?? searchHere(warehouse);
  return {
    passes: dependencies.passes ?? passesHere({ warehouse, logEnd: logEndOf(log) }),
    random: randomOf(dependencies),
    verificationJobs: createVerificationJobs(shared),
    patternRuns: createPatternRuns({ ...shared, search }),
  };
}

/** What the numbers of a dashboard and its streams share. */
function dashboardOf(dependencies: ApiDependencies, { directory }: Records, costly: CostlyWork) {
  const freshness = createFreshness(dependencies);
  const random = randomOf(dependencies);
  return {
    freshness,
    signalStreams: new SignalStreams({ ...dependencies, directory, costly, freshness, random }),
  };
}

/** In [0, 1). */
const randomOf =
  ({ randomBytes }: Pick<ApiDependencies, 'randomBytes'>) =>
  (): number =>
    randomBytes(4).readUInt32BE() / 2 ** 32;

/** Every route of the service; a test compares them with the contracts. */
export function addRoutes(
  add: AddRoute,
  dependencies: ApiDependencies &
    Records & {
      readonly admitted: AdmittedCounts;
      readonly receipts: ReceiptDesk;
      readonly costly: CostlyWork;
    } & ReturnType<typeof dashboardOf> &
    ReturnType<typeof jobsOf>,
): void {
  const withPackages = { ...dependencies, answerPackage: packageDownloads(dependencies) };
  const intake = {
    ...dependencies,
    log: intakeLog(dependencies.log, dependencies.stoppedPartitions ?? NONE_STOPPED),
  };
  auditRoutes(add, intake);
  auditListRoutes(add, dependencies);
  guardianRoutes(add, dependencies);
  sandboxRoutes(add, dependencies);
  signalRoutes(add, dependencies);
  exportRoutes(add, dependencies);
  statisticsRoutes(add, dependencies);
  streamRoutes(add, dependencies);
  hashChainRoutes(add, dependencies);
  proofRoutes(add, dependencies);
  incidentRoutes(add, dependencies);
  attestationRoutes(add, dependencies);
  auditorRoutes(add, dependencies);
  auditorRecordRoutes(add, withPackages);
  auditorChainRoutes(add, dependencies);
  erasureRoutes(add, dependencies);
  policyRoutes(add, dependencies);
  correlationRoutes(add, dependencies);
  retentionPolicyRoutes(add, dependencies);
  retentionRunRoutes(add, dependencies);
  packageRoutes(add, withPackages);
  deadLetterRoutes(add, intake);
  accountRoutes(add, dependencies);
  customerRoutes(add, dependencies);
  sharedAuditorRoutes(add, dependencies);
  internalSignalRoutes(add, intake);
  partitionRoutes(add, dependencies);
  damageRoutes(add, dependencies);
  operationRoutes(add, dependencies);
  uiRoutes(add, dependencies);
}
