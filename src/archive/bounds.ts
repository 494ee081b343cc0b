/** Bounds of an archive, and of the folder that it unpacks to. The length of names has the same bounds for all (`names.ts`). */
export interface ArchiveBounds {
  /** Size of the compressed archive. */
  readonly packedBytes: number;
  /** Total size of the unpacked files. */
  readonly bytes: number;
  /** Number of files, folders and links. */
  readonly entries: number;
  /** Parts of a path: 2 for a file in a folder. */
  readonly depth: number;
  /** Whether a link may point outside of the folder. Even so, nothing is written through such a link. */
  readonly mayLeadOut: boolean;
  /** Sentence for a user who sent another kind of file. */
  readonly advice: string;
}
