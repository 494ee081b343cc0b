import type { Issue } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { KeyValue } from '../../tenancy/index.ts';
import { MAX_TAG_CHARACTERS, MAX_TAGS } from '../model/limits.ts';
import type { TagEntries } from '../settings/schema.ts';

/** Letters, digits, `:`, `-` and `_`, with a letter or digit at both ends, as in HCP Terraform. */
const TAG = /^[a-z0-9](?:[a-z0-9:_-]{0,253}[a-z0-9])?$/;
const TAG_RULE = 'A tag name contains letters, digits, colons, - and _, and starts and ends with a letter or digit';
/** A flat tag that a client names: by id, or by name in lower case. */
export type TagTarget = { readonly id: string } | { readonly name: string };

/** Converts only ASCII letters: other letters must not turn into allowed ones. */
function inLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Parses the entries. `pointer` refers to them. @throws 422 for an entry without id and name */
export function tagTargets(entries: TagEntries, pointer: string): TagTarget[] {
  return entries.map(({ id, attributes }, index): TagTarget => {
    if (id) return { id };
    if (attributes?.name) return { name: inLowerCase(attributes.name) };
    throw unprocessable([{ detail: 'A tag is named by id or attributes.name', pointer: `${pointer}/${index}` }]);
  });
}

/**
 * Checks the name of a tag.
 * @throws 422 for an invalid name
 */
export function checkTagNames(targets: readonly TagTarget[], pointer: string): void {
  const issues = targets.flatMap((target, index): Issue[] => {
    if ('id' in target || TAG.test(target.name)) return [];
    return [{ detail: TAG_RULE, pointer: `${pointer}/${index}/attributes/name` }];
  });
  if (issues.length > 0) throw unprocessable(issues);
}

/** Returns whether these could exceed the limits of a workspace. The name of a tag that is given by id is unknown. */
export function mayBeTooMany(targets: readonly TagTarget[]): boolean {
  const characters = targets.reduce((sum, target) => sum + ('id' in target ? Infinity : target.name.length), 0);
  return targets.length > MAX_TAGS || characters > MAX_TAG_CHARACTERS;
}

/**
 * Checks the number of tags.
 * @throws 422 for more tags than a workspace may have
 */
export function checkTagsOf({ count, characters }: { count: number; characters: number }, pointer: string): void {
  if (count <= MAX_TAGS && characters <= MAX_TAG_CHARACTERS) return;
  const detail = `A workspace has at most ${MAX_TAGS} tags, with ${MAX_TAG_CHARACTERS} characters together`;
  throw unprocessable([{ detail, pointer }]);
}

/**
 * Checks that the keys can be overridden.
 * @throws 422 for keys whose project value cannot be overridden
 */
export function checkNotLocked(bindings: readonly KeyValue[], locked: ReadonlySet<string>): void {
  const issues = bindings
    .filter(({ key }) => locked.has(key))
    .map(({ key }) => ({ detail: `Key ${key} is inherited from the project and cannot be overridden` }));
  if (issues.length > 0) throw unprocessable(issues);
}
