/** The format of one issuer's keys. */
interface KeyFormat {
  /** Prefixes as issued; searched for in any case, then matched exactly by `pattern`. */
  readonly prefixes: readonly string[];
  /** The whole key, including the prefix. Sticky, with bounded quantifiers. */
  readonly pattern: RegExp;
  /** Whether the key must mix digits and letters after the prefix, because its format is loose. */
  readonly mixed?: boolean;
}

const exact = (prefix: string, pattern: RegExp): KeyFormat => ({ prefixes: [prefix], pattern });
const loose = (prefix: string, pattern: RegExp): KeyFormat => ({ prefixes: [prefix], pattern, mixed: true });

const CLOUD: readonly KeyFormat[] = [
  { prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: /A[KSBC][IC]A[A-Z0-9]{16}(?!\w)/y },
  exact('ABSK', /ABSK[A-Za-z0-9+/]{100,140}={0,2}(?![\w+/])/y),
  exact('AIza', /AIza[\w-]{35}(?![\w-])/y),
  exact('GOCSPX-', /GOCSPX-[\w-]{28}(?![\w-])/y),
  exact('ya29.', /ya29\.[\w-]{20,512}(?![\w-])/y),
  loose('1//0', /1\/\/0[\w-]{40,160}(?![\w-])/y),
  exact('LTAI', /LTAI[A-Za-z0-9]{12,24}(?!\w)/y),
  { prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /do[opr]_v1_[0-9a-f]{64}(?!\w)/y },
  loose('dapi', /dapi[0-9a-f]{32}(?:-\d{1,2})?(?![\w-])/y),
  exact('HRKU-', /HRKU-[\w-]{36,80}(?![\w-])/y),
  loose('fm2_', /fm[12]_[A-Za-z0-9+/_-]{40,600}={0,3}/y),
  loose('v1.0-', /v1\.0-[0-9a-f]{20,32}-[0-9a-f]{100,160}(?!\w)/y),
  { prefixes: ['hvs.', 'hvb.', 'hvr.'], pattern: /hv[sbr]\.[\w-]{20,300}(?![\w-])/y, mixed: true },
  exact('AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{58}(?!\w)/y),
];

const CODE_HOSTS: readonly KeyFormat[] = [
  { prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh[pousr]_[A-Za-z0-9]{36,255}(?!\w)/y },
  exact('github_pat_', /github_pat_\w{22,255}(?!\w)/y),
  {
    prefixes: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
      'glffct-',
    ],
    pattern: /gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.-]{20,320}(?![\w-])/y,
    mixed: true,
  },
  loose('GR1348941', /GR1348941[\w-]{20}(?![\w-])/y),
  loose('ATATT3', /ATATT3[\w=-]{100,300}/y),
  loose('ATBB', /ATBB[A-Za-z0-9]{32}(?!\w)/y),
  exact('npm_', /npm_[A-Za-z0-9]{36}(?!\w)/y),
  exact('pypi-AgE', /pypi-AgE[\w-]{50,1000}(?![\w-])/y),
  exact('rubygems_', /rubygems_[0-9a-f]{48}(?!\w)/y),
  loose('dckr_pat_', /dckr_pat_[\w-]{20,60}(?![\w-])/y),
  loose('AKCp', /AKCp[A-Za-z0-9]{60,80}(?!\w)/y),
  loose('sgp_', /sgp_(?:[0-9A-Za-z]{16}_|local_)?[0-9A-Fa-f]{40}(?!\w)/y),
  loose('pul-', /pul-[0-9a-f]{40}(?!\w)/y),
  loose('tfp_', /tfp_[\w.=-]{40,80}/y),
  loose('sntrys_', /sntrys_[A-Za-z0-9+/=_-]{60,400}/y),
  loose('sntryu_', /sntryu_[0-9a-f]{64}(?!\w)/y),
];

const MESSAGES: readonly KeyFormat[] = [
  {
    prefixes: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    pattern: /xox[abeoprs][-.][\w-]{10,250}(?![\w-])/y,
    mixed: true,
  },
  exact('xapp-', /xapp-\d-[\w-]{10,250}(?![\w-])/y),
  exact('hooks.slack.com/services/', /hooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/\w{16,40}(?!\w)/y),
  exact('hooks.slack.com/workflows/', /hooks\.slack\.com\/workflows\/[\w/]{40,100}(?!\w)/y),
  exact('discordapp.com/api/webhooks/', /discordapp\.com\/api\/webhooks\/\d{15,22}\/[\w-]{50,90}(?![\w-])/y),
  exact('hooks.zapier.com/hooks/catch/', /hooks\.zapier\.com\/hooks\/catch\/\d{4,10}\/\w{6,12}(?!\w)/y),
  exact('discord.com/api/webhooks/', /discord\.com\/api\/webhooks\/\d{15,22}\/[\w-]{50,90}(?![\w-])/y),
  exact('webhook.office.com/webhookb2/', /webhook\.office\.com\/webhookb2\/[\w@/-]{60,220}(?![\w-])/y),
  exact('SG.', /SG\.[\w-]{16,32}\.[\w-]{30,64}(?![\w-])/y),
  loose('xkeysib-', /xkeysib-[0-9a-f]{64}-\w{16}(?!\w)/y),
  loose('key-', /key-[0-9a-f]{32}(?!\w)/y),
  loose('SK', /SK[0-9a-f]{32}(?!\w)/y),
];

const MONEY: readonly KeyFormat[] = [
  {
    prefixes: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    pattern: /[sr]k_(?:live|test|prod)_[A-Za-z0-9_]{10,250}(?!\w)/y,
  },
  exact('whsec_', /whsec_[A-Za-z0-9+/]{20,100}={0,2}(?!\w)/y),
  { prefixes: ['EAAAE', 'EAAAl'], pattern: /EAAA[\w-]{56,64}(?![\w-])/y, mixed: true },
  { prefixes: ['sq0atp-', 'sq0csp-', 'sq0idp-'], pattern: /sq0(?:atp|csp|idp)-[\w-]{22,50}(?![\w-])/y },
  {
    prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'],
    pattern: /shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}(?!\w)/y,
  },
  {
    prefixes: ['FLWSECK_TEST-', 'FLWSECK-', 'FLWPUBK_TEST-'],
    pattern: /FLW(?:SECK|PUBK)(?:_TEST)?-[0-9a-z]{12,40}(?:-X)?(?![\w-])/y,
  },
  { prefixes: ['EZAK', 'EZTK'], pattern: /EZ[AT]K[A-Za-z0-9]{54}(?!\w)/y },
  loose('duffel_', /duffel_(?:test|live)_[\w=-]{43}(?!\w)/y),
  loose('shippo_', /shippo_(?:live|test)_[0-9A-Fa-f]{40}(?!\w)/y),
  loose('access-production-', /access-production-[0-9a-f-]{36}(?!\w)/y),
];

const MODELS: readonly KeyFormat[] = [
  loose('sk-', /sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[\w-]{20,250}(?![\w-])/y),
  exact('hf_', /hf_[A-Za-z0-9]{34}(?!\w)/y),
  loose('hf_', /hf_[A-Za-z0-9]{30,40}(?!\w)/y),
  exact('api_org_', /api_org_[A-Za-z]{34}(?!\w)/y),
  loose('pplx-', /pplx-[A-Za-z0-9]{40,64}(?!\w)/y),
  loose('gsk_', /gsk_[A-Za-z0-9]{40,64}(?!\w)/y),
  loose('xai-', /xai-[A-Za-z0-9]{60,100}(?!\w)/y),
  loose('r8_', /r8_[A-Za-z0-9]{37}(?!\w)/y),
  loose('nvapi-', /nvapi-[\w-]{60,80}(?![\w-])/y),
  loose('lsv2_', /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/y),
];

const TOOLS: readonly KeyFormat[] = [
  loose('cas_', /cas_[0-9a-f]{48}(?!\w)/y),
  loose('lin_api_', /lin_api_[A-Za-z0-9]{40}(?!\w)/y),
  { prefixes: ['ntn_', 'secret_'], pattern: /(?:ntn|secret)_[A-Za-z0-9]{40,50}(?!\w)/y, mixed: true },
  loose('PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/y),
  { prefixes: ['glc_', 'glsa_'], pattern: /gl(?:c|sa)_[A-Za-z0-9+/_]{30,400}={0,3}/y, mixed: true },
  {
    prefixes: ['NRAK-', 'NRII-', 'NRJS-'],
    pattern: /NR(?:AK|II|JS)-[A-Za-z0-9-]{19,32}(?!\w)/y,
    mixed: true,
  },
  loose('dt0c01.', /dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}(?!\w)/y),
  {
    prefixes: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    pattern: /dp\.(?:pt|st|ct|sa)\.[\w.-]{40,60}(?!\w)/y,
  },
  {
    prefixes: ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'],
    pattern: /pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/y,
  },
  exact('ops_eyJ', /ops_eyJ[A-Za-z0-9+/_-]{200,1000}={0,3}/y),
  { prefixes: ['figd_', 'ATCTT3'], pattern: /(?:figd_|ATCTT3)[\w=-]{36,300}/y, mixed: true },
  loose('sha256~', /sha256~[\w-]{43}(?![\w-])/y),
];

/** Formats documented by their issuers, without publishable keys. */
export const KEY_FORMATS: readonly KeyFormat[] = [
  ...CLOUD,
  ...CODE_HOSTS,
  ...MESSAGES,
  ...MONEY,
  ...MODELS,
  ...TOOLS,
];
