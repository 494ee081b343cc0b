import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitedBody } from '../../lib/limited-body.ts';
import { readLongJson } from '../../lib/long-json/long-json.ts';
import { LongText } from '../../lib/long-json/long-text.ts';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { removeEmptyMembers } from '../jsonapi/empty-members.ts';
import { compileValidator } from '../jsonapi/validation.ts';

const MEDIA_TYPES = [MEDIA_TYPE, 'application/json'];

/**
 * Parses long strings in the bodies of this scope's routes as `LongText`, in chunks. Large bodies then do not block
 * the event loop.
 */
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
 * Replaces each `LongText` by its first chunk for the schema validation. The chunk is longer than any other string may
 * be, so a `LongText` in the wrong place is refused. The consumer of a `LongText` checks its length.
 */
function withTexts(value: unknown): unknown {
  if (value instanceof LongText) return value.pieces[0]?.toString('latin1');
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner)]));
}
