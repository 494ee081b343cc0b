import { AppError } from '../../lib/errors.ts';
import type { Operation } from '../api/operation.ts';
import { parseFields, text } from '../fields.ts';
import type { AuditHealth } from './health.ts';

/** The record of requests, which others keep. */
export interface AuditRecord {
  health(): AuditHealth;
  sinks(): readonly { readonly name: string; readonly type: string; readonly failure: string | undefined }[];
  /** What stands in the record for a text. */
  hash(text: string): string;
}

const HASH_FIELDS = { input: text() };

/** Where requests are recorded, and what stands in the record for a text. Sinks are a matter of the configuration file. */
export function auditOperations(audit: AuditRecord): readonly Operation[] {
  return [
    {
      path: 'audit',
      verb: 'read',
      access: 'sudo',
      summary: 'List where requests are recorded',
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
      summary: 'Say what stands in the record for a text',
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
