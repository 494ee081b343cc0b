/** Why an archive cannot be unpacked, as the end of a sentence. */
export class ArchiveProblem extends Error {}
