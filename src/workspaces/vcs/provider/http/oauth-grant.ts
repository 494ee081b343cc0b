import Type from 'typebox';
import type { OAuthGrant, ProviderHttp } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { messageText } from '../text.ts';
import { reader } from './untrusted.ts';

const token = Type.String({ minLength: 1, maxLength: 16_384 });
const grant = reader(
  'token response',
  Type.Object({
    access_token: token,
    refresh_token: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 16_384 })])),
    expires_in: Type.Optional(
      Type.Union([Type.Null(), Type.Number({ minimum: 0 }), Type.String({ pattern: '^\\d{1,10}$' })]),
    ),
  }),
);
const failure = reader('token response', Type.Object({ error: Type.String() }));

/**
 * Sends a request to a token endpoint (RFC 6749 §4.1.3, §6).
 * @throws ProviderError `refused` if the provider does not accept the code, the refresh token or the client
 */
export async function requestGrant(
  http: ProviderHttp,
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<OAuthGrant> {
  const { status, json } = await sendForm(http, { url, form, headers });
  if (status === 404)
    throw new ProviderError('invalid', 'The provider has no token endpoint. Check the URL of the connection');
  // GitHub sends errors with the status 200.
  if (typeof json === 'object' && json !== null && 'error' in json) throw refusal(json);
  const { access_token, refresh_token, expires_in } = grant(json);
  return {
    accessToken: access_token,
    refreshToken: refresh_token || null,
    expiresIn: expires_in == null ? null : Number(expires_in),
  };
}

async function sendForm(
  http: ProviderHttp,
  request: { url: string; form: Readonly<Record<string, string>>; headers: Readonly<Record<string, string>> },
) {
  try {
    return await http.send({ method: 'POST', ...request });
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'rejected') throw refused(error.message);
    throw error;
  }
}

function refusal(json: object): ProviderError {
  const description = (json as { error_description?: unknown }).error_description;
  const said = typeof description === 'string' ? description : failure(json).error;
  return refused(messageText(said));
}

function refused(reason: string): ProviderError {
  return new ProviderError('refused', `The provider refused the sign-in: ${reason}`);
}
