import { Type } from 'typebox';
import { nullable } from '../jsonapi/schema.ts';
import type { Answers } from '../openapi/answer.ts';
import { SECURITY } from '../openapi/components.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });

const AuditTrailEvent = Type.Object({
  id: Type.String({ format: 'uuid' }),
  version: Type.Literal('0'),
  type: Type.Literal('Resource'),
  timestamp: Type.String({ format: 'date-time' }),
  auth: Type.Object({
    accessor_id: text,
    description: text,
    type: Type.Enum(['Client', 'System']),
    impersonator_id: Type.Null(),
    organization_id: text,
  }),
  request: Type.Object({ id: text }),
  resource: Type.Object({
    id: text,
    type: text,
    action: text,
    meta: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  }),
});

const AuditTrail = Type.Object({
  data: Type.Array(AuditTrailEvent, { maxItems: 1000 }),
  pagination: Type.Object({
    current_page: count,
    prev_page: nullable(count),
    next_page: nullable(count),
    total_pages: count,
    total_count: count,
  }),
});

export const AUDIT_TRAIL_ANSWERS: Answers = {
  'GET /organization/audit-trail': {
    statuses: [200],
    content: { mediaType: 'application/json', schema: AuditTrail },
    security: SECURITY,
  },
};
