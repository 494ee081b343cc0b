export { type ArchiveBounds, CONFIGURATION_BOUNDS } from './bounds.ts';
export { checkedArchive } from './check.ts';
export { workingDirectoryInside } from './names.ts';
export { pack } from './pack.ts';
export { Placing } from './placing.ts';
export { ArchiveProblem } from './problem.ts';
export { archiveStages, problemOf } from './stages.ts';
