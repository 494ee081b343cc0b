import type { AnyRequest } from '../../http/api.ts';
import type { Actor } from './actor.ts';

/** Where a request keeps who asks. */
export const ACTOR = Symbol('actor');

/** Who asks: known before any handler runs. */
export function actorOf(request: AnyRequest): Actor {
  return request.getDecorator<Actor>(ACTOR);
}
