import { ArchiveProblem, EntryRules, tarEnd, tarHeader, tarPadding } from '../../archive/index.ts';
import { CONFIGURATION_BOUNDS } from '../../lib/job/configuration-bounds.ts';
import { GitError } from '../git-remote.ts';

/** An entry of an archive. */
export type ArchiveEntry =
  | { readonly kind: 'file' | 'executable'; readonly path: string; readonly content: Buffer }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Bytes of a chunk, at least. The compression takes small chunks slowly. */
const CHUNK_BYTES = 262_144;
/** All times are equal, so that the same commit gives the same bytes. */
const TIME = new Date(0);

/**
 * Yields a tar archive. The rules are those by which a run unpacks a configuration.
 * @param onLast called after the last entry, before the last chunk
 * @throws GitError `unsupported` for an entry that cannot be unpacked, naming its path
 */
export async function* tarOf(entries: AsyncIterable<ArchiveEntry>, onLast: () => void): AsyncGenerator<Buffer> {
  const rules = new EntryRules(CONFIGURATION_BOUNDS);
  let chunk: Buffer[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    for (const block of blocksOf(entry, rules)) {
      chunk.push(block);
      bytes += block.length;
    }
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk);
    [chunk, bytes] = [[], 0];
  }
  onLast();
  yield Buffer.concat([...chunk, tarEnd()]);
}

function blocksOf(entry: ArchiveEntry, rules: EntryRules): Buffer[] {
  const { path, kind } = entry;
  const content = 'content' in entry ? entry.content : undefined;
  const linkpath = 'target' in entry ? entry.target : undefined;
  const type = ({ folder: 'Directory', link: 'SymbolicLink', file: 'File', executable: 'File' } as const)[kind];
  const size = content?.length ?? 0;
  check(rules, { path, type, size, ...(linkpath !== undefined && { linkpath }) });
  const header = tarHeader({
    ...{ path: kind === 'folder' ? `${path}/` : path, type, size, mtime: TIME },
    mode: kind === 'file' ? 0o644 : 0o755,
    ...(linkpath !== undefined && { linkpath }),
  });
  return content === undefined ? [header] : [header, content, tarPadding(size)];
}

function check(rules: EntryRules, entry: Parameters<EntryRules['next']>[0]): void {
  try {
    rules.next(entry);
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    throw new GitError('unsupported', `The commit cannot be used as a configuration: ${error.message}.`);
  }
}
