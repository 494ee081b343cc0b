import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { Kind, Value } from './field.ts';
import type { Result, ResultRow } from './search.ts';
import { RESOURCE_TYPES, type ViewType } from './view-type.ts';

/** Returns the JSON:API resource of a row. Lists are texts with commas; empty ones are null. */
export function rowResource(type: ViewType, fields: Result['fields'], { id, values }: ResultRow): Resource {
  const attributes = fields.map(({ name, kind }, at) => [name.replaceAll('_', '-'), shown(kind, values[at] ?? null)]);
  return { id, type: RESOURCE_TYPES[type], attributes: Object.fromEntries(attributes) };
}

function shown(kind: Kind, value: Value): unknown {
  if (kind === 'time' && value !== null) return isoTime(value as number);
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? null : value.join(', ');
}
