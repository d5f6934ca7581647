import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { proxyCheck } from '#platform/config/proxy-settings.ts';
import { type Auditors, openAuditors } from '#records/auditors/auditors.ts';
import { type AdmittedCounts, createAdmittedCounts } from '#records/audits/admitted-counts.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { type Directory, openDirectory } from '#records/directory.ts';
import { type Incidents, openIncidents } from '#records/incidents/incidents.ts';
import { NONE_STOPPED } from '#records/losses/watch-partitions.ts';
import { openPolicies, type Policies } from '#records/policies/policies.ts';
import { isServedOn, type RouteContract, SURFACES } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { auditListRoutes } from './audits/routes.ts';
import { deadLetterRoutes } from './dead-letters/routes.ts';
import { attestationRoutes, auditorAttestationRoutes } from './evidence/attestations/routes.ts';
import { auditorRoutes } from './evidence/auditors/routes.ts';
import { sharedAuditorRoutes } from './evidence/auditors/shared-routes.ts';
import { auditorChainRoutes } from './evidence/chain/auditor-routes.ts';
import { damageRoutes } from './evidence/chain/damage-routes.ts';
import { logEndOf, passesHere } from './evidence/chain/passes.ts';
import { hashChainRoutes } from './evidence/chain/routes.ts';
import { createVerificationJobs } from './evidence/chain/verification-jobs.ts';
import { searchHere } from './evidence/correlations/find-patterns.ts';
import { createPatternRuns } from './evidence/correlations/pattern-runs.ts';
import { correlationRoutes } from './evidence/correlations/routes.ts';
import { auditorIncidentRoutes, incidentRoutes } from './evidence/incidents/routes.ts';
import { auditorPackageRoutes, packageDownloads, packageRoutes } from './evidence/packages/routes.ts';
import { policyRoutes } from './evidence/policies/routes.ts';
import { auditorProofRoutes, proofRoutes } from './evidence/proofs/routes.ts';
import { erasureRoutes } from './evidence/retention/erasure-routes.ts';
import { retentionPolicyRoutes } from './evidence/retention/routes.ts';
import { retentionRunRoutes } from './evidence/retention/run-routes.ts';
import type { AdmitDependencies } from './http/authentication/admit-auditor.ts';
import {
  authenticateAuditor,
  refusedCalls,
  unknownAuditorPaths,
} from './http/authentication/auditor-authentication.ts';
import { authenticateCustomer } from './http/authentication/authentication.ts';
import { failedAuthentication } from './http/authentication/failed-authentication.ts';
import { requireInternalSecret } from './http/authentication/internal-secret.ts';
import { withoutBasePath } from './http/base-path.ts';
import { bodyAdmission } from './http/bodies/body-admission.ts';
import { installBodies } from './http/bodies/body-arrival.ts';
import { discardUnreadBodies } from './http/bodies/unread-bodies.ts';
import { limitCostlyWork } from './http/costly-routes.ts';
import { explainMissing } from './http/errors/explain-missing.ts';
import { clientErrors, frameworkErrors, installErrors } from './http/errors.ts';
import { installHttpMetrics } from './http/http-metrics.ts';
import { closeConnectionsWithAnswers } from './http/limits/closing-connections.ts';
import { limitConnections } from './http/limits/connections.ts';
import { delayRefusals, waitOf } from './http/limits/delayed-refusals.ts';
import { closeFloods, workOneAtATime } from './http/limits/one-at-a-time.ts';
import { openRequests } from './http/limits/open-requests.ts';
import { installNotFound } from './http/not-found.ts';
import { refuseWithOlderState } from './http/older-state.ts';
import { type AddRoute, routesOf } from './http/route.ts';
import { installSecurityHeaders } from './http/security-headers.ts';
import { intakeLog } from './ingest/intake-log.ts';
import { internalSignalRoutes } from './ingest/internal/routes.ts';
import { createReceiptSigner, type ReceiptSigner } from './ingest/receipts.ts';
import { auditRoutes } from './ingest/routes.ts';
import { customerKeyRoutes, ownKeyRoutes } from './keys/routes.ts';
import { type CostlyWork, createCostlyWork } from './operations/limits/costly-work.ts';
import { customerRoutes } from './operators/customer-routes.ts';
import { partitionRoutes } from './operators/partition-routes.ts';
import { sandboxRoutes } from './sandboxes/routes.ts';
import { guardianRoutes } from './scans/routes.ts';
import { exportRoutes } from './signals/export/routes.ts';
import { auditorSignalRoutes, signalRoutes } from './signals/routes.ts';
import { createFreshness } from './signals/statistics/freshness.ts';
import { statisticsRoutes } from './signals/statistics/routes.ts';
import { SignalStreams } from './signals/stream/open-streams.ts';
import { streamRoutes } from './signals/stream/routes.ts';
import { operationRoutes } from './status/routes.ts';
import { uiRoutes } from './ui/routes.ts';

/** Longer than any address: the length of the whole address is checked instead. */
const MAX_PARAM_LENGTH = 65_536;

const SLOW_REQUEST_CHECK_MS = 5_000;

/**
 * The HTTP service, or only the operations of one listener. It does not listen: the caller calls `listen`, tests
 * inject.
 */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { requestTimeoutMs } = dependencies.settings;
  const surfaces = dependencies.surfaces ?? SURFACES;
  const contracts = ROUTES.filter((contract) => isServedOn(surfaces, contract));
  const open = openRequests(dependencies.now, delayRefusals(waitOf(dependencies.settings.probePauseMs)));
  const delay = delayRefusals(waitOf(dependencies.settings.refusalPauseMs));
  const app = fastify({
    // The service writes its own log lines; the framework's would contain addresses with ids.
    logger: false,
    genReqId: () => randomUUID(),
    requestTimeout: requestTimeoutMs,
    // By default Node checks for slow requests every 30 s, and skips the check if the request timeout is below the
    // headers timeout.
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, SLOW_REQUEST_CHECK_MS),
    },
    // The client's address and protocol, if a trusted proxy reports them.
    trustProxy:
      dependencies.settings.trustedProxies.length > 0 ? [...dependencies.settings.trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: rewriteOf(dependencies.settings.basePath, contracts),
    clientErrorHandler: clientErrors(open, delay),
    frameworkErrors: frameworkErrors(open, delay, dependencies.logger),
  });
  app.decorate('basePath', dependencies.settings.basePath);
  app.decorateRequest('caller', null);
  app.decorateRequest('heldBody', null);
  app.decorateRequest('admittedAt', 0);
  closeConnectionsWithAnswers(app);
  workOneAtATime(app);
  discardUnreadBodies(app);
  installSecurityHeaders(app, dependencies.settings.isAllowedHost, open);
  installErrors(app, dependencies.logger, delay);
  installBodies(app);
  installHttpMetrics(app, dependencies.metrics);
  limitConnectionsOf(app, dependencies);
  if (dependencies.ledger !== undefined) refuseWithOlderState(app, dependencies.ledger);
  const records = recordsOf(dependencies);
  const admit = auditorAdmissionOf(dependencies, records.auditors);
  // Paths of another listener are as unknown here as ones that never existed, in any spelling: they have no route.
  installNotFound(app, contracts, open, surfaces.includes('client') ? unknownAuditorPaths(admit) : null);
  const guards = { ...guardsOf(dependencies, admit), none: [open.limit] };
  const costly = createCostlyWork();
  const addToListener = limitCostlyWork(
    routesOf(app, {
      guards,
      bodies: bodyAdmission(dependencies),
      requests: dependencies.requests ?? null,
      rights: dependencies.rights,
      explain: explainMissing(dependencies.state.documents),
    }),
    costly,
  );
  const add: AddRoute = (contract, handler) => {
    if (isServedOn(surfaces, contract)) addToListener(contract, handler);
  };
  const admitted = createAdmittedCounts({ ...dependencies, admission: dependencies.state.admission });
  // After the last request.
  app.addHook('onClose', admitted.write);
  const receipts = createReceiptSigner(dependencies.signingKey);
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

/** How callers of each audience authenticate; their failures share the buckets of their addresses. */
function guardsOf(dependencies: AppDependencies, admit: AdmitDependencies) {
  const failed = failedAuthentication(dependencies.now);
  const customers = [authenticateCustomer(dependencies, failed)];
  return {
    key: customers,
    session: customers,
    internal: [requireInternalSecret(dependencies.internalSecrets, failed)],
    auditor: [authenticateAuditor(admit, failed)],
  };
}

function limitConnectionsOf(app: FastifyInstance, { settings, metrics }: AppDependencies): void {
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

/** The state's records of customers; each change is an entry of the ledger. */
function recordsOf(dependencies: AppDependencies): Records {
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

/** Dependencies for admitting auditors. */
const auditorAdmissionOf = (dependencies: AppDependencies, auditors: Auditors): AdmitDependencies => ({
  ...dependencies,
  auditors,
  admission: dependencies.state.admission,
  requests: dependencies.requests ?? null,
  makeEntry: entryMaker(dependencies),
  refused: refusedCalls(dependencies.metrics),
});

/**
 * Dependencies for verifying a ledger and searching for patterns, besides the stores; both may continue after their
 * answers.
 */
function jobsOf(dependencies: AppDependencies) {
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

/** Dependencies that a dashboard's numbers and streams share. */
function dashboardOf(dependencies: AppDependencies, { directory }: Records, costly: CostlyWork) {
  const freshness = createFreshness(dependencies);
  const random = randomOf(dependencies);
  return {
    freshness,
    signalStreams: new SignalStreams({ ...dependencies, directory, costly, freshness, random }),
  };
}

/** In [0, 1). */
const randomOf =
  ({ randomBytes }: Pick<AppDependencies, 'randomBytes'>) =>
  (): number =>
    randomBytes(4).readUInt32BE() / 2 ** 32;

/** Adds every route of the service; a test compares them with the contracts. */
export function addRoutes(
  add: AddRoute,
  dependencies: AppDependencies &
    Records & {
      readonly admitted: AdmittedCounts;
      readonly receipts: ReceiptSigner;
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
  auditorSignalRoutes(add, dependencies);
  auditorAttestationRoutes(add, dependencies);
  auditorIncidentRoutes(add, dependencies);
  auditorPackageRoutes(add, withPackages);
  auditorProofRoutes(add, dependencies);
  auditorChainRoutes(add, dependencies);
  erasureRoutes(add, dependencies);
  policyRoutes(add, dependencies);
  correlationRoutes(add, dependencies);
  retentionPolicyRoutes(add, dependencies);
  retentionRunRoutes(add, dependencies);
  packageRoutes(add, withPackages);
  deadLetterRoutes(add, intake);
  accountRoutes(add, dependencies);
  ownKeyRoutes(add, dependencies);
  customerRoutes(add, dependencies);
  customerKeyRoutes(add, dependencies);
  sharedAuditorRoutes(add, dependencies);
  internalSignalRoutes(add, intake);
  partitionRoutes(add, dependencies);
  damageRoutes(add, dependencies);
  operationRoutes(add, dependencies);
  uiRoutes(add, dependencies);
}
