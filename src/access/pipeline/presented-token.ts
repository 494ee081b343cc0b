import { AppError } from '../../lib/errors.ts';
import { bearerToken, type WithHeaders } from '../../lib/secret/bearer.ts';
import { secretText } from '../../lib/secret/secret-text.ts';

/** `X-Service-Token` is the name in the specification; clients of the field send one of the others. */
const TOKEN_HEADERS = ['x-service-token', 'x-vault-token'] as const;

/**
 * The token that a request presents. Beside a header of ours Authorization is not looked at, as elsewhere: it may be meant for
 * whatever stands in front.
 * @throws AppError bad-request for two tokens
 */
export function tokenTextOf(request: WithHeaders): string | undefined {
  const texts = TOKEN_HEADERS.map((name) => secretText(`${request.headers[name] ?? ''}`)).filter((text) => text !== '');
  const [text, other = text] = texts;
  if (text !== other) throw new AppError('bad-request', 'X-Service-Token and X-Vault-Token name different tokens');
  return text ?? bearerToken(request);
}
