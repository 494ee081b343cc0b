import { type Static, Type } from 'typebox';
import { isoTime } from '../../lib/clock.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { nullable } from '../jsonapi/schema.ts';
import { is } from '../resource/index.ts';
import type { TrailEvent } from './store.ts';

const count = Type.Integer({ minimum: 0 });

/** Schema of an event. */
const Event = Type.Object({
  id: Type.String({ format: 'uuid' }),
  version: Type.Literal('0'),
  type: Type.Literal('Resource'),
  timestamp: is.time,
  auth: Type.Object({
    accessor_id: is.text,
    description: is.text,
    type: Type.Enum(['Client', 'System']),
    impersonator_id: Type.Null(),
    organization_id: is.text,
  }),
  request: Type.Object({ id: is.text }),
  resource: Type.Object({
    id: is.text,
    type: is.text,
    action: is.text,
    meta: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  }),
});

/** Schema of a page of the trail. The clients' format is not JSON:API. */
export const TrailPage = Type.Object({
  data: Type.Array(Event, { maxItems: 1000 }),
  pagination: Type.Object({
    current_page: count,
    prev_page: nullable(count),
    next_page: nullable(count),
    total_pages: count,
    total_count: count,
  }),
});

/** Returns a page of the trail. */
export function trailDocument(
  organizationId: string,
  { items, total }: Slice<TrailEvent>,
  { number, size }: Page,
): Static<typeof TrailPage> {
  const pages = Math.max(1, Math.ceil(total / size));
  return {
    data: items.map((event) => eventDocument(organizationId, event)),
    pagination: {
      current_page: number,
      prev_page: number > 1 ? Math.min(number - 1, pages) : null,
      next_page: number < pages ? number + 1 : null,
      total_pages: pages,
      total_count: total,
    },
  };
}

function eventDocument(organizationId: string, event: TrailEvent): Static<typeof Event> {
  return {
    id: event.id,
    version: '0',
    type: 'Resource',
    timestamp: isoTime(event.happenedAt),
    auth: {
      accessor_id: event.accessorId,
      description: event.description,
      type: event.authType,
      impersonator_id: null,
      organization_id: organizationId,
    },
    request: { id: event.requestId },
    resource: {
      id: event.resourceId,
      type: event.resourceType,
      action: event.action,
      meta: event.meta,
    },
  };
}
