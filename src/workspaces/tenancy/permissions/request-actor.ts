import type { AnyRequest } from '../../http/api.ts';
import type { Actor } from './actor.ts';

/** Key under which a request stores its actor. */
export const ACTOR = Symbol('actor');

/** Returns the actor. Undefined on a public route or on a route with its own tokens. */
export function knownActorOf(request: object): Actor | undefined {
  return (request as { readonly [ACTOR]?: Actor })[ACTOR];
}

/** Returns the actor, which is set before any handler runs. */
export function actorOf(request: AnyRequest): Actor {
  return request.getDecorator<Actor>(ACTOR);
}
