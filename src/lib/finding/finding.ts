/** From the best to the worst; what was not looked at says nothing. */
export const STATUSES = ['skipped', 'success', 'warning', 'failure'] as const;

export type Status = (typeof STATUSES)[number];

/** What a check has come to. */
export interface Finding {
  readonly status: Status;
  /** In words that anybody may read: figures and codes, no path, address or name of anything. */
  readonly found: string;
  /** What it is about (paths, addresses, names), for whoever runs the server. Never a secret. */
  readonly detail?: string;
  /** What to do. */
  readonly advice?: string;
}

/** One of several things that a check has looked at. */
export interface NamedFinding extends Finding {
  readonly name: string;
}

export const success = (found: string, detail?: string): Finding => ({
  status: 'success',
  found,
  ...(detail !== undefined && { detail }),
});

export const skipped = (found: string, detail?: string): Finding => ({ ...success(found, detail), status: 'skipped' });

/** It works, and will not do so for long, or not under load. */
export const warning = (found: string, advice: string, detail?: string): Finding => ({
  ...success(found, detail),
  status: 'warning',
  advice,
});

/** The server cannot do its work with it, or is about to be unable to. */
export const failure = (found: string, advice: string, detail?: string): Finding => ({
  ...warning(found, advice, detail),
  status: 'failure',
});

/** Of several: `skipped` for none. */
export function worst(statuses: readonly Status[]): Status {
  return statuses.reduce<Status>((a, b) => (STATUSES.indexOf(b) > STATUSES.indexOf(a) ? b : a), 'skipped');
}
