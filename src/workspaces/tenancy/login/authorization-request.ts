import { AppError } from '../../../lib/errors.ts';

/** OpenTofu and Terraform as an OAuth 2.0 client: public and native, on the user's machine (RFC 8252). */
export const LOGIN_CLIENT = {
  id: 'terraform-cli',
  authorizePath: '/app/oauth2/authorize',
  tokenPath: '/oauth2/token',
  /** First and last port on the loopback interface on which the client waits for its code. */
  ports: [10_000, 10_010],
} as const;

/** Authorization request of `tofu` or `terraform`, sent through the browser (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationRequest {
  /** URL that receives the code: a port of `tofu` or `terraform` on the user's machine. */
  readonly redirectUri: string;
  /** SHA-256 of the secret that `tofu` or `terraform` keeps, in base64url. */
  readonly challenge: string;
  /** Value from the client that is returned unchanged (`state`). */
  readonly state: string;
}

/** Parameters of a query or a form. A repeated parameter is a list and therefore invalid. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The pattern accepts only the user's own machine, so that a code cannot be sent anywhere else. */
const REDIRECT = /^http:\/\/(?:localhost|127\.0\.0\.1):(?:1000\d|10010)\/[\w/-]{0,100}$/;
const CHALLENGE = /^[\w-]{43}$/;
const STATE = /^[\x20-\x7e]{1,512}$/;

/**
 * Parses an authorization request.
 * @throws 400, which is shown on this page and never sent to the redirect URL
 */
export function readAuthorizationRequest(parameters: Parameters): AuthorizationRequest {
  const { client_id, response_type, redirect_uri, code_challenge, code_challenge_method, state } = parameters;
  if (client_id !== LOGIN_CLIENT.id) throw refused('client_id is unknown');
  const redirectUri = matching(
    redirect_uri,
    REDIRECT,
    'redirect_uri must be on localhost or 127.0.0.1, with a port from 10000 to 10010',
  );
  if (response_type !== 'code') throw refused('response_type must be code');
  if (code_challenge_method !== 'S256') throw refused('code_challenge_method must be S256');
  const challenge = matching(code_challenge, CHALLENGE, 'code_challenge must be a SHA-256 in base64url');
  return { redirectUri, challenge, state: matching(state, STATE, 'state is missing or too long') };
}

/** Returns the parameters again, for the form that the user sends. */
export function parametersOf({
  redirectUri,
  challenge,
  state,
}: AuthorizationRequest): Readonly<Record<string, string>> {
  return {
    client_id: LOGIN_CLIENT.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
  };
}

/** Returns the URL to which the browser takes the code. */
export function answerTo({ redirectUri, state }: AuthorizationRequest, code: string): string {
  return `${redirectUri}?${new URLSearchParams({ code, state })}`;
}

function matching(value: unknown, form: RegExp, otherwise: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw refused(otherwise);
  return value;
}

function refused(detail: string): AppError {
  return new AppError('bad-request', `The login request of the command line is invalid: ${detail}`);
}
