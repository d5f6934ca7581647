import { jsonIn, textOf } from '../document-text.ts';

/** No document has such a path. */
const checkedName = (name: string): string => `claim:${name}`;

export const claimText = (name: string, json: string): string => textOf(checkedName(name), json);

/** The value of a stored claim. Errors do not show its name, which may be an email address. */
export const claimIn = (name: string, text: string): unknown =>
  JSON.parse(jsonIn(checkedName(name), text, () => 'a claim'));
