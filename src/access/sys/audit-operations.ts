import { AppError } from '../../lib/errors.ts';
import { answersFlat } from '../operation/answer.ts';
import { described, parseFields, text } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import { component, flag, mapComponent, mapOf, text as shownText } from '../operation/schema.ts';
import { type ReadableRecord, readingOperation } from './audit-reading.ts';
import type { AuditHealth } from './health.ts';

/** The audit log, which another module implements. */
export interface AuditRecord extends ReadableRecord {
  health(): AuditHealth;
  sinks(): readonly { readonly name: string; readonly type: string; readonly failure: string | undefined }[];
  /** Returns the hash that the audit log contains for a text. */
  hash(text: string): string;
}

const HASH_FIELDS = described({ input: text() }, { input: 'The text to hash.' });

const Device = component('AuditDevice', {
  type: shownText(),
  path: shownText(),
  description: shownText('Reason why the device cannot be written. Empty if it can.'),
  local: flag(),
  options: mapOf(shownText()),
});
const AuditDevices = mapComponent('AuditDevices', Device, 'Devices by name, with a trailing slash.');
const AuditHash = component('AuditHash', { hash: shownText('`hmac-sha256:` and hexadecimal digits.') });

/** Operations on audit devices and hashes. Devices are set in the configuration file. */
export function auditOperations(audit: AuditRecord): readonly Operation[] {
  return [
    readingOperation(audit),
    {
      path: 'audit',
      verb: 'read',
      access: 'sudo',
      id: 'auditing-list-enabled-devices',
      summary: 'List the audit devices',
      answers: answersFlat(AuditDevices),
      async handle() {
        const entries = audit
          .sinks()
          .map(({ name, type, failure }) => [
            `${name}/`,
            { type, path: `${name}/`, description: failure ?? '', local: true, options: {} },
          ]);
        return { data: Object.fromEntries(entries), flat: true };
      },
    },
    {
      path: 'audit-hash/:name',
      verb: 'update',
      access: 'sudo',
      id: 'auditing-calculate-hash',
      summary: 'Return the hash that the audit log contains for a text',
      answers: answersFlat(AuditHash),
      parameters: { name: 'Name of the audit device, such as `file`.' },
      fields: HASH_FIELDS,
      async handle({ params, data }) {
        const { input = '' } = parseFields(HASH_FIELDS, data).values;
        const known = audit.sinks().some(({ name }) => name === params.name);
        if (!known) throw new AppError('bad-request', `unknown audit backend "${(params.name ?? '').slice(0, 100)}/"`);
        if (input === '') throw new AppError('bad-request', 'the "input" parameter is empty');
        return { data: { hash: audit.hash(input) }, flat: true };
      },
    },
  ];
}
