/** The address of a decomposition: of its run, or of its document where nothing has run yet. */
import type { AlgorithmDocument } from '../../api/types';
import { pageAddress } from '../../api/site';

const VERSION = '#a1.';

export const decompositionAddress = (document: AlgorithmDocument, run: string | null): string =>
  run === null
    ? pageAddress(`?decomposition${VERSION}${encodeURIComponent(JSON.stringify(document))}`)
    : pageAddress(`?decomposition=${encodeURIComponent(run)}`);

/** The document in the part of an address behind `#`; null where that holds none. */
export function documentAt(hash: string): AlgorithmDocument | null {
  if (!hash.startsWith(VERSION)) return null;
  try {
    const found: unknown = JSON.parse(decodeURIComponent(hash.slice(VERSION.length)));
    const sound = typeof found === 'object' && found !== null && 'algorithm' in found && 'parameters' in found;
    return sound && typeof found.parameters === 'object' && found.parameters !== null
      ? (found as AlgorithmDocument)
      : null;
  } catch {
    return null;
  }
}
