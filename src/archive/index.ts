export type { ArchiveBounds } from './bounds.ts';
export { checkedArchive } from './check.ts';
export { findFile } from './find-file.ts';
export { folderInside } from './names.ts';
export { pack } from './pack.ts';
export { packFiles } from './pack-files.ts';
export { ArchiveProblem } from './problem.ts';
export { unpack } from './unpack.ts';
