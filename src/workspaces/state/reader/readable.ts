/** The only format of states that is parsed; others are only stored. */
export const READ_FORMAT = 4;

/** Properties of a state that decide whether it is parsed. */
export interface Kind {
  /** Format version of the state; null if the file is not a state, or is encrypted. */
  readonly format: number | null;
  readonly encrypted: boolean;
}

/** Returns whether resources and outputs of this format are parsed. */
export const isRead = (format: number | null): boolean => format === READ_FORMAT;

/** Returns why a state is not parsed, and what to do, in words that follow "the state"; undefined if it is parsed. */
export function whyUnread({ format, encrypted }: Kind): string | undefined {
  if (isRead(format)) return undefined;
  if (encrypted) return 'is encrypted';
  if (format === null) return 'has no format of Terraform or OpenTofu: it may be a plan file, an archive or a web page';
  if (format > READ_FORMAT) return `is of format ${format}, which is newer than this server: upgrade the server`;
  return `is of format ${format}, which Terraform before 0.12 wrote: an apply with a newer release writes format ${READ_FORMAT}`;
}
