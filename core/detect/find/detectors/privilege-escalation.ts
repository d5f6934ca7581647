import phrases from '../lists/privilege-escalation.json' with { type: 'json' };
import {
  after,
  byRole,
  headed,
  oneOf,
  type PhraseMatch,
  type PhraseRule,
  phraseDetector,
  words,
} from '../phrase-rules.ts';
import { commandConfidence } from './execution.ts';

const CODE = 'PRIVILEGE_ESCALATION';

const command = (triggers: readonly string[], phrase: RegExp, base = 0.8): PhraseRule => ({
  code: CODE,
  triggers,
  phrase,
  confidence: commandConfidence(base),
});

/** "su" is also a word in other languages, and occurs in other programs' settings. */
const isCommand = ({ text, start }: PhraseMatch): boolean =>
  /(?:[$#>`]|\b(?:run|ran|running|executed?|executing|sudo))\s{0,2}$/i.test(
    text.slice(Math.max(0, start - 16), start),
  );
const suConfidence = commandConfidence(0.75);

const SYSTEM: readonly PhraseRule[] = [
  command(
    ['sudo '],
    /sudo\s{1,32}(?:-u\s{1,32}root\s{1,32})?(?:su\b(?:\s{1,32}-)?|-i\b|-s\b|(?:\/bin\/)?(?:ba|z|da)?sh(?=[\s"'`]|$))(?!\s\w{3,})/iy,
    0.82,
  ),
  {
    ...command(['su -', 'su root'], /su(?:\s{1,32}-l?)?(?:\s{1,32}root|(?=\s{0,2}(?:$|\n|["'`])))/iy, 0.75),
    confidence: (phrase) => (isCommand(phrase) ? suConfidence(phrase) : 0),
  },
  command(
    ['chmod '],
    /chmod\s{1,32}(?:-R\s{1,32})?(?:0?777|[ug]?\+s|a\+rwx|[2467][0-7]{3})\s{1,32}\S{1,80}/y,
    0.75,
  ),
  command(['chown '], /chown\s{1,32}(?:-R\s{1,32})?root(?::root)?\s{1,32}\S{1,80}/iy, 0.62),
  command(['setuid(', 'seteuid(', 'setgid(', 'os.setuid('], /(?:os\.)?set[eg]?u?g?id\(\s?0\s?\)/iy, 0.82),
  command(
    ['/etc/sudoers', 'nopasswd'],
    /(?:\/etc\/sudoers(?:\.d\/[\w.-]{1,32})?|nopasswd\s?:\s?all)/iy,
    0.85,
  ),
  command(
    ['usermod', 'gpasswd', 'adduser', 'net localgroup', 'add-localgroupmember', 'dseditgroup'],
    /(?:usermod\s(?=[^\n]{0,40}-a?G)[^\n]{0,48}\b(?:sudo|wheel|docker|admins?|root)\b|(?:gpasswd\s{1,32}-a|adduser)\s{1,32}\S{1,32}\s{1,32}(?:sudo|wheel|docker|root|admin)\b|net\s{1,32}localgroup\s{1,32}["']?administrators["']?\s[^\n]{1,60}\/add|add-localgroupmember\s[^\n]{0,40}administrators|dseditgroup\s[^\n]{0,60}\badmin\b)/iy,
    0.88,
  ),
  command(
    ['setenforce', 'selinux=', 'apparmor', 'aa-teardown'],
    /(?:setenforce\s{1,32}(?:0|permissive)|selinux=(?:disabled|permissive)|(?:stop|disable)\s{1,32}apparmor|aa-teardown)/iy,
    0.82,
  ),
  command(
    ['ufw disable', 'systemctl stop', 'systemctl disable', 'iptables -f', 'netsh ', 'set-netfirewallprofile'],
    /(?:ufw\s{1,32}disable|systemctl\s{1,32}(?:stop|disable)(?:\s{1,32}--now)?\s{1,32}(?:firewalld|ufw|apparmor|auditd|falcon-sensor|fail2ban|crowdsec|iptables|nftables)|iptables\s{1,32}-F|netsh\s{1,32}(?:adv)?firewall\s{1,32}set\s[^\n]{0,40}(?:off|disable)|set-netfirewallprofile\s[^\n]{0,60}false)/iy,
    0.82,
  ),
  command(
    ['set-mppreference', 'add-mppreference', 'disableantispyware'],
    /(?:set-mppreference\s[^\n]{0,24}-disable\w{4,40}|add-mppreference\s{1,32}-exclusion\w{4,12}|disableantispyware)/iy,
    0.85,
  ),
  command(
    ['--privileged', 'docker.sock:', '--pid=host', '--cap-add', 'nsenter '],
    /(?:--privileged\b|docker\.sock:|--pid=host\b|--cap-add[=\s](?:ALL|SYS_ADMIN|SYS_PTRACE)|nsenter\s[^\n]{0,20}(?:-t|--target)[=\s]?1\b)/iy,
    0.74,
  ),
  command(
    ['>> /etc/passwd', '> /etc/passwd', '/etc/shadow'],
    /(?:>{1,2}\s?\/etc\/(?:passwd|shadow)|\/etc\/shadow)\b/iy,
    0.78,
  ),
  command(
    phrases.tools,
    /(?:mimikatz|sekurlsa(?:::\w{1,20})?|se(?:debug|impersonate)privilege|pkexec\s{1,32}(?:\/bin\/)?\w{0,2}sh|runas\s{1,32}\/user:\S{0,32}administrator|getsystem\b|juicypotato|linpeas)/iy,
    0.78,
  ),
];

const CLOUD: readonly PhraseRule[] = [
  command(
    ['administratoraccess', 'roles/owner', 'cluster-admin', 'iamfullaccess', 'roles/iam.securityadmin'],
    /(?:administratoraccess|roles\/owner|cluster-admin|iamfullaccess|roles\/iam\.securityadmin)\b/iy,
    0.85,
  ),
  command(
    ['"action"', "'action'"],
    /["']action["']\s{0,3}:\s{0,3}\[?\s{0,8}["'](?:\*|\*:\*|iam:\*)["']\s{0,8}\]?(?=[^{}]{0,80}["']resource["']\s{0,3}:\s{0,3}\[?\s{0,8}["']\*["'])/iy,
    0.85,
  ),
  command(
    ['az role', 'gcloud '],
    /(?:az\s{1,32}role\s{1,32}assignment\s{1,32}create\s[^\n]{0,80}\bowner\b|gcloud\s[^\n]{0,80}add-iam-policy-binding\s[^\n]{0,120}roles\/(?:owner|editor))/iy,
    0.85,
  ),
  command(
    ['grant all'],
    /grant\s{1,32}all(?:\s{1,32}privileges)?\s{1,32}on\s{1,32}(?:\*\.\*|all\s|database\s)[^\n;]{0,80}/iy,
    0.75,
  ),
  command(
    ['alter user', 'alter role', 'create user', 'create role', 'sp_addsrvrolemember'],
    /(?:(?:alter|create)\s{1,32}(?:user|role)\s{1,32}\S{1,40}\s{1,32}(?:with\s{1,32})?[^\n;]{0,40}\bsuperuser|sp_addsrvrolemember\b)/iy,
    0.8,
  ),
];

const RIGHTS = oneOf(...phrases.rights);
const HIGH = oneOf(...phrases.highRoles);
const GUARD = oneOf(...phrases.guards);
const ABOUT = { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' } as const;

const STATEMENTS: readonly PhraseRule[] = [
  headed(
    CODE,
    byRole(0.72, 0.6),
    phrases.grants,
    ` ${words(2)}${HIGH}(?: (?:level )?${RIGHTS})?(?! (?:panel|dashboard|page|guide|template|assistant|jobs?|causes?|beer|vegetable|tips))`,
    ABOUT,
  ),
  headed(
    CODE,
    byRole(0, 0.75),
    phrases.granted,
    ` ?${words(5)}(?:${HIGH} ${words(1)}${RIGHTS}|to the (?:admins?|administrators?|sudoers?|wheel|root|docker) group|(?:admin|administrator|owner|root) role)`,
    ABOUT,
  ),
  headed(
    CODE,
    byRole(0.6, 0.7),
    ['escalate', 'escalating', 'escalated', 'elevate', 'elevating', 'elevated'],
    ` (?:my|your|its|our|the agent's|to) (?:own )?(?:${RIGHTS}|root|admin\\p{L}{0,9})`,
    ABOUT,
  ),
  headed(
    CODE,
    byRole(0.6, 0.72),
    phrases.bypassing,
    ` (?:the |all |any |its |your |our |their ){0,2}${words(1)}${GUARD}(?! (?:endpoints?|pages?|requests?|routes?|errors?))`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', QUESTION: 'HINT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.55, 0.72),
    phrases.othersRights,
    `(?:'s|istrator|istrator's| user's)?(?: ${oneOf('tokens?', 'credentials?', 'session', 'cookies?', 'account', 'password', 'api key', 'key')})?`,
    ABOUT,
  ),
  after(
    '(?:modif(?:y|ied|ying)|chang(?:e|ed|ing)|elevat(?:e|ed|ing)|escalat(?:e|ed|ing)|grant(?:ed|ing)?|increas(?:e|ed|ing)|updat(?:e|ed|ing)|gave|edit(?:ed|ing)?|expand(?:ed|ing)?|rais(?:e|ed|ing)|extend(?:ed|ing)?)',
    headed(CODE, byRole(0.5, 0.72), phrases.ownRights, 's?', ABOUT),
  ),
];

/**
 * Commands, settings and statements that grant additional rights: root shells, administrator roles, disabled
 * safeguards. Confidence is highest for commands that are run; a question is a hint.
 */
export const privilegeEscalation = phraseDetector('privilege-escalation', 2, [
  ...SYSTEM,
  ...CLOUD,
  ...STATEMENTS,
]);
