/** Keys that work in every list. */
export const KeysHint = () => <span className="muted">J / K next, previous · Enter open · Esc close</span>;
