import { type Trait, weigherOf } from './traits.ts';

/** A value in a comparison: a quoted one (its closing quote may be the statement's own), a number, ... */
const LITERAL = '(?:q[wnt]{0,3}q?|[ntv])';
/** Tokens allowed between the end of a value and the next keyword: brackets, signs, other values. */
const CLOSED = '[qnrvt]';

const trait = (source: string, weight: number): Trait => ({ pattern: new RegExp(source), weight });

/**
 * Traits of a fragment written to change the surrounding statement, over the letters of `sqlTokensOf`. Complete
 * statements written by people have SELECT before UNION, closed quotes before AND, and tables where fragments have
 * constants.
 */
export const weighSql = weigherOf([
  // ' OR '1'='1, 1 AND 1=2, ") or ("a"="a
  trait(`l[lpo]{0,4}${LITERAL}[ro]{0,3}c[po]{0,3}${LITERAL}`, 0.45),
  trait(`[qr]l[lpo]{0,4}${LITERAL}[ro]{0,3}c[po]{0,3}${LITERAL}`, 0.25),
  trait(`^[wn?]{0,6}${CLOSED}r{0,3}l[lpo]{0,4}${LITERAL}[ro]{0,3}c[po]{0,3}${LITERAL}`, 0.15),
  // ' or 1--, ') or true#, 1 or 1
  trait('[qnrv]r{0,3}l[lpo]{0,4}(?:[ntv]|q[nt]{1,2}q?|g?pr?)r{0,4}k', 0.6),
  trait(`qr{0,3}l[lpo]{0,3}q[wn]{0,2}qc`, 0.2),
  trait('ql[lpo]{0,3}[tn]r{0,4}k', 0.25),
  trait(`l[lpo]{0,4}${LITERAL}[ro]{0,3}c[po]{0,3}${LITERAL}r{0,3}s?k`, 0.2),
  trait('gp{1,3}e', 0.35),
  // ' UNION SELECT, 1) union all select 1,2,3
  trait('u[ao]{0,4}p{0,4}o?e', 0.45),
  trait(`${CLOSED}[roxwh]{0,4}u[ao]{0,4}p{0,4}o?e`, 0.3),
  trait('u[ao]{0,4}p{0,4}o?ea?[po]{0,3}[nqtv](?:[wnq]{0,3}[mr]|$|F|k)', 0.35),
  trait('u[ao]{0,4}p{0,4}o?e[^s]{0,60}Fz', 0.3),
  trait('u[ao]{0,4}p{0,4}o?e[^s]{0,60}[kf]', 0.2),
  trait('^[^eds]{0,14}u[ao]{0,4}p{0,4}o?e', 0.2),
  trait('e[^us]{1,80}F[^us]{1,60}u[ao]{0,4}p{0,4}o?e[^n]', -0.5),
  // ' union values(1,2)--, 1 and 1=any(select
  trait(`${CLOSED}r{0,4}ua?Wp[^ds]{1,40}rk`, 0.8),
  trait(`l[lpo]{0,4}${LITERAL}[ro]{0,3}c[po]{0,3}gp{1,3}e`, 0.3),
  // '; DROP TABLE users; --
  trait(`${CLOSED}r{0,3}s{1,2}[ed]`, 0.25),
  trait('qr{0,3}s{1,2}[Ced]', 0.2),
  trait(`^[wn?]{0,3}${CLOSED}r{0,3}s{1,2}[Ced]`, 0.35),
  trait('s{1,2}[ed][^k]{0,40}s?k', 0.25),
  trait('s{1,2}d{1,2}[wgz]', 0.15),
  // functions that sleep, read files, cause informative errors
  trait('fp', 0.2),
  trait(`(?:[lqmc]|${CLOSED}[lo]|eC?|p)[po]{0,4}fp`, 0.45),
  trait('fw?q', 0.6),
  trait('CC?p{0,3}ncn[rm]', 0.8),
  trait('k?[wn]Wncn[lkrs]', 0.5),
  trait('^[^ds]{0,20}ua?k', 0.6),
  trait(`${CLOSED}[ro]{0,3}[lco][lpo]{0,3}[fge]`, 0.2),
  trait(`[lmoc]p{1,3}e`, 0.3),
  trait(`^[wnqr?]{0,4}l[lpo]{0,3}(?:p{1,3}e|f|g|C)`, 0.3),
  trait('pe(?:p?e|[^s]{0,30}(?:Fz|C))', 0.25),
  // admin'--, ') #, 1/*
  trait('qr{0,4}s?k', 0.25),
  trait('^[wn?]{0,4}[qnrv]r{0,4}s?k', 0.35),
  trait('[nrvq]k[?onqw]{0,2}$', 0.1),
  // 1 ORDER BY 10--, ' group by x having 1=1
  trait(`^[wno]{0,2}${CLOSED}{1,2}h{1,2}x?[pno]{0,3}[nqw]`, 0.4),
  trait('h[x]?[pon]{0,3}[nt]r{0,3}k', 0.4),
  trait('^[^es]{0,8}h[pnot]{1,4}c[pnot]{1,4}', 0.3),
  // INTO OUTFILE, server tables and procedures, chains of CHAR()
  trait(`^[^e]{0,12}i{2}`, 0.8),
  trait('ii[gpq]', 0.3),
  trait('z', 0.25),
  trait(`${CLOSED}r{0,3}[lo][lpo]{0,3}z[wz]?gp`, 0.55),
  trait('gpnr[wlo]{1,3}gpn', 0.35),
  // An encoded plus sign reads like a blank.
  trait('(?:gpnr[lo]{0,2}){2,8}gpn', 0.35),
  trait(`^[^es]{0,6}${CLOSED}r?l[lpo]{0,3}ea?`, 0.45),
  trait('^qC', 0.3),
  trait('ei?[^s]{0,20}iiq', 0.3),
]);

/** A comment that removes the rest of the statement; a comment followed by words is an explanation. */
const LAST_COMMENT = 'k[?onq]{0,2}$';

/** For a text that is a single fragment, as in a form field; only traits that no sentence has. */
const weighBare = weigherOf([
  // 1--, 1 * 1/*, @version --
  trait('^[pnvqwro]{0,8}[nvqr]{1,3}[nov]{0,4}k(?!ww)', 0.8),
  // (select id from users limit 1,1)
  trait('^p{1,4}e[^d]{1,60}r?s?$', 0.8),
  trait('^[pnovtqrxwc?]{1,12}ua{0,2}[po]{0,4}(?:e|k)', 0.8),
  trait('^ua?p{1,4}e', 0.8),
  // case when f(1) then 3 end
  trait('^C{1,2}[nqwvgpr]{1,8}C[nqwvgpr]{1,6}C', 0.8),
  // 1; delete from foo
  trait('^[nqvprlt]{1,6}s{1,2}[dC]', 0.8),
  // 1 and sleep(3), 1 or (1 or 1)
  trait('^[pnqvroc]{1,9}l[lpo]{0,4}(?:[nvfe]|q[wn]?[qc])', 0.5),
  trait('^[pnqvro]{1,6}l[lpo]{0,4}[pnqwvto]{1,8}[cl]', 0.4),
  trait('^dz', 0.8),
  // x' AND email IS NULL, 1' or '1, '=''or'
  trait('^[wn]{0,2}qr{0,3}l[lpo]{0,3}w{1,2}c', 0.8),
  trait('^n?ql[po]{0,3}qn$', 0.8),
  trait('^qcq', 0.8),
  // x'-1-', 1' - '1, x' in ('x') --
  trait('^[wn]q[co](?:[^e]{0,8}[colp])?q[wnrq]{0,4}k?$', 0.8),
  // 1 and user()=1, 1; select 1, 1,(select 1), 1 is not null --, 1;--
  trait('^[nvq]l[lpo]{0,3}gprc', 0.8),
  trait('^[nqvpr]{1,6}s{1,2}e', 0.8),
  trait('^[nq]mp{1,2}e', 0.8),
  trait('^n[cl]{1,3}[nt]k', 0.8),
  trait('^[nq]sk', 0.8),
  trait('^[nvq]{1,2}h(?:[xwnp]{1,4}h|gpr)', 0.8),
  trait('^p{1,2}[nvt]r{1,2}cp{0,2}[nvt]', 0.8),
  // X' = 'X' = 0 = '1, a' + 'b
  trait('^w?q[co]{1,3}q[^s]{0,20}[co]', 0.8),
  trait('^w?q[co]{1,2}q[wn]?$', 0.8),
  trait('^[nvq]{1,3}h{1,2}x?[npqvog]{1,8}', 0.6),
  // 1 - ANY(SELECT 1), IF(SUBSTR(...)), 1) FROM users WHERE name=
  trait('^[nqwvpro]{0,5}g?p{1,3}e', 0.6),
  trait('^C{1,2}pgpvm', 0.8),
  trait('^[nvq]rF[wz]W', 0.8),
  trait('^[nq]{1,2}l[wt]c', 0.8),
  trait('^wl[lpo]{0,3}(?:[nq]c|gpnr)', 0.8),
  trait('^w(?:h|ua?[po]{0,4}e)', 0.5),
  trait('^n?[nq]c[nq]l', 0.8),
  // ' or ascii('a')=97--, x' and left(user(),1)='r, 1 and ord(mid(user(),1,1))=114, 1 and if(f(1)>2,1,0)
  trait(`^[wno]{0,2}qr{0,3}l[lpo]{0,4}gp[nqvgpe][^ds]{0,60}(?:${LAST_COMMENT}|cq[wn]{1,2}$)`, 0.8),
  trait('^n?[qn]r{0,3}l[lpo]{0,4}(?:Cp|gp{1,2}gp[^ds]{0,40}rc)', 0.8),
  trait('^[wn]{0,2}[qn]r{0,3}l[lpo]{0,3}wq[wn]qc', 0.8),
  // ends of a list of values and of an update: x', (select 1))--, x'), ('a','b, x', role='admin, x' where 1=1--
  trait(`^w{0,3}qr{0,3}[mW][^ds]{0,60}s?${LAST_COMMENT}`, 0.8),
  trait('^w{0,3}q(?:rmpq|mwcq[wn]{0,3}$|mp{1,2}e)', 0.8),
  trait('^w{1,3}qr{0,3}sk$', 0.8),
  // '+0+', '=0--, ' is null or '1
  trait('^q[oc]n[oc]q$', 0.8),
  trait(`^w?q[co]{1,3}[nvt]r{0,2}${LAST_COMMENT}`, 0.8),
  trait('^w?qc[qnt]{1,3}l[lpo]{0,3}q', 0.8),
  // 1 rlike (select 1), 1 or 1 group by f(2), 1 order by (case when 1=1, 1,extractvalue(, sleep(5)#
  trait('^[nq](?:cp{1,2}e|l[nq]hx?gp)', 0.8),
  trait('^[nqw]{0,2}(?:hx?)?p{1,2}C{2}p?[nqtv]', 0.8),
  trait('^(?:n|w?q)mfp', 0.2),
  trait('^fp[^ds]{1,40}k$', 0.8),
]);

/** A whole value at the start, however it is written: 'a', null, f(2). The text after it says more. */
const FIRST_VALUE =
  /^p{0,4}(?:q[wn]q|t)r{0,4}(?=[luh])|^p{0,4}gp[nqv]{0,5}r{1,4}(?=[uh])|^p{0,4}(?:q[wn]q|t|gp[nqwv]{0,5}r)r{0,4}(?=[no]{0,4}k[?onq]{0,2}$)/;

/** The score of a whole text. A value at its start is also tried as a number. */
export function bareScoreOf(kinds: string): number {
  const asNumber = kinds.replace(FIRST_VALUE, 'n');
  const score = weighBare(kinds).score;
  return asNumber === kinds ? score : Math.max(score, weighBare(asNumber).score);
}

/** Every fragment that scores contains one of these; most windows of code and prose contain none and are skipped. */
export const MAY_SCORE =
  /[uzifk]|ii|[lmoc]p{1,3}e|l[lpo]{0,4}[qntv]|l[lpo]{0,3}[egC]|[qnrvt]r{0,3}s{1,2}[Ced]|h[xpno]{0,4}[nqt]|gpnr|Cp{0,3}n|^dz|^w?qw?[co]/;

/** Four consecutive plain words: prose. */
export const PROSE = /w{4}/;
