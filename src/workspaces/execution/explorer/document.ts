import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { Value } from './field.ts';
import { WORKSPACES } from './group-fields.ts';
import type { Result, ResultRow } from './search.ts';
import { RESOURCE_TYPES, type ViewType } from './view-type.ts';

/**
 * @limit list of providers, modules or tags in a row of the explorer, characters -> the last entry is the number of the others;
 * the CSV file has all
 */
const MAX_LIST = 4000;

/** Returns the JSON:API resource of a row. Lists are texts with commas; empty ones are null. */
export function rowResource(type: ViewType, fields: Result['fields'], { id, values }: ResultRow): Resource {
  const attributes = fields.map((field, at) => [field.name.replaceAll('_', '-'), shown(field, values[at] ?? null)]);
  return { id, type: RESOURCE_TYPES[type], attributes: Object.fromEntries(attributes) };
}

function shown({ name, kind }: Result['fields'][number], value: Value): unknown {
  if (kind === 'time' && value !== null) return isoTime(value as number);
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return null;
  return (name === WORKSPACES.name ? value : shortened(value)).join(', ');
}

/** A page of 100 rows with all entries would have 7 MB, and JSON is written in one piece. */
function shortened(list: readonly string[]): readonly string[] {
  let room = MAX_LIST;
  const count = list.findIndex((entry) => {
    room -= entry.length + 2;
    return room < 0;
  });
  return count < 0 ? list : [...list.slice(0, count), `and ${list.length - count} more`];
}
