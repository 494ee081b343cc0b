import { Type } from 'typebox';
import type { Api } from '../http/api.ts';
import { type PageSizes, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { timestamp } from '../jsonapi/schema.ts';
import { actorOf } from '../tenancy/index.ts';
import type { AuditTrail } from './audit-trail.ts';
import { trailDocument } from './document.ts';

/**
 * Who polls wants many, and gets as many unless told otherwise.
 * @limit a page of the audit trail, events -> the page has so many
 */
const MAX_SIZE = 1_000;
const SIZES: PageSizes = { usual: MAX_SIZE, most: MAX_SIZE };
/** A day alone is its beginning, by UTC. */
const day = Type.String({ format: 'date', pattern: '^(19|[2-8]\\d)' });
const Query = Type.Object({ ...pageQuery, since: Type.Optional(Type.Union([timestamp, day])) });

/** What was done in the organization whose token it is. */
export function auditTrailRoutes(api: Api, trail: AuditTrail): void {
  api.get(
    '/organization/audit-trail',
    {
      schema: { querystring: Query },
      onSend: async (_request, reply, payload) => {
        if (reply.statusCode === 200) reply.header('content-type', 'application/json; charset=utf-8');
        return payload;
      },
    },
    async (request) => {
      const { since } = request.query;
      const page = pageOf(request.query, SIZES);
      const found = await trail.list(actorOf(request), since === undefined ? 0 : Date.parse(since), page);
      return trailDocument(found.organizationId, found, page);
    },
  );
}
