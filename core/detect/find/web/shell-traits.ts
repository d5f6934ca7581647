import { type Trait, weigherOf } from './traits.ts';

const trait = (source: string, weight: number): Trait => ({ pattern: new RegExp(source, 'im'), weight });

/** Program names are lower case; "Find" and "Ping" start sentences. */
const inExactCase = (source: string, weight: number): Trait => ({ pattern: new RegExp(source, 'm'), weight });

/** Programs that inspect a machine, fetch something or open a shell. */
const PROBE =
  '(?:cat|tac|head|less|more|id|whoami|uname|ls|dir|pwd|ps|env|printenv|netstat|ifconfig|ipconfig|hostname|w|who|last|nc|ncat|netcat|telnet|curl|wget|ping|nslookup|dig|sleep|timeout|bash|sh|zsh|ksh|dash|python[23]?|perl|ruby|php|node|lua|powershell|pwsh|cmd|net|type|certutil|bitsadmin|tftp|ftp|rm|chmod|touch|echo|printf|kill|reboot|shutdown|nmap|find|xxd|base64|awk|sudo|su|mail|tee|system|systeminfo|tasklist|busybox|socat)';
const SIGN_OF_USE =
  '(?=\\s{1,3}-[a-z]|\\s{1,3}[/~.*\\\\$]|\\s{1,3}/[a-z]|\\s{1,3}[a-z]:\\\\|\\s{1,3}https?:|\\s{1,3}[\\w.-]{1,40}\\.[a-z]{2,12}\\b|\\s{1,3}\\d|\\s{0,3}(?:$|["\'`);&|#]|%|<|>)|\\.exe|\\$\\{?IFS|\\s{1,3}(?:user|root|hello|pwned|vulnerable|test|hacked)|[<>])';
const USED_PROBE = `(?:/(?:usr/)?s?bin/)?(?:${PROBE}\\b${SIGN_OF_USE}|whoami\\b)`;
const SEPARATOR = '(?:;|\\|\\||\\||&&?)';
/** The end of a value before a separator: an address, a host, a file, a number, a closing quote. */
const VALUE_END =
  '(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\b[\\w-]{1,40}(?:\\.[\\w-]{1,20}){0,3}\\.(?:com|org|net|io|dev|test|example|local|txt|jpe?g|png|gif|pdf|csv|log|zip|docx?|html?|json|xml|mp[34])|\\blocalhost|=[\\w.%@-]{1,40}|["\'][\\w.@-]{0,40}["\']?|(?:^|[:\\s])\\d{1,10})';
const SENSITIVE =
  '(?:/etc/(?:passwd|shadow|hosts|group|sudoers|issue)|/proc/self|\\.ssh/|id_rsa|\\.aws/|win\\.ini|boot\\.ini|system32|/var/log|\\.env\\b|/root\\b)';

/** Traits of a command appended to a value passed to a shell. A line that starts with a program is itself a command. */
export const weighShell = weigherOf([
  // 127.0.0.1; cat /etc/passwd
  trait(`${VALUE_END}["'\`)]{0,3}\\s{0,3}${SEPARATOR}{1,2}\\s{0,3}${USED_PROBE}`, 0.6),
  trait(`(?:["'=:]\\s{0,2})["'\`)\\\\]{0,3}\\s{0,2}(?:[;|]|\\|\\||&&?)\\s{0,3}${USED_PROBE}`, 0.45),
  trait(`${SEPARATOR}\\s{0,3}${USED_PROBE}`, 0.15),
  trait(
    `${SEPARATOR}\\s{0,3}(?:id|whoami|uname\\b[^\\n]{0,6}|ifconfig|ipconfig|hostname|pwd|env|printenv|ls(?:\\s+-\\w{1,4})?(?:\\s+/\\w{0,5})?|dir)\\s{0,2}(?:$|["'\`;|&#)]|%)`,
    0.25,
  ),
  trait(`${SEPARATOR}\\s{0,3}(?:ping|sleep|timeout)\\s{1,3}(?:[-/][cnt]\\s{0,2})?\\d{1,4}`, 0.25),
  trait(
    `${SEPARATOR}\\s{0,3}(?:nc|ncat|netcat|curl|wget|telnet|nslookup|dig|powershell|certutil|bitsadmin)\\b[^\\n]{0,60}(?:\\d{1,3}(?:\\.\\d{1,3}){3}|https?:|\\.(?:com|net|org|io|example|test)|attacker|evil)`,
    0.25,
  ),
  // $(whoami), `id` as part of a value
  trait(`(?:[?&=/:@.\\w"'-]|^\\s{0,2})\\$\\(\\s{0,2}${USED_PROBE}`, 0.35),
  trait(
    `(?:[?&]\\w{1,20}=|["'][\\w.@ -]{0,30}|^\\s{0,2}|\\d|\\.)[\\w.-]{0,20}\\$\\(\\s{0,2}${USED_PROBE}[^)]{0,80}\\)`,
    0.25,
  ),
  trait(`(?:[?&=/\\w"'-])\`\\s{0,2}${USED_PROBE}[^\`\\n]{0,60}\``, 0.35),
  trait(`^\\s{0,2}(?:\\$\\(|\`)\\s{0,2}${USED_PROBE}[^\\n]{0,80}[)\`]\\s{0,2}$`, 0.5),
  trait(
    `(?:\\$\\(|\`)\\s{0,2}(?:id|whoami|uname|hostname|cat\\s+${SENSITIVE}|curl\\b[^)\`]{4,80}|wget\\b[^)\`]{4,80}|nslookup\\b[^)\`]{4,60}|ping\\s+-[cn]\\s?\\d|sleep\\s+\\d+)`,
    0.25,
  ),
  trait(
    `\\b(?:cat|tac|head|less|more|type|curl|wget|nl|grep|cp|tail|strings)\\b[^\\n|;]{0,40}${SENSITIVE}`,
    0.3,
  ),
  trait('c[\'"\\\\]{1,2}a[\'"\\\\]{1,2}t\\s', 0.35),
  trait('\\$\\{?IFS|c[\'"\\\\]{1,2}a[\'"\\\\]{0,2}t\\s|w[\'"\\\\@]{1,2}h[\'"\\\\]{0,2}o|/\\?\\?\\?/', 0.5),
  // a reverse shell
  trait(
    '/dev/(?:tcp|udp)/[\\w.-]{3,40}/\\d|\\bnc(?:at)?\\b[^\\n]{0,40}\\s-\\w{0,4}e\\s{0,3}\\S{0,20}(?:sh|cmd)|mkfifo\\s{1,3}/tmp/\\w{1,12}\\s{0,3};[^\\n]{0,80}\\bnc\\b|socket\\.socket[^\\n]{0,160}(?:dup2|pty\\.spawn|subprocess\\.call\\(\\[["\']/bin)|fsockopen\\([^\\n]{0,60}exec\\(',
    0.9,
  ),
  trait(
    'powershell(?:\\.exe)?\\s[^\\n]{0,60}-e(?:nc|c|ncodedcommand)?\\s{1,3}[A-Za-z0-9+/=]{20,}|downloadstring\\(\\s?["\']https?:[^\\n]{0,80}iex|iex\\s?\\(?[^\\n]{0,40}downloadstring',
    0.8,
  ),
  trait(`${SEPARATOR}\\s{0,3}(?:curl|wget)\\b[^\\n|]{0,100}\\|\\s{0,3}(?:ba|z|da)?sh\\b`, 0.25),
  trait(
    `${SEPARATOR}\\s{0,3}rm\\s{1,3}-[rf]{1,2}\\s{1,3}(?:/(?:\\s|$|\\*|etc|bin|home|usr|var/www)|~|\\*)`,
    0.35,
  ),
  trait('\\(\\)\\s{0,2}\\{\\s{0,2}:\\s{0,2};\\s{0,2}\\}\\s{0,2};', 0.9),
  // an ordinary shell line
  inExactCase(
    `^[\\s$#>-]{0,6}(?:sudo\\s{1,2})?(?:cd|export|apt|apt-get|npm|yarn|pip3?|git|docker|kubectl|make|mkdir|tar|ssh|scp|brew|yum|source|RUN|FROM|cat|ls|grep|find|ps|echo|for|while|if|awk|sed|sort|cp|mv|chmod|df|du|tail|head|curl|wget|ping|dmesg|journalctl|history|env|cut|tr|wc|xargs|node|npx|python3?|php|ruby|perl|bash|sh|helm|terraform|aws|gcloud|az|go|cargo|mvn|gradle|dotnet|kill|rm|touch|date|set|unzip|chown|systemctl|service|crontab|nohup|time|exec|printf|read|test|select|use|run|do|then|uniq)\\s[^\\n]{0,160}(?:\\||&&|;)`,
    -0.5,
  ),
]);

/** Traits of a field's whole content: a short value, then a command after a separator or in substitution brackets. */
export const weighField = weigherOf([
  {
    pattern: new RegExp(
      `^\\s{0,3}[\\w.@:/-]{0,60}["')]{0,3}\\s{0,3}(?:;|\\|\\|?|&&?)\\s{0,3}${USED_PROBE}`,
      'i',
    ),
    weight: 0.85,
  },
  {
    pattern: new RegExp(
      `^\\s{0,3}[\\w.@-]{1,60}(?:\\$\\(|\`)\\s{0,2}${USED_PROBE}[^\\n]{0,120}[)\`]\\s{0,3}$`,
      'i',
    ),
    weight: 0.85,
  },
  {
    pattern: new RegExp(`^\\s{0,3}(?:\\$\\(|\`)\\s{0,2}${USED_PROBE}[^\\n]{0,120}[)\`]\\s{0,3}$`, 'i'),
    weight: 0.8,
  },
  // The field itself is a shell line.
  {
    pattern: new RegExp(`^\\s{0,3}(?:sudo\\s)?(?:cd|make|git|npm|yarn|${PROBE.slice(3)}(?:\\s|$)[^|;&]`, 'i'),
    weight: -0.6,
  },
]);

/** An encoded line break before a program; searched for before decoding. */
export const weighEncodedLineEnd = weigherOf([
  trait(`%0[ad](?:%20|\\+|\\s)?${USED_PROBE}`, 0.85),
  trait(`(?:%3b|%7c|%26)(?:%20|\\+|\\s)?${USED_PROBE}`, 0.4),
]);

const sign = (pattern: RegExp, weight: number): Trait => ({ pattern, weight });

/** Code that makes a template, parser or directory run or reveal something. */
export const weighInterpreter = weigherOf([
  // templates
  sign(
    /\{\{[^}\n]{0,10}\d{1,5}\s{0,2}\*\s{0,2}['"]?\d{1,5}['"]?[^}\n]{0,10}\}\}|[$#]\{\s{0,2}\d{1,5}\s{0,2}\*\s{0,2}\d{1,5}\s{0,2}\}|<%=\s{0,2}\d{1,5}\s{0,2}\*\s{0,2}\d{1,5}\s{0,2}%>|\{\d{1,3}\*\d{1,3}\}\}?$/,
    0.85,
  ),
  sign(
    /(?:\{\{|\{%|\$\{|#\{|<%=?)[^\n]{0,120}(?:__class__|__mro__|__globals__|__subclasses__|__builtins__|__import__|__init__|config\.(?:items|from_|__)|self\.__|lipsum|cycler|joiner|request\.application|get_flashed_messages|_self\.env|\.getruntime|registerundefinedfiltercallback|popen\(|system\(|java\.lang\.|t\(java|freemarker\.template|class\.forname|processbuilder|file\.(?:read|open)|require\(|`\w)/i,
    0.9,
  ),
  sign(
    /''\.__class__|\.__class__\.__(?:mro|base|bases)__|__subclasses__\(\)\s{0,2}\[?|\.__globals__\[|<#assign[^\n]{0,60}execute["']?\s?\?new|#set\s{0,2}\(\s{0,2}\$\w{1,12}\s{0,2}=[^\n]{0,40}(?:class|\$)[^\n]{0,60}(?:runtime|inspect|forname)/i,
    0.85,
  ),
  sign(
    /\{\{\s{0,2}(?:config|self|settings\.secret_key|request|app\.request\.server\.all\b[^}]{0,20}|dump\(app\))\s{0,2}\}\}/i,
    0.6,
  ),
  sign(
    /__import__\(\s{0,2}['"](?:os|subprocess|socket|pty|builtins)['"]\s{0,2}\)\s{0,2}\.\s{0,2}(?:system|popen|call|check_output|run|spawn|listdir)/i,
    0.85,
  ),
  sign(
    /(?:\beval|\bexec|assert|system|passthru|shell_exec|popen|preg_replace|include|require)\s{0,2}\(?[\s@]{0,3}(?:base64_decode\(|gzinflate\(|str_rot13\()?\s{0,2}\$_(?:get|post|request|cookie|server|files)\s{0,2}[[{]/i,
    0.8,
  ),
  sign(
    /java\.lang\.runtime[^\n]{0,40}getruntime\(?\)?[^\n]{0,20}exec|require\(["']child_process["']\)\.exec(?:sync)?\(["'](?:id|cat|whoami|ls|curl|nc|wget)|process\.mainmodule\.require|global\.process\.mainModule/i,
    0.8,
  ),
  sign(
    /["']\s{0,2}\)?\s{0,2};\s{0,2}(?:system|exec|passthru|shell_exec|popen|eval|phpinfo|assert)\s{0,2}\([^\n]{0,60}\)\s{0,2};\s{0,2}(?:["'$#]|\/\/)/i,
    0.85,
  ),
  // JNDI and objects
  sign(/\$\{\$\{[^}\n]{0,30}:[^\n]{0,120}\/\//i, 0.85),
  sign(/\$\{\s{0,2}jndi\s{0,2}:/i, 0.9),
  sign(
    /\brO0AB[A-Za-z0-9+/]{6}|\baced0005[0-9a-f]{8}|\bO:\d{1,3}:"[\w\\]{2,80}":\d{1,3}:\{|!!(?:python\/object(?:\/(?:apply|new))?:|javax\.script|ruby\/object)|"@type"\s{0,2}:\s{0,2}"(?:com\.sun\.|org\.apache\.|java\.lang\.|javax?\.)|c(?:os|posix|builtins|subprocess)\n(?:system|exec|eval|popen)\n|_\$\$ND_FUNC\$\$_/,
    0.9,
  ),
  // XML external entities that read files
  sign(/<!ENTITY\s{1,4}(?:%\s{1,3})?[\w.-]{1,30}\s{1,4}(?:SYSTEM|PUBLIC)\s{1,4}["'][^"'\n]{0,200}/i, 0.85),
  sign(/<!ENTITY\s{1,4}\w{1,12}\s{1,4}["'](?:&\w{1,12};){4,}/i, 0.85),
  sign(/<xi:include[^>]{0,80}(?:file:|parse\s?=\s?["']text)/i, 0.8),
  // directories, documents, paths
  sign(
    /\*\)\s{0,2}\(\s{0,2}(?:[|&!]|uid|cn|mail|objectclass|userpassword|password|samaccountname)|\)\s{0,2}\(\s{0,2}[|&]\s{0,2}\(|\)\(&\)?\)?|\w\*?\)\)%00|\*\(\|\(\w{2,20}=\*\)/i,
    0.85,
  ),
  sign(
    /['"]\s{0,2}(?:or|and)\s{1,2}(?:count|string-length|substring|name|position|contains|starts-with)\s{0,2}\([^\n]{0,40}(?:\/\/|\/\*|parent::|@|user|password)|['"]?\]\s{0,2}\|\s{0,2}\/{1,2}\w|['"]\]\s{0,2}\|\s{0,2}\/{0,2}\*|\bor\s+position\(\)\s?=\s?1/i,
    0.8,
  ),
  sign(/\w\[\$(?:ne|gt|gte|lt|regex|nin|exists|where|in|eq)\]\s{0,2}=/i, 0.85),
  sign(
    /["'](?:user(?:name)?|login|e-?mail|pass(?:word)?|pwd|token|pin|otp|code|_id|id)["']\s{0,2}:\s{0,2}\{\s{0,2}["']?\$(?:ne|gt|gte|nin|regex|exists|in)["']?\s{0,2}:\s{0,2}(?:null|-?1|0|true|["'](?:\.\*|\^|\^?\.?\*?|\s{0,2}|\w)["']|\[|["']\^)/i,
    0.85,
  ),
  sign(
    /["']?\$where["']?\s{0,2}:\s{0,2}["'](?:[^"'\n]{0,40}(?:sleep|while|return true|this\.\w{1,20}\s?==?=?\s?this|\|\|)|1\s?==)|['"];\s{0,2}return\s{1,2}(?:true|1|this)|['"]\s?\|\|\s?['"]?1['"]?\s?==\s?['"]?1/i,
    0.8,
  ),
  sign(
    /[?&](?:file|path|page|doc(?:ument)?|template|include|dir|load|img|view|lang|download|folder|root|name|filename|f|p)=(?:\.\.[\\/]){2,}|[?&]\w{1,20}=(?:\/|[a-z]:[\\/])(?:etc|proc|windows|winnt|root|var\/log)[\\/]/i,
    0.8,
  ),
  sign(
    /(?:php:\/\/(?:filter|input)|expect:\/\/|zip:\/\/[^\s]{1,60}%23|phar:\/\/)[^\s"']{0,60}(?:convert|resource|input|:\/\/(?:id|ls|cat|whoami)|\.)/i,
    0.85,
  ),
  sign(/\/etc\/(?:passwd|shadow)(?:%00|\\0|\\x00|\0)|=\/etc\/(?:passwd|shadow)\b/i, 0.8),
  sign(
    /(?:%0d%0a|%0d|%0a|\\r\\n)\s{0,2}(?:set-cookie|location|content-length|content-type|http\/1|x-[a-z-]{2,20}):?/i,
    0.8,
  ),
]);
