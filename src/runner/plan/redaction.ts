import { isDeepStrictEqual } from 'node:util';
import type { Change, PlanJson, ResourceChange } from './plan-json.ts';
import type { SchemasJson } from './schemas.ts';

/**
 * What people may read of a plan: what is to change, without sensitive values, and the schemas that are needed to print it.
 * Source: `internal/command/jsonformat` of OpenTofu, which reads it.
 * @param mask a text without what is secret though the configuration does not say so
 */
export function redactedPlan(plan: PlanJson, schemas: SchemasJson, mask: Mask): Record<string, unknown> {
  const outputs = Object.entries(plan.output_changes ?? {});
  const redactedResource = (resource: ResourceChange): ResourceChange => ({
    ...resource,
    change: redacted(resource.change, mask),
  });
  return {
    plan_format_version: plan.format_version,
    resource_changes: (plan.resource_changes ?? []).map(redactedResource),
    resource_drift: (plan.resource_drift ?? []).map(redactedResource),
    relevant_attributes: plan.relevant_attributes ?? [],
    output_changes: Object.fromEntries(outputs.map(([name, change]) => [name, redacted(change, mask)])),
    provider_format_version: schemas.format_version,
    provider_schemas: schemas.provider_schemas ?? {},
  };
}

type Mask = (text: string) => string;

function redacted(change: Change, mask: Mask): Change {
  const { before, after } = change;
  // What is sensitive on one side is shown on neither.
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
      hidden(after, (path) => !isDeepStrictEqual(at(before, path), at(after, path))),
      (text, path) => maskedAfter(text, at(before, path), mask),
    ),
  };
}

/** What is changed is to look different. */
function maskedAfter(text: string, before: unknown, mask: Mask): string {
  const shown = mask(text);
  return shown !== text && before !== text ? `${shown} (changed)` : shown;
}

function masked(value: unknown, mask: (text: string, path: Path) => string, path: Path = []): unknown {
  if (typeof value === 'string') return mask(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner, n) => masked(inner, mask, [...path, n]));
  const inner = Object.entries(value).map(([key, one]) => [key, masked(one, mask, [...path, key])]);
  return Object.fromEntries(inner);
}

type Path = readonly (string | number)[];

/**
 * @param sensitive true for all of the value, or the same for its parts
 * @param isOther whether what is there is to look different from what it was: who prints the plan shows only what changes
 */
function without(value: unknown, sensitive: unknown, isOther: (path: Path) => boolean, path: Path = []): unknown {
  if (sensitive === true) return placeholder(value, isOther(path));
  if (typeof sensitive !== 'object' || sensitive === null || typeof value !== 'object' || value === null) return value;
  const part = (key: string | number, inner: unknown): unknown =>
    without(inner, (sensitive as Record<string | number, unknown>)[key], isOther, [...path, key]);
  if (Array.isArray(value)) return value.map((inner, n) => part(n, inner));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(key, inner)]));
}

/** Of the same type, since it is printed by its schema; nothing of the value is in it. */
function placeholder(value: unknown, isOther: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return isOther ? '(sensitive, changed)' : '(sensitive)';
  if (typeof value === 'number') return isOther ? 1 : 0;
  if (typeof value === 'boolean') return isOther;
  return Array.isArray(value) ? [] : {};
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? (outer as Record<string, unknown>)[key] : undefined),
    value,
  );
}
