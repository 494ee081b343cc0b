/** What a role is filled in with. */
export interface StartOfRole {
  readonly user_claim: string;
  readonly bound_audiences: readonly string[];
  readonly bound_subject: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For the page of a new role of tokens. */
    readonly tokenRole?: StartOfRole;
  }
}

/** A role that lets in whoever has such a token: for this server, of this subject. */
export function roleFor(claims: Readonly<Record<string, unknown>>): StartOfRole {
  const audiences = [claims.aud].flat().filter((one) => typeof one === 'string');
  const subject = typeof claims.sub === 'string' ? claims.sub : '';
  return { user_claim: 'sub', bound_audiences: audiences, bound_subject: subject };
}
