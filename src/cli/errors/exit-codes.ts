/** Exit codes of `lockkeeper`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  attention: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Descriptions of the exit codes for help and reference. */
export const EXIT_CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'Done',
  [EXIT.failed]: 'Other failure: the server refused a value, or a run, a check or a file failed',
  [EXIT.usage]: 'Invalid command line, setting or file; only an unknown field of --json is found after the request',
  [EXIT.refused]: 'Authentication failed or permission denied',
  [EXIT.notFound]: 'Not found, or not visible to the token',
  [EXIT.conflict]: 'Conflict: for example a locked workspace or a name in use',
  [EXIT.unavailable]: 'Server unreachable, untrusted or unavailable',
  [EXIT.attention]: '`lockkeeper diagnose` found only warnings',
  [EXIT.interrupted]: 'Interrupted by Ctrl-C at a question',
};
