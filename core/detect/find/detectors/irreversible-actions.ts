import phrases from '../lists/irreversible-actions.json' with { type: 'json' };
import { after, byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';
import { commandConfidence } from './execution.ts';

const CODE = 'IRREVERSIBLE_ACTION';
/** Destroys data that cannot be recovered. */
const WHOLE_SYSTEM = commandConfidence(0.95);
/** Destroys data that a backup, if there is one, can restore; not a whole system. */
const SOME_DATA = commandConfidence(0.72);

const command = (triggers: readonly string[], phrase: RegExp, confidence = SOME_DATA): PhraseRule => ({
  code: CODE,
  triggers,
  phrase,
  confidence,
});

/** Folders that can be rebuilt. */
const MADE_AGAIN = String.raw`(?:\.?\/?(?:[\w.-]+\/){0,6}(?:node_modules|dist|build|out|target|tmp|temp|cache|\.cache|__pycache__|\.next|coverage|venv|\.venv|logs?|\.git\/index\.lock)(?:\/|\b)|\/tmp\/|\/var\/(?:tmp|cache|lib\/apt\/lists)\/)`;
const FLAGS = String.raw`(?:\s{1,32}-{1,2}[\w=-]{1,24}){0,4}`;

const SHELL: readonly PhraseRule[] = [
  command(
    ['rm -'],
    /rm(?=(?:\s{1,3}-{1,2}[a-z-]{1,24}){0,3}\s{1,3}-(?:-recursive|[a-z]{0,4}r))(?:\s{1,3}-{1,2}[a-z-]{1,24}){1,5}\s{1,3}["']?(?:\/(?:\*|\s|$|["'`;)]|(?!var\/(?:lib\/apt\/lists|cache|tmp)\b)(?:bin|boot|dev|etc|home|lib|opt|root|sys|usr|var|srv|data|mnt|prod)\b[^\s"'`]{0,80})|~|\$HOME|\*|\.(?:\s|$|["'`]|\/\*))/iy,
    WHOLE_SYSTEM,
  ),
  command(
    ['rm -'],
    new RegExp(
      String.raw`rm(?=(?:\s{1,3}-{1,2}[a-z-]{1,24}){0,3}\s{1,3}-(?:-recursive|[a-z]{0,4}r))(?:\s{1,3}-{1,2}[a-z-]{1,24}){1,5}\s{1,3}(?!["']?${MADE_AGAIN})["']?[\w.$\/{][^\s"'\`;|&]{0,80}`,
      'iy',
    ),
  ),
  command(['mkfs'], /mkfs(?:\.\w{2,8})?(?:\s{1,3}-\S{1,16}){0,4}\s{1,3}\/dev\/\w{2,24}/iy, WHOLE_SYSTEM),
  command(
    ['dd if='],
    /dd\s{1,32}if=\S{1,80}(?:\s{1,3}\w{2,8}=\S{1,32}){0,3}\s{1,3}of=\/dev\/(?!null)\w{2,24}/iy,
    WHOLE_SYSTEM,
  ),
  command(
    ['wipefs', 'shred -', 'shred /', 'blkdiscard'],
    /(?:wipefs|blkdiscard|shred)(?:\s{1,3}-[\w-]{1,16}(?:\s\d{1,3})?){0,4}\s{1,3}[~.\w/-]{2,80}/iy,
    WHOLE_SYSTEM,
  ),
  command(['> /dev/'], />\s{0,2}\/dev\/(?:sd|hd|vd|nvme|xvd|disk)\w{1,12}/iy, WHOLE_SYSTEM),
  command(
    ['format c', 'format d', 'format /'],
    /format\s{1,32}(?:\/\w{1,8}(?::\w{1,8})?\s{1,32}){0,3}[a-z]:(?=[\s"'`.,;)]|$)/iy,
    WHOLE_SYSTEM,
  ),
  command(['del /', 'rd /', 'rmdir /'], /(?:del|rd|rmdir)(?:\s{1,3}\/[fsqa]){2,4}\s{1,3}\S{1,80}/iy),
  command(['remove-item'], /remove-item(?=[^\n]{0,120}-recurse)(?=[^\n]{0,120}-force)[^\n|;]{3,120}/iy),
  command(['diskpart'], /diskpart[^\n]{0,40}\bclean\b/iy, WHOLE_SYSTEM),
  command(['find /', 'find .', 'find ~'], /find\s{1,32}[/.~][^\n|;]{0,100}\s-delete\b/iy),
  command(
    ['git push'],
    /git\s{1,32}push(?:\s{1,3}[\w/.:+-]{1,60}){0,4}\s{1,3}(?:--force(?!-with-lease)|-f)\b(?:\s[\w/.-]{1,60}){0,2}/iy,
  ),
  command(
    ['git push'],
    /git\s{1,32}push\s{1,3}[\w/.-]{1,40}\s{1,3}(?:--delete\s|:)(?:main|master|production|release)\b/iy,
  ),
  command(['git reset'], /git\s{1,32}reset\s{1,32}--hard\b(?:\s[\w/.~^-]{1,60})?/iy, commandConfidence(0.66)),
  command(['git clean'], /git\s{1,32}clean\s{1,32}-[a-z]{0,4}f[a-z]{0,4}\b/iy, commandConfidence(0.62)),
  command(
    ['git filter-branch', 'git branch -d', 'git update-ref -d'],
    /git\s{1,32}(?:filter-branch\b|branch\s{1,32}-D\s{1,32}(?:main|master|prod\w{0,8})|update-ref\s{1,32}-d)/y,
    commandConfidence(0.62),
  ),
  command(
    ['crontab -r', 'userdel -r', 'lvremove', 'vgremove', 'zpool destroy', 'history -c'],
    /(?:crontab\s{1,32}-r\b|userdel\s{1,32}-r\s\S{1,40}|[lv][vg]remove\s\S{1,60}|zpool\s{1,32}destroy\s\S{1,40}|history\s{1,32}-c\b)/iy,
  ),
];

const PLATFORM: readonly PhraseRule[] = [
  command(
    ['terraform ', 'pulumi ', 'tofu ', 'cdk '],
    /(?:terraform|pulumi|tofu|cdk)\s{1,32}destroy\b[^\n]{0,60}/iy,
    commandConfidence(0.85),
  ),
  command(['terraform apply'], /terraform\s{1,32}apply\s[^\n]{0,40}-destroy\b/iy, commandConfidence(0.85)),
  command(
    ['kubectl'],
    new RegExp(
      String.raw`kubectl${FLAGS}\s{1,32}delete${FLAGS}\s{1,32}(?:ns|namespaces?|pvc?|persistentvolumes?(?:claims?)?|statefulsets?|crds?|nodes?|all)\b[^\n]{0,60}`,
      'iy',
    ),
    commandConfidence(0.85),
  ),
  command(['kubectl'], /kubectl\s{1,32}delete\s[^\n]{0,60}--all\b/iy, commandConfidence(0.85)),
  command(['helm '], /helm\s{1,32}(?:uninstall|delete)\s{1,32}\S{1,60}/iy),
  command(
    ['aws s3'],
    /aws\s{1,32}s3\s{1,32}(?:rb\s{1,32}s3:\S{1,80}\s{1,32}--force|rb\s{1,32}--force\s{1,32}s3:\S{1,80}|rm\s(?=[^\n]{0,120}--recursive)[^\n]{3,120})/iy,
    commandConfidence(0.85),
  ),
  command(
    ['aws '],
    /aws\s{1,32}[a-z0-9-]{2,24}\s{1,32}(?:delete-(?:db-\w{1,16}|table|stack|bucket|cluster|file-system|volume|snapshot|user|function|log-group|key)|terminate-instances|schedule-key-deletion)\b[^\n]{0,60}/iy,
    commandConfidence(0.8),
  ),
  command(
    ['gcloud ', 'az ', 'heroku ', 'doctl '],
    /(?:gcloud\s{1,32}(?:[a-z-]{2,20}\s{1,32}){1,3}delete|az\s{1,32}(?:[a-z-]{2,20}\s{1,32}){1,3}delete|heroku\s{1,32}(?:apps:destroy|pg:reset)|doctl\s{1,32}(?:[a-z-]{2,20}\s{1,32}){1,3}(?:delete|destroy))\b[^\n]{0,60}/iy,
    commandConfidence(0.8),
  ),
  command(
    ['docker '],
    /docker\s{1,32}(?:(?:system|volume)\s{1,32}prune\b[^\n]{0,32}|volume\s{1,32}rm\s[^\n]{1,60}|rm\s{1,32}-f\s{1,32}\$\(docker|compose\s{1,32}down\s[^\n]{0,24}(?:-v\b|--volumes))/iy,
  ),
  command(
    ['redis-cli', 'flushall', 'flushdb'],
    /(?:redis-cli\s[^\n]{0,60})?flush(?:all|db)\b/iy,
    commandConfidence(0.66),
  ),
  command(
    ['.dropdatabase(', '.deletemany({})', '.deletemany({ })'],
    /\.(?:dropDatabase\(\s?\)|deleteMany\(\{\s?\}\))/iy,
  ),
  command(
    ['shutil.rmtree(', 'fs.rmsync(', 'fileutils.rm_rf('],
    /(?:shutil\.rmtree|fs\.rmSync|FileUtils\.rm_rf)\(\s?["']?(?:\/(?:["']|home|var|etc|data|usr|opt)|~|C:)[^\n)]{0,60}/iy,
  ),
];

const NAME = String.raw`[\w."$\[\]\x60-]{1,80}`;
const SQL: readonly PhraseRule[] = [
  command(
    ['drop '],
    new RegExp(
      String.raw`drop\s{1,32}(?:database|schema)\s{1,32}(?:if\s{1,32}exists\s{1,32})?(?!if\b)${NAME}(?=\s{0,2}(?:;|$|["'\x60\n)]|cascade\b))`,
      'iy',
    ),
    commandConfidence(0.85),
  ),
  command(
    ['drop '],
    new RegExp(
      String.raw`drop\s{1,32}(?:table|user|role|keyspace|collection)\s{1,32}(?:if\s{1,32}exists\s{1,32})?${NAME}(?=\s{0,2}(?:;|$|["'\x60\n)]|cascade\b|,))`,
      'iy',
    ),
    commandConfidence(0.75),
  ),
  command(
    ['truncate '],
    new RegExp(String.raw`truncate\s{1,32}table\s{1,32}${NAME}`, 'iy'),
    commandConfidence(0.72),
  ),
  command(
    ['delete from'],
    /delete\s{1,32}from\s{1,32}[\x60"]?[\w.$[\]-]{1,80}[\x60"]?\s{0,3}(?:;|$|["')]|\n\s{0,4}(?!where|using|\s))/iy,
    commandConfidence(0.78),
  ),
  command(
    ['delete from'],
    new RegExp(String.raw`delete\s{1,32}from\s{1,32}${NAME}\s{1,32}where\s{1,32}(?:1\s?=\s?1|true)\b`, 'iy'),
    commandConfidence(0.78),
  ),
  command(
    ['update '],
    new RegExp(
      String.raw`update\s{1,32}${NAME}\s{1,32}set\s{1,32}(?![^;]{0,300}\bwhere\b)\w[\w.]{0,40}\s?=[^;\n]{1,200};`,
      'iy',
    ),
    commandConfidence(0.72),
  ),
];

/** Names of tools that destroy or pay, as in a tool call: `"name": "delete_user", "arguments": {...}`. */
const ACTION = String.raw`(?:(?:delete|drop|destroy|wipe|erase|purge|truncate|terminate|format|nuke|remove_all|reset)[_-]?(?:[a-z][\w-]{1,40})|(?:wire|bank|transfer|send|make|execute|initiate|submit)[_-]?(?:transfer|wire|funds|money|payment|payout|crypto)s?\w{0,24})`;
const WITH_ARGUMENTS = String.raw`(?:["'\x60]?\s{0,4}(?:,\s{0,8}"(?:id|type)"\s{0,2}:\s{0,2}"[^"\n]{0,64}")?,?\s{0,8}"?(?:arguments|input|args|parameters|params|action_input)"?\s{0,3}[:=]\s{0,3}(?!\{\s{0,8}\}|\{\s{0,8}"type"|"\{\s?\}")[{"\[(\w]|["'\x60]?\s{0,2}\(\s{0,3}[^)\s][^)\n]{0,120}\)|\s{0,3}\n\s{0,4}action input:\s{0,3}\S|["']>\s{0,8}<parameter)`;
const IN_A_CALL =
  /(?:"(?:name|tool|tool_name|function|action)"\s{0,3}:\s{0,3}"|\baction:\s{0,3}|name=["']|<tool_call>\s{0,4}|\btool(?:_name|_call)?["']?\s{0,2}[:=]\s{0,2}["'`]?|\b(?:calling|called|invoked?|invoking|executing|executed|running|ran)\s(?:the\s)?(?:tool\s|function\s|api\s)?[`"']?)$/i;
/** In OpenAI's responses, the arguments may precede the name. */
const ARGUMENTS_BEFORE =
  /"arguments"\s{0,3}:\s{0,3}"\{\\"[^\n]{4,160}\}"\s{0,2},\s{0,4}"name"\s{0,3}:\s{0,3}"$/;

const TOOL_CALLS: readonly PhraseRule[] = [
  {
    code: CODE,
    triggers: phrases.toolNames,
    phrase: new RegExp(`${ACTION}(?=${WITH_ARGUMENTS}|["'])`, 'iy'),
    confidence: ({ text, start, end }) => {
      const before = text.slice(Math.max(0, start - 200), start);
      if (!IN_A_CALL.test(before)) return 0;
      const hasArguments = new RegExp(WITH_ARGUMENTS, 'iy');
      hasArguments.lastIndex = end;
      return hasArguments.test(text) || ARGUMENTS_BEFORE.test(before) ? 0.8 : 0;
    },
  },
];

const DATA = oneOf(...phrases.data);
const DESTROYED = '(?:deleted|dropped|wiped|erased|purged|destroyed|overwritten|truncated|formatted)';

const STATEMENTS: readonly PhraseRule[] = [
  headed(
    CODE,
    byRole(0, 0.75),
    phrases.doneBeginnings,
    `(?: ?${oneOf('now', 'just', 'also', 'successfully', 'already', 'permanently', 'then')} ){0,2} ?(?:permanently )?${DESTROYED} (?:permanently )?(?:(?:all|the|your|every|entire|whole|production|of) ){1,4}${words(3)}${DATA}`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0, 0.7),
    phrases.announcements,
    `(?: and| to)? (?:permanently )?(?:delet|drop|wip|eras|purg|destroy|overwrit|truncat|format)(?:e|ing|ping)? (?:(?:all|the|your|every|entire|whole|production|of) ){1,4}${words(3)}${DATA}`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.55, 0.6),
    phrases.destroying,
    ` (?:(?:all|the|every|of|our|entire|whole|my) ){0,3}${words(1)}(?:${oneOf('production', 'prod', 'live', 'customers?', 'company', 'entire', 'whole')} )${words(2)}${DATA}`,
    { NEGATED: 'SILENT', QUESTION: 'HINT', EXPLAINED: 'HINT' },
  ),
  headed(
    CODE,
    byRole(0, 0.7),
    ['i have', "i've", 'i ', 'successfully', 'payment of', 'wire transfer'],
    ` ?(?:now |just |successfully )?(?:wired|transferred|sent|paid|initiated)?(?: (?:a|the) (?:payment|wire|transfer|wire transfer)(?: of| for)?)? (?:[$€£]|usd |eur )\\d[\\d,.]{0,14}\\d (?:\\p{L}{2,10} ){0,3}(?:to|has been (?:sent|wired|transferred)|was (?:sent|wired))`,
  ),
  headed(
    CODE,
    byRole(0.58, 0.6),
    ['delete', 'wipe', 'erase', 'drop', 'destroy', 'purge', 'remove'],
    ` (?:all|every|everything|the entire|the whole|any)(?: (?:of )?(?:the|our|their|its))? ${words(2)}?(?:${DATA} )?(?:(?:in|on|from|of|inside) (?:the |our )?)(?:${words(1)})(?:production|prod|live|company|entire|root|home|main|master|backup)(?: ${words(1)}${DATA})?`,
    { NEGATED: 'SILENT', QUESTION: 'HINT', EXPLAINED: 'HINT' },
  ),
  after(
    "(?:i|i've|we|we've)",
    headed(CODE, byRole(0, 0.66), phrases.destroyed, ` (?:of )?(?:the |your |our )?${words(2)}${DATA}`, {
      NEGATED: 'SILENT',
      QUESTION: 'SILENT',
      FICTION: 'SILENT',
    }),
  ),
];

/**
 * Commands, tool calls and statements that destroy data or move money. Confidence is highest for commands that are run
 * (in an agent's trace, "I ran"), lower in an answer or an instruction; in a question they are a hint.
 */
export const irreversibleActions = phraseDetector('irreversible-actions', 2, [
  ...SHELL,
  ...PLATFORM,
  ...SQL,
  ...TOOL_CALLS,
  ...STATEMENTS,
]);
