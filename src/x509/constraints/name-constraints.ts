import { AttributeType } from '../certificate/attribute.ts';
import type { Certificate } from '../certificate/certificate.ts';
import type { GeneralName, GeneralNameType } from '../certificate/general-name.ts';
import type { NameConstraints } from '../certificate/name-constraints.ts';
import { directoryNameForm } from './directory-name.ts';
import { dnsForm } from './dns.ts';
import { emailForm } from './email.ts';
import { unprocessable, type Violation, violationOf } from './form.ts';
import { ipForm } from './ip.ts';
import { uriForm } from './uri.ts';

/** Returns the first violation of the constraints (RFC 5280 §4.2.1.10). */
export function nameViolation(constraints: NameConstraints, names: readonly GeneralName[]): Violation | undefined {
  return (
    incomparableName(constraints, names) ??
    violationOf(directoryNameForm, constraints, names) ??
    violationOf(dnsForm, constraints, names) ??
    violationOf(emailForm, constraints, names) ??
    violationOf(uriForm, constraints, names) ??
    violationOf(ipForm, constraints, names)
  );
}

/** Returns the maximum number of comparisons of `nameViolation`. */
export function comparisonCount(constraints: NameConstraints, names: readonly GeneralName[]): number {
  return names.length * (constraints.permitted.length + constraints.excluded.length);
}

/**
 * Returns all names to which constraints apply: the subject unless it is empty, every alternative name, and, if there
 * is none, email addresses in the subject. Common names are not included.
 */
export function constrainedNames({ subject, known }: Certificate): GeneralName[] {
  const alternativeNames = known.subjectAltName ?? [];
  const names = alternativeNames.length > 0 ? [...alternativeNames] : emailAddressesOf(subject);
  if (!subject.isEmpty) names.push({ type: 'directoryName', value: subject });
  return names;
}

function emailAddressesOf(subject: Certificate['subject']): GeneralName[] {
  return subject.values(AttributeType.emailAddress).map((value) => ({ type: 'email', value }));
}

/**
 * Types for whose constraints RFC 5280 defines no meaning: a name of such a type must be refused if it is constrained.
 */
const INCOMPARABLE: ReadonlySet<GeneralNameType> = new Set([
  'otherName',
  'x400Address',
  'ediPartyName',
  'registeredId',
]);

function incomparableName(
  { permitted, excluded }: NameConstraints,
  names: readonly GeneralName[],
): Violation | undefined {
  const types = new Set([...permitted, ...excluded].map((base) => base.type).filter((type) => INCOMPARABLE.has(type)));
  const name = names.find(({ type }) => types.has(type));
  return name === undefined ? undefined : unprocessable(`a constraint on names of type ${name.type}`);
}
