import { type GeneralName, type GeneralNameType, generalNameToString } from '../certificate/general-name.ts';
import type { NameConstraints } from '../certificate/name-constraints.ts';

/**
 * Rules for matching names of one type with name constraints (RFC 5280 §4.2.1.10). Names and bases are first converted
 * to a comparable form; one that cannot be converted is malformed.
 */
export interface Form<Name, Base> {
  readonly type: GeneralNameType;
  name(name: GeneralName): Name | undefined;
  base(base: GeneralName): Base | undefined;
  /** Returns whether the name, with everything that it includes, is within the base. */
  isWithin(name: Name, base: Base): boolean;
  /** Returns whether the name, or something that it includes, is within the base. Defaults to `isWithin`. */
  overlaps?(name: Name, base: Base): boolean;
}

/** Description of a violated constraint. */
export interface Violation {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Returns the first name of this type that is outside of all permitted bases, if there are any, or overlaps an excluded
 * one.
 */
export function violationOf<Name, Base>(
  form: Form<Name, Base>,
  constraints: NameConstraints,
  allNames: readonly GeneralName[],
): Violation | undefined {
  const ofType = (list: readonly GeneralName[]) => list.filter((name) => name.type === form.type);
  const [names, permitted, excluded] = [ofType(allNames), ofType(constraints.permitted), ofType(constraints.excluded)];
  if (names.length === 0 || permitted.length + excluded.length === 0) return undefined;
  const malformedBase = [...permitted, ...excluded].find((base) => form.base(base) === undefined);
  if (malformedBase !== undefined) return unprocessable(`malformed constraint ${generalNameToString(malformedBase)}`);
  const bases = { permitted: prepared(form, permitted), excluded: prepared(form, excluded) };
  for (const name of names) {
    const subject = form.name(name);
    if (subject === undefined) return unprocessable(`malformed name ${generalNameToString(name)}`);
    if (!isPermitted(form, subject, bases.permitted)) {
      return { expected: `within ${listed(permitted)}`, actual: generalNameToString(name) };
    }
    if (isExcluded(form, subject, bases.excluded)) {
      return { expected: `not within ${listed(excluded)}`, actual: generalNameToString(name) };
    }
  }
  return undefined;
}

function isPermitted<Name, Base>(form: Form<Name, Base>, name: Name, bases: readonly Base[]): boolean {
  return bases.length === 0 || bases.some((base) => form.isWithin(name, base));
}

function isExcluded<Name, Base>(form: Form<Name, Base>, name: Name, bases: readonly Base[]): boolean {
  return bases.some((base) => (form.overlaps ?? form.isWithin)(name, base));
}

/** Refuses names that cannot be compared, instead of ignoring them. */
export function unprocessable(actual: string): Violation {
  return { expected: 'names and constraints that can be compared', actual };
}

function prepared<Name, Base>(form: Form<Name, Base>, bases: readonly GeneralName[]): Base[] {
  return bases.map((base) => form.base(base)).filter((base) => base !== undefined);
}

/** @limit name constraints listed in a verdict, constraints -> the others are omitted */
const MAX_LISTED = 5;

function listed(bases: readonly GeneralName[]): string {
  const texts = bases.slice(0, MAX_LISTED).map(generalNameToString);
  return bases.length > MAX_LISTED ? `${texts.join(', ')} …` : texts.join(', ');
}
