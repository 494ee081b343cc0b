/** The format of states that is read; others are kept as they are. */
export const READ_FORMAT = 4;

/** Facts of a state that say whether it is read. */
export interface Kind {
  /** Number of the format that the state has; null where it is no state, or encrypted. */
  readonly format: number | null;
  readonly encrypted: boolean;
}

/** Whether resources and outputs of states of a format are read. */
export const isRead = (format: number | null): boolean => format === READ_FORMAT;

/** Returns why a state is not read, and what to do, in words that follow "the state"; undefined for one that is read. */
export function whyUnread({ format, encrypted }: Kind): string | undefined {
  if (isRead(format)) return undefined;
  if (encrypted) return 'is encrypted';
  if (format === null)
    return 'has no format of Terraform or OpenTofu, as a plan file, an archive or a web page has none';
  if (format > READ_FORMAT) return `is of format ${format}, which is newer than this server: upgrade the server`;
  return `is of format ${format}, which Terraform before 0.12 wrote: an apply with a newer release writes format ${READ_FORMAT}`;
}
