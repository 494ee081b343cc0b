import type { Issue } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { BindingEntries, TagEntries } from '../settings/schema.ts';
import { MAX_TAG_CHARACTERS, MAX_TAGS } from '../workspace/limits.ts';

/** Letters, digits, `:`, `-` and `_`, a letter or digit at both ends, as in the original. */
const TAG = /^[a-z0-9](?:[a-z0-9:_-]{0,253}[a-z0-9])?$/;
const KEY = /^[\w.=+@:-]{1,128}$/;
const VALUE = /^[\w.=+@: -]{0,256}$/;
/** Kept by the original for itself. */
const RESERVED = /^(?:hcp?|ibm):/;
/**
 * Key-value tags of one workspace or project, as in the original.
 * @limit key-value tags of a workspace or a project, tags -> 422
 */
export const MAX_BINDINGS = 10;

const TAG_RULE = 'Tag name has letters, digits, colons, - and _, and begins and ends with a letter or digit';
const KEY_RULE = 'Key has 1 to 128 letters, digits and _ . = + - @ :, and does not begin with hc:, hcp: or ibm:';
const VALUE_RULE = 'Value has at most 256 letters, digits, spaces and _ . = + - @ :';

/** A key-value tag that a client asks for; the value may be empty. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** One flat tag that a client names: by its id, or by its name in lower case. */
export type TagTarget = { readonly id: string } | { readonly name: string };

/** Of ASCII alone: other letters must not turn into allowed ones. */
function inLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What the entries name. `pointer` leads to them. @throws 422 for an entry that names nothing */
export function tagTargets(entries: TagEntries, pointer: string): TagTarget[] {
  return entries.map(({ id, attributes }, index): TagTarget => {
    if (id) return { id };
    if (attributes?.name) return { name: inLowerCase(attributes.name) };
    throw unprocessable([{ detail: 'A tag is named by id or attributes.name', pointer: `${pointer}/${index}` }]);
  });
}

/** @throws 422 for a name that no tag can have */
export function checkTagNames(targets: readonly TagTarget[], pointer: string): void {
  const issues = targets.flatMap((target, index): Issue[] => {
    if ('id' in target || TAG.test(target.name)) return [];
    return [{ detail: TAG_RULE, pointer: `${pointer}/${index}/attributes/name` }];
  });
  if (issues.length > 0) throw unprocessable(issues);
}

/** @throws 422 for more than a workspace may have */
export function checkTagsOf({ count, characters }: { count: number; characters: number }, pointer: string): void {
  if (count <= MAX_TAGS && characters <= MAX_TAG_CHARACTERS) return;
  const detail = `A workspace has at most ${MAX_TAGS} tags, with ${MAX_TAG_CHARACTERS} characters together`;
  throw unprocessable([{ detail, pointer }]);
}

/** The bindings that the entries ask for. @throws 422 with everything that is wrong */
export function keyValues(entries: BindingEntries, pointer: string): KeyValue[] {
  const bindings = entries.map(({ attributes }) => ({ key: attributes.key, value: attributes.value ?? '' }));
  const issues = bindings.flatMap(({ key, value }, index): Issue[] => {
    const at = `${pointer}/${index}/attributes`;
    const twice = bindings.findIndex((other) => other.key === key) < index;
    return [
      ...(KEY.test(key) && !RESERVED.test(key) ? [] : [{ detail: KEY_RULE, pointer: `${at}/key` }]),
      ...(VALUE.test(value) ? [] : [{ detail: VALUE_RULE, pointer: `${at}/value` }]),
      ...(twice ? [{ detail: `Key ${key} is given twice`, pointer: `${at}/key` }] : []),
    ];
  });
  if (issues.length > 0) throw unprocessable(issues);
  return bindings;
}

/** @throws 422 for keys of which the project has the last word */
export function checkNotLocked(bindings: readonly KeyValue[], locked: ReadonlySet<string>): void {
  const issues = bindings
    .filter(({ key }) => locked.has(key))
    .map(({ key }) => ({ detail: `Key ${key} is inherited from the project and cannot be overridden` }));
  if (issues.length > 0) throw unprocessable(issues);
}

/** @throws 422 */
export function checkBindingCount(count: number): void {
  if (count > MAX_BINDINGS)
    throw unprocessable([{ detail: `Tag bindings cannot exceed ${MAX_BINDINGS} bindings per resource` }]);
}
