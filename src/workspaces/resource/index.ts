/** Declares the resources of the workspace API, each name once. */

export { attribute, optional, required, time, timeOrNull } from './attribute.ts';
export { createBody, updateBody } from './body.ts';
export { membersOf } from './members.ts';
export {
  link,
  linkedToMany,
  linkedToOne,
  linkedToOneOf,
  relationship,
  toMany,
  toOne,
  toOneOf,
} from './relationship.ts';
export { type AnyResource, type DeclaredResource, resourceOf } from './resource.ts';
export * as is from './shapes.ts';
export { statusTimes } from './status-times.ts';
