import { isoTime } from '../../lib/clock.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import type { TrailEvent } from './store.ts';

/** Returns a page of the trail in the clients' format, which is not JSON:API. */
export function trailDocument(organizationId: string, { items, total }: Slice<TrailEvent>, { number, size }: Page) {
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

function eventDocument(organizationId: string, event: TrailEvent) {
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
