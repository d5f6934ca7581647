/** The page's own element with this id. */
export function elementOf<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} called ${id}`);
}

/** An element with text. Isolated, so that bidirectional control characters affect nothing next to it. */
export function textElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  const isolated = document.createElement('bdi');
  isolated.textContent = text;
  made.append(isolated);
  return made;
}
