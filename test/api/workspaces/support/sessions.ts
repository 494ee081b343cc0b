import type { Workspaces } from '../../../../src/workspaces/index.ts';

/** Signs somebody in with a browser. */
export function beginSession({ tenancy }: Workspaces, userId: string) {
  return tenancy.sessions.begin(userId, { signedInBy: 'token', address: '192.0.2.7', browser: 'Mozilla/5.0' });
}
