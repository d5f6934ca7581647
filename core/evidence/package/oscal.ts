import { v5 } from 'uuid';
import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import type { Manifest } from '#schemas/api/evidence/evidence-package.ts';
import { canonicalJson } from '../canonical-json.ts';

const OSCAL_VERSION = '1.1.3';
/** OSCAL requires UUIDs of version 4 or 5. Name-based ones stay the same for the same package. */
const NAMESPACE = '5b1b6d53-7d0c-5c1c-9a3a-3d0f5a1f8a10';
/** Only a name; nothing is served there. Has a host, because some OSCAL readers reject URNs. */
const PROPERTIES = 'https://compliance-audit-service.example/ns/evidence';

type Basis = Omit<Manifest, 'format' | 'notice' | 'files' | 'counts'>;

/**
 * The attestations as an OSCAL assessment-results document. A control with something open has a finding; the others
 * have only an observation, because the service never claims that a control is met.
 */
export function assessmentResults(basis: Basis, attestations: readonly Attestation[]): object {
  const { framework, periodStart, periodEnd, generatedAt, catalogueVersion, treeSize } = basis;
  const idOf = (what: string): string => v5(canonicalJson({ ...basis, what }), NAMESPACE);
  const plan = idOf('plan');
  const observations = attestations.map((one) => observationOf(one, idOf));
  const open = attestations.filter(({ status }) => status === 'OPEN');
  const findings = open.map((one) => findingOf(one, idOf));
  const controls = attestations.map(({ controlId }) => ({ 'control-id': tokenOf(framework, controlId) }));
  return {
    'assessment-results': {
      uuid: idOf('assessment-results'),
      metadata: {
        title: `${framework}: evidence from language-model interactions`,
        'last-modified': generatedAt,
        version: `${catalogueVersion}+${treeSize}`,
        'oscal-version': OSCAL_VERSION,
        remarks: `This is ${NOTICE}. It supports record-keeping.`,
      },
      'import-ap': { href: `#${plan}` },
      results: [
        {
          uuid: idOf('result'),
          title: `${framework} from ${periodStart} to ${periodEnd}`,
          description: `What the ledger shows at its checkpoint of ${treeSize} entries.`,
          start: periodStart,
          end: periodEnd,
          'reviewed-controls': { 'control-selections': [{ 'include-controls': controls }] },
          observations,
          ...(findings.length === 0 ? {} : { findings }),
        },
      ],
      'back-matter': {
        resources: [
          {
            uuid: plan,
            title: 'How it was assessed',
            description: `Catalogue ${catalogueVersion} of the service names the codes and checks used to assess each control; the attestations next to this file contain the result of each.`,
            rlinks: [{ href: '../attestations.json', 'media-type': 'application/json' }],
          },
        ],
      },
    },
  };
}

/** An OSCAL token: letters, digits, dots, hyphens and underscores. `Art. 5(1)(f)` of GDPR becomes `gdpr.art.5-1-f`. */
export const tokenOf = (framework: string, controlId: string): string =>
  `${framework}.${controlId}`
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/-?\.-?/g, '.')
    .replace(/-$/, '');

function observationOf(one: Attestation, idOf: (what: string) => string) {
  const property = (name: string, value: string | number) => ({ name, ns: PROPERTIES, value: String(value) });
  return {
    uuid: idOf(`observation ${one.controlId}`),
    title: one.title,
    description: one.reason,
    props: [
      property('control', one.controlId),
      property('status', one.status),
      property('scope', one.scope),
      property('signals', one.signalCount),
      property('violations', one.violationCount),
      property('open-incidents', one.openIncidents),
    ],
    methods: ['TEST'],
    collected: one.generatedAt,
  };
}

const findingOf = (one: Attestation, idOf: (what: string) => string) => ({
  uuid: idOf(`finding ${one.controlId}`),
  title: one.title,
  description: one.reason,
  target: {
    type: 'objective-id',
    'target-id': tokenOf(one.framework, one.controlId),
    status: { state: 'not-satisfied', reason: 'fail' },
  },
  'related-observations': [{ 'observation-uuid': idOf(`observation ${one.controlId}`) }],
});
