import { type Static, Type } from 'typebox';
import type { Issue } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { nullable, text, typed } from '../../jsonapi/schema.ts';

const KEY = /^[\w.=+@:-]{1,128}$/;
const VALUE = /^[\w.=+@: -]{0,256}$/;
/** Prefixes that HCP Terraform reserves. */
const RESERVED = /^(?:hcp?|ibm):/;
/**
 * Key-value tags of one workspace or project, as in the original.
 * @limit key-value tags of a workspace or a project, tags -> 422
 */
export const MAX_BINDINGS = 10;

const KEY_RULE = 'Key must have 1 to 128 letters, digits and _ . = + - @ :, and must not start with hc:, hcp: or ibm:';
const VALUE_RULE = 'Value must have at most 256 letters, digits, spaces and _ . = + - @ :';

/** Key-value tag in a request. */
export const BindingEntry = Type.Object({
  type: typed('tag-bindings'),
  attributes: Type.Object({ key: text(128), value: Type.Optional(nullable(text(256))) }),
});

/** `data` of a list of key-value tags. */
export type BindingEntries = readonly Static<typeof BindingEntry>[];

/** Key-value tag that a client sets. The value may be empty. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/**
 * Parses the tags of a request.
 * @throws 422 with all errors
 */
export function keyValues(entries: BindingEntries, pointer: string): KeyValue[] {
  const bindings = entries.map(({ attributes }) => ({ key: attributes.key, value: attributes.value ?? '' }));
  const issues = bindings.flatMap(({ key, value }, index): Issue[] => {
    const at = `${pointer}/${index}/attributes`;
    const twice = bindings.findIndex((other) => other.key === key) < index;
    return [
      ...(KEY.test(key) && !RESERVED.test(key) ? [] : [{ detail: KEY_RULE, pointer: `${at}/key` }]),
      ...(VALUE.test(value) ? [] : [{ detail: VALUE_RULE, pointer: `${at}/value` }]),
      ...(twice ? [{ detail: `Key ${key} is repeated`, pointer: `${at}/key` }] : []),
    ];
  });
  if (issues.length > 0) throw unprocessable(issues);
  return bindings;
}

/**
 * Checks the number of key-value tags.
 * @throws 422 for too many
 */
export function checkBindingCount(count: number): void {
  if (count > MAX_BINDINGS)
    throw unprocessable([{ detail: `Tag bindings cannot exceed ${MAX_BINDINGS} bindings per resource` }]);
}
