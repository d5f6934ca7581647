import type { LedgerDraft } from '#schemas/events/events.ts';
import { canonicalJson } from '../canonical-json.ts';
import { coreHash, detailHash } from '../hashing.ts';

type Given = Omit<LedgerDraft, 'v' | 'core' | 'detail' | 'coreHash' | 'detailHash'> & {
  readonly core: object;
  readonly detail: object;
};

/**
 * An entry with correct hashes whose fields are not checked. Before kinds had definitions, any two objects could become
 * an entry of five of the kinds, so logs may contain such entries, and readers must always accept them.
 */
export function looseDraft({ core, detail, ...given }: Given): LedgerDraft {
  const texts = { core: canonicalJson(core), detail: canonicalJson(detail) };
  return {
    v: 1,
    ...given,
    ...texts,
    coreHash: coreHash(given.coreSalt, texts.core),
    detailHash: detailHash(given.detailSalt, texts.detail),
  };
}
