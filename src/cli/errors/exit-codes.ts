/** What the exit code of `lockkeeper` tells a script. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  attention: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The same in words, for the help and the reference page. */
export const EXIT_CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.failed]: 'it failed in a way that has no code of its own',
  [EXIT.usage]: 'the command line, a setting or a file that it names is wrong; nothing was sent',
  [EXIT.refused]: 'the server refused the token or the certificate, or does not allow this to whom it stands for',
  [EXIT.notFound]: 'there is no such thing, or the token may not see it',
  [EXIT.conflict]: 'the state of the thing does not allow it: a workspace is locked, or a name taken',
  [EXIT.unavailable]: 'the server cannot be reached or trusted, or is not able to answer',
  [EXIT.attention]: 'it works, and something is to be looked at: `lockkeeper diagnose` has warnings',
};
