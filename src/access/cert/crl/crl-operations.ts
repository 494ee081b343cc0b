import { Readable } from 'node:stream';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { serialOf } from '../../../revocation/crl/index.ts';
import { answersData, answersKeys, answersNothing } from '../../operation/answer.ts';
import { LIST_FIELDS, namesReply, PAGE_FIELDS, type Page, pageOf } from '../../operation/listing.ts';
import { DONE, type OpenCall, type Operation } from '../../operation/operation.ts';
import { roleName } from '../role/role-write.ts';
import { Crl, crlDocument, withSerials } from './crl-document.ts';
import { CRL_FIELDS } from './crl-fields.ts';
import type { CrlReading, CrlService } from './crl-service.ts';

/**
 * Bytes of the body of a write: half a million entries in PEM; larger lists come by `url`.
 * @limit a list in a request, bytes -> 413; a larger one comes by url
 */
export const CRL_BODY_BYTES = 32 * 2 ** 20;

const LIST = { name: 'The revocation list, in any case.' };

/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** The revocation lists under their mount (spec §4): `/crls` and `/crls/:name`. */
export function crlOperations(crls: CrlService, clock: Clock): readonly Operation[] {
  return [
    {
      path: 'crls',
      verb: 'list',
      id: 'cert-list-crls',
      summary: 'List revocation lists',
      answers: answersKeys(),
      fields: LIST_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return namesReply(await crls.names(after, most), data);
      },
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'update',
      id: 'cert-write-crl',
      summary: 'Upload a revocation list, or say where it is fetched from',
      answers: answersNothing(),
      parameters: LIST,
      fields: CRL_FIELDS,
      bodyLimit: CRL_BODY_BYTES,
      longTexts: true,
      async handle(call) {
        await crls.write(nameOf(call), call.data);
        return DONE;
      },
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'read',
      id: 'cert-read-crl',
      summary: 'Read a revocation list, its serial numbers in pages where asked for',
      answers: answersData(Crl),
      parameters: LIST,
      fields: PAGE_FIELDS,
      async handle(call) {
        const reading = await crls.read(nameOf(call));
        const serials = serialsOf(reading, pageOf(call.data));
        return {
          data: { ...crlDocument(reading, clock()), serials: {} },
          stream: (json) => Readable.from(withSerials(json, serials)),
        };
      },
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'delete',
      id: 'cert-delete-crl',
      summary: 'Delete a revocation list',
      answers: answersNothing(),
      parameters: LIST,
      async handle(call) {
        await crls.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

/** The serial numbers that a read asks for: all, or `limit` of them from behind `after` on, in the order of the list. */
function serialsOf({ loaded }: CrlReading, { after, most }: Page): Iterable<Uint8Array> {
  const { serials } = loaded.list;
  const serial = serialOf(after);
  const page = after === '' ? serials.serials(most) : serial && serials.serials(most, serial);
  if (!page) throw new AppError('bad-request', "'after' is not a serial number of this CRL");
  return page;
}
