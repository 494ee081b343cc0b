import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import type { Parameters } from './authorization-request.ts';
import type { TokenRequest } from './logins.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Lifetimes that users can choose for a new token, by their name in the form. */
export const LIFETIMES: Readonly<Record<string, { readonly label: string; readonly ttl: number }>> = {
  '8h': { label: '8 hours', ttl: 8 * HOUR },
  '1d': { label: '1 day', ttl: DAY },
  '7d': { label: '7 days', ttl: 7 * DAY },
  '30d': { label: '30 days', ttl: 30 * DAY },
  '90d': { label: '90 days', ttl: 90 * DAY },
};
export const DEFAULT_LIFETIME = '30d';
/** @limit description of a token that is created on a login page, characters -> the form shows an error */
export const MAX_DESCRIPTION = 255;

/** @limit size of a form on a login page, bytes -> 413 */
const MAX_FORM_BYTES = 16_384;
/** @limit fields of a form on a login page, fields -> 400 */
const MAX_FIELDS = 20;

/** Parses forms as browsers and OAuth clients send them. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_request: unknown, body: string) => readForm(body),
  );
}

/**
 * Parses a form.
 * @throws 400 for a repeated field (RFC 6749 §3.1) or too many fields
 */
function readForm(body: string): Parameters {
  const fields = [...new URLSearchParams(body)];
  const form = new Map(fields);
  if (fields.length > MAX_FIELDS || form.size < fields.length) {
    throw new AppError('bad-request', 'The form has too many fields or a repeated field');
  }
  return Object.fromEntries(form);
}

/** Returns the value of a field. Empty if the field is missing. */
export function fieldOf(request: FastifyRequest, name: string): string {
  const value = formOf(request)[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the parsed form. Empty for a request without a form. */
export function formOf({ body }: FastifyRequest): Parameters {
  return (body ?? {}) as Parameters;
}

/**
 * Returns the token that a form requests.
 * @throws 400 for values that the form itself does not allow
 */
export function wantedToken(request: FastifyRequest): TokenRequest {
  const description = fieldOf(request, 'description');
  const lifetime = fieldOf(request, 'lifetime') || DEFAULT_LIFETIME;
  const ttl = Object.hasOwn(LIFETIMES, lifetime) ? LIFETIMES[lifetime]?.ttl : undefined;
  if (description === '' || description.length > MAX_DESCRIPTION || ttl === undefined) {
    throw new AppError('bad-request', 'Enter a description of at most 255 characters and choose a lifetime');
  }
  return { description, ttl };
}

/**
 * Refuses a form that another site made the browser send (CSRF protection). Browsers always send the origin of a form.
 * A request without an origin does not come from a browser, so it carries no session that could be abused.
 */
export async function sameOriginHook({ headers, host }: FastifyRequest): Promise<void> {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isForeign =
    site === undefined
      ? origin !== undefined && URL.parse(origin)?.host !== host
      : site !== 'same-origin' && site !== 'none';
  if (isForeign)
    throw new AppError('forbidden', 'The form was sent from another site. Open the page on this server and try again');
}
