import type { AnyRequest } from '../../http/api.ts';
import type { Actor } from './actor.ts';

/** Where a request keeps who asks. */
export const ACTOR = Symbol('actor');

/** Returns undefined on a route that is open to everybody, or that has tokens of its own. */
export function knownActorOf(request: object): Actor | undefined {
  return (request as { readonly [ACTOR]?: Actor })[ACTOR];
}

/** Who asks: known before any handler runs. */
export function actorOf(request: AnyRequest): Actor {
  return request.getDecorator<Actor>(ACTOR);
}
