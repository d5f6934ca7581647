import { jsonIn, textOf } from '../document-text.ts';

/** No document has such a path. */
const checkedName = (name: string): string => `claim:${name}`;

export const claimText = (name: string, json: string): string => textOf(checkedName(name), json);

/** The value of a stored claim. An error does not show its name, which may be an address of e-mail. */
export const claimIn = (name: string, text: string): unknown =>
  JSON.parse(jsonIn(checkedName(name), text, () => 'a claim'));
