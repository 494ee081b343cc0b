import { isSameJson } from '../../lib/exact-json/exact-json.ts';
import type { Json } from '../model/item.ts';

/** Returns whether two settings are equal. Servers write "not set" as null, an empty text or an empty list. */
export function isSame(one: Json, other: Json): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return isSameJson(withoutEmpty(one), withoutEmpty(other));
}

function isEmpty(value: Json): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Removes empty members of an object, at each level. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmpty(member)]));
}
