import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/index.ts';
import { SESSION_MS, type SessionApi } from '../console/index.ts';
import { AppError } from '../lib/errors.ts';
import type { Workspaces } from '../workspaces/index.ts';

/** Display name of the tokens of console sessions. */
const DISPLAY_NAME = 'console';

/** Returns the session API of the console for tokens of the access API. */
export function accessSessionApi({ tokens, ask }: Access): SessionApi {
  return {
    async exchange(text, request) {
      const token = (await tokens.authenticateWithoutUse(text, request.peer.address))?.token;
      if (!token) return undefined;
      // A child token would lose the certificate with which machines act for their teams, and a batch token has no children.
      if (token.certificate || token.type === 'batch') return { token: text, made: false };
      const child = await childOf(text, token.policies, request, ask);
      return child === undefined ? { token: text, made: false } : { token: child, made: true };
    },
    async whoIs(text, request) {
      const token = (await tokens.authenticateWithoutUse(text, request.peer.address))?.token;
      if (!token) return undefined;
      const { certificate, displayName, expiresAt } = token;
      const name = certificate?.commonName ?? displayName;
      return { kind: certificate ? 'certificate' : 'token', name, expiresAt, policies: token.policies };
    },
    async end(text) {
      const token = await tokens.find(text);
      if (token?.type === 'service') await tokens.revoke(token);
    },
  };
}

/** Creates a child token for the session with equal policies. Undefined if the policies do not allow it. */
async function childOf(
  token: string,
  policies: readonly string[],
  request: FastifyRequest,
  ask: Access['ask'],
): Promise<string | undefined> {
  const data = {
    ttl: `${SESSION_MS / 1000}s`,
    explicit_max_ttl: `${SESSION_MS / 1000}s`,
    display_name: DISPLAY_NAME,
    meta: { via: 'console' },
    no_default_policy: !policies.includes('default'),
    renewable: false,
  };
  try {
    const { auth } = await ask(request, { method: 'POST', path: 'auth/token/create', token, data });
    return auth?.client_token;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns the session API of the console for the workspace API. */
export function workspacesSessionApi({ tenancy: { sessionTokens } }: Workspaces): SessionApi {
  return {
    async exchange(text, { peer, headers }) {
      const found = await sessionTokens.exchange(text, { address: peer.address, browser: headers['user-agent'] ?? '' });
      if (found === undefined) return undefined;
      const { text: token, made, expiresAt } = found;
      return { token, made, ...(expiresAt !== null && { endsAt: expiresAt }) };
    },
    whoIs: (text, { peer }) => sessionTokens.holderOf(text, peer.address),
    isOpen: (text, { peer }) => sessionTokens.isOpen(text, peer.address),
    end: (text, { peer }) => sessionTokens.end(text, peer.address),
  };
}
