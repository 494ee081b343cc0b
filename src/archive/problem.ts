/** Reason why an archive cannot be unpacked, worded as the end of a sentence. */
export class ArchiveProblem extends Error {}
