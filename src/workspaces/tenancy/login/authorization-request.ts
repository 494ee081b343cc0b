import { AppError } from '../../../lib/errors.ts';

/** The command lines as a client of OAuth 2.0: public, native, on the machine of the user (RFC 8252). */
export const LOGIN_CLIENT = {
  id: 'terraform-cli',
  authorizePath: '/app/oauth2/authorize',
  tokenPath: '/oauth2/token',
  /** Where it listens for its code, on the loopback interface: the first and the last port. */
  ports: [10_000, 10_010],
} as const;

/** What a command line asks the user for, in the browser (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationRequest {
  /** Where the code goes: the command line on the machine of the user. */
  readonly redirectUri: string;
  /** SHA-256 of a secret that the command line keeps, in base64url. */
  readonly challenge: string;
  /** Handed back as it came. */
  readonly state: string;
}

/** Parameters of a query or a form; one that came twice is a list, and no text. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Nothing but the machine of the user: a code must not be led anywhere else. */
const REDIRECT = /^http:\/\/(?:localhost|127\.0\.0\.1):(?:1000\d|10010)\/[\w/-]{0,100}$/;
const CHALLENGE = /^[\w-]{43}$/;
const STATE = /^[\x20-\x7e]{1,512}$/;

/** @throws 400 that is shown here, and never sent to where the request says */
export function readAuthorizationRequest(parameters: Parameters): AuthorizationRequest {
  const { client_id, response_type, redirect_uri, code_challenge, code_challenge_method, state } = parameters;
  if (client_id !== LOGIN_CLIENT.id) throw refused('client_id is not one that may log in here');
  const redirectUri = matching(redirect_uri, REDIRECT, 'redirect_uri is not on this machine, port 10000 to 10010');
  if (response_type !== 'code') throw refused('response_type has to be code');
  if (code_challenge_method !== 'S256') throw refused('code_challenge_method has to be S256');
  const challenge = matching(code_challenge, CHALLENGE, 'code_challenge is missing, or no SHA-256 in base64url');
  return { redirectUri, challenge, state: matching(state, STATE, 'state is missing, or too long') };
}

/** The parameters again, for the form that the user sends. */
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

/** Where the browser takes the code. */
export function answerTo({ redirectUri, state }: AuthorizationRequest, code: string): string {
  return `${redirectUri}?${new URLSearchParams({ code, state })}`;
}

function matching(value: unknown, form: RegExp, otherwise: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw refused(otherwise);
  return value;
}

function refused(detail: string): AppError {
  return new AppError('bad-request', `The command line asks for something that is not given: ${detail}`);
}
