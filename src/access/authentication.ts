import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import type { Token } from './tokens/token.ts';
import type { TokenService } from './tokens/token-service.ts';

/** `X-Service-Token` is the name in the specification; clients of the field send one of the others. */
const TOKEN_HEADERS = ['x-service-token', 'x-vault-token'] as const;

function tokenTextOf(request: FastifyRequest): string | undefined {
  for (const name of TOKEN_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** A live token and the text it was presented as. */
export interface Caller {
  readonly token: Token;
  readonly text: string;
}

/**
 * Who calls. What was wrong with the token is not told apart: missing, unknown, expired and out of place look alike.
 * @throws AppError unauthenticated
 */
export async function authenticate(tokens: TokenService, request: FastifyRequest): Promise<Caller> {
  const text = tokenTextOf(request);
  const token = text && (await tokens.authenticate(text, request.peer.address));
  if (!token) throw new AppError('unauthenticated', 'permission denied');
  request.event.add({ actor_kind: 'token', actor_accessor: token.accessor, actor_name: token.displayName });
  if (token.certificate) {
    request.event.add({ actor_subject: token.certificate.subject, actor_serial: token.certificate.serialNumber });
  }
  return { token, text };
}
