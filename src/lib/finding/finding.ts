/** Statuses from best to worst. `skipped` means that the check did not run. */
export const STATUSES = ['skipped', 'success', 'warning', 'failure'] as const;

export type Status = (typeof STATUSES)[number];

/** Result of a check. */
export interface Finding {
  readonly status: Status;
  /** Result in words that may be published: numbers and codes, but no path, URL or name. */
  readonly found: string;
  /** Subject of the finding (paths, URLs, names), for the operator only. Never a secret. */
  readonly detail?: string;
  /** Next step for the operator. */
  readonly advice?: string;
}

/** Finding about one of several subjects of a check. */
export interface NamedFinding extends Finding {
  readonly name: string;
}

export const success = (found: string, detail?: string): Finding => ({
  status: 'success',
  found,
  ...(detail !== undefined && { detail }),
});

export const skipped = (found: string, detail?: string): Finding => ({ ...success(found, detail), status: 'skipped' });

/** Returns a warning: the subject works now, but will fail soon or under load. */
export const warning = (found: string, advice: string, detail?: string): Finding => ({
  ...success(found, detail),
  status: 'warning',
  advice,
});

/** Returns a failure: the server cannot work with the subject, or soon cannot. */
export const failure = (found: string, advice: string, detail?: string): Finding => ({
  ...warning(found, advice, detail),
  status: 'failure',
});

/** Returns the worst of several statuses; `skipped` if there are none. */
export function worst(statuses: readonly Status[]): Status {
  return statuses.reduce<Status>((a, b) => (STATUSES.indexOf(b) > STATUSES.indexOf(a) ? b : a), 'skipped');
}
