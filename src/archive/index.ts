export type { ArchiveBounds } from './bounds.ts';
export { checkedArchive } from './check.ts';
export { EntryRules } from './entry-rules.ts';
export { folderInside } from './names.ts';
export { pack } from './pack.ts';
export { packFiles } from './pack-files.ts';
export { ArchiveProblem } from './problem.ts';
export { tarEnd, tarHeader, tarPadding } from './tar-blocks.ts';
export { unpack } from './unpack.ts';
