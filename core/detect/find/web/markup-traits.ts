import { type Trait, weigherOf } from './traits.ts';

/** What a proof of concept shows in its dialog: a number, the page's own data, "xss". */
const SHOWN =
  '[\\s(\\[]{0,3}(?:-?\\d|document|window|location|origin|self\\b|top\\b|this\\b|parent\\b|cookie|domain|string\\.from|\\$\\{|[\'"`\\\\/]{0,3}\\s?(?:<?x\\W{0,2}s\\W{0,2}s|\\d{1,6}[\'"`/]|hack|pwn|poc\\b|inject|vuln|cross.?site|owned|document)|\\/[^/\\s]{1,24}\\/|\\))';
const BOX = '(?:alert|prompt|confirm|msgbox)';
/** `alert(1)`, `alert\u0060 1\u0060`, `(alert)(1)`, `alert?.(1)`, `alert.call(null,1)`, `window["alert"](1)`. */
const SHOWS = new RegExp(
  `${BOX}(?:\\)|['"\`]\\]|\\?\\.|\\/\\*[^*]{0,20}\\*\\/|\\.(?:call|apply|bind)|[\\s]){0,2}(?:\\(${SHOWN}|\`\\s?\\w{0,12}\`|\\[)`,
  'i',
);

/** Attributes that run script on an event; not "one=", "only=". */
const EVENT =
  'on(?:abort|activate|after|animation|aux|before|begin|blur|bounce|cancel|can|cell|change|click|close|complete|content|context|control|copy|cue|cut|dat[ae]|dbl|deactivate|device|drag|drop|duration|emptied|end|ended|error|feature|filter|finish|focus|form|full|got|hash|help|input|invalid|key|layout|load|lose|lost|media|message|mouse|move|moz|navigate|offline|online|open|out|over|page|paste|pause|play|pointer|pop|progress|property|rate|ready|redo|repeat|reset|resize|reverse|row|scroll|search|security|seek|select|show|slot|sort|stalled|start|stop|storage|submit|suspend|synch|time|toggle|touch|track|transition|undo|unload|unhandled|url|volume|waiting|webkit|wheel|zoom)[a-z]{0,20}';
const COMMON_EVENT =
  'on(?:click|change|submit|load|input|keyup|keydown|keypress|mouseover|mouseout|mouseenter|mouseleave|mousedown|mouseup|focus|blur|dblclick|scroll|resize|drag|dragstart|dragover|drop|ended|select|reset)\\s{0,3}=';

const trait = (source: string, weight: number): Trait => ({ pattern: new RegExp(source, 'i'), weight });

/** `javascript:`, except for the usual ways to write an empty link. */
const SCRIPT_URL =
  'j\\s{0,3}a\\s{0,3}v\\s{0,3}a\\s{0,3}s\\s{0,3}c\\s{0,3}r\\s{0,3}i\\s{0,3}p\\s{0,3}t\\s{0,3}:(?!\\s{0,2}(?:void\\b|;|history\\b|window\\.(?:print|history|close)|#|["\'`>\\s]|\\/\\/\\s|$|\\w{1,24}\\(\\s?\\)))';
const URL_ATTRIBUTE =
  '(?:href|src|srcdoc|action|formaction|data|from|to|by|values?|content|url|background|lowsrc|dynsrc|code|classid|poster|folder|icon|ping|profile|style|location)';

/** Traits of script injected into a page. */
export const weighMarkup = weigherOf([
  { pattern: SHOWS, weight: 0.6 },
  trait(`(?:<[^>]{0,200}|["'\`\\s/;])(?<!(?:const|let|var)\\s)${EVENT}[\\s/]{0,4}=`, 0.3),
  trait(`${EVENT}[\\s/]{0,4}=\\s{0,3}[a-z&(\\[!\\\\{\`]`, 0.2),
  trait(`${EVENT}\\s{0,3}=\\s{0,3}${BOX}\\(`, 0.3),
  trait(`(?<![.\\w])(?<!(?:const|let|var)\\s)(?!${COMMON_EVENT})${EVENT}\\s{0,4}=`, 0.25),
  // properties of React: onPlay={() => play()}
  { pattern: /\bon[A-Z][A-Za-z]{2,24}=\{/, weight: -0.5 },
  trait(
    `${EVENT}[\\s/]{0,4}=[^>]{0,80}(?:eval|atob|fromcharcode|document\\.(?:cookie|write|location|domain)|location|import\\(|fetch\\(|new image|innerhtml|window\\.open|settimeout|function\\()`,
    0.35,
  ),
  trait('<\\s?script', 0.3),
  { pattern: /<(?!script|SCRIPT|Script)[sS][cC][rR][iI][pP][tT]/, weight: 0.45 },
  trait(
    '<script[^>\\s]{0,2}[/<\\0\\x0b\\x0c+]|<script[\\s/][^>]{0,60}(?:src|href)\\s{0,3}=\\s{0,3}(?:["\']?(?:\\/\\/|data:|\\\\|j\\w{0,3}:)|https?:(?![^>]{0,80}\\.js\\b))|<script[^>]{0,40}<',
    0.5,
  ),
  trait(
    '<script[^>]{0,80}>[^<]{0,120}(?:document\\.(?:cookie|location|domain)|location\\s?=|fromcharcode|eval\\(|new image)',
    0.4,
  ),
  trait(`(?:${URL_ATTRIBUTE}\\W{1,6}|^\\s{0,3})${SCRIPT_URL}`, 0.5),
  trait(`${SCRIPT_URL}[^\\n]{0,60}(?:${BOX}|eval|document|window|fromcharcode|fetch|\\()`, 0.4),
  {
    pattern:
      /j[\t\n\r]{0,2}a[\t\n\r]{0,2}v[\t\n\r]{0,2}a[\t\n\r]{1,2}s|\b(?!javascript|JAVASCRIPT|Java[Ss]cript)[jJ][aA][vV][aA][sS][cC][rR][iI][pP][tT]/,
    weight: 0.4,
  },
  trait('(?:vb|live|mocha)script:', 0.7),
  // a page that replaces a missing image
  trait(
    'onerror\\s{0,2}=\\s{0,2}["\'{]{1,2}[^>]{0,40}(?:this|target)\\.(?:src|style|onerror|hidden|remove|classlist|parent)',
    -0.4,
  ),
  trait('(?:^|[>\\n])[^<>\\n]{0,60}["\'`][\\s)/]{0,3}-{0,3}>\\s{0,3}<\\W?[a-z!?]', 0.3),
  trait(
    '<\\/(?:title|textarea|style|script|noscript|xmp|iframe|select|template|noembed|noframes|option|a|form)\\s{0,2}>(?<!<\\/script>(?=\\s{0,3}<script))\\s{0,3}["\'`>-]{0,4}<(?:script|img|svg|iframe|body|object|embed|details|video|audio|marquee)[\\s/>]',
    0.3,
  ),
  trait(
    '["\'`]\\s{0,2}(?:[;)}\\]\\s]{0,4}|[-+*/^%&|,?:=]{1,2})\\s{0,2}(?:alert|prompt|confirm)\\s{0,2}[(`]',
    0.35,
  ),
  trait(
    '[;\\-+*/^%&|=,]\\s{0,2}(?:alert|prompt|confirm)\\s{0,2}[(`][^)]{0,30}[)`]\\s{0,2}(?:[;\\-+*/^%&|,]{0,2}\\s{0,2}["\'`]|\\/\\/|<!--)',
    0.3,
  ),
  trait('<[a-z]{1,12}[/+\\x0b\\x0c][\\w"\'`:-]{0,20}\\s{0,2}=?', 0.2),
  trait(
    '<(?:svg|math|isindex|marquee|details|bgsound|layer|keygen|xss|x|custom|blink)[\\s/][^>]{0,120}\\bon',
    0.2,
  ),
  trait('<x\\b[^>]{0,60}\\bon\\w{2,12}=', 0.8),
  trait(
    '^\\W{0,3}(?:(?:window|top|self|this|parent|globalthis)\\W{1,3})?(?:alert|prompt|confirm)\\W{0,3}[(`&][^\\n\\s]{1,40}$|^\\[\\w{0,9}\\]\\.\\w{3,9}\\((?:alert|confirm|prompt)\\)',
    0.3,
  ),
  trait('\\bautofocus\\b|\\bcontenteditable\\b', 0.1),
  trait(
    'src\\s{0,3}=\\s{0,3}["\'`]?(?:x|\\d|#|xx?:x|!|\\?|\\/|"|\'|a|%)["\'`]?[\\s/>]{1,3}[^>]{0,40}onerror',
    0.35,
  ),
  trait('document\\W{0,3}cookie', 0.35),
  trait(
    '(?:location|fetch|\\.src|open|xmlhttp|image|beacon|post|ajax|href)[^\\n]{0,80}(?:https?:)?\\/\\/[^\\n]{0,80}(?:document\\W{0,3}cookie|localstorage|sessionstorage)|(?:document\\W{0,3}cookie|localstorage)[^\\n]{0,60}(?:location|fetch|\\.src|sendbeacon)\\b',
    0.5,
  ),
  trait('string\\W{0,3}fromcharcode', 0.25),
  trait('\\beval\\s{0,2}\\(|\\batob\\s{0,2}\\(|settimeout\\s{0,2}[(`]\\s{0,2}["\'`]|\\.constructor\\W', 0.2),
  trait(
    'constructor\\W{1,5}constructor|\\[\\]\\[[(!"\'+]|\\(!\\[\\]\\+|\\$=~\\[\\]|\\[\\]\\.(?:filter|map|find|sort|at)\\.constructor',
    0.6,
  ),
  trait(
    '\\bx?s?s?\\W?expression\\s{0,3}\\([^)]{0,40}(?:alert|eval|document|window)|e\\/\\*[^*]{0,10}\\*\\/xp|-moz-binding\\s?:|behaviou?r\\s?:\\s?url|-o-link',
    0.8,
  ),
  trait(
    'data:(?:text|image|application)\\/(?:html|svg\\+xml|xhtml\\+xml|javascript|x-[a-z-]{1,20})[^\\s"\']{0,30}[,;]',
    0.4,
  ),
  trait(
    '(?:src|href|data|content|action|code|srcdoc|from|to|values)\\W{1,6}data:(?:text\\/(?:html|javascript)|,|;|image\\/svg\\+xml|application\\/(?:x-)?(?:javascript|xhtml))',
    0.45,
  ),
  trait('srcdoc\\s{0,3}=\\s{0,3}["\'`]?[^>]{0,30}(?:<|&lt;|script|on[a-z]{3,12}=)', 0.6),
  trait('<!--\\s?#\\s?(?:exec|include)\\b', 0.9),
  trait(
    '<\\s?base\\s{1,3}href\\s{0,2}=\\s{0,2}["\']?(?:j|\\/\\/|\\/\\\\|h\\w{3,4}:\\/\\/(?!localhost))',
    0.35,
  ),
  trait('http-equiv[^>]{0,40}(?:refresh|set-cookie|link)[^>]{0,60}(?:javascript|data:|script|https?:)', 0.6),
  trait(
    '<(?:\\?xml-stylesheet|\\?import|import|xml|html)[^>]{0,80}(?:javascript|t:set|xmlns:xss|urn:schemas|src=)',
    0.6,
  ),
  trait(
    '<(?:link|style|object|embed|applet|layer|frame|iframe|bgsound|table|td|meta|input|image|img)\\b[^>]{0,120}(?:src|href|data|background|allowscriptaccess|style|url)\\W{0,4}[^>]{0,30}(?:script:|@import|expression|vbs)',
    0.5,
  ),
  trait(
    '<(?:layer|applet|embed|object|bgsound)\\b[^>]{0,60}(?:src|code|data|archive|type)\\s{0,2}=\\W{0,3}(?:https?:\\/\\/[^\\s]{0,60}(?:xss|script|evil|attack|hack)|text\\/x-scriptlet|\\/\\/)',
    0.8,
  ),
  trait(
    'ha\\.ckers\\.org|xss\\.(?:rocks|ht|me|report|js|swf|css|htc|xml|cx|is)|\\bxsstest|attacker\\.|\\bevil\\.',
    0.3,
  ),
  trait(
    '(?:set|animate|handler)\\b[^>]{0,80}(?:attributename|ev:event|to|values)\\W{1,4}(?:on|href|xlink|load|javascript)',
    0.5,
  ),
  trait('\\{\\{[^}]{0,60}(?:constructor|\\$eval|\\$on|alert)[^}]{0,80}', 0.6),
]);
