import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitedBody } from '../../lib/limited-body.ts';
import { readLongJson } from '../../lib/long-json/long-json.ts';
import { LongText } from '../../lib/long-json/long-text.ts';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { removeEmptyMembers } from '../jsonapi/empty-members.ts';
import { compileValidator } from '../jsonapi/validation.ts';

const MEDIA_TYPES = [MEDIA_TYPE, 'application/json'];

/** In the bodies of the routes of this scope long texts come in pieces, as `LongText`: however long, they hold nobody up. */
export function acceptLongTexts(scope: FastifyInstance): void {
  scope.removeContentTypeParser(MEDIA_TYPES);
  scope.addContentTypeParser(MEDIA_TYPES, ({ headers, routeOptions }: FastifyRequest, payload: Readable) =>
    readLongJson(limitedBody(payload, headers['content-length'], routeOptions.bodyLimit ?? 0)),
  );
  scope.setValidatorCompiler((route) => {
    const check = compileValidator(route as Parameters<typeof compileValidator>[0]);
    return (value: unknown) => {
      if (route.httpPart === 'body') removeEmptyMembers(value);
      const { error } = check(withTexts(value));
      return error ? { error } : { value };
    };
  });
}

/**
 * With a text in the place of each that comes in pieces: its beginning, which is longer than any text may be that is not
 * meant to come so. How long one may be that is, its reader knows.
 */
function withTexts(value: unknown): unknown {
  if (value instanceof LongText) return value.pieces[0]?.toString('latin1');
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner)]));
}
