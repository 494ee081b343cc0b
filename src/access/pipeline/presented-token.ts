import { AppError } from '../../lib/errors.ts';
import { bearerToken, type WithHeaders } from '../../lib/secret/bearer.ts';
import { secretText } from '../../lib/secret/secret-text.ts';

/** Headers with a token. The specification defines `X-Service-Token`; official clients send the other one. */
const TOKEN_HEADERS = ['x-service-token', 'x-vault-token'] as const;

/**
 * Returns the token of a request. Ignores Authorization if one of these headers is present, like Vault: it may
 * be meant for a proxy.
 * @throws AppError bad-request for two different tokens
 */
export function tokenTextOf(request: WithHeaders): string | undefined {
  const texts = TOKEN_HEADERS.map((name) => secretText(`${request.headers[name] ?? ''}`)).filter((text) => text !== '');
  const [text, other = text] = texts;
  if (text !== other) throw new AppError('bad-request', 'X-Service-Token and X-Vault-Token contain different tokens');
  return text ?? bearerToken(request);
}
