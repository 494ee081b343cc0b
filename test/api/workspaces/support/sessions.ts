import type { Workspaces } from '../../../../src/workspaces/index.ts';

/** Signs in with a browser. @param shown ID of the token for the sign-in */
export function beginSession({ tenancy }: Workspaces, userId: string, shown?: string) {
  const origin = { signedInBy: 'token', address: '192.0.2.7', browser: 'Mozilla/5.0' } as const;
  return tenancy.sessions.begin(userId, { ...origin, ...(shown !== undefined && { shown }) });
}
