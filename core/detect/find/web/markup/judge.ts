import { type MarkupState, readMarkup } from './tokens.ts';

/** The possible author of the markup: the sender of a request, or someone who shows a page. */
type MarkupOrigin = 'REQUEST' | 'PAGE';

/** Elements that run, load or embed something, or change what the page loads. */
const RUNNING =
  /^(?:script|iframe|frame|frameset|object|embed|applet|base|xml|xss|layer|ilayer|bgsound|isindex|import|animate|animatetransform|animatemotion|set|handler|listener|portal|fencedframe|vmlframe|html:script|svg:script)(?:[:#\W]|$)/;
/** Elements that are harmless on many pages, but rare in requests. */
const SELDOM = /^(?:link|meta|style|svg|math|noscript|marquee|keygen|blink|foreignobject|use|x|form)$/;
/** Not an element name: something precedes the next attribute. */
const ODD = /["'=(`{\\#%]/;

/** Elements that are obsolete on pages. */
const OBSOLETE = /^(?:applet|ilayer|bgsound|isindex|xss|vmlframe|html:script)(?:\W|$)/;
/** A dialog with a sentence, as in a tutorial: `alert('Hello there')`. */
const GREETS =
  /^[^;]{0,80}\b(?:alert|prompt|confirm)\s{0,2}\(\s{0,2}(?:["'`][^"'`]{2,80}["'`]|(?!document|window|location|cookie|origin|self\b|top\b|this\b|string)[a-z_][\w.]{0,40}(?:\.\w{1,20}|\s{0,2}\+[^)]{0,60})?)\s{0,2}\)[;\s}]{0,6}$/i;
/** What a proof of concept shows: a number, the page's own data, "xss". */
const SHOWN =
  /(?:alert|prompt|confirm)\W{0,8}(?:\(|`)[\s"'`(/]{0,6}(?:\d|document|location|origin|xss|hack|pwn|poc\b|owned|string\.from|cookie|this\b|window|\))/i;
const MAX_DEMONSTRATION = 400;
const DANGEROUS_DECLARATION =
  /^[!?][^>]{0,200}(?:javascript:|vbscript:|data:text)|^!entity\s[^>]{0,80}(?:system|public)|^!doctype[^>]{0,80}\[\s{0,4}<!entity/i;

/** Attributes whose value a browser may load, and thereby run. */
const LOADED =
  /^(?:href|src|srcdoc|action|formaction|data|from|to|by|values|content|background|dynsrc|lowsrc|code|codebase|classid|poster|xlink:href|folder|archive|profile|manifest|ping|style|longdesc|cite|url|implementation|srcset|icon|usemap|filter|xmlns.{0,20}|datasrc|pluginspage|codetype)$/;
const EVENT = /^\W{0,3}on[a-z]{3,40}$/;
const DANGEROUS_URL =
  /^[\s\W]{0,24}(?:j[\s\W]{0,6}a[\s\W]{0,6}v[\s\W]{0,6}a[\s\W]{0,6}s[\s\W]{0,6}c[\s\W]{0,6}r[\s\W]{0,6}i[\s\W]{0,6}p[\s\W]{0,6}t|v[\s\W]{0,4}b[\s\W]{0,4}s[\s\W]{0,4}c?[\s\W]{0,4}(?:r[\s\W]{0,4}i[\s\W]{0,4}p[\s\W]{0,4}t)?|livescript|mocha|jscript|feed|view-source|mhtml|wyciwyg|ms-its|firefoxurl|res)[\s\W]{0,6}:|data[\s]{0,4}:(?!image\/(?:png|jpe?g|gif|webp|x-icon|bmp|avif|vnd)|font|application\/(?:font|pdf|octet|json)|audio|video)[^,]{0,80}[,;]/i;
const NO_LINK =
  /^\s{0,4}javascript:\s{0,4}(?:void\s{0,2}\(?\s{0,2}0?\)?;?|;|history\.(?:back|go)\([^)]{0,4}\);?|\w{1,32}\([^)(]{0,40}\);?)?\s{0,4}$/i;
const DANGEROUS_STYLE =
  /expression\s{0,3}[(/\\]|e\\?x\\?p\\?r\\?e\\?s\\?s\\?i\\?o\\?n\s{0,3}\(|-moz-binding|behaviou?r\s{0,3}:|-o-link|javascript\s{0,3}:|vbscript:|@\W{0,3}i?m?\W?p?ort|url\s{0,3}\(\s{0,3}["']?\s{0,3}(?:j|v|data:(?!image|font))[^)]{0,12}:|\\[0-9a-f]{2,6}\\?[0-9a-f]{0,6}/i;

/** A call or property with which injected script typically shows, sends or builds something. */
const SCRIPT_ACTION =
  /(?:\b(?:alert|prompt|confirm|msgbox|eval|atob|settimeout|setinterval|setimmediate|execscript|import|fetch|open|write(?:ln)?|function|constructor|fromcharcode|fromcodepoint)\b[\s)\]'"`?.\\/*]{0,8}(?:\(|`|\[|\.(?:call|apply|bind))|document\W{1,6}(?:cookie|domain|write|location|body|url|referrer|documentelement|createelement|all|forms|getelement)|window\W{1,6}(?:location|name|open|onerror|alert|eval|top|self|parent)|(?:location|innerhtml|outerhtml|srcdoc|onerror)\s{0,4}(?:=(?!=)|\.(?:href|hash|assign|replace))|localstorage|sessionstorage|xmlhttprequest|activexobject|\bthrow\b[^\n]{0,20}|\b(?:this|self|top|window|parent|frames)\s{0,2}\[\s{0,2}["'`/]|\.(?:source|innerhtml)\b|\\u00|\\x[0-9a-f]{2}|new\s{1,4}(?:image|function|websocket))/i;

const CHARSET = /utf-?7|mac-farsi|x-user|iso-2022|shift_jis|hz-gb/i;
const REFRESH = /^\s{0,4}\d{0,6}\s{0,4}[;,]/;

class MarkupJudge {
  readonly #origin: MarkupOrigin;
  score = 0;

  constructor(origin: MarkupOrigin) {
    this.#origin = origin;
  }

  #raise(score: number): void {
    this.score = Math.max(this.score, score);
  }

  readonly tag = (name: string, isEnd: boolean): void => {
    if (!RUNNING.test(name)) {
      if (this.#origin === 'REQUEST') this.#raise(ODD.test(name) ? 0.55 : SELDOM.test(name) ? 0.4 : 0);
      return;
    }
    if (this.#origin === 'REQUEST') this.#raise(isEnd ? 0.5 : 0.8);
    else if (!isEnd && OBSOLETE.test(name)) this.#raise(0.6);
  };

  readonly attribute = (tag: string, name: string, value: string | null): void => {
    const inRequest = this.#origin === 'REQUEST';
    if (EVENT.test(name) && value !== null) {
      if (SCRIPT_ACTION.test(value))
        this.#raise(inRequest || !GREETS.test(value) ? (tag === '' ? 0.85 : 0.9) : 0.3);
      else if (inRequest && value !== '') this.#raise(tag === '' ? 0.65 : 0.85);
      return;
    }
    if (value === null) return;
    if (name === 'srcdoc') this.#raise(inRequest || /<|&lt/i.test(value) ? 0.85 : 0);
    else if (name === 'style' && DANGEROUS_STYLE.test(value)) this.#raise(inRequest ? 0.85 : 0.75);
    else if (LOADED.test(name) && DANGEROUS_URL.test(value))
      this.#raise(NO_LINK.test(value) && !SCRIPT_ACTION.test(value) ? 0 : 0.85);
    else if (inRequest) this.#inRequest(tag, name, value);
    if (name === 'charset' && CHARSET.test(value)) this.#raise(0.75);
    if (/^xmlns\W?(?:ev|xlink|svg|xss|t)?$/.test(name) && tag !== 'svg' && tag !== 'html' && tag !== 'math')
      this.#raise(inRequest ? 0.65 : 0);
  };

  #inRequest(tag: string, name: string, value: string): void {
    if (name === 'formaction' || name === 'http-equiv' || name === 'attributename') this.#raise(0.75);
    if (name === 'content' && tag === 'meta' && REFRESH.test(value)) this.#raise(0.75);
    if (/^(?:action|href|src|data)$/.test(name) && /^(?:form|a|input|img|video|audio|source)$/.test(tag))
      this.#raise(/^\s{0,4}(?:https?:)?\/\//i.test(value) && tag === 'form' ? 0.65 : 0);
  }

  /** The content of a script or style element. In a request, a script element alone is enough. */
  readonly content = (tag: string, text: string): void => {
    if (tag === 'style') this.#raise(DANGEROUS_STYLE.test(text) && !/\\[0-9a-f]{2}/i.test(text) ? 0.75 : 0);
    else if (tag === 'script' && SHOWN.test(text)) this.#raise(text.length < MAX_DEMONSTRATION ? 0.85 : 0.4);
    else if (tag === 'script' && SURE_ACTION.test(text) && text.length < MAX_DEMONSTRATION) this.#raise(0.6);
  };

  readonly declaration = (content: string): void => {
    if (/^!\[cdata\[|^!--\[if|^\?(?:xml-stylesheet|import)|^!entity|^!doctype[^>]{0,80}\[/i.test(content))
      this.#raise(this.#origin === 'REQUEST' ? 0.75 : 0);
    if (DANGEROUS_DECLARATION.test(content)) this.#raise(0.8);
    if (/^!--#\s{0,4}(?:exec|include|echo|printenv|set|config|flastmod|fsize)/i.test(content))
      this.#raise(0.85);
  };
}

const STATES: readonly MarkupState[] = ['TEXT', 'DOUBLE', 'SINGLE', 'BACKTICK', 'BARE'];
const ENTRY: Readonly<Record<MarkupState, string>> = {
  TEXT: '<',
  DOUBLE: '"',
  SINGLE: "'",
  BACKTICK: '`',
  BARE: '=',
};

/** How certainly a value injects script into a page, wherever the page inserts it. */
export function markupScoreOf(value: string, origin: MarkupOrigin): number {
  let score = 0;
  for (const state of STATES) {
    if (!value.includes(ENTRY[state]) || (state !== 'TEXT' && origin === 'PAGE')) continue;
    const judge = new MarkupJudge(origin);
    readMarkup(value, state, judge);
    score = Math.max(score, judge.score);
    if (score >= 0.9) break;
  }
  return score;
}

/** Script in a value that is part of a string in a program, or that is a program. */
const CLOSES_STRING =
  /["'`][\s;)}\]+*/^%&|,?:=-]{0,12}\b(?:alert|prompt|confirm|eval|document|window|location|fetch|import|top|self|this|parent|constructor)\b/i;
const CALLED =
  /^[\s\W]{0,12}(?:(?:top|self|window|this|parent|frames|globalthis|document|\w{1,3})\W{0,4})?(?:alert|prompt|confirm|eval|settimeout|setinterval|execscript)[\s)\]'"?.\\/*]{0,12}(?:\(\s{0,3}(?:[\d'"`/)[]|document|window|location|origin|this\b|string|self|top\b|name\b|cookie|atob|unescape)|`|\.?(?:call|apply)\()/i;
const INDEXED =
  /\b(?:self|top|window|this|parent|frames|globalthis|document)\s{0,3}(?:\[|\?\.\[|\/\*|\\)[\s\S]{0,4}["'`\\/(+]|\[\s{0,2}["'`](?:cookie|alert|eval|constructor|location|innerhtml|write)["'`]\s{0,2}\]/i;
const SCHEMES =
  /(?:^|[\s"'=(,:;>])(?:j\W{0,3}a\W{0,3}v\W{0,3}a\W{0,3}s\W{0,3}c\W{0,3}r\W{0,3}i\W{0,3}p\W{0,3}t|vbscript|livescript|mocha)\s{0,4}:(?!\s{0,2}(?:void|[\w\s]{0,40}$|\s))/i;
const SCRIPT_DATA =
  /(?:^|[\s"'=(,])data\s{0,3}:\s{0,3}(?:text\/(?:html|xml|xsl|vbs|javascript)|image\/svg|application\/(?:x-?(?:ht|ja|sh)|xh|xml|ja|vnd\.w|ec))[^,]{0,60},/i;
const OBFUSCATED =
  /\[\]\[|\(!\[\]\+|\$=~\[\]|\]\[["'(]|\+\[\]\)\[|\[\]\.(?:map|filter|find|sort|some|constructor)\W{1,4}(?:call|constructor|\()/i;
const FAKE_SIGNS =
  /(?:\bADw-|\+ADw|\xbc\W{0,1}script|\\xbc\W{0,2}script|&lt;\s{0,2}script|\u02bascript|\[\s{0,2}\/?\s{0,2}(?:url|img)=\W{0,2}javascript)/i;
const STYLE = /style\s{0,4}=[^\n]{0,40}(?:expression|url\s{0,4}\(\s{0,4}j|binding|behaviou?r|@import)/i;

const SURE_ACTION = /document\W{1,6}cookie|\beval\W{1,4}\(|atob\s?\(|fromcharcode/i;
const WEAK_ACTION =
  /^[^(`]{0,80}(?:\b(?:open|write|import|function|prompt|alert|confirm|throw)\b|location\s{0,4}=)/i;

/** How certainly a value is script that a page would run. */
export function scriptScoreOf(value: string): number {
  if (CALLED.test(value)) return 0.85;
  if (SCHEMES.test(value) && /[(`'"\\/%=]/.test(value)) return 0.8;
  if (SCRIPT_DATA.test(value) || FAKE_SIGNS.test(value)) return 0.8;
  if (CLOSES_STRING.test(value) && SCRIPT_ACTION.test(value)) return 0.85;
  if (OBFUSCATED.test(value)) return 0.7;
  if (STYLE.test(value)) return 0.75;
  if (INDEXED.test(value)) return 0.7;
  if (SCRIPT_ACTION.test(value)) return SURE_ACTION.test(value) ? 0.75 : WEAK_ACTION.test(value) ? 0.4 : 0.55;
  return /(?:^|[\s;'"/])on(?:load|error|click|mouse\w{2,5}|focus|blur|key\w{2,5}|toggle|pointer\w{2,12}|animation\w{3,12}|aux\w{3,6})\s{0,4}=/i.test(
    value,
  )
    ? 0.6
    : 0;
}
