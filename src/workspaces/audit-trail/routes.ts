import { Type } from 'typebox';
import type { Api } from '../http/api.ts';
import { type PageSizes, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { timestamp } from '../jsonapi/schema.ts';
import { plainAnswer } from '../openapi/answer.ts';
import { actorOf } from '../tenancy/index.ts';
import type { AuditTrail } from './audit-trail.ts';
import { TrailPage, trailDocument } from './document.ts';

/**
 * Default and maximum page size. Polling clients want large pages.
 * @limit a page of the audit trail, events -> the page has this many
 */
const MAX_SIZE = 1_000;
const SIZES: PageSizes = { usual: MAX_SIZE, most: MAX_SIZE };
/** A date without time means its start in UTC. */
const day = Type.String({ format: 'date', pattern: '^(19|[2-8]\\d)' });
const Query = Type.Object({ ...pageQuery, since: Type.Optional(Type.Union([timestamp, day])) });

/** Route of an organization's audit trail. */
export function auditTrailRoutes(api: Api, trail: AuditTrail): void {
  api.get(
    '/organization/audit-trail',
    {
      answer: plainAnswer(TrailPage),
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
