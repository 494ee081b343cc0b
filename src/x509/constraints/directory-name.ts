import type { GeneralName } from '../certificate/general-name.ts';
import type { Name } from '../certificate/name.ts';
import type { Form } from './form.ts';

/** A name is within a base if it starts with the base's RDNs, compared as in RFC 5280 §7.1. */
export const directoryNameForm: Form<Name, Name> = { type: 'directoryName', name: nameIn, base: nameIn, isWithin };

function nameIn(name: GeneralName): Name | undefined {
  return name.type === 'directoryName' ? name.value : undefined;
}

function isWithin(name: Name, base: Name): boolean {
  return base.rdns.length <= name.rdns.length && base.rdnKeys.every((key, i) => key === name.rdnKeys[i]);
}
