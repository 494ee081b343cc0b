/** Reason why an archive cannot be unpacked, worded as the end of a sentence. */
export class ArchiveProblem extends Error {}

/** Codes of errors that the archive causes. All others come from its source, or the machine that reads it. */
const OF_THE_ARCHIVE = /^(Z_|TAR_|EISDIR|ENOTDIR|EEXIST|ENOENT|ENAMETOOLONG|ELOOP|EINVAL)/;

/** Returns an ArchiveProblem if the archive has caused the error, and otherwise the error itself. */
export function withReason(cause: unknown): unknown {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (!OF_THE_ARCHIVE.test(code)) return cause;
  return new ArchiveProblem(`it is not a complete tar.gz archive (${message})`, { cause });
}
