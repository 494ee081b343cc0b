/** Initial values of a new role. */
export interface StartOfRole {
  readonly user_claim: string;
  readonly bound_audiences: readonly string[];
  readonly bound_subject: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Initial values for the page of a new JWT role. */
    readonly tokenRole?: StartOfRole;
  }
}

/** Returns a role that accepts tokens with the same audience and subject. */
export function roleFor(claims: Readonly<Record<string, unknown>>): StartOfRole {
  const audiences = [claims.aud].flat().filter((one) => typeof one === 'string');
  const subject = typeof claims.sub === 'string' ? claims.sub : '';
  return { user_claim: 'sub', bound_audiences: audiences, bound_subject: subject };
}
