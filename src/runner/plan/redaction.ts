import { hasParts, isJsonNumber, isSameJson } from '../../lib/exact-json/exact-json.ts';
import { JsonFile } from './json-file.ts';
import { readParts } from './json-parts.ts';
import type { Change, ResourceChange } from './plan-json.ts';
import type { Schemas } from './schemas.ts';

type Mask = (text: string) => string;

/**
 * Writes the redacted plan: the changes without sensitive values, and the schemas needed to display it. Format:
 * `internal/command/jsonformat` of OpenTofu, which reads it.
 * @param path output of `show -json`
 * @param mask masks secrets that the configuration does not mark as sensitive
 * @throws JobFailure if the plan is not JSON
 */
export async function writeRedactedPlan(path: string, into: string, schemas: Schemas, mask: Mask): Promise<void> {
  const file = new JsonFile(into);
  const ofResources = (name: string) => ({
    at: [name, '*'],
    take: (value: unknown) => {
      const resource = value as ResourceChange;
      file.item(name, JSON.stringify({ ...resource, change: redacted(resource.change, mask) }));
    },
  });
  await readParts(path, 'show', [
    { at: ['format_version'], take: (_, __, json) => file.member('plan_format_version', json) },
    ...LISTS.map(ofResources),
    { at: ['relevant_attributes', '*'], take: (_, __, json) => file.item('relevant_attributes', json) },
    {
      at: ['output_changes', '*'],
      take: (value, [, name = '']) =>
        file.entry('output_changes', name, JSON.stringify(redacted(value as Change, mask))),
    },
  ]);
  for (const name of [...LISTS, 'relevant_attributes']) if (!file.has(name)) file.member(name, '[]');
  if (!file.has('output_changes')) file.member('output_changes', '{}');
  if (schemas.version !== null) file.member('provider_format_version', schemas.version);
  schemas.writeTo(file);
  file.end();
}

const LISTS = ['resource_changes', 'resource_drift'];

function redacted(change: Change, mask: Mask): Change {
  const { before, after } = change;
  // A value that is sensitive on one side is hidden on both.
  const marks = [change.before_sensitive, change.after_sensitive];
  const hidden = (value: unknown, isOther: (path: Path) => boolean): unknown =>
    marks.reduce((shown, sensitive) => without(shown, sensitive, isOther), value);
  return {
    ...change,
    before: masked(
      hidden(before, () => false),
      mask,
    ),
    after: masked(
      hidden(after, (path) => !isSameJson(at(before, path), at(after, path))),
      (text, path) => maskedAfter(text, at(before, path), mask),
    ),
  };
}

/** Masks a value after the change. A masked value that changed must still look different, or the display omits it. */
function maskedAfter(text: string, before: unknown, mask: Mask): string {
  const shown = mask(text);
  return shown !== text && before !== text ? `${shown} (changed)` : shown;
}

function masked(value: unknown, mask: (text: string, path: Path) => string, path: Path = []): unknown {
  if (typeof value === 'string') return mask(value, path);
  if (!hasParts(value)) return value;
  if (Array.isArray(value)) return value.map((inner, n) => masked(inner, mask, [...path, n]));
  const inner = Object.entries(value).map(([key, one]) => [key, masked(one, mask, [...path, key])]);
  return Object.fromEntries(inner);
}

type Path = readonly (string | number)[];

/**
 * Replaces sensitive parts of a value.
 * @param sensitive true for the whole value, or the same structure for its parts
 * @param isOther whether the value at a path changed: its placeholder must then differ, because displays show only
 *   changes
 */
function without(value: unknown, sensitive: unknown, isOther: (path: Path) => boolean, path: Path = []): unknown {
  if (sensitive === true) return placeholder(value, isOther(path));
  if (!hasParts(sensitive) || !hasParts(value)) return value;
  const part = (key: string | number, inner: unknown): unknown =>
    without(inner, (sensitive as Record<string | number, unknown>)[key], isOther, [...path, key]);
  if (Array.isArray(value)) return value.map((inner, n) => part(n, inner));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(key, inner)]));
}

/** Returns a placeholder of the same type, because displays use the schema. It contains nothing of the value. */
function placeholder(value: unknown, isOther: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return isOther ? '(sensitive, changed)' : '(sensitive)';
  if (isJsonNumber(value)) return isOther ? 1 : 0;
  if (typeof value === 'boolean') return isOther;
  return Array.isArray(value) ? [] : {};
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (outer, key) => (hasParts(outer) ? (outer as Record<string | number, unknown>)[key] : undefined),
    value,
  );
}
