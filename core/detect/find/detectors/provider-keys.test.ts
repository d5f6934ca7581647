import { describeDetectorContract } from './contract.ts';
import { providerKeys } from './provider-keys.ts';

/** Formatted like keys, but made of words, and joined here so that scanners do not flag this file as a leak. */
const key = (...parts: string[]): string => parts.join('');
const FILL = 'EXAMPLEexample';
const AWS = key('AK', 'IAIOSFODNN7', 'EXAMPLE');
const GITHUB = key('gh', 'p_', FILL, FILL, '01234567');
const GITHUB_FINE = key('github', '_pat_', FILL, FILL, '_01');
const SLACK = key('xo', 'xb-', '000000000000-', FILL);
const STRIPE = key('sk', '_live_', FILL, '0123');
const GOOGLE = key('AI', 'za', FILL, FILL, '0123456');
const OPENAI = key('sk', '-proj-', FILL, '-0123456789');
const OPENAI_OLD = key('sk', '-', FILL, '0123456789', FILL);
const ANTHROPIC = key('sk', '-ant-api03-', FILL, '0123');
const OWN = key('cas', '_', '0123456789abcdef'.repeat(3));
const WEBHOOK = key('hooks.slack.com/services', '/T00000000/B00000000/', FILL, '00');

describeDetectorContract(providerKeys, {
  finds: [
    [`aws ${AWS}.`, [AWS]],
    [`"${GITHUB}"`, [GITHUB]],
    [`${GITHUB_FINE}, then`, [GITHUB_FINE]],
    [`SLACK=${SLACK}`, [SLACK]],
    [`https://${WEBHOOK}`, [WEBHOOK]],
    [`stripe.key = '${STRIPE}'`, [STRIPE]],
    [`key=${GOOGLE}&q=1`, [GOOGLE]],
    [`${OPENAI} ${OPENAI_OLD}`, [OPENAI, OPENAI_OLD]],
    [`x-api-key: ${ANTHROPIC}`, [ANTHROPIC]],
    [OWN, [OWN]],
  ],
  ignores: [
    AWS.toLowerCase(),
    `X${AWS}`,
    `${AWS}X`,
    'AKIA123',
    'ghp_short',
    'sk-learn-pipeline-with-a-really-long-name',
    'task-force-one-two-three-four-five6',
    'disk-0123456789-0123456789-abc',
    'AIzaShort',
    'cas_0123456789abcdef',
    'the sk_live_ prefix',
  ],
  hostile: [
    'sk-',
    'sk-a',
    'sk-1 ',
    'ghp_',
    'AKIA',
    'AKIA ',
    'xoxb-1',
    'xoxb- ',
    'SG.a',
    ' SG.aaaaaaaaaaaaaaaaaaaaaa.',
  ],
});
