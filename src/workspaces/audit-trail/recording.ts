import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ACTOR, actorOf, type RequestSubject } from '../tenancy/index.ts';
import type { AuditTrail } from './audit-trail.ts';
import { accessorOf, metaOf, resourceIdOf } from './event.ts';
import { eventName } from './event-names.ts';

/**
 * Records each successful request to the routes that are declared after this call in the audit trail of its
 * organization. The event is queued when the request is done, even if the response does not arrive.
 */
export function recordTrail(app: FastifyInstance, trail: AuditTrail): void {
  app.addHook('onRoute', (route) => {
    const name = eventName(String(route.method), route.url.slice(app.prefix.length));
    if (name === undefined) return;
    const { handler } = route;
    const meta = metaOf(name);
    route.handler = async function (request, reply) {
      const about: RequestSubject = { organizationId: undefined, workspaceId: undefined, projectId: undefined };
      const actor = { ...actorOf(request), about };
      request.setDecorator(ACTOR, actor);
      const answer = await handler.call(this, request, reply);
      const organizationId = about.organizationId ?? ('organizationId' in actor ? actor.organizationId : null);
      if (organizationId !== null) {
        const parameters = request.params as Readonly<Record<string, string>>;
        trail.note({
          ...accessorOf(actor),
          id: randomUUID(),
          organizationId,
          requestId: request.id,
          resourceId: resourceIdOf(name, about, answer, parameters),
          resourceType: name.type,
          action: name.action,
          meta: meta(request.body, answer),
        });
      }
      return answer;
    };
  });
  // All requests have a response at this point.
  app.addHook('onClose', () => trail.flush());
}
